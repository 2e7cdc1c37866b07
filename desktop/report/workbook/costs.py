"""Costs: totals of the schemes, break-even by its definitions, what moves it, and cost by month with a chart."""

from decimal import Decimal

from desktop.quote import CostResult, Scheme
from desktop.report.draft import Draft
from desktop.report.sections.break_even import definitions_of
from desktop.report.sections.costs import schemes_of
from desktop.report.wording import Wording
from desktop.report.workbook.book import Book, Sheet, cell
from desktop.words import Unit, input_name, input_unit

COLOURS = {"on_premise": "#12355B", "cloud": "#B45F06", "hybrid": "#11807F", "api": "#7A5AA6"}
FORMATS = {"share": "share", "money": "general"}  # number formats of the cells, by the unit of an input
PARTS = ("capex", "opex", "residual")
AFTER = (("discounted_total", "money"), ("per_hour", "money"), ("per_million_tokens", "money"))


def cost_sheet(book: Book, draft: Draft) -> None:
    """Nothing where no schemes were computed."""
    costs = draft.quote.schemes
    if costs is None:
        return
    schemes = schemes_of(costs)
    sheet = book.sheet(draft.wording.label("workbook.costs"), (46, *(18 for _ in range(5)), 44))
    sheet.heading(draft.wording.label("section.costs"))
    row = _totals(book, sheet, draft, costs, schemes, 2)
    row = _definitions(sheet, draft, costs, row + 2)
    row = _sensitivity(sheet, draft, costs, row + 2)
    last = _months(book, sheet, draft, costs, schemes, row + 2)
    sheet.raw.print_area(0, 0, last, 6)


def _totals(book: Book, sheet: Sheet, draft: Draft, costs: CostResult, schemes: list[Scheme], row: int) -> int:
    wording = draft.wording
    sheet.header(
        row,
        [
            f"{wording.label('column.quantity')}, {costs.currency}",
            *(wording.term(f"scheme.{scheme}") for scheme in schemes),
        ],
        right=range(1, len(schemes) + 1),
    )
    first = row + 1
    for offset, code in enumerate(PARTS):
        sheet.text(first + offset, 0, wording.label(f"costs.{code}", months=costs.horizon_months))
        for column, scheme in enumerate(schemes, 1):
            amount: Decimal = getattr(costs.totals[scheme], code)
            sheet.number(first + offset, column, amount, "money")
    total = first + len(PARTS)
    sheet.text(total, 0, wording.label("costs.total", months=costs.horizon_months), bold=True, top=1)
    for column, scheme in enumerate(schemes, 1):
        values = costs.totals[scheme]
        capex, opex, residual = (cell(first + offset, column) for offset in range(len(PARTS)))
        if values.capex + values.opex - values.residual == values.total:
            sheet.formula(total, column, f"={capex}+{opex}-{residual}", values.total, "money", bold=True, top=1)
        else:
            sheet.number(total, column, values.total, "money", bold=True, top=1)
        book.name(f"Total{''.join(word.title() for word in scheme.split('_'))}", sheet, total, column)
    row = total
    for code, kind in AFTER:
        row += 1
        sheet.text(row, 0, wording.label(f"costs.{code}", months=costs.horizon_months))
        for column, scheme in enumerate(schemes, 1):
            if (value := getattr(costs.totals[scheme], code)) is not None:
                sheet.number(row, column, value, kind)
    if costs.probability:
        row += 1
        sheet.text(row, 0, wording.label("costs.probability"))
        for column, scheme in enumerate(schemes, 1):
            if scheme in costs.probability:
                sheet.number(row, column, costs.probability[scheme], "percent")
    return row


def _definitions(sheet: Sheet, draft: Draft, costs: CostResult, row: int) -> int:
    say = draft.wording.label
    sheet.header(row, [say("costs.break_even"), say("column.value"), say("column.how")])
    for name, value, how in definitions_of(draft, costs):
        row += 1
        sheet.text(row, 0, name)
        sheet.text(row, 1, value)
        sheet.text(row, 2, how, text_wrap=False)
    return row


def _sensitivity(sheet: Sheet, draft: Draft, costs: CostResult, row: int) -> int:
    """Values of a search, so no formulas; never stays a word."""
    if not costs.sensitivity:
        return row
    say = draft.wording.label
    sheet.header(
        row,
        [
            say("column.input"),
            say("column.low"),
            say("column.high"),
            say("column.months_at_low"),
            say("column.months_at_high"),
        ],
        right=(1, 2, 3, 4),
    )
    for bar in costs.sensitivity:
        row += 1
        unit = input_unit(bar.input)
        sheet.text(row, 0, _with_unit(draft.wording, input_name(bar.input, draft.wording.language), unit, costs))
        for column, value in ((1, bar.low), (2, bar.high)):
            sheet.number(row, column, value, FORMATS.get(unit, "general"))
        for column, months in ((3, bar.months_at_low), (4, bar.months_at_high)):
            if months is None:
                sheet.text(row, column, say("break_even.never"), align="right")
            else:
                sheet.number(row, column, months, "one")
    return row


def _with_unit(wording: Wording, name: str, unit: Unit, costs: CostResult) -> str:
    """Name of an input with the unit its cells are in; a share shows its own sign."""
    if unit in ("share", "none"):
        return name
    return f"{name}, {costs.currency if unit == 'money' else wording.term(f'unit.{unit}')}"


def _months(book: Book, sheet: Sheet, draft: Draft, costs: CostResult, schemes: list[Scheme], row: int) -> int:
    wording = draft.wording
    listed = [scheme for scheme in schemes if scheme in costs.monthly]
    compared = "on_premise" in listed and "cloud" in listed
    names = [wording.label("column.month"), *(wording.term(f"scheme.{scheme}") for scheme in listed)]
    if compared:
        names.append(wording.label("column.difference"))
    sheet.header(row, names, right=range(1, len(names)))
    first = row + 1
    for month in range(len(next(iter(costs.monthly.values())))):
        row = first + month
        sheet.number(row, 0, month, "count", align="left")
        for column, scheme in enumerate(listed, 1):
            sheet.number(row, column, costs.monthly[scheme][month], "money")
        if compared:
            own, cloud = (cell(row, 1 + listed.index(scheme)) for scheme in ("on_premise", "cloud"))
            difference = costs.monthly["cloud"][month] - costs.monthly["on_premise"][month]
            sheet.formula(row, len(names) - 1, f"={cloud}-{own}", difference, "money")
    chart = book.chart({"type": "line"})
    for column, scheme in enumerate(listed, 1):
        chart.add_series(
            {
                "name": wording.term(f"scheme.{scheme}"),
                "categories": [sheet.title, first, 0, row, 0],
                "values": [sheet.title, first, column, row, column],
                "line": {"color": COLOURS[scheme], "width": 2},
            }
        )
    chart.set_title({"name": wording.label("workbook.cumulative"), "name_font": {"size": 11}})
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": 620, "height": 320})
    chart.set_x_axis({"interval_unit": 6, "name": wording.label("column.month")})
    chart.set_y_axis({"num_format": "#,##0", "major_gridlines": {"visible": True, "line": {"color": "#D5DBE3"}}})
    sheet.raw.insert_chart(2, 7, chart)
    return row
