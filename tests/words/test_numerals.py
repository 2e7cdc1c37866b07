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


def test_a_given_figure_keeps_its_decimals() -> None:
    assert [EN.given(value) for value in (12, 12.0, 0.25, Decimal("1.30"), 1 / 3)] == [
        "12",
        "12",
        "0.25",
        "1.3",
        "0.333",
    ]
    assert RU.given(1234.5) == "1\u00a0234,5"
    assert (EN.given_percent(0.08), RU.given_percent(Decimal("0.081"))) == ("8%", "8,1\u00a0%")


def test_a_computed_figure_has_three_digits_and_no_trailing_zero() -> None:
    assert [EN.figure(value) for value in (3.0, 34.44, 1.5, 1234.4, 0)] == ["3", "34.4", "1.5", "1,234", "0"]
    assert EN.figure(0.001) == "<\u00a00.01"


def test_a_rate_is_told_to_the_cent_and_below_one_to_a_tenth_of_it() -> None:
    assert [EN.rate(value, "USD") for value in (2345.6, 13.56, 0.204)] == ["$2,346", "$13.56", "$0.204"]
    assert RU.rate(Decimal("0.204"), "USD") == "0,204\u00a0$"


def test_a_range_of_money_writes_its_unit_once() -> None:
    assert RU.money_span(593_000, 765_000, "USD") == "593–765\u00a0тыс.\u00a0$"
    assert RU.money_span(593_000, 1_765_000, "USD") == "593\u00a0тыс.\u00a0$–1,8\u00a0млн\u00a0$"
    assert EN.money_span(593_000, 765_000, "USD") == "$593K–$765K"
    assert RU.money_span(593_000, 593_000, "USD") == "593\u00a0тыс.\u00a0$"


def test_nouns_take_the_form_of_their_number() -> None:
    """Russian: 1 сервер, 2 сервера, 5 серверов, 21 сервер (CLDR plural rules)."""
    written = [RU.count("report", "servers", number) for number in (1, 2, 5, 11, 21)]
    assert [text.partition("\u00a0")[2] for text in written] == ["сервер", "сервера", "серверов", "серверов", "сервер"]
    assert (EN.count("report", "servers", 1), EN.count("report", "servers", 2)) == ("1\u00a0server", "2\u00a0servers")


@pytest.mark.parametrize(
    ("written", "en", "ru"),
    [
        ("2026-04-17", "2026-04-17", "17.04.2026"),
        ("2026-04", "2026-04", "04.2026"),
        ("2026-Q1", "Q1 2026", "1 кв. 2026"),
        ("2026-H2", "H2 2026", "2 полуг. 2026"),
        ("2026", "2026", "2026"),
        ("<=2026-12-01", "by 2026-12-01", "до 01.12.2026"),
        ("", "", ""),
    ],
)
def test_a_date_is_as_precise_as_its_source(written: str, en: str, ru: str) -> None:
    assert (EN.as_of(written), RU.as_of(written)) == (en, ru)


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


def test_a_slip_of_the_keyboard_is_written_too() -> None:
    assert EN.number(1e308) == "1e+308"
    assert EN.money(1e308, "USD") == "1e+308\u00a0USD"
