"""Measures of speed as numbers: target, low, expected, high, verdict."""

from desktop.report.draft import Draft, Proposal
from desktop.report.sections.performance import PERCENT, measures_of
from desktop.report.workbook.book import Book
from desktop.report.workbook.names import sheet_title

HEADER = 2


def performance_sheet(book: Book, draft: Draft, proposal: Proposal) -> None:
    """Nothing where no speed may be given."""
    measures = measures_of(draft.wording, proposal)
    if not measures:
        return
    say = draft.wording.label
    sheet = book.sheet(sheet_title(draft, "performance", proposal), (44, 6, 14, 14, 14, 14, 16, 44), header_row=HEADER)
    sheet.heading(draft.title_of("performance", proposal))
    sheet.header(
        HEADER,
        [
            say("column.measure"),
            "",
            say("column.required"),
            say("column.low"),
            say("column.expected"),
            say("column.high"),
            say("column.verdict"),
            say("column.remark"),
        ],
        right=(2, 3, 4, 5),
    )
    row = HEADER
    for row, measure in enumerate(measures, HEADER + 1):
        kind, factor = ("percent", PERCENT) if measure.percent else ("general", 1)
        sheet.text(row, 0, measure.name)
        if measure.target is not None:
            sheet.text(row, 1, measure.bound)
            sheet.number(row, 2, measure.target / factor, kind)
        for column, value in ((3, measure.figure.low), (4, measure.figure.value), (5, measure.figure.high)):
            if column == 4 or not measure.exact:
                sheet.number(row, column, value / factor, kind, bold=column == 4)
        sheet.text(row, 6, say(f"sheet.{measure.tone()}"))
        sheet.text(row, 7, measure.remark)
    sheet.text(row + 2, 0, say(f"performance.note_{proposal.answer.need.mode}"), text_wrap=False)
    sheet.raw.print_area(0, 0, row + 2, 7)
