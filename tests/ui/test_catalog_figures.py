"""How the browser writes values, prices and ages, in both languages."""

from decimal import Decimal

import pytest

from desktop.catalog.prices import HardwarePrice
from desktop.catalog.records import Gpu
from desktop.ui.catalog_browser.figures import age_written, dated, field_name, price_written, written
from desktop.ui.look import Look
from desktop.ui.theme import LIGHT
from desktop.words.numerals import NBSP


def test_values_are_written_with_units_and_every_digit() -> None:
    """H100 SXM: 3,350 GB/s; an hour of p5.48xlarge at 55.04 $ (AWS price list)."""
    look, russian = Look(LIGHT, "en"), Look(LIGHT, "ru")
    card = Gpu(id="a", name="A", short="A", vendor="V", architecture="B", form_factor="C")
    assert written(look, "mem_bandwidth_gbs", 3350.0, card, str) == f"3,350{NBSP}GB/s"
    assert written(russian, "mem_bandwidth_gbs", 3352.32, card, str) == f"3{NBSP}352,32{NBSP}ГБ/с"
    assert written(look, "release_year", 2023, card, str) == "2023"
    assert written(look, "cuda_compute_capability", 9.0, card, str) == "9.0"
    assert written(look, "gpus", ("a", "b"), card, str.upper) == "A, B"
    assert written(look, "fp4_tflops", None, card, str) == "—"
    assert written(look, "rate", Decimal("0.22"), card, str) == "22%"
    assert field_name(russian, "usable_mib") == "Доступно памяти"
    assert field_name(look, "some_new_field") == "some new field"
    price = HardwarePrice(part="a", category="gpu", low="7200", high="9000.125", currency="USD", kind="list")
    assert price_written(look, price) == "$7,200–$9,000.125"


@pytest.mark.parametrize(
    ("days", "english", "russian"),
    [
        (0, "of today", "от сегодня"),
        (1, f"1{NBSP}day old", f"возраст 1{NBSP}день"),
        (59, f"59{NBSP}days old", f"возраст 59{NBSP}дней"),
        (92, f"3{NBSP}months old", f"возраст 3{NBSP}месяца"),
        (1100, f"3{NBSP}years old", f"возраст 3{NBSP}года"),
        (None, "no date", "без даты"),
    ],
)
def test_ages_are_told_in_days_months_and_years(days: int | None, english: str, russian: str) -> None:
    assert (age_written(Look(LIGHT, "en"), days), age_written(Look(LIGHT, "ru"), days)) == (english, russian)


def test_a_date_says_how_old_it_is_where_the_source_bears_one() -> None:
    look = Look(LIGHT, "en")
    assert dated(look, "2026-10-02", 60) == f"as of 2026-10-02 · 2{NBSP}months old"
    assert dated(look, "<=2026-12-01", None) == "by 2026-12-01"
    assert dated(look, "", None) == "no date"
