"""When buying has paid for itself: in words, by each definition under its own name, and what moves it."""

from math import inf

from desktop.quote import BreakEven, CostResult, Scheme
from desktop.report.charts import BreakEvenWords, Crossing, TornadoBar, TornadoWords, break_even, tornado
from desktop.report.draft import Block, Draft, Proposal
from desktop.report.sections.bill import servers_of
from desktop.report.sections.money_axis import money_axis
from desktop.report.wording import Wording
from desktop.units import HOURS_PER_MONTH
from desktop.words import input_figure, input_name

ORDER: tuple[Scheme, ...] = ("on_premise", "cloud", "hybrid", "api")
PAYBACK_RULE_MONTHS = (12, 18)  # claim of the article: on-premise inference pays back so at steady utilisation
WITH_CROSSING = ("at", "reverses", "not_within_horizon")


def break_even_words(wording: Wording, result: BreakEven, horizon_months: int) -> str:
    """The state in words, with its months where it has any."""
    if result.state == "not_comparable":
        return wording.label("break_even.not_comparable", reason=not_comparable_reason(wording, result))
    months = "" if result.months is None else months_words(wording, result.months)
    back = "" if result.reverses_at is None else months_words(wording, result.reverses_at)
    return wording.label(
        f"break_even.{result.state}", months=months, back=back, horizon=wording.numerals.months(horizon_months)
    )


def at_earliest(words: str, result: BreakEven, proposals: list[Proposal]) -> str:
    """What is said of the break-even where some part of an order has no price: it can only come later."""
    incomplete = any(server.unpriced() for server in servers_of(proposals))
    return f"≥\u00a0{words}" if incomplete and result.state in ("at", "reverses") else words


def range_words(wording: Wording, result: BreakEven) -> str:
    """P10 to P90 of the break-even; empty where there is none."""
    if result.low_months is None:
        return ""
    low = wording.numerals.number(result.low_months)
    if result.high_months is None:
        return wording.label("break_even.range_open", low=low)
    return wording.label(
        "break_even.range", range=wording.numerals.span(low, wording.numerals.number(result.high_months))
    )


def months_words(wording: Wording, value: float) -> str:
    return f"{wording.numerals.number(value, 1)}\u00a0{wording.term('unit.months')}"


def definitions_table(draft: Draft, costs: CostResult) -> list[Block]:
    """Each definition of break-even by its own name; one that was not computed is left out."""
    say = draft.wording.label
    return [
        {"kind": "subheading", "text": say("costs.break_even")},
        {
            "kind": "figures",
            "rows": definitions_of(draft, costs),
            "head": [say("column.name"), say("column.value"), say("column.how")],
        },
    ]


def definitions_of(draft: Draft, costs: CostResult) -> list[list[str]]:
    """Name, value and way of computing of every break-even, the other own schemes last."""
    others = [result for own, result in costs.break_evens.items() if own != costs.break_even.own]
    return _definitions(draft, costs) + [
        _crossing_row(draft.wording, result, costs.horizon_months) for result in others
    ]


def _definitions(draft: Draft, costs: CostResult) -> list[list[str]]:
    wording, numerals, say, result = draft.wording, draft.wording.numerals, draft.wording.label, costs.break_even
    horizon = costs.horizon_months
    rows = [_crossing_row(wording, result, horizon)]
    if span := range_words(wording, result):
        rows.append([say("costs.range"), span, say("costs.range_how")])
    if result.low_months is not None:
        median = result.median_months
        told = (
            months_words(wording, median)
            if median is not None and median <= horizon
            else say("costs.median_beyond", months=horizon)
        )
        rows.append([say("costs.median"), told, say("costs.median_how")])
    for code, months in (("simple", result.simple_months), ("sustained", result.sustained_months)):
        if months is not None:
            rows.append([say(f"costs.{code}"), months_words(wording, months), say(f"costs.{code}_how")])
    if result.discounted_months is not None:
        rate = numerals.given_percent(draft.quote.economics.discount_rate)
        rows.append(
            [
                say("costs.discounted", rate=rate),
                months_words(wording, result.discounted_months),
                say("costs.discounted_how"),
            ]
        )
    if result.hours is not None:
        rows.append(
            [
                say("costs.hours"),
                f"{numerals.number(result.hours)}\u00a0{wording.term('unit.hours')}",
                say("costs.hours_how", hours=HOURS_PER_MONTH),
            ]
        )
    if result.utilization_threshold is not None:
        rows.append(
            [
                say("costs.utilization"),
                numerals.percent(result.utilization_threshold),
                say("costs.utilization_how", months=horizon),
            ]
        )
    if result.cloud_price_threshold is not None:
        rows.append(
            [
                say("costs.cloud_price"),
                wording.numerals.rate(result.cloud_price_threshold, costs.currency),
                say("costs.cloud_price_how", months=horizon),
            ]
        )
    return rows


def _crossing_row(wording: Wording, result: BreakEven, horizon_months: int) -> list[str]:
    if result.state == "not_comparable":
        return [_pair(wording, result), wording.label("tile.not_compared"), not_comparable_reason(wording, result)]
    value = break_even_words(wording, result, horizon_months)
    return [_pair(wording, result), value, wording.label("costs.crossing_how")]


def not_comparable_reason(wording: Wording, result: BreakEven) -> str:
    return wording.say(result.reason) if result.reason is not None else wording.label("costs.no_cloud_price")


def _pair(wording: Wording, result: BreakEven) -> str:
    if result.own is None or result.rented is None:
        return wording.label("costs.crossing_name")
    return wording.label(
        "costs.pair", own=wording.term(f"scheme.{result.own}"), rented=wording.term(f"scheme.{result.rented}")
    )


def break_even_chart(wording: Wording, costs: CostResult) -> Block:
    """Cumulative cost of every scheme, and where own hardware crosses what is rented."""
    say, result = wording.label, costs.break_even
    lines: dict[str, list[float]] = {
        scheme: [float(amount) for amount in costs.monthly[scheme]] for scheme in ORDER if scheme in costs.monthly
    }
    bands: dict[str, list[tuple[float, float]]] = {
        scheme: [(float(low), float(high)) for low, high in costs.bands[scheme]]
        for scheme in ORDER
        if scheme in costs.bands and scheme in lines
    }
    axis = money_axis(wording, max(max(values) for values in lines.values()), costs.currency)
    crossing = Crossing(None)
    if result.state in WITH_CROSSING:
        crossing = Crossing(result.months, result.low_months, result.high_months)
    span = range_words(wording, result)
    sentence = f"{_pair(wording, result)}: {break_even_words(wording, result, costs.horizon_months)}"
    if span:
        sentence += f"; {say('break_even.with_range', range=span)}"
    schemes = {scheme: wording.term(f"scheme.{scheme}") for scheme in lines}
    words = BreakEvenWords(
        rule=say("costs.rule_strip", low=PAYBACK_RULE_MONTHS[0], high=PAYBACK_RULE_MONTHS[1]),
        months=wording.term("unit.months"),
        unit=axis.unit,
        schemes=schemes,
        crossing=sentence,
    )
    rented = result.rented or "cloud"
    svg = break_even(
        lines, bands, crossing, lines.get(rented), PAYBACK_RULE_MONTHS if rented in lines else None, words, axis.write
    )
    ends = "; ".join(
        f"{schemes[scheme]} {wording.numerals.money(values[-1], costs.currency)}" for scheme, values in lines.items()
    )
    return {
        "kind": "chart",
        "svg": svg,
        "alt": say("costs.alt", months=costs.horizon_months, ends=ends, sentence=sentence),
        "caption": say("costs.caption" if bands else "costs.caption_plain"),
    }


def tornado_charts(wording: Wording, costs: CostResult) -> list[Block]:
    """Inputs by how far they move the break-even; nothing where none moves it."""
    say, numerals = wording.label, wording.numerals
    bars = [
        TornadoBar(
            input_name(bar.input, wording.language),
            input_figure(bar.input, bar.low, costs.currency, numerals),
            input_figure(bar.input, bar.high, costs.currency, numerals),
            inf if bar.months_at_low is None else bar.months_at_low,
            inf if bar.months_at_high is None else bar.months_at_high,
        )
        for bar in costs.sensitivity
        if bar.months_at_low != bar.months_at_high
    ]
    if not bars:
        return []
    base = costs.break_even.months
    base_words = say("costs.base_never") if base is None else say("costs.base", months=months_words(wording, base))
    never = say("break_even.never")

    def months(value: float) -> str:
        return never if value == inf else numerals.number(value, 0 if value >= 100 else 1)

    svg = tornado(
        bars,
        inf if base is None else base,
        TornadoWords(base_words, never, say("costs.low"), say("costs.high")),
        months,
    )
    moves = "; ".join(
        f"{bar.name} {bar.low} – {bar.high}: {months(bar.months_at_low)} – {months(bar.months_at_high)}" for bar in bars
    )
    return [
        {
            "kind": "chart",
            "svg": svg,
            "alt": say("costs.tornado_alt", base=base_words, bars=moves),
            "caption": say("costs.tornado_caption"),
        }
    ]
