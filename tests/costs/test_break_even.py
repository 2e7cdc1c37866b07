import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from desktop.costs.break_even import Payback, break_even, crossings, simple_payback
from desktop.costs.inputs import CostInputs
from desktop.costs.schemes import Array, CashFlow, Offered, scheme_flows

LP2368_CAPEX, LP2368_OPEX = 250_142, 6.37  # 8×H100, street price of January 2026


def payback(
    capex: float,
    opex_hour: float,
    cloud_hour: float,
    utilization: float = 1.0,
    horizon: int = 60,
    *,
    rate: float = 0.0,
    residual: float = 0.0,
    change: float = 0.0,
    refresh: int | None = None,
) -> Payback:
    inputs = CostInputs(
        capex=capex,
        onprem_per_hour=opex_hour,
        on_demand_per_hour=cloud_hour,
        utilization=utilization,
        residual_rate=residual,
        yearly_price_change=change,
    )
    flows = scheme_flows(inputs, Offered(owned=True, cloud=True), 2 * horizon, refresh)
    return break_even(flows["on_premise"], flows["cloud"], horizon, rate)


def months_or_inf(found: Payback) -> float:
    return math.inf if found.months is None else found.months


@pytest.mark.parametrize(("cloud_hour", "hours"), [(98.32, 8_556), (77.43, 10_890), (53.95, 15_710)])
def test_lenovo_2025(cloud_hour: float, hours: float) -> None:
    """Lenovo LP2225 (May 2025): 833,806 USD list, 0.87 USD/h, against p5.48xlarge on demand, 1 and 3 years."""
    found = payback(833_806, 0.87, cloud_hour)
    assert found.state == "at"
    assert months_or_inf(found) * 730 == pytest.approx(hours, rel=1e-3)


@pytest.mark.parametrize(
    ("cloud_hour", "hours", "months"),
    [
        (98.32, 2_720, 3.7),
        (62.92, 4_423, 6.0),
        (43.16, 6_800, 9.3),
        (39.32, 7_591, 10.4),
    ],
)
def test_lenovo_2026(cloud_hour: float, hours: float, months: float) -> None:
    """Lenovo LP2368 (February 2026), case 1: 8×H100 at 250,141.80 USD against Azure ND96isr H100 v5."""
    found = payback(250_141.8, LP2368_OPEX, cloud_hour)
    assert months_or_inf(found) * 730 == pytest.approx(hours, rel=1e-3)
    assert found.months == pytest.approx(months, rel=0.01)


PAYBACK_MATRIX: dict[
    float, dict[float, float | None]
] = {  # months by cloud price and share of hours, recomputed from LP2368's inputs
    98.32: {0.2: 25.8, 0.4: 10.4, 0.6: 6.5, 0.8: 4.7, 1.0: 3.7},
    55.04: {0.2: 73.9, 0.4: 21.9, 0.6: 12.9, 0.8: 9.1, 1.0: 7.0},
    39.32: {0.2: 229, 0.4: 36.6, 0.6: 19.9, 0.8: 13.7, 1.0: 10.4},
    23.2: {0.2: None, 0.4: 118, 0.6: 45.4, 0.8: 28.1, 1.0: 20.4},
    16: {0.2: None, 0.6: 106, 0.8: 53, 1.0: 35.6},
}


@pytest.mark.parametrize("cloud_hour", PAYBACK_MATRIX)
def test_payback_is_no_constant(cloud_hour: float) -> None:
    """The same box pays back in 3.7 months, in 229, or never."""
    for utilization, months in PAYBACK_MATRIX[cloud_hour].items():
        found = payback(LP2368_CAPEX, LP2368_OPEX, cloud_hour, utilization, horizon=120)
        if months is None:
            assert (found.state, found.months) == ("never", None)
        else:
            assert found.months == pytest.approx(months, rel=0.01)
            assert found.state == ("at" if months <= 120 else "not_within_horizon")


def test_eleven_thousand_months_are_not_printed() -> None:
    """2.00 USD per GPU-hour at 40 % leaves 0.03 USD/h: 11,422 months by formula, a word in an answer."""
    found = payback(LP2368_CAPEX, LP2368_OPEX, 16, 0.4)
    assert float(simple_payback(250_142, 730 * (16 * 0.4 - 6.37))) == pytest.approx(11_422, rel=1e-3)
    assert (found.state, found.months, found.simple_months) == ("not_within_horizon", None, None)


@pytest.mark.parametrize(
    ("cloud_hour", "months"),
    [
        (55.04, [None, 38.4, 17.2, 11.1, 8.2]),
        (23.2, [None, None, 418, 62.8, 33.9]),
    ],
)
def test_honest_power_and_a_quarter_post(cloud_hour: float, months: list[float | None]) -> None:
    """The same box with its rated 10.2 kW and 0.25 FTE runs at 13.1 USD/h."""
    found = [payback(LP2368_CAPEX, 13.1, cloud_hour, share, horizon=240) for share in (0.2, 0.4, 0.6, 0.8, 1.0)]
    for got, expected in zip(found, months, strict=True):
        if expected is None:
            assert (got.state, got.months) == ("never", None)
        else:
            assert got.months == pytest.approx(expected, rel=0.02)


def test_published_arithmetic_error_is_not_repeated() -> None:
    """A popular guide prints 4.8 years for 12 h a day at 33 USD/h; its own formula gives 5.92, and the machine that
    also runs at night 6.09."""
    by_its_formula = float(simple_payback(833_806, (33 - 0.87) * 4380))
    assert by_its_formula == pytest.approx(5.92, rel=1e-3)
    found = payback(833_806, 0.87, 33, utilization=0.5, horizon=120)
    assert months_or_inf(found) / 12 == pytest.approx(6.09, rel=1e-3)


def test_spheron_hardware_is_not_paid_back_in_three_years() -> None:
    """Spheron (April 2026): 651,000 USD at least over 3 years against 2.90 · 8 · 26,280 = 609,696."""
    month = (225_000 + 40_000 + 36_000) / 36
    found = payback(350_000, month / 730, 2.90 * 8, horizon=36)
    assert found.state == "not_within_horizon"


def test_states_at_the_edges() -> None:
    assert payback(0, 1, 2).state == "immediate"
    assert payback(0, 1, 2).months == 0
    assert payback(0, 2, 2).state == "immediate"
    assert payback(0, 3, 2).state == "never"
    assert payback(100, 2, 2).state == "never"
    assert payback(100, 3, 2).state == "never"


def test_second_purchase_takes_the_lead_away_and_it_may_come_back() -> None:
    lost = payback(50_000, 0, 10, horizon=12, refresh=8)
    assert (lost.state, lost.reverses_at, lost.sustained_months) == ("reverses", 8.0, None)
    assert lost.months == pytest.approx(50_000 / 7300)
    regained = payback(50_000, 0, 10, horizon=36, refresh=8)
    assert (regained.state, regained.reverses_at) == ("reverses", 8.0)
    assert regained.sustained_months == pytest.approx(100_000 / 7300)


def test_falling_cloud_price_takes_the_lead_away() -> None:
    found = payback(20_000, 5, 10, horizon=60, change=-0.4)
    assert found.state == "reverses"
    assert found.months is not None and found.reverses_at is not None and found.months < found.reverses_at < 60


def test_residual_value_counts_at_the_end() -> None:
    without, sold = payback(100_000, 0, 3, horizon=36), payback(100_000, 0, 3, horizon=36, residual=0.3)
    assert (without.state, without.by_residual) == ("not_within_horizon", False)
    assert without.months == pytest.approx(100_000 / 2190)
    assert (sold.state, sold.months, sold.by_residual) == ("at", 36.0, True)


def test_discounted_payback_between_years_is_linear() -> None:
    """−100,000 and 30,000 a year at 10 %: 4.2633 years by interpolation, where the closed form for a fraction of a year
    gives 4.2542."""
    spent = np.array([100_000 - 30_000 * (1.1 ** -np.arange(1, year + 1)).sum() for year in range(6)])
    assert crossings(np.arange(6.0), spent).first == pytest.approx(4.263267, rel=1e-6)
    assert -math.log(1 - 100_000 * 0.1 / 30_000) / math.log(1.1) == pytest.approx(4.254164, rel=1e-6)


@settings(deadline=None)
@given(saving=st.floats(1_000, 20_000), rate=st.floats(0.01, 0.3))
def test_discounted_payback_by_the_month_is_the_annuity(saving: float, rate: float) -> None:
    """n = −ln(1 − C·r/S) / ln(1+r) with the monthly rate; straight lines between months are never far from it."""
    monthly = (1 + rate) ** (1 / 12) - 1
    found = payback(100_000, 0, saving / 730, horizon=120, rate=rate).discounted_months
    left = 1 - 100_000 * monthly / saving
    if left <= 0:
        assert found is None
    elif (exact := -math.log(left) / math.log(1 + monthly)) < 239:
        assert found == pytest.approx(exact, abs=0.05)


def test_discounting_can_turn_a_payback_into_never() -> None:
    """9,000 a year on 100,000 pays back in 11.1 years, at 10 % never: S ≤ C·r."""
    found = payback(100_000, 0, 9_000 / 8760, horizon=240, rate=0.10)
    assert found.months == pytest.approx(12 * 11.111, rel=1e-3)
    assert found.discounted_months is None


def test_rare_training_does_not_hide_a_saving() -> None:
    """One run in three years: the saving is a lump, so a mean over less than the cycle would read never."""
    lumps = np.zeros(48)
    lumps[35] = 1_200.0
    own = CashFlow(upfront=10_000.0, running=np.full(48, 10.0))
    rented = CashFlow(upfront=0.0, running=lumps)
    assert break_even(own, rented, 24, cycle_months=36).state == "not_within_horizon"
    assert break_even(own, rented, 24, cycle_months=12).state == "never"


prices = st.floats(0.1, 1_000)
shares = st.floats(0.01, 1)


@settings(deadline=None)
@given(capex=st.floats(1, 1e7), opex=prices, cloud=prices, low=shares, high=shares)
def test_more_use_never_delays_the_break_even(capex: float, opex: float, cloud: float, low: float, high: float) -> None:
    assume(low < high)
    rare, often = payback(capex, opex, cloud, low), payback(capex, opex, cloud, high)
    assert months_or_inf(often) <= months_or_inf(rare) * (1 + 1e-9)


@settings(deadline=None)
@given(capex=st.floats(1, 1e7), opex=prices, cheap=prices, dear=prices, share=shares)
def test_a_dearer_cloud_never_delays_the_break_even(
    capex: float, opex: float, cheap: float, dear: float, share: float
) -> None:
    assume(cheap < dear)
    later, sooner = payback(capex, opex, cheap, share), payback(capex, opex, dear, share)
    assert months_or_inf(sooner) <= months_or_inf(later) * (1 + 1e-9)


@settings(deadline=None)
@given(capex=st.floats(1, 1e7), opex=prices, share=shares, part=st.floats(0, 1))
def test_running_cost_at_or_above_the_rent_never_pays_back(
    capex: float, opex: float, share: float, part: float
) -> None:
    assert payback(capex, opex, part * opex / share, share).state == "never"


@settings(deadline=None)
@given(capex=st.floats(1, 1e7), opex=prices, cloud=prices)
def test_without_discount_both_paybacks_agree(capex: float, opex: float, cloud: float) -> None:
    found = payback(capex, opex, cloud)
    assert found.discounted_months == found.months
    if found.months is not None:
        assert found.simple_months == pytest.approx(found.months, rel=1e-6)


@settings(deadline=None)
@given(st.lists(st.floats(-100, 100), min_size=2, max_size=12))
def test_crossing_lies_where_the_line_changes_sign(values: list[float]) -> None:
    gap: Array = np.array(values)
    found = crossings(np.arange(len(values), dtype=float), gap)
    ends_below = gap[-1] <= 0
    assert np.isfinite(found.last) == ends_below
    if np.isfinite(found.first):
        assert np.interp(found.first, np.arange(len(values)), gap) <= 1e-6
        assert found.first <= found.back
    else:
        assert gap[-1] > 0
