"""First sheet: what the document is, the answer in a line, and its main figures as formulas on the other sheets."""

from decimal import Decimal

from desktop.report.draft import Draft, Proposal
from desktop.report.sections.bill import Amounts, order_amounts, servers_of
from desktop.report.sections.break_even import at_earliest, break_even_words
from desktop.report.sections.memory import verdict_sentence
from desktop.report.sections.summary import headline
from desktop.report.sheet import title_of
from desktop.report.workbook.book import Book, Sheet
from desktop.report.workbook.names import defined_name
from desktop.units import GIB


def summary_sheet(book: Book, draft: Draft) -> Sheet:
    """The sheet with its head; `fill_summary` follows once the names it refers to exist."""
    say, project, words = draft.wording.label, draft.project, draft.wording.labels("sheet")
    sheet = book.sheet(say("workbook.summary"), (44, 50), landscape=False)
    sheet.heading(title_of(draft))
    sheet.text(1, 0, say("head.preliminary"), text_wrap=False)
    valid = project.valid_until()
    rows = [
        (words["number"], f"{project.number}, {words['revision']} {project.revision}" if project.number else ""),
        (words["dated"], "" if project.issued_on is None else draft.wording.numerals.date(project.issued_on)),
        (words["valid_until"], "" if valid is None else draft.wording.numerals.date(valid)),
        (words["supplier"], project.supplier.name),
        (words["customer"], project.customer.name),
        (words["currency"], draft.quote.economics.currency),
    ]
    for row, (name, value) in enumerate([row for row in rows if row[1]], HEAD):
        sheet.text(row, 0, name)
        sheet.text(row, 1, value)
    return sheet


HEAD, FIGURES = 3, 10


def fill_summary(sheet: Sheet, draft: Draft, proposals: list[Proposal]) -> None:
    """Headline and figures. Money only for what is proposed."""
    say, row = draft.wording.label, FIGURES
    for proposal in proposals:
        sheet.text(row, 0, headline(draft.wording, proposal), bold=True, text_wrap=False)
        row += 1
        if not proposal.proposed:
            sheet.text(row, 0, verdict_sentence(draft.wording, proposal), text_wrap=False)
            row += 1
        row = _money(sheet, draft, proposal, row)
        row = _plan(sheet, draft, proposal, row) + 1
    costs = draft.quote.schemes
    if costs is not None and proposals[0].proposed:
        sheet.text(row, 0, say("tile.break_even"))
        words = break_even_words(draft.wording, costs.break_even, costs.horizon_months)
        sheet.text(row, 1, at_earliest(words, costs.break_even, proposals))
        row += 1
    sheet.raw.print_area(0, 0, row, 1)


def _money(sheet: Sheet, draft: Draft, proposal: Proposal, row: int) -> int:
    say = draft.wording.label
    for server in servers_of([proposal]):
        total: Amounts = order_amounts(server)
        figures: tuple[tuple[str, str, Decimal], ...] = (
            (say("bill.net"), "TotalNet", total.net),
            (say("bill.vat", rate=draft.wording.numerals.given_percent(server.vat_rate)), "TotalVat", total.vat),
            (say("bill.gross"), "TotalGross", total.gross),
        )
        for label, name, value in figures if draft.quote.vat is not None else figures[:1]:
            sheet.text(row, 0, label)
            sheet.formula(
                row,
                1,
                f"={defined_name(draft, name, proposal)}",
                value,
                "money",
                align="left",
                bold=name == "TotalGross",
            )
            row += 1
        if draft.quote.vat is None:
            sheet.text(row, 0, say("field.vat"))
            sheet.text(row, 1, say("vat.not_stated"))
            row += 1
        if missing := len(server.unpriced()):
            sheet.text(
                row, 0, say("bill.incomplete", lines=draft.wording.count("lines", missing)), bold=True, text_wrap=False
            )
            row += 1
    return row


def _plan(sheet: Sheet, draft: Draft, proposal: Proposal, row: int) -> int:
    plan, say = proposal.plan, draft.wording.label
    if plan is None:
        return row
    unit = draft.wording.numerals.gib_unit()
    sheet.text(row, 0, f"{say('tile.memory')}, {unit}")
    sheet.formula(
        row,
        1,
        f"={defined_name(draft, 'RequiredBytes', proposal)}/2^30",
        plan.memory.worst().total_bytes() / GIB,
        "one",
        align="left",
    )
    row += 1
    if proposal.proposed and plan.power_w:
        sheet.text(row, 0, f"{say('tile.power')}, {draft.wording.term('unit.kw')}")
        sheet.number(row, 1, plan.power_w / 1000, "one", align="left")
        row += 1
    return row
