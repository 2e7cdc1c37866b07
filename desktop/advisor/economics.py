"""The answer of `cost`: schemes, break-even, what moves it and how sure it is. A quote goes through the same code."""

from collections.abc import Mapping

from desktop.advisor.cost_records import (
    article_record,
    band_record,
    break_even_record,
    monthly_record,
    scheme_record,
    sensitivity_record,
)
from desktop.catalog.cost_assumptions import CostAssumptions, load_cost_assumptions
from desktop.costs import (
    SEARCHED_HORIZONS,
    CashFlow,
    Question,
    Scheme,
    break_even,
    draw_costs,
    question_of,
    scheme_flows,
    scheme_total,
    spreads_of,
    swings,
)
from desktop.quote import BreakEven, CostResult, Message
from desktop.request import CostRequest, Problem

Flows = Mapping[Scheme, CashFlow]
Pair = tuple[Scheme, Scheme]

OWN: tuple[Scheme, ...] = ("on_premise", "hybrid")
RENTED: tuple[Scheme, ...] = ("cloud", "api")
LARGEST = 1e20  # beyond it money loses its cents


def cost(request: CostRequest, *, on_site_only: bool = False, assumptions: CostAssumptions | None = None) -> CostResult:
    """What buying, renting, mixing and paying by the token cost, and when buying has paid for itself.

    The break-even compares the cheaper own scheme that can do the whole work with the cloud, or with the API where
    there is no cloud. Probability and sensitivity go by the undiscounted totals, as the headline figures do. With
    `on_site_only` the schemes that let data out keep their price but do not compete.

    Raises Problem: "missing_cost" where a price is lacking, "idle_above_load", "out_of_range" where the money is beyond
    counting, and what `desktop.costs.spreads_of` raises of ranges.
    """
    assumptions = assumptions or load_cost_assumptions()
    question = question_of(request)
    horizon = question.horizon_months
    spreads = spreads_of(request, question, assumptions)
    flows = scheme_flows(question.inputs, question.offered, SEARCHED_HORIZONS * horizon, question.refresh_month)
    barred = _barred(question, flows, on_site_only)
    compared = [scheme for scheme in flows if scheme not in barred]
    pair = _pair(flows, compared, horizon)
    settings = assumptions.draws
    shares = (settings.low, settings.middle, settings.high)
    drawn = draw_costs(question, spreads, pair, compared, count=settings.count, seed=settings.seed, shares=shares)
    _check_size(flows, horizon, [high for _, high in drawn.totals.values()])
    found: dict[Scheme, BreakEven] = {}
    if pair is not None:
        rate, cycle = request.discount_rate, question.cycle_months()
        for own in (scheme for scheme in OWN if scheme in compared):
            crossing = break_even(flows[own], flows[pair[1]], horizon, rate, cycle)
            months = drawn.months if own == pair[0] else None
            found[own] = break_even_record(question, (own, pair[1]), crossing, months, request.currency)
    monthly = {scheme: monthly_record(flow, horizon) for scheme, flow in flows.items()}
    return CostResult(
        id=request.id,
        currency=request.currency,
        horizon_months=horizon,
        break_even=found[pair[0]] if pair else BreakEven(state="not_comparable", reason=_missing_side(flows, barred)),
        break_evens=found,
        totals={
            scheme: scheme_record(question, scheme, flow, drawn.totals[scheme], barred.get(scheme))
            for scheme, flow in flows.items()
        },
        monthly=monthly,
        bands={scheme: band_record(band, monthly[scheme]) for scheme, band in drawn.bands.items()},
        sensitivity=tuple(map(sensitivity_record, swings(question, spreads, *pair))) if pair else (),
        probability=dict(drawn.probability),
        article_rule=article_record(question, pair, found, assumptions.article),
        warnings=_warnings(request, question),
    )


def _check_size(flows: Flows, horizon_months: int, drawn: list[float]) -> None:
    stated = [float(scheme_total(flow, horizon_months)) for flow in flows.values()]
    if any(total > LARGEST for total in stated + drawn):
        raise Problem("out_of_range", "", reason="at_most", limit=LARGEST)


def _barred(question: Question, flows: Flows, on_site_only: bool) -> dict[Scheme, Message]:
    """Schemes that are priced but cannot be chosen, each with the reason."""
    barred: dict[Scheme, Message] = {}
    if on_site_only:
        away = Message(code="cloud_barred", severity="info")
        barred |= {scheme: away for scheme in flows if scheme != "on_premise"}
    if "on_premise" in flows and question.offered.training and not question.trains_at_home():
        hours = {"needed": round(question.training_hours_year), "free": round(question.free_hours_year)}
        barred["on_premise"] = Message(code="no_hours_for_training", values=hours)
    return barred


def _pair(flows: Flows, compared: list[Scheme], horizon_months: int) -> Pair | None:
    """The own and the rented scheme of the headline break-even: the cheaper own one, and the cloud before the API."""
    own = [scheme for scheme in OWN if scheme in compared]
    rented = [scheme for scheme in RENTED if scheme in compared]
    if not own or not rented:
        return None
    return min(own, key=lambda scheme: float(scheme_total(flows[scheme], horizon_months))), rented[0]


def _missing_side(flows: Flows, barred: Mapping[Scheme, Message]) -> Message:
    """Why there is no break-even: a side that was barred, or one that nobody priced."""
    for side, code in ((OWN, "nothing_owned"), (RENTED, "nothing_rented")):
        priced = [scheme for scheme in side if scheme in flows]
        if not priced:
            return Message(code=code, severity="info")
        if all(scheme in barred for scheme in priced):
            return barred[priced[0]]
    raise AssertionError("both sides can be compared")


def _warnings(request: CostRequest, question: Question) -> tuple[Message, ...]:
    """What the request leaves out and a reader has to know before he believes the figures."""
    codes = []
    follows = question.offered.cloud and (request.cloud is None or request.cloud.hours_month is None)
    if follows and "utilization" not in request.model_fields_set:
        codes.append(("full_utilization_assumed", "utilization"))
    if request.opex is not None and not (request.opex.staff_fte and request.opex.fte_cost_year):
        codes.append(("staff_not_counted", "opex.staff_fte"))
    if request.opex is not None and not (request.opex.power_kw_load and request.opex.electricity_per_kwh):
        codes.append(("electricity_not_counted", "opex.electricity_per_kwh"))
    if request.refresh_month is not None and request.refresh_month >= request.horizon_months:
        codes.append(("refresh_after_horizon", "refresh_month"))
    return tuple(Message(code=code, severity="info", field=field) for code, field in codes)
