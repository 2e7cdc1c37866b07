from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.costs.inputs import CostInputs
from desktop.costs.question import Question, question_of
from desktop.costs.ranges import Spread
from desktop.costs.schemes import Scheme
from desktop.costs.uncertainty import cheapest_share, draw_costs, percentiles, stratified, swings, triangular
from desktop.request import CostRequest

SHARES = (0.1, 0.5, 0.9)


def question(**change: object) -> Question:
    asked = {"capex": 140_000, "onprem_per_hour": 3, "cloud_per_hour": 33, "utilization": 0.5, "horizon_months": 36}
    return question_of(CostRequest.model_validate(asked | change))


def spread(path: str, field: str, value: float, low: float, high: float, stream: int = 0) -> Spread:
    return Spread(path, field, 1.0, value, low, high, given=False, stream=stream)


CLOUD = spread("cloud_per_hour", "on_demand_per_hour", 33, 20, 38, stream=1)
CAPEX = spread("capex", "capex", 140_000, 112_000, 168_000, stream=2)
PAIR: tuple[Scheme, Scheme] = ("on_premise", "cloud")


def test_triangular_draws_have_the_mean_and_variance_of_the_textbook() -> None:
    """Mean (a+b+c)/3, variance (a²+b²+c²−ab−ac−bc)/18."""
    low, mode, high = 20.0, 33.0, 38.0
    drawn = triangular(stratified(2000, 1, 0), low, mode, high)
    assert drawn.mean() == pytest.approx((low + mode + high) / 3, rel=1e-3)
    variance = (low**2 + mode**2 + high**2 - low * mode - low * high - mode * high) / 18
    assert drawn.var() == pytest.approx(variance, rel=5e-3)


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_triangular_draws_stay_within_and_rise_with_the_uniform_one(first: float, second: float, third: float) -> None:
    low, mode, high = sorted((first, second, third))
    if high > low:
        drawn = triangular(np.linspace(0, 1, 50), low, mode, high)
        assert drawn.min() >= low - 1e-12 and drawn.max() <= high + 1e-12
        assert np.all(np.diff(drawn) >= -1e-12)


def test_one_draw_in_every_slice() -> None:
    drawn = stratified(1000, 7, 3)
    assert np.array_equal(np.sort(np.floor(drawn * 1000)), np.arange(1000))
    assert np.array_equal(drawn, stratified(1000, 7, 3))
    assert abs(np.corrcoef(drawn, stratified(1000, 7, 4))[0, 1]) < 0.1


def test_percentile_is_a_value_that_was_drawn() -> None:
    values = np.array([[3.0], [1.0], [2.0], [np.inf], [5.0], [4.0], [7.0], [6.0], [8.0], [9.0]])
    assert percentiles(values, SHARES).ravel().tolist() == [1.0, 5.0, 9.0]


def test_ties_are_split() -> None:
    shares = cheapest_share({"on_premise": np.array([1.0, 2.0]), "cloud": np.array([1.0, 3.0])})
    assert shares == {"on_premise": 0.75, "cloud": 0.25}
    assert cheapest_share({"cloud": np.array([1.0])}) == {}


def test_inputs_are_ranked_by_what_they_move() -> None:
    ranked = swings(question(), [CAPEX, CLOUD], *PAIR)
    assert [swing.spread.path for swing in ranked] == ["cloud_per_hour", "capex"]
    dear = ranked[0]
    assert dear.months_at_low == pytest.approx(140_000 / (730 * (20 * 0.5 - 3)))
    assert dear.months_at_high == pytest.approx(140_000 / (730 * (38 * 0.5 - 3)))
    assert dear.gap_at_low == pytest.approx(36 * 730 * (20 * 0.5 - 3) - 140_000)


def test_uptime_asymmetry() -> None:
    """Uptime Institute (2025): with the break-even at 33 %, ten points more use save about 16 USD a unit-hour, ten
    points less lose about 30."""
    cloud, fixed = 66.0, 0.33 * 66.0
    assert cloud - fixed / 0.43 == pytest.approx(16, rel=0.08)
    assert fixed / 0.23 - cloud == pytest.approx(30, rel=0.08)
    asked = question(capex=0, onprem_per_hour=fixed, cloud_per_hour=cloud, utilization=0.33)
    (swing,) = swings(asked, [spread("utilization", "utilization", 0.33, 0.23, 0.43)], *PAIR)
    hours = 36 * 730
    assert swing.gap_at_high / (0.43 * hours) == pytest.approx(16, rel=0.08)
    assert -swing.gap_at_low / (0.23 * hours) == pytest.approx(30, rel=0.08)


def test_a_default_that_moves_nothing_is_left_out_and_a_given_one_stays() -> None:
    idle = spread("opex.pue", "pue", 1.5, 1.2, 1.8)
    assert swings(question(), [idle], *PAIR) == ()
    assert len(swings(question(), [replace(idle, given=True)], *PAIR)) == 1


def test_draws_without_uncertainty_are_the_answer_itself() -> None:
    drawn = draw_costs(question(), [], PAIR, ["on_premise", "cloud"], count=200, seed=1, shares=SHARES)
    assert drawn.months == pytest.approx((140_000 / (730 * 13.5),) * 3)
    assert drawn.totals["cloud"] == pytest.approx((36 * 730 * 16.5,) * 2)
    assert drawn.probability == {"on_premise": 1.0, "cloud": 0.0}
    low, high = drawn.bands["on_premise"]
    assert np.array_equal(low, high)
    assert low[0] == 140_000


def test_one_seed_one_answer() -> None:
    asked = question()
    once, again = (
        draw_costs(asked, [CAPEX, CLOUD], PAIR, ["on_premise", "cloud"], count=500, seed=9, shares=SHARES)
        for _ in range(2)
    )
    assert once.months == again.months
    assert once.probability == again.probability


def test_draws_against_the_distribution_itself() -> None:
    """P(cloud dearer than owning) with only the cloud price drawn is the triangle's own probability."""
    low, mode, high = 12.0, 33.0, 38.0
    price = spread("cloud_per_hour", "on_demand_per_hour", mode, low, high)
    drawn = draw_costs(question(), [price], PAIR, ["on_premise", "cloud"], count=2000, seed=3, shares=SHARES)
    level = (140_000 / (36 * 730) + 3) / 0.5
    assert low < level < mode
    below = (level - low) ** 2 / ((high - low) * (mode - low))
    assert drawn.probability["cloud"] == pytest.approx(below, abs=2e-3)
    tenth = low + np.sqrt(0.1 * (high - low) * (mode - low))
    assert drawn.totals["cloud"][0] == pytest.approx(36 * 730 * 0.5 * tenth, rel=1e-3)


def test_late_draws_have_no_month() -> None:
    cheap = spread("cloud_per_hour", "on_demand_per_hour", 33, 1, 38)
    asked = question(horizon_months=24)
    drawn = draw_costs(asked, [cheap], PAIR, ["on_premise", "cloud"], count=2000, seed=3, shares=SHARES)
    assert drawn.months is not None
    assert drawn.months[0] is not None and drawn.months[2] is None


def test_scenarios_of_one_input_do_not_move_another() -> None:
    """A residual value alone is uncertain: capex and running cost are the same in every draw."""
    asked = question(residual_rate=0.15)
    sold = spread("residual_rate", "residual_rate", 0.15, 0.0, 0.35)
    drawn = draw_costs(asked, [sold], PAIR, ["on_premise", "cloud"], count=300, seed=3, shares=SHARES)
    low, high = drawn.bands["on_premise"]
    assert np.array_equal(low, high)
    assert drawn.totals["on_premise"][0] < drawn.totals["on_premise"][1]


def test_shift_of_a_derived_quantity() -> None:
    assert CostInputs().shifted({"on_demand_hours": np.array([5.0])}).value("on_demand_hours") == pytest.approx(5.0)
