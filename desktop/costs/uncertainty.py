"""How sure the answer is: one input at a time, and all inputs at once in triangular draws from one fixed seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.random import default_rng

from desktop.costs.break_even import SEARCHED_HORIZONS, break_even_months, months_within
from desktop.costs.inputs import CostInputs, Numbers
from desktop.costs.question import Question
from desktop.costs.ranges import Spread
from desktop.costs.schemes import Array, CashFlow, Scheme, cumulative, scheme_flows, scheme_total

MONTH_DIGITS, MONEY_DIGITS = 6, 2  # below them a movement is a float's last bits


@dataclass(frozen=True)
class Swing:
    """The answer with one input at its low and at its high. Months of None: never, or later than twice the horizon;
    gaps [currency] are what the own scheme saves over the horizon."""

    spread: Spread
    months_at_low: float | None
    months_at_high: float | None
    gap_at_low: float
    gap_at_high: float
    movement: tuple[float, float]


@dataclass(frozen=True)
class Draws:
    """Percentiles over the draws. `bands` holds low and high of the cumulative cost by month, each (T+1,), `totals` low
    and high of the total; `months` low, middle and high of the break-even, None for past twice the horizon or never."""

    bands: Mapping[Scheme, tuple[Array, Array]]
    totals: Mapping[Scheme, tuple[float, float]]
    probability: Mapping[Scheme, float]
    months: tuple[float | None, float | None, float | None] | None


def swings(question: Question, spreads: Sequence[Spread], own: Scheme, rented: Scheme) -> tuple[Swing, ...]:
    """One-at-a-time sensitivity, ranked by the months, then the money it moves; defaults that move nothing left out."""
    if not spreads:
        return ()
    rows = np.tile([spread.value for spread in spreads], (2 * len(spreads), 1))
    for column, spread in enumerate(spreads):
        rows[2 * column : 2 * column + 2, column] = spread.low, spread.high
    horizon = question.horizon_months
    flows = _flows(question, spreads, rows, SEARCHED_HORIZONS * horizon)
    months = np.broadcast_to(break_even_months(flows[own], flows[rented], horizon), len(rows))
    gaps = np.broadcast_to(scheme_total(flows[rented], horizon) - scheme_total(flows[own], horizon), len(rows))
    found = [
        _swing(spread, months[2 * k : 2 * k + 2], gaps[2 * k : 2 * k + 2], horizon) for k, spread in enumerate(spreads)
    ]
    kept = [swing for swing in found if swing.spread.given or any(moved > 0 for moved in swing.movement)]
    return tuple(sorted(kept, key=lambda swing: swing.movement, reverse=True))


def draw_costs(
    question: Question,
    spreads: Sequence[Spread],
    pair: tuple[Scheme, Scheme] | None,
    compared: Sequence[Scheme],
    *,
    count: int,
    seed: int,
    shares: tuple[float, float, float],
) -> Draws:
    """Draw all inputs at once. `pair`: the own and the rented scheme of the break-even; `compared`: those that may be
    cheapest; `shares`: low, middle and high percentile."""
    low, _, high = shares
    rows = (
        np.column_stack(
            [
                triangular(stratified(count, seed, spread.stream), spread.low, spread.value, spread.high)
                for spread in spreads
            ]
        )
        if spreads
        else np.zeros((count, 0))
    )
    horizon = question.horizon_months
    flows = _flows(question, spreads, rows, horizon)
    totals = {scheme: np.broadcast_to(scheme_total(flow, horizon), count) for scheme, flow in flows.items()}
    months = None
    if pair is not None:
        crossing = _crossing_months(question, spreads, rows, flows, pair)
        earliest, median, latest = map(_finite, percentiles(crossing[:, np.newaxis], shares)[:, 0])
        months = earliest, median, latest
    return Draws(
        bands={scheme: _band(flow, horizon, count, (low, high)) for scheme, flow in flows.items()},
        totals={scheme: _span(total, (low, high)) for scheme, total in totals.items()},
        probability=cheapest_share({scheme: totals[scheme] for scheme in compared}),
        months=months,
    )


def triangular(uniform: Array, low: Numbers, mode: Numbers, high: Numbers) -> Array:
    """Triangular draws from uniform ones by the inverse distribution, shape of `uniform`.

    >>> triangular(np.array([0.0, 0.5, 1.0]), 0.0, 1.0, 2.0).tolist()
    [0.0, 1.0, 2.0]
    """
    width = np.subtract(high, low)
    split = np.subtract(mode, low) / width
    rising = low + np.sqrt(uniform * width * np.subtract(mode, low))
    falling = high - np.sqrt((1 - uniform) * width * np.subtract(high, mode))
    return np.asarray(np.where(uniform < split, rising, falling))


def stratified(count: int, seed: int, stream: int) -> Array:
    """Uniform draws, one in each of `count` equal slices of 0…1, in random order. Each `stream` is independent of the
    others, so an input's draws stay as they are when another one joins."""
    generator = default_rng([seed, stream])
    return np.asarray((generator.permutation(count) + generator.random(count)) / count)


def percentiles(values: Array, shares: Sequence[float]) -> Array:
    """Percentiles of `values` (draws, K) by nearest rank, shape (shares, K); infinity orders last.

    >>> percentiles(np.array([[4.0], [1.0], [np.inf], [2.0]]), (0.25, 0.5, 1.0)).tolist()
    [[1.0], [2.0], [inf]]
    """
    ranks = [max(0, ceil(share * len(values)) - 1) for share in shares]
    return np.asarray(np.sort(values, axis=0)[ranks])


def cheapest_share(totals: Mapping[Scheme, Array]) -> dict[Scheme, float]:
    """Share of draws in which each scheme has the lowest total; a tie is split. Empty where fewer than two compete."""
    if len(totals) < 2:
        return {}
    costs = np.stack(list(totals.values()))
    lowest = costs == costs.min(axis=0)
    shares = (lowest / lowest.sum(axis=0)).mean(axis=1)
    return {scheme: float(share) for scheme, share in zip(totals, shares, strict=True)}


def _crossing_months(
    question: Question,
    spreads: Sequence[Spread],
    rows: Array,
    flows: Mapping[Scheme, CashFlow],
    pair: tuple[Scheme, Scheme],
) -> Array:
    """Break-even of every draw [months]; only the draws that are open at the horizon are followed beyond it."""
    own, rented = pair
    horizon = question.horizon_months
    months = np.broadcast_to(months_within(flows[own], flows[rented], horizon), len(rows)).copy()
    late = np.isinf(months)
    if late.any():
        further = _flows(question, spreads, rows[late], SEARCHED_HORIZONS * horizon)
        months[late] = break_even_months(further[own], further[rented], horizon)
    return months


def _flows(question: Question, spreads: Sequence[Spread], rows: Array, months: int) -> dict[Scheme, CashFlow]:
    """Cash flows of all scenarios; `rows` (scenarios, inputs) are the values of the spreads."""
    return scheme_flows(_shifted(question.inputs, spreads, rows), question.offered, months, question.refresh_month)


def _shifted(inputs: CostInputs, spreads: Sequence[Spread], rows: Array) -> CostInputs:
    shifts: dict[str, Array] = {}
    for column, spread in enumerate(spreads):
        if spread.field:
            step = (rows[:, column] - spread.value) * spread.slope
            shifts[spread.field] = shifts.get(spread.field, 0.0) + step
    return inputs.shifted(shifts)


def _swing(spread: Spread, months: Array, gaps: Array, horizon_months: int) -> Swing:
    clipped = np.minimum(months, SEARCHED_HORIZONS * horizon_months)
    at_low, at_high = map(_finite, months)
    moved = round(float(abs(clipped[1] - clipped[0])), MONTH_DIGITS), round(float(abs(gaps[1] - gaps[0])), MONEY_DIGITS)
    return Swing(spread, at_low, at_high, float(gaps[0]), float(gaps[1]), moved)


def _band(flow: CashFlow, horizon_months: int, count: int, shares: tuple[float, float]) -> tuple[Array, Array]:
    spent = cumulative(flow.until(horizon_months))
    low, high = percentiles(np.broadcast_to(spent, (count, horizon_months + 1)), shares)
    return low, high


def _finite(months: float) -> float | None:
    return float(months) if np.isfinite(months) else None


def _span(total: Array, shares: tuple[float, float]) -> tuple[float, float]:
    low, high = percentiles(total[:, np.newaxis], shares)
    return float(low[0]), float(high[0])
