"""The same service bought, rented or mixed: what each scheme costs, and when buying has paid for itself."""

from decimal import Decimal

from desktop.quote import CostResult, Scheme, SchemeTotal
from desktop.report.draft import Block, Draft
from desktop.report.sections.break_even import ORDER, break_even_chart, definitions_table, tornado_charts
from desktop.report.wording import Wording

ROWS = (
    "capex",
    "opex",
    "residual",
    "total",
    "range_of_total",
    "discounted_total",
    "per_hour",
    "per_million_tokens",
    "probability",
)
OWN, BOUNDED = ("on_premise", "hybrid"), ("capex", "opex", "total", "discounted_total")
UNIT_PRICES = ("per_hour", "per_million_tokens")


def cost_blocks(draft: Draft, incomplete: bool) -> list[Block]:
    """Nothing where no schemes were computed. `incomplete`: some part has no price, so own cost is a lower bound."""
    costs = draft.quote.schemes
    if costs is None:
        return []
    say, vat = draft.wording.label, draft.quote.economics.vat
    lead = "costs.lead_vat" if vat is not None and not vat.recoverable else "costs.lead"
    blocks: list[Block] = [
        {"kind": "text", "text": say(lead, horizon=draft.wording.numerals.months(costs.horizon_months)), "sticky": True}
    ]
    if incomplete:
        blocks.append({"kind": "text", "tone": "warn", "text": say("costs.incomplete")})
    blocks += [scheme_table(draft.wording, costs, incomplete=incomplete), *_barred(draft.wording, costs)]
    return (
        blocks
        + definitions_table(draft, costs)
        + [break_even_chart(draft.wording, costs)]
        + tornado_charts(draft.wording, costs)
    )


def schemes_of(costs: CostResult) -> list[Scheme]:
    return [scheme for scheme in ORDER if scheme in costs.totals]


def cheapest(costs: CostResult) -> Scheme | None:
    """The allowed scheme with the smallest total over the horizon; None where there is nothing to compare it with."""
    allowed = [scheme for scheme in schemes_of(costs) if costs.totals[scheme].allowed]
    if len(costs.totals) < 2 or not allowed:
        return None
    return min(allowed, key=lambda scheme: costs.totals[scheme].total)


def scheme_table(wording: Wording, costs: CostResult, rows: tuple[str, ...] = ROWS, incomplete: bool = False) -> Block:
    """One column a scheme, the cheapest marked; a row without any figure is left out. `incomplete` as in
    `cost_blocks`."""
    schemes, best = schemes_of(costs), cheapest(costs)
    written = [(code, [_cell(wording, costs, code, scheme, incomplete) for scheme in schemes]) for code in rows]
    kept = [(code, cells) for code, cells in written if any(cell != "–" for cell in cells)]
    return {
        "kind": "schemes",
        "best": -1 if best is None else schemes.index(best) + 1,
        "strong": [place for place, (code, _) in enumerate(kept) if code == "total"],
        "head": ["", *(wording.term(f"scheme.{scheme}") for scheme in schemes)],
        "rows": [[wording.label(f"costs.{code}", months=costs.horizon_months), *cells] for code, cells in kept],
    }


def _cell(wording: Wording, costs: CostResult, code: str, scheme: Scheme, incomplete: bool) -> str:
    numerals, total = wording.numerals, costs.totals[scheme]
    if code == "probability":
        return numerals.percent(costs.probability[scheme]) if scheme in costs.probability else "–"
    if code == "range_of_total":
        return _total_range(wording, total, costs.currency)
    amount: Decimal | None = getattr(total, code)
    if amount is None or amount == 0:
        return "–"
    if code in UNIT_PRICES:
        return wording.numerals.rate(amount, costs.currency)
    written = ("−" if code == "residual" else "") + numerals.money(amount, costs.currency)
    if incomplete and scheme in OWN and code in BOUNDED:
        return wording.label("bill.from", amount=written)
    return written


def _total_range(wording: Wording, total: SchemeTotal, currency: str) -> str:
    if total.low is None or total.high is None:
        return "–"
    return wording.numerals.money_span(total.low, total.high, currency)


def _barred(wording: Wording, costs: CostResult) -> list[Block]:
    """Schemes that policy excludes: their price stands for reference only."""
    blocks: list[Block] = []
    for scheme in schemes_of(costs):
        total = costs.totals[scheme]
        if not total.allowed:
            reason = wording.say(total.reason) if total.reason is not None else wording.label("costs.barred")
            blocks.append({"kind": "text", "tone": "warn", "text": f"{wording.term(f'scheme.{scheme}')}: {reason}"})
    return blocks
