"""Bill of materials: quantities, amounts, tax and totals as formulas over unit prices and two named cells."""

from datetime import datetime
from decimal import Decimal

from desktop.catalog.facts import CONFIRMED
from desktop.quote import BomLine, Server
from desktop.report.draft import Draft, Proposal
from desktop.report.sections.bill import groups_of, is_shared, line_amounts, order_amounts, part_title
from desktop.report.workbook.book import Book, Sheet, cell
from desktop.report.workbook.names import defined_name, sheet_title
from desktop.units import money

HEADER = 4
PER_SERVER, TOTAL, UNIT, NET, VAT, GROSS, KIND, DATE, REFERENCE, NOTE = range(3, 13)
WIDTHS = (5, 34, 44, 10, 10, 15, 17, 16, 17, 12, 12, 8, 60)


def bill_sheet(book: Book, draft: Draft, proposal: Proposal) -> None:
    """Nothing unless a plan is proposed and a server was found for it."""
    server = proposal.plan.server if proposal.plan is not None and proposal.proposed else None
    if server is None:
        return
    say = draft.wording.label
    sheet = book.sheet(sheet_title(draft, "bill", proposal), WIDTHS, header_row=HEADER)
    sheet.heading(draft.title_of("bill", proposal))
    servers, rate = defined_name(draft, "Servers", proposal), defined_name(draft, "VatRate", proposal)
    sheet.text(1, 1, say("workbook.servers"))
    sheet.number(1, 2, server.servers, "count", align="left")
    book.name(servers, sheet, 1, 2)
    sheet.text(2, 1, say("workbook.vat_rate"))
    if draft.quote.vat is None:
        sheet.text(2, 2, say("vat.not_stated"))
    else:
        sheet.number(2, 2, server.vat_rate, "share", align="left")
        book.name(rate, sheet, 2, 2)
    sheet.header(
        HEADER,
        [
            "№" if draft.wording.language == "ru" else "#",
            say("column.part_name"),
            say("column.description"),
            say("column.per_server"),
            say("column.total"),
            say("column.unit_net"),
            say("column.net"),
            say("column.vat"),
            say("column.gross"),
            say("column.price_kind"),
            say("column.price_date"),
            say("column.reference"),
            say("column.remark"),
        ],
        right=(0, *range(PER_SERVER, GROSS + 1)),
    )
    row = HEADER + 1
    for _, lines in groups_of(server):
        for line in lines:
            _line(sheet, draft, server, line, row, servers, rate)
            row += 1
    _totals(book, sheet, draft, proposal, server, row)
    sheet.raw.autofilter(HEADER, 0, row - 1, NOTE)
    sheet.raw.print_area(0, 0, row + 1, NOTE)


def _line(sheet: Sheet, draft: Draft, server: Server, line: BomLine, row: int, servers: str, rate: str) -> None:
    wording = draft.wording
    sheet.number(row, 0, row - HEADER, "count")
    title = part_title(draft, line)
    sheet.text(row, 1, title, bold=True)
    sheet.text(row, 2, line.description or wording.term(f"bom.{line.group}"))
    if is_shared(server, line):
        sheet.blank(row, PER_SERVER)
        sheet.number(row, TOTAL, line.total, "count")
    else:
        sheet.number(row, PER_SERVER, line.per_server, "count")
        sheet.formula(row, TOTAL, f"={cell(row, PER_SERVER)}*{servers}", line.total, "count")
    _amounts(sheet, server, line, row, None if draft.quote.vat is None else rate)
    sheet.text(row, KIND, wording.term(f"price_kind.{line.price.kind}"))
    _date(sheet, draft, line.price.as_of, row)
    if line.unit_price is not None:
        sheet.text(row, REFERENCE, draft.cite_price(title, line.price).strip("[]"))
    remarks = [wording.say(line.rule)] if line.rule is not None else []
    if stale := draft.stale_note(line.price):
        remarks.append(stale)
    if line.verification == CONFIRMED:
        remarks.append(wording.label("bill.confirmed"))
    sheet.text(row, NOTE, "; ".join(remarks))


def _amounts(sheet: Sheet, server: Server, line: BomLine, row: int, rate: str | None) -> None:
    """Amounts as formulas; a net amount that is not the product of its factors stands as a value. No rate, no tax."""
    amounts = line_amounts(line, server.vat_rate)
    if amounts is None or line.unit_price is None:
        for column in (UNIT, NET, VAT, GROSS):
            sheet.text(row, column, "–", align="right")
        return
    sheet.number(row, UNIT, line.unit_price, "money")
    if money(line.unit_price * line.total) == amounts.net:
        sheet.formula(row, NET, f"=ROUND({cell(row, TOTAL)}*{cell(row, UNIT)},2)", amounts.net, "money")
    else:
        sheet.number(row, NET, amounts.net, "money")
    if rate is None:
        for column in (VAT, GROSS):
            sheet.text(row, column, "–", align="right")
        return
    sheet.formula(row, VAT, f"=ROUND({cell(row, NET)}*{rate},2)", amounts.vat, "money")
    sheet.formula(row, GROSS, f"={cell(row, NET)}+{cell(row, VAT)}", amounts.gross, "money")


def _date(sheet: Sheet, draft: Draft, as_of: str, row: int) -> None:
    """A real date where the source is exact to the day, else the words of the source."""
    try:
        day = datetime.strptime(as_of, "%Y-%m-%d")
    except ValueError:
        sheet.text(row, DATE, draft.wording.numerals.as_of(as_of))
        return
    sheet.date(row, DATE, day, "dd.mm.yyyy" if draft.wording.language == "ru" else "yyyy-mm-dd")


def _totals(book: Book, sheet: Sheet, draft: Draft, proposal: Proposal, server: Server, row: int) -> None:
    amounts = order_amounts(server)
    sheet.text(row, 2, draft.wording.label("column.total"), bold=True, top=1)
    columns: tuple[tuple[int, str, Decimal], ...] = (
        (NET, "TotalNet", amounts.net),
        (VAT, "TotalVat", amounts.vat),
        (GROSS, "TotalGross", amounts.gross),
    )
    for column, name, value in columns if draft.quote.vat is not None else columns[:1]:
        span = f"{cell(HEADER + 1, column)}:{cell(row - 1, column)}"
        sheet.formula(row, column, f"=SUM({span})", value, "money", bold=True, top=1)
        book.name(defined_name(draft, name, proposal), sheet, row, column)
    if missing := len(server.unpriced()):
        said = draft.wording.label("bill.incomplete", lines=draft.wording.count("lines", missing))
        sheet.text(row + 1, 2, said, bold=True)
