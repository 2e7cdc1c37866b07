"""Figures as readers write them: English by the Chicago manual, Russian by GOST R 7.0.97 and GOST 8.417.

A number and its unit are held together by a no-break space (U+00A0), groups of digits in Russian too.
"""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.words import Language, Numerals

EN, RU = Numerals("en"), Numerals("ru")


def test_groups_and_decimal_mark() -> None:
    assert EN.number(1234567.891, 2) == "1,234,567.89"
    assert RU.number(1234567.891, 2) == "1\u00a0234\u00a0567,89"
    assert (EN.number(0), RU.number(-1234)) == ("0", "-1\u00a0234")


def test_a_positive_figure_never_prints_as_zero() -> None:
    assert EN.number(0.001, 1) == "<\u00a00.1"
    assert RU.number(0.3) == "<\u00a01"
    assert EN.number(0.0, 1) == "0.0"


def test_percent_stands_apart_in_russian() -> None:
    assert (EN.percent(0.22), RU.percent(0.22)) == ("22%", "22\u00a0%")
    assert RU.percent(0.125, 1) == "12,5\u00a0%"


def test_gib_is_not_gb() -> None:
    """80 GB of a data sheet are 74.5 GiB; 2**30 bytes are one GiB (IEC 80000-13)."""
    assert EN.gib(80e9) == "74.5" and EN.memory(2**30) == "1.0\u00a0GiB"
    assert RU.memory(2**30) == "1,0\u00a0ГиБ"
    switched = Numerals("ru", decimal_memory=True)
    assert switched.gib(80e9) == "80,0" and switched.memory(80e9) == "80,0\u00a0ГБ"


def test_money_stands_before_in_english_and_after_in_russian() -> None:
    assert EN.money(Decimal("139576.5"), "USD") == "$139,577"
    assert EN.money(Decimal("139576.5"), "USD", cents=True) == "$139,576.50"
    assert RU.money(Decimal("39475552"), "RUB") == "39\u00a0475\u00a0552\u00a0₽"
    assert RU.money(Decimal("1.05"), "RUB", cents=True) == "1,05\u00a0₽"


def test_compact_money() -> None:
    assert EN.money_short(139576, "USD") == "$140K"
    assert RU.money_short(11_200_000, "RUB") == "11,2\u00a0млн\u00a0₽"


def test_money_is_exact_where_a_float_is_not() -> None:
    assert EN.money(Decimal("90071992547409.93"), "USD", cents=True) == "$90,071,992,547,409.93"


@pytest.mark.parametrize(
    ("numerals", "long", "short"), [(EN, "1 Dec 2026", "2026-12-01"), (RU, "1 декабря 2026 г.", "01.12.2026")]
)
def test_dates(numerals: Numerals, long: str, short: str) -> None:
    assert (numerals.date(date(2026, 12, 1)), numerals.date_short(date(2026, 12, 1))) == (long, short)


def test_times() -> None:
    assert (EN.seconds(1.5), RU.seconds(0.031, milliseconds=True)) == ("1.50\u00a0s", "31\u00a0мс")
    assert (EN.months(24.4), RU.months(24.4)) == ("24\u00a0months", "24\u00a0мес.")


def test_a_range_of_equal_figures_is_one_figure() -> None:
    assert EN.span("5", "5") == "5" and EN.span("5", "6") == "5–6"


@given(st.floats(-1e15, 1e15), st.sampled_from(["en", "ru"]), st.integers(0, 3))
def test_a_printed_number_reads_back(value: float, language: Language, digits: int) -> None:
    written = Numerals(language).number(value, digits)
    if written.startswith("<"):
        return
    read = written.replace("\u00a0", "").replace(",", "" if language == "en" else ".")
    assert abs(Decimal(read) - Decimal(str(value))) <= Decimal("0.5000001") / 10**digits


@given(st.floats(0.001, 1e12))
def test_short_figures_keep_three_digits_at_most(value: float) -> None:
    written = EN.short(value)
    decimals = written.partition(".")[2]
    assert len(decimals) == (0 if value >= 100 else 1 if value >= 10 else 2)
