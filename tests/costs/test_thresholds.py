import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.costs.inputs import CostInputs
from desktop.costs.schemes import Offered, scheme_flows, scheme_total
from desktop.costs.thresholds import cloud_price_threshold, utilization_threshold

BOTH = Offered(owned=True, cloud=True)


def test_lenovo_needs_four_hours_a_day() -> None:
    """Lenovo LP2368, case 3: 8×H200 always on at 8.79 USD/h against 84.81: 4.3 h a day, 17.8 %."""
    inputs = CostInputs(capex=277_898.0, onprem_per_hour=8.79, on_demand_per_hour=84.81)
    share = utilization_threshold(inputs, BOTH, "on_premise", "cloud", 60, None)
    assert share is not None
    assert 24 * share == pytest.approx(4.3, rel=0.006)
    assert share == pytest.approx(0.178, rel=0.005)


def test_uptime_needs_a_third() -> None:
    """Uptime Institute (January 2025): a dedicated unit at 50 USD/h with 40 % use costs 20 an hour, the cloud 66: 33 %
    published, 30 % from the rounded figures."""
    inputs = CostInputs(capex=0.0, onprem_per_hour=0.40 * 50, on_demand_per_hour=66.0)
    assert utilization_threshold(inputs, BOTH, "on_premise", "cloud", 36, None) == pytest.approx(0.33, rel=0.1)


def test_no_share_is_enough_for_a_cheap_cloud() -> None:
    inputs = CostInputs(capex=1e6, onprem_per_hour=5.0, on_demand_per_hour=10.0)
    assert utilization_threshold(inputs, BOTH, "on_premise", "cloud", 36, None) is None


def test_any_share_is_enough_for_a_free_machine() -> None:
    inputs = CostInputs(capex=0.0, on_demand_per_hour=10.0)
    assert utilization_threshold(inputs, BOTH, "on_premise", "cloud", 36, None) == 0.0


def test_residual_value_lowers_the_threshold() -> None:
    """u* = ((capex − RV) / T_h + opex) / cloud."""
    inputs = CostInputs(capex=100_000.0, onprem_per_hour=1.0, on_demand_per_hour=20.0, residual_rate=0.3)
    expected = (70_000 / (36 * 730) + 1.0) / 20
    assert utilization_threshold(inputs, BOTH, "on_premise", "cloud", 36, None) == pytest.approx(expected)


def test_volume_of_an_api_as_a_share_of_the_stated_one() -> None:
    inputs = CostInputs(capex=36_000.0, input_tokens_month=4e9, input_price=1.0)
    share = utilization_threshold(inputs, Offered(owned=True, api=True), "on_premise", "api", 36, None)
    assert share == pytest.approx(0.25)


def test_price_at_which_both_cost_the_same() -> None:
    """Lenovo LP2368, case 1 over 5 years: capex / 43,800 h + 6.37 = 12.08 USD/h."""
    inputs = CostInputs(capex=250_141.8, onprem_per_hour=6.37, on_demand_per_hour=98.32)
    assert cloud_price_threshold(inputs, BOTH, "on_premise", "cloud", 60, None) == pytest.approx(12.08, rel=1e-3)


def test_price_of_training_where_only_training_is_rented() -> None:
    inputs = CostInputs(
        capex=12_000.0, training_runs_per_year=12.0, training_hours_per_run=100.0, training_per_hour=3.0
    )
    only = Offered(owned=True, training=True, training_only=True)
    assert cloud_price_threshold(inputs, only, "on_premise", "cloud", 12, None) == pytest.approx(10.0)
    assert utilization_threshold(inputs, only, "on_premise", "cloud", 12, None) is None


def test_nothing_by_the_hour_has_no_hourly_threshold() -> None:
    inputs = CostInputs(capex=1.0, storage_month=5.0, on_demand_per_hour=0.0)
    assert cloud_price_threshold(inputs, BOTH, "on_premise", "cloud", 12, None) is None
    assert cloud_price_threshold(inputs, Offered(owned=True, api=True), "on_premise", "api", 12, None) is None


@settings(deadline=None)
@given(
    capex=st.floats(1, 1e6),
    opex=st.floats(0, 50),
    cloud=st.floats(0.5, 200),
    committed=st.floats(0, 730),
    share=st.floats(0.01, 1),
    change=st.floats(-0.5, 0.5),
)
def test_at_the_thresholds_both_totals_agree(
    capex: float, opex: float, cloud: float, committed: float, share: float, change: float
) -> None:
    inputs = CostInputs(
        capex=capex,
        onprem_per_hour=opex,
        on_demand_per_hour=cloud,
        committed_hours=committed,
        committed_per_hour=cloud / 2,
        utilization=share,
        yearly_price_change=change,
    )

    def gap(asked: CostInputs) -> float:
        flows = scheme_flows(asked, BOTH, 36, None)
        return float(np.squeeze(scheme_total(flows["on_premise"], 36) - scheme_total(flows["cloud"], 36)))

    scale = capex + 36 * 730 * (opex + 20 * cloud)
    enough = utilization_threshold(inputs, BOTH, "on_premise", "cloud", 36, None)
    if enough:
        assert gap(inputs.with_usage(np.array([enough]))) == pytest.approx(0, abs=1e-9 * scale)
    price = cloud_price_threshold(inputs, BOTH, "on_premise", "cloud", 36, None)
    if price:
        hours = committed + max(0.0, share * 730 - committed)
        mean = (committed * cloud / 2 + (hours - committed) * cloud) / hours
        factor = price / mean
        moved = {"on_demand_per_hour": cloud * (factor - 1), "committed_per_hour": cloud / 2 * (factor - 1)}
        shifts = {name: np.array([step]) for name, step in moved.items()}
        assert gap(inputs.shifted(shifts)) == pytest.approx(0, abs=1e-9 * scale * max(1.0, factor))
