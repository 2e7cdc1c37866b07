"""Memory of the worst GPU in bytes, with GiB as formulas."""

from desktop.report.draft import Draft, Proposal
from desktop.report.sections.memory import formula_words, part_name, verdict_sentence
from desktop.report.workbook.book import Book, cell
from desktop.report.workbook.names import defined_name, sheet_title
from desktop.units import GIB

HEADER = 3


def memory_sheet(book: Book, draft: Draft, proposal: Proposal) -> None:
    """Nothing where no plan could be sized."""
    if proposal.plan is None:
        return
    say, memory = draft.wording.label, proposal.plan.memory
    sheet = book.sheet(sheet_title(draft, "memory", proposal), (26, 20, 14, 70, 60), header_row=HEADER)
    sheet.heading(draft.title_of("memory", proposal))
    sheet.text(1, 0, verdict_sentence(draft.wording, proposal), text_wrap=False)
    sheet.header(
        HEADER,
        [
            say("column.component"),
            say("column.bytes"),
            draft.wording.numerals.gib_unit(),
            say("column.how"),
            say("column.where"),
        ],
        right=(1, 2),
    )
    row = HEADER + 1
    for part in memory.worst().components:
        if part.bytes:
            sheet.text(row, 0, part_name(draft.wording, part.component))
            sheet.number(row, 1, part.bytes, "whole")
            sheet.formula(row, 2, f"={cell(row, 1)}/2^30", part.bytes / GIB, "gib")
            sheet.text(row, 3, formula_words(draft.wording, part))
            sheet.text(row, 4, part.source)
            row += 1
    total = memory.worst().total_bytes()
    sheet.text(row, 0, say("memory.required_total"), bold=True, top=1)
    sheet.formula(row, 1, f"=SUM({cell(HEADER + 1, 1)}:{cell(row - 1, 1)})", total, "whole", bold=True, top=1)
    sheet.formula(row, 2, f"={cell(row, 1)}/2^30", total / GIB, "gib", bold=True, top=1)
    book.name(defined_name(draft, "RequiredBytes", proposal), sheet, row, 1)
    required = row
    for code, size in (
        ("reserved", memory.reserved_bytes),
        ("usable", memory.usable_bytes),
        ("card", memory.card_bytes),
    ):
        if size:
            row += 1
            sheet.text(row, 0, say(f"memory.{code}_total"))
            sheet.number(row, 1, size, "whole")
            sheet.formula(row, 2, f"={cell(row, 1)}/2^30", size / GIB, "gib")
            sheet.text(row, 3, say(f"memory.{code}_how"))
            if code == "usable":
                book.name(defined_name(draft, "UsableBytes", proposal), sheet, row, 1)
                usable = row
    if memory.usable_bytes:
        row += 1
        sheet.text(row, 0, say("workbook.share"))
        sheet.formula(row, 1, f"={cell(required, 1)}/{cell(usable, 1)}", total / memory.usable_bytes, "percent")
    sheet.raw.print_area(0, 0, row, 4)
