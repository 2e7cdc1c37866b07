"""Figures of the costs room as the records of a quote. Here floats become money, rounded half up."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

import numpy as np

from desktop.catalog.cost_assumptions import PaybackRules
from desktop.costs import (
    Array,
    CashFlow,
    Payback,
    Question,
    Scheme,
    Swing,
    article_verdict,
    capital_recovery_factor,
    cloud_price_threshold,
    monthly_rate,
    scheme_flows,
    scheme_total,
    utilization_threshold,
)
from desktop.quote import ArticleRule, BreakEven, Message, SchemeTotal, Sensitivity
from desktop.units import money

Months = tuple[float | None, float | None, float | None]

UNIT_PRICE = "0.0001"  # an hour or a million tokens may cost fractions of a cent
DEAREST_UNIT = 1e15
MILLION = 1e6


def scheme_record(
    question: Question, scheme: Scheme, flow: CashFlow, span: tuple[float, float], reason: Message | None
) -> SchemeTotal:
    """Totals of one scheme over the horizon; the total is the sum of its rounded lines.

    Unit costs are levelised: discounted total · CRF(r_m, T), a month's share, over the used hours or the tokens of a
    month. Without discounting that is total / hours.
    """
    horizon = question.horizon_months
    capex, opex = _purchases(flow, horizon, horizon), money(_running(flow, horizon)[-1])
    residual = money(float(flow.residual))
    total = capex + opex - residual
    rate = float(question.inputs.discount_rate)
    discounted = float(scheme_total(flow, horizon, rate))
    monthly = discounted * float(capital_recovery_factor(monthly_rate(rate), horizon))
    hours, tokens = question.used_hours_month, question.tokens_of(scheme)
    return SchemeTotal(
        capex=capex,
        opex=opex,
        residual=residual,
        total=total,
        low=min(money(span[0]), total),
        high=max(money(span[1]), total),
        discounted_total=money(discounted),
        per_hour=_unit_price(monthly, hours),
        per_million_tokens=_unit_price(monthly, (tokens or 0.0) / MILLION),
        allowed=reason is None,
        reason=reason,
    )


def monthly_record(flow: CashFlow, horizon_months: int) -> tuple[Decimal, ...]:
    """Cumulative cost at the end of months 0 to the horizon, before the residual value."""
    return tuple(
        _purchases(flow, month, horizon_months) + money(spent)
        for month, spent in enumerate(_running(flow, horizon_months))
    )


def band_record(band: tuple[Array, Array], monthly: tuple[Decimal, ...]) -> tuple[tuple[Decimal, Decimal], ...]:
    """Low and high of the cumulative cost by month, widened where they would leave the stated case outside."""
    pairs = zip(band[0].tolist(), band[1].tolist(), monthly, strict=True)
    return tuple((min(money(low), stated), max(money(high), stated)) for low, high, stated in pairs)


def break_even_record(
    question: Question,
    pair: tuple[Scheme, Scheme],
    crossing: Payback,
    drawn: Months | None,
    currency: str,
) -> BreakEven:
    """One comparison of an own scheme with a rented one. Hours are those that pass, used or not. The drawn low and high
    are widened where they would leave the stated case outside, as one-sided ranges can."""
    own, rented = pair
    settings = (question.inputs, question.offered, own, rented, question.horizon_months, question.refresh_month)
    price = cloud_price_threshold(*settings)
    low, median, high = _widened(drawn, crossing.months) if drawn else (None, None, None)
    hours = None if crossing.months is None else crossing.months * question.inputs.hours_per_month
    return BreakEven(
        state=crossing.state,
        own=own,
        rented=rented,
        months=crossing.months,
        low_months=low,
        median_months=median,
        high_months=high,
        hours=hours,
        simple_months=crossing.simple_months,
        sustained_months=crossing.sustained_months,
        discounted_months=crossing.discounted_months,
        utilization_threshold=utilization_threshold(*settings),
        cloud_price_threshold=None if price is None else _unit_price(price, 1.0),
        reverses_at=crossing.reverses_at,
        reason=_remark(crossing, currency),
    )


def sensitivity_record(swing: Swing) -> Sensitivity:
    """One bar of the tornado."""
    return Sensitivity(
        input=swing.spread.path,
        low=swing.spread.low,
        high=swing.spread.high,
        months_at_low=swing.months_at_low,
        months_at_high=swing.months_at_high,
        total_gap_at_low=money(swing.gap_at_low),
        total_gap_at_high=money(swing.gap_at_high),
    )


def article_record(
    question: Question, pair: tuple[Scheme, Scheme] | None, found: Mapping[Scheme, BreakEven], rules: PaybackRules
) -> ArticleRule:
    """The article's rules on the serving machine alone: its bill leaves training out. Silent without a comparison."""
    own: Scheme = "hybrid" if "hybrid" in found else "on_premise"
    if pair is None or question.offered.training_only:
        return ArticleRule(fifty_percent_says_buy=None, payback_12_18_months=None, computed_months=None, agrees=None)
    serving = replace(question.inputs, training_runs_per_year=0.0)
    flows = scheme_flows(serving, question.offered, 1, None)
    bill_month = float(flows[pair[1]].running[0])
    verdict = article_verdict(
        capex=float(flows[own].upfront),
        bill_month=bill_month,
        opex_month=float(flows[own].running[0]),
        computed_months=found[own].months,
        pays_back=found[own].state in ("immediate", "at"),
        bill_share=rules.bill_share,
        payback_months=(rules.payback_low_months, rules.payback_high_months),
    )
    return ArticleRule(
        fifty_percent_says_buy=verdict.bill_says_buy,
        payback_12_18_months=verdict.within_payback_rule,
        computed_months=found[own].months,
        agrees=verdict.agrees,
        monthly_bill=money(bill_month),
        threshold_bill=money(verdict.threshold_bill_month),
        implied_months=verdict.implied_months,
    )


def _unit_price(amount: float, units: float) -> Decimal | None:
    """Price of one unit; None where there are none, or so few that the price says nothing."""
    return money(amount / units, UNIT_PRICE) if units > 0 and amount < DEAREST_UNIT * units else None


def _widened(drawn: Months, stated: float | None) -> Months:
    """Low, median and high months that hold the stated case; None orders last."""
    low, median, high = drawn
    lowest = min((month for month in (low, stated) if month is not None), default=None)
    return lowest, median, None if high is None or stated is None else max(high, stated)


def _remark(crossing: Payback, currency: str) -> Message | None:
    """What the state word alone does not say."""
    if crossing.by_residual:
        return Message(code="paid_back_by_residual", severity="info", values={"sold_months": crossing.months})
    if crossing.state == "reverses":
        return Message(code="dearer_again", values={"again_months": crossing.reverses_at})
    if crossing.state == "never":
        values = {"own_money": crossing.own_month, "rented_money": crossing.rented_month, "currency": currency}
        return Message(code="nothing_saved", values=values)
    return None


def _purchases(flow: CashFlow, month: int, horizon_months: int) -> Decimal:
    """What was paid for machines by the end of a month."""
    refresh = flow.refresh_within(horizon_months)
    bought = money(float(flow.upfront))
    return bought if refresh is None or refresh > month else bought + money(float(flow.replacement))


def _running(flow: CashFlow, horizon_months: int) -> list[float]:
    """Running cost spent by the end of months 0…T."""
    return [0.0, *np.cumsum(flow.running[:horizon_months]).tolist()]
