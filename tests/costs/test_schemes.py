import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.costs.inputs import CostInputs
from desktop.costs.schemes import CashFlow, Offered, cumulative, discount_factors, scheme_flows, scheme_total

BOTH = Offered(owned=True, cloud=True)
WITH_TRAINING = Offered(owned=True, cloud=True, training=True)
money = st.floats(0, 1e7)
rates = st.floats(0, 0.5)


def test_five_years_of_eight_b300() -> None:
    """Lenovo LP2368, case 2: cloud 6,238,000 USD against 1,013,447 on premise, −83.8 %."""
    inputs = CostInputs(capex=461_567.5, onprem_per_hour=12.6, on_demand_per_hour=142.416)
    flows = scheme_flows(inputs, BOTH, 120, None)
    own, rented = scheme_total(flows["on_premise"], 60), scheme_total(flows["cloud"], 60)
    assert own == pytest.approx(1_013_447, rel=1e-5)
    assert rented == pytest.approx(6_238_000, rel=1e-4)
    assert 1 - own / rented == pytest.approx(0.838, abs=5e-4)


def test_present_value_of_a_textbook_project() -> None:
    """−100,000 and 5 × 30,000 at 10 % a year: NPV 13,723.60."""
    factors = np.asarray(1.1 ** -np.arange(6.0))
    assert 30_000 * factors[1:].sum() - 100_000 == pytest.approx(13_723.6, abs=0.05)
    assert np.allclose(discount_factors(0.10, 60)[::12], factors)


def test_hybrid_serves_at_home_and_trains_away() -> None:
    inputs = CostInputs(
        capex=140_000.0,
        other_month=2_000.0,
        on_demand_per_hour=33.0,
        utilization=0.5,
        training_runs_per_year=4.0,
        training_hours_per_run=60.0,
        training_per_hour=25.0,
        training_capex=96_000.0,
        training_other_month=300.0,
    )
    flows = scheme_flows(inputs, Offered(owned=True, cloud=True, training=True, training_machine=True), 36, None)
    run = 60 * 25
    assert flows["hybrid"].upfront == 140_000
    assert flows["hybrid"].running[:4].tolist() == pytest.approx([2000, 2000, 2000 + run, 2000])
    assert flows["on_premise"].upfront == 236_000
    assert np.allclose(flows["on_premise"].running, 2_300)
    assert flows["cloud"].running[2] - flows["cloud"].running[1] == pytest.approx(run)


def test_api_needs_its_training_somewhere_too() -> None:
    inputs = CostInputs(
        input_tokens_month=1e9,
        input_price=1.0,
        training_runs_per_year=12.0,
        training_hours_per_run=10.0,
        training_per_hour=5.0,
    )
    flows = scheme_flows(inputs, Offered(api=True, training=True), 3, None)
    assert np.allclose(flows["api"].running, 1000 + 50)


def test_training_in_free_hours_costs_its_energy() -> None:
    inputs = CostInputs(
        capex=1.0,
        power_kw_load=8.0,
        power_kw_idle=2.0,
        electricity_per_kwh=0.1,
        utilization=0.5,
        training_runs_per_year=12.0,
        training_hours_per_run=100.0,
        training_per_hour=5.0,
    )
    flows = scheme_flows(inputs, WITH_TRAINING, 1, None)
    assert flows["on_premise"].running[0] == pytest.approx((730 * 5 + 100 * 6) * 0.1)


def test_machine_that_only_trains_is_compared_with_training_in_the_cloud() -> None:
    inputs = CostInputs(capex=1.0, training_runs_per_year=12.0, training_hours_per_run=10.0, training_per_hour=5.0)
    flows = scheme_flows(inputs, Offered(owned=True, training=True, training_only=True), 2, None)
    assert set(flows) == {"on_premise", "cloud"}
    assert np.allclose(flows["cloud"].running, 50)


def test_second_purchase() -> None:
    flow = CashFlow(upfront=100.0, running=np.full(6, 10.0), replacement=100.0, refresh_month=4)
    assert cumulative(flow).tolist() == [100, 110, 120, 130, 240, 250, 260]
    assert scheme_total(flow, 6) == 260
    assert scheme_total(flow, 4) == 140  # a machine bought on the last day serves nobody


@settings(deadline=None)
@given(capex=money, month=money, residual=st.floats(0, 1), rate=rates, horizon=st.integers(1, 120))
def test_total_is_the_last_month_less_the_residual(
    capex: float, month: float, residual: float, rate: float, horizon: int
) -> None:
    inputs = CostInputs(capex=capex, other_month=month, residual_rate=residual)
    flow = scheme_flows(inputs, BOTH, horizon, None)["on_premise"]
    last = cumulative(flow, rate)[-1] - capex * residual * discount_factors(rate, horizon)[-1]
    assert scheme_total(flow, horizon, rate) == pytest.approx(last, rel=1e-9, abs=1e-6)


@settings(deadline=None)
@given(capex=money, month=money, horizon=st.integers(1, 120))
def test_no_discount_changes_nothing_and_a_discount_never_raises_a_cost(
    capex: float, month: float, horizon: int
) -> None:
    flow = scheme_flows(CostInputs(capex=capex, other_month=month), BOTH, horizon, None)["on_premise"]
    assert np.array_equal(cumulative(flow, 0.0), cumulative(flow))
    assert np.all(cumulative(flow, 0.2) <= cumulative(flow) + 1e-9)


@settings(deadline=None)
@given(st.lists(money, min_size=1, max_size=5))
def test_scenarios_give_what_each_gives_alone(prices: list[float]) -> None:
    inputs = CostInputs(capex=1000.0, other_month=10.0, on_demand_per_hour=5.0)
    many = scheme_flows(inputs.shifted({"capex": np.array(prices)}), BOTH, 12, 6)
    for row, price in enumerate(prices):
        alone = scheme_flows(inputs.shifted({"capex": np.array([price])}), BOTH, 12, 6)
        assert np.array_equal(cumulative(many["on_premise"])[row], cumulative(alone["on_premise"])[0])
