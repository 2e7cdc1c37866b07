"""Every input that the cost calculation can report has a name and a unit in both languages."""

from decimal import Decimal
from typing import get_args

import pytest

from desktop.costs.ranges import CAPEX_ITEM, INPUTS
from desktop.words import Language, Numerals, Unit, input_figure, input_name, input_unit, phrases_of

LANGUAGES: tuple[Language, ...] = ("en", "ru")
EN, RU = Numerals("en"), Numerals("ru")


@pytest.mark.parametrize("path", INPUTS)
def test_every_input_has_its_name(path: str) -> None:
    assert f"input.{path.rpartition('.')[2]}" in phrases_of("terms")
    for language in LANGUAGES:
        name = input_name(path, language)
        assert "_" not in name and "." not in name


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_inputs_of_one_calculation_share_a_name(language: Language) -> None:
    names = [input_name(path, language) for path in INPUTS if path != "cloud_per_hour"]  # the short form of on demand
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("path", "value", "en", "ru"),
    [
        ("opex.support_rate_year", 0.08, "8%", "8\u00a0%"),
        ("discount_rate", 0.125, "12.5%", "12,5\u00a0%"),
        ("utilization", 0.9, "90%", "90\u00a0%"),
        ("cloud.yearly_price_change", -0.1, "-10%", "-10\u00a0%"),
        ("cloud.on_demand_per_hour", 15.594, "$15.59", "15,59\u00a0$"),
        ("training.cloud_per_hour", 41.6, "$41.60", "41,60\u00a0$"),
        ("opex.electricity_per_kwh", 0.1428, "$0.143", "0,143\u00a0$"),
        ("capex", 196197.12, "$196,197", "196\u00a0197\u00a0$"),
        ("capex_items.Server, 8 GPU", 1000.0, "$1,000", "1\u00a0000\u00a0$"),
        ("opex.power_kw_load", 6.4, "6.4\u00a0kW", "6,4\u00a0кВт"),
        ("training.hours_per_run", 96.0, "96\u00a0h", "96\u00a0ч"),
        ("cloud.egress_gb_month", 1200.0, "1,200\u00a0GB", "1\u00a0200\u00a0ГБ"),
        ("tokens_per_s", 2500.0, "2,500\u00a0tokens/s", "2\u00a0500\u00a0токенов/с"),
        ("opex.pue", 1.35, "1.35", "1,35"),
        ("opex.staff_fte", 0.5, "0.5", "0,5"),
    ],
)
def test_a_value_is_written_with_its_unit(path: str, value: float, en: str, ru: str) -> None:
    assert input_figure(path, value, "USD", EN) == en
    assert input_figure(path, value, "USD", RU) == ru


def test_a_line_of_the_purchase_keeps_the_name_it_was_given() -> None:
    assert input_name(f"{CAPEX_ITEM}GPU no. 2", "en") == "Purchase: GPU no. 2"
    assert input_unit(f"{CAPEX_ITEM}pue") == "money"


def test_training_is_told_from_the_main_line() -> None:
    assert input_name("training.capex", "en") != input_name("capex", "en")
    assert input_name("opex.pue", "en") == "PUE"


def test_input_of_newer_data_shows_its_name_without_underscores() -> None:
    assert input_name("opex.cooling_water_month", "en") == "cooling water month"


@pytest.mark.parametrize("path", INPUTS)
def test_every_unit_is_one_that_can_be_written(path: str) -> None:
    unit = input_unit(path)
    assert unit in get_args(Unit)
    assert unit in ("share", "money", "none") or f"unit.{unit}" in phrases_of("terms")
    assert input_figure(path, float(Decimal("1.5")), "EUR", EN)
