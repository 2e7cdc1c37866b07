import numpy as np
import pytest

from desktop.costs.cloud import (
    api_month,
    cloud_months,
    on_demand_hours,
    price_path,
    runs_in_month,
    training_months,
)
from desktop.costs.inputs import CostInputs


def test_five_years_of_an_instance() -> None:
    """Lenovo LP2225: 98.32 USD/h · 8,760 h · 5 = 4,306,416 USD."""
    assert cloud_months(CostInputs(on_demand_per_hour=98.32), 60).sum() == pytest.approx(4_306_416, rel=1e-9)


def test_a_commitment_is_paid_whether_used_or_not() -> None:
    """39.32 USD/h reserved for 5 years costs the whole month even at 40 % use."""
    reserved = CostInputs(committed_hours=730.0, committed_per_hour=39.32, on_demand_per_hour=98.32, utilization=0.4)
    assert on_demand_hours(reserved) == 0
    assert cloud_months(reserved, 1)[0] == pytest.approx(730 * 39.32)


def test_what_commitment_and_spot_do_not_cover_is_bought_on_demand() -> None:
    mixed = CostInputs(
        committed_hours=200.0,
        committed_per_hour=40.0,
        spot_hours=65.0,
        spot_per_hour=20.0,
        on_demand_per_hour=98.0,
        utilization=0.5,
    )
    assert on_demand_hours(mixed) == pytest.approx(100)
    assert cloud_months(mixed, 1)[0] == pytest.approx(100 * 98 + 65 * 20 + 200 * 40)


def test_storage_and_egress() -> None:
    """141 GB of weights leave for about 13 USD at 0.09 USD/GB."""
    assert cloud_months(CostInputs(egress_gb_month=141.0, egress_per_gb=0.09, storage_month=7.31), 1)[
        0
    ] == pytest.approx(20.0)


def test_price_falls_by_the_year() -> None:
    path = price_path(-0.44, 24)
    assert path[11] == pytest.approx(0.56)
    assert path[23] == pytest.approx(0.56**2)


def test_a_contract_price_does_not_move_with_the_market() -> None:
    falling = CostInputs(committed_hours=730.0, committed_per_hour=10.0, yearly_price_change=-0.5)
    assert np.allclose(cloud_months(falling, 24), 7300)


def test_training_stays_lumpy() -> None:
    quarterly = CostInputs(training_runs_per_year=4.0, training_hours_per_run=72.0, training_per_hour=30.0)
    bill = training_months(quarterly, 12)
    assert np.flatnonzero(bill).tolist() == [2, 5, 8, 11]
    assert bill.sum() == pytest.approx(4 * 72 * 30)


@pytest.mark.parametrize(
    ("runs_per_year", "months", "runs"),
    [(1, 36, 3), (4, 36, 12), (12, 5, 5), (30, 12, 30), (0.5, 36, 1), (7, 24, 14), (0, 60, 0)],
)
def test_runs_of_a_horizon(runs_per_year: float, months: int, runs: int) -> None:
    assert runs_in_month(runs_per_year, months).sum() == runs


def test_api_bill_follows_the_traffic() -> None:
    stated = CostInputs(
        input_tokens_month=3e9,
        output_tokens_month=1e9,
        input_price=0.5,
        output_price=1.5,
        utilization=0.6,
        stated_utilization=0.6,
    )
    assert api_month(stated) == pytest.approx(3000)
    assert api_month(stated.with_usage(np.array([0.3]))) == pytest.approx(1500)
