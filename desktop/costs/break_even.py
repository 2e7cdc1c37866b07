"""When an own machine has paid for itself: where two cumulative costs cross, and the honest word when they do not.

Definitions
- break-even: first month t with K_own(t) ≤ K_rented(t), linear within a month, over the whole horizon; the residual
  value counts at the horizon's end. Past the horizon the search goes on to twice its length, and no further.
- never: no crossing, and the saving at the end of that search is nil or negative.
- reverses: it crosses, and crosses back within the horizon (a second purchase, a falling cloud price).
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from desktop.costs.inputs import Numbers
from desktop.costs.schemes import Array, CashFlow, cumulative, discount_factors
from desktop.units import MONTHS_PER_YEAR

State: TypeAlias = Literal["immediate", "at", "not_within_horizon", "never", "reverses", "not_comparable"]
Flags: TypeAlias = NDArray[np.bool_]

SEARCHED_HORIZONS = 2  # a crossing later than twice the horizon says nothing a buyer can use
ROUNDING = 1e-9  # relative: sums of equal payments may differ in a float's last bits


@dataclass(frozen=True)
class Payback:
    """One comparison of an own scheme with a rented one. Months of None: later than twice the horizon, or never.

    `own_month` and `rented_month` [currency] are the mean running costs of the last cycle searched; `by_residual` says
    that only the residual value closed the gap.
    """

    state: State
    own_month: float
    rented_month: float
    months: float | None = None
    reverses_at: float | None = None
    sustained_months: float | None = None
    simple_months: float | None = None
    discounted_months: float | None = None
    by_residual: bool = False


@dataclass(frozen=True)
class Crossings:
    """Times at which a gap first falls to zero, rises above it again, and falls to it for good; infinity for none."""

    first: Array
    back: Array
    last: Array


def break_even(
    own: CashFlow, rented: CashFlow, horizon_months: int, yearly_rate: float = 0.0, cycle_months: int = MONTHS_PER_YEAR
) -> Payback:
    """State and months of one comparison; both flows reach to twice the horizon.

    `simple_months` is capex / mean monthly saving over the horizon; `discounted_months` the crossing of the discounted
    costs, payments at the end of each month, linear between them. `cycle_months` is the time after which lumpy costs
    repeat: the saving that decides between late and never is the mean of the last cycle.
    """
    inside = crossings(*_inside(own, rented, horizon_months, 0.0))
    months = float(break_even_months(own, rented, horizon_months))
    discounted = float(break_even_months(own, rented, horizon_months, yearly_rate))
    simple = _simple_months(own, rented, horizon_months)
    closing = slice(max(0, own.months() - cycle_months), own.months())
    own_month, rented_month = float(np.mean(own.running[closing])), float(np.mean(rented.running[closing]))
    return Payback(
        state=_state(months, horizon_months, float(inside.back), saves=_clearly_below(own_month, rented_month)),
        own_month=own_month,
        rented_month=rented_month,
        months=_finite(months),
        reverses_at=_finite(float(inside.back)),
        sustained_months=_finite(float(inside.last)),
        simple_months=simple if simple <= SEARCHED_HORIZONS * horizon_months else None,
        discounted_months=_finite(discounted),
        by_residual=months == horizon_months and _open(own, rented, horizon_months),
    )


def break_even_months(own: CashFlow, rented: CashFlow, horizon_months: int, yearly_rate: Numbers = 0.0) -> Array:
    """First crossing [months], shape (…); infinity where there is none within twice the horizon."""
    inside = months_within(own, rented, horizon_months, yearly_rate)
    if np.all(np.isfinite(inside)):
        return inside
    times, gap = _gap(own, rented, yearly_rate)
    beyond = times >= horizon_months
    later, _, _ = _first(times[beyond], gap[..., beyond])
    return np.where(np.isfinite(inside), inside, later)


def months_within(own: CashFlow, rented: CashFlow, horizon_months: int, yearly_rate: Numbers = 0.0) -> Array:
    """First crossing within the horizon [months], shape (…); infinity where there is none."""
    months, _, _ = _first(*_inside(own, rented, horizon_months, yearly_rate))
    return months


def crossings(times: Array, gap: Array) -> Crossings:
    """Crossings of the line through `times` (K,) and `gap` (…, K); two equal times are a payment at that instant.

    A gap that starts at or below zero and does not rise counts as crossing at its first time.
    """
    first, above, falls = _first(times, gap)
    rises = ~above[..., :-1] & above[..., 1:]
    rises &= np.arange(rises.shape[-1]) >= np.argmax(falls, axis=-1)[..., np.newaxis]
    rises &= np.any(falls, axis=-1)[..., np.newaxis]
    last_at = falls.shape[-1] - 1 - np.argmax(falls[..., ::-1], axis=-1)
    return Crossings(
        first=first,
        back=_time_of(times, gap, rises, np.argmax(rises, axis=-1)),
        last=np.where(above[..., -1], np.inf, _time_of(times, gap, falls, last_at)),
    )


def simple_payback(capex: Numbers, saving_month: Numbers) -> Array:
    """Capex / monthly saving [months]; infinity where nothing is saved.

    >>> float(simple_payback(100_000, 2_500)), float(simple_payback(100_000, 0))
    (40.0, inf)
    """
    saving = np.asarray(saving_month, dtype=float)
    return np.where(saving > 0, capex / np.where(saving > 0, saving, 1.0), np.inf)


def _state(months: float, horizon_months: int, reverses_at: float, *, saves: bool) -> State:
    if months > horizon_months:
        return "not_within_horizon" if saves or np.isfinite(months) else "never"
    if np.isfinite(reverses_at):
        return "reverses"
    return "immediate" if months == 0 else "at"


def _first(times: Array, gap: Array) -> tuple[Array, Flags, Flags]:
    """First crossing; where the gap is above zero; and the segments in which it falls to zero."""
    above = gap > 0
    falls = above[..., :-1] & ~above[..., 1:]
    falls[..., 0] |= ~above[..., 0] & ~above[..., 1]
    return _time_of(times, gap, falls, np.argmax(falls, axis=-1)), above, falls


def _inside(own: CashFlow, rented: CashFlow, horizon_months: int, yearly_rate: Numbers) -> tuple[Array, Array]:
    """Times and gap within the horizon, the residual value counted at its end."""
    own, rented = own.until(horizon_months), rented.until(horizon_months)
    times, gap = _gap(own, rented, yearly_rate)
    if not np.any(np.asarray(own.residual) > 0):
        return times, gap
    end = gap[..., -1:] - own.residual * discount_factors(yearly_rate, horizon_months)[..., -1:]
    gap = np.broadcast_to(gap, (*end.shape[:-1], gap.shape[-1]))
    return np.append(times, float(horizon_months)), np.concatenate([gap, end], axis=-1)


def _gap(own: CashFlow, rented: CashFlow, yearly_rate: Numbers) -> tuple[Array, Array]:
    """Times and K_own − K_rented at the ends of months 0…M, and before and after a second purchase."""
    spent, paid = cumulative(own, yearly_rate), cumulative(rented, yearly_rate)
    gap = spent - paid
    gap[np.abs(gap) <= ROUNDING * (spent + paid)] = 0.0
    times = np.arange(own.months() + 1, dtype=float)
    bought = own.refresh_within(own.months())
    if bought is None:
        return times, gap
    before = gap[..., bought] - np.asarray(own.replacement * discount_factors(yearly_rate, bought)[..., -1:])[..., 0]
    return np.insert(times, bought, float(bought)), np.insert(gap, bought, before, axis=-1)


def _open(own: CashFlow, rented: CashFlow, months: int) -> bool:
    """Whether owning has still cost more by the end of `months`, before any residual value."""
    _, gap = _gap(own.until(months), rented.until(months), 0.0)
    return bool(gap[-1] > 0)


def _simple_months(own: CashFlow, rented: CashFlow, horizon_months: int) -> float:
    owning, renting = (float(np.mean(flow.running[:horizon_months])) for flow in (own, rented))
    return float(simple_payback(own.upfront, renting - owning)) if _clearly_below(owning, renting) else np.inf


def _clearly_below(low: float, high: float) -> bool:
    return high - low > ROUNDING * (abs(low) + abs(high))


def _time_of(times: Array, gap: Array, found: Flags, index: NDArray[np.intp]) -> Array:
    """Time at which the segment `index` meets zero, infinity where `found` has none."""
    index = index[..., np.newaxis]
    start = np.take_along_axis(gap, index, axis=-1)[..., 0]
    end = np.take_along_axis(gap, index + 1, axis=-1)[..., 0]
    left, right = times[index[..., 0]], times[index[..., 0] + 1]
    step = np.where(start == end, 1.0, start - end)
    inside = np.clip(start / step, 0.0, 1.0)
    return np.where(np.any(found, axis=-1), left + (right - left) * inside, np.inf)


def _finite(months: float) -> float | None:
    return months if np.isfinite(months) else None
