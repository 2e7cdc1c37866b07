import pytest

from desktop.costs.inputs import CostInputs
from desktop.costs.opex import (
    energy_month,
    running_month,
    staff_month,
    support_month,
    training_machine_month,
    training_run_energy,
)


def test_eight_gpus_at_full_load() -> None:
    """(8 · 0.7 kW + 2 kW) · PUE 1.4 · 0.10 USD/kWh = 1.06 USD/h: a published buy-or-rent guide."""
    assert energy_month(8 * 0.7 + 2.0, 0, 1.0, 1.0, 1.4, 0.10) == pytest.approx(1.06, rel=0.01)


def test_energy_of_an_eight_gpu_node_in_a_year() -> None:
    """7.8 kW · PUE 1.54 · 0.10 USD/kWh: about 10.5 thousand a year."""
    assert 12 * energy_month(7.8, 7.8, 0.3, 730, 1.54, 0.10) == pytest.approx(10_500, rel=0.01)


def test_idle_machine_still_draws() -> None:
    assert energy_month(10.0, 2.0, 0.0, 730, 1.0, 1.0) == pytest.approx(1460)
    assert energy_month(10.0, 2.0, 0.5, 730, 1.0, 1.0) == pytest.approx(6 * 730)


@pytest.mark.parametrize(("capex", "per_hour"), [(250_141.8, 3.42), (277_897.75, 3.81), (461_567.5, 6.32)])
def test_support_of_twelve_percent(capex: float, per_hour: float) -> None:
    """Lenovo LP2368: maintenance 12 % of the system a year; configuration A is 3.42 USD/h, the others go by price."""
    assert 12 * support_month(capex, 0.12) / 8760 == pytest.approx(per_hour, rel=0.003)


def test_quarter_of_a_post() -> None:
    assert staff_month(0.25, 48_000) == pytest.approx(1000)


def test_hourly_running_cost_is_paid_for_every_hour() -> None:
    """Lenovo LP2368, case 3: 8.79 USD/h always on; 277,898 + 8.79 · 43,800 = 662,900."""
    month = running_month(CostInputs(onprem_per_hour=8.79, utilization=0.178))
    assert 277_898 + 60 * month == pytest.approx(662_900, rel=1e-5)


def test_vat_falls_on_all_but_salaries() -> None:
    inputs = CostInputs(other_month=100.0, staff_fte=1.0, fte_cost_year=1200.0, vat_rate=0.22)
    assert running_month(inputs) == pytest.approx(122 + 100)


def test_licences_are_paid_for_each_gpu() -> None:
    """NVIDIA AI Enterprise lists 4,500 USD per GPU and year: 36,000 for eight, where a published example counts one."""
    assert 12 * running_month(CostInputs(software_per_gpu_year=4_500.0, gpus=8.0)) == pytest.approx(36_000)


def test_training_energy_counts_only_what_the_month_does_not_hold_yet() -> None:
    inputs = CostInputs(
        power_kw_load=8.0,
        power_kw_idle=2.0,
        training_kw_load=10.0,
        training_kw_idle=1.0,
        training_hours_per_run=100.0,
        pue=1.5,
        electricity_per_kwh=0.1,
    )
    assert training_run_energy(inputs, own_training_machine=False) == pytest.approx(100 * 6 * 1.5 * 0.1)
    assert training_run_energy(inputs, own_training_machine=True) == pytest.approx(100 * 9 * 1.5 * 0.1)
    assert training_machine_month(inputs) == pytest.approx(730 * 1 * 1.5 * 0.1)
