"""Where the figures come from, and the data that identify this calculation."""

from desktop.report.attachment import FILE_NAME, attachment, checksum
from desktop.report.draft import Draft
from desktop.report.sections.sources import source_rows, versions
from desktop.report.workbook.book import Book

HEADER = 2


def source_sheet(book: Book, draft: Draft) -> None:
    """The register of the spec sheet under the same numbers; absent where nothing was cited."""
    rows = source_rows(draft)
    if not rows:
        return
    say = draft.wording.label
    sheet = book.sheet(say("workbook.sources"), (8, 50, 14, 20, 12, 80), header_row=HEADER)
    sheet.heading(say("section.sources"))
    sheet.header(HEADER, [say(f"column.{code}") for code in ("reference", "what", "kind", "date", "vat", "where")])
    for row, cells in enumerate(rows, HEADER + 1):
        for column, value in enumerate(cells):
            sheet.text(row, column, value)
    sheet.raw.print_area(0, 0, HEADER + len(rows), 5)


def data_sheet(book: Book, draft: Draft) -> None:
    say = draft.wording.label
    sheet = book.sheet(say("workbook.data"), (30, 100))
    sheet.heading(say("section.integrity"))
    rows = [
        [FILE_NAME + ", SHA-256", checksum(attachment(draft.project))],
        *versions(draft),
        [say("workbook.limit"), say("integrity.limit")],
    ]
    for row, (name, value) in enumerate(rows, HEADER):
        sheet.text(row, 0, name)
        sheet.text(row, 1, value)
    sheet.raw.print_area(0, 0, HEADER + len(rows) - 1, 1)
