"""Power and heat."""

import pytest

from desktop.catalog import Catalog
from desktop.servers.power import heat_btu_per_hour, idle_power_w, load_power_w, peak_power_w
from desktop.servers.rack import racks_needed


def test_heat_of_a_dgx_h100() -> None:
    """DGX H100 site guide: 10.2 kW at most and 38,557 BTU/h for its 11.3 kW of heat load."""
    assert heat_btu_per_hour(11_300) == pytest.approx(38_557, rel=0.001)


def test_the_article_is_short_of_an_sxm_node(catalog: Catalog) -> None:
    """8 x 700 W alone pass the article's two supplies of 2,400 W; from its parts such a node needs 7-11 kW (DGX:
    10.2)."""
    rules = catalog.calibration.servers
    peak = peak_power_w(8, 700, 2, 350, 32, 10, 10, rules)
    assert peak > 2 * 2400
    assert 7_000 < peak < 11_000


def test_busy_and_idle_are_shares_of_the_peak(catalog: Catalog) -> None:
    """Measured: 76 % of the nameplate in training; idle nodes draw 15-25 %."""
    rules = catalog.calibration.servers
    assert load_power_w(10_200, True, rules) == pytest.approx(7_752)
    assert idle_power_w(10_200, rules) < load_power_w(10_200, False, rules) < load_power_w(10_200, True, rules)


@pytest.mark.parametrize(
    ("servers", "units", "watts", "racks"),
    [
        (4, 8, 10_200, 1),  # DGX SuperPOD: four DGX H100 in a rack of 40.8 kW
        (5, 8, 10_200, 2),
        (1, 8, 10_200, 1),
    ],
)
def test_racks_of_40_kw(servers: int, units: int, watts: float, racks: int) -> None:
    assert racks_needed(servers, units, watts, 42, 41_000) == racks


def test_one_server_beyond_the_limit_has_no_rack() -> None:
    assert racks_needed(1, 8, 10_200, 42, 10_000) is None
    assert racks_needed(1, 48, 1_000, 42, 10_000) is None
