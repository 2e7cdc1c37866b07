"""Amounts, currencies, VAT and dates as vendors write them; what can be read two ways is not read."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.catalog.price_lists.cells import (
    Cell,
    Shared,
    Unread,
    amount,
    currency_in,
    day,
    decimal_mark,
    guarded,
    text_of,
    unguarded,
    vat_in,
)
from desktop.request import Problem


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1234", "1234"),
        ("1234,5", "1234.5"),
        ("1 234,50", "1234.50"),
        ("1\u00a0234\u00a0567,8 ₽", "1234567.8"),
        ("1\u202f234.5", "1234.5"),
        ("1'234.50", "1234.50"),
        ("12 500 руб.", "12500"),
        ("руб. 5000", "5000"),
        ("5000р", "5000"),
        ("$12,345.60", "12345.60"),
        ("€1.234,50", "1234.50"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("USD 12", "12"),
        ("0,500", "0.500"),
        ("1234.567", "1234.567"),
    ],
)
def test_amounts(text: str, value: str) -> None:
    assert amount(text) == Decimal(value)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "no_price"),
        ("по запросу", "no_price"),
        ("-", "no_price"),
        ("1,234", "ambiguous_number"),
        ("1.234", "ambiguous_number"),
        ("=1+1", "not_a_number"),
        ("-5", "not_a_number"),
        ("12.12.2026", "not_a_number"),
        ("1e5", "not_a_number"),
        ("100-200", "not_a_number"),
        ("1 2 3", "not_a_number"),
        ("12 500 20", "not_a_number"),
        ("12,34,567", "not_a_number"),
        ("²5", "not_a_number"),
        ("#REF!1", "not_a_number"),
        ("0", "not_positive"),
        (Decimal(-1), "not_positive"),
        ("9" * 20, "not_positive"),
        (date(2026, 1, 1), "not_a_number"),
        (Unread.FORMULA, "formula"),
        (Shared(Decimal(5)), "merged_price"),
    ],
)
def test_what_is_no_amount(cell: Cell, reason: str) -> None:
    with pytest.raises(Problem) as caught:
        amount(cell)
    assert (caught.value.code, caught.value.values["reason"]) == ("price_row", reason)


def test_other_amounts_of_the_column_tell_what_three_digits_mean() -> None:
    assert decimal_mark(["1,234", "1,5"]) == "," and amount("1,234", ",") == Decimal("1.234")
    assert decimal_mark(["1,234", "1.50"]) == "." and amount("1,234", ".") == Decimal("1234")
    assert decimal_mark(["1,234", "2,345"]) == "" and decimal_mark(["1.50", "1,5"]) == ""
    assert decimal_mark([Decimal("1.5"), "", date(2026, 1, 1)]) == ""


@given(st.decimals(min_value="0.01", max_value="99999999", places=2))
def test_both_ways_of_writing_an_amount_read_back(value: Decimal) -> None:
    english = f"{value:,.2f}"
    russian = english.replace(",", "\u00a0").replace(".", ",")
    assert amount(english) == amount(f"${english}") == amount(f"{russian} ₽") == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("100 ₽", "RUB"),
        ("100 руб.", "RUB"),
        ("Цена, руб. с НДС", "RUB"),
        ("Price, USD", "USD"),
        ("$", "USD"),
        ("Цена (€)", "EUR"),
        ("100", ""),
        ("USD / EUR", ""),
        ("Процессор", ""),
        ("Rubber", ""),
    ],
)
def test_currencies(text: str, code: str) -> None:
    assert currency_in(text) == code


@pytest.mark.parametrize(
    ("text", "included", "rate"),
    [
        ("с НДС", True, None),
        ("в т.ч. НДС 20%", True, "0.2"),
        ("включая НДС 22 %", True, "0.22"),
        ("incl. VAT", True, None),
        ("да", True, None),
        ("без НДС", False, None),
        ("без учёта НДС", False, None),
        ("НДС не облагается", False, None),
        ("excl. VAT", False, None),
        ("НДС не включён", False, None),
        ("22%", None, "0.22"),
        ("НДС", None, None),
    ],
)
def test_vat(text: str, included: bool | None, rate: str | None) -> None:
    assert vat_in(text) == (included, None if rate is None else Decimal(rate))


def test_dates() -> None:
    assert [day(cell) for cell in (date(2026, 11, 5), "2026-11-05", "05.11.2026", "2026-11-05T10:00:00")] == [
        date(2026, 11, 5)
    ] * 4
    assert day("25/11/2026") == date(2026, 11, 25)
    for unclear in ("05/11/2026", "5 ноября", "31.02.2026", "11.2026"):
        with pytest.raises(Problem):
            day(unclear)


@given(st.text())
def test_guarded_text_reads_back_and_never_begins_like_a_formula(text: str) -> None:
    """CWE-1236: a cell that begins with =, +, -, @, a tab or a line end may be run by a spreadsheet."""
    assert unguarded(guarded(text)) == text
    assert guarded(text)[:1] not in tuple("=+-@\t\r\n")


@pytest.mark.parametrize("text", ["=cmd|'/C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "''=1"])
def test_formulas_are_text(text: str) -> None:
    assert guarded(text) == f"'{text}" and unguarded(guarded(text)) == text


def test_cells_as_text() -> None:
    cells: list[Cell] = [" a ", Decimal("900210"), date(2026, 1, 2), Shared("V"), Unread.FORMULA]
    assert [text_of(cell) for cell in cells] == ["a", "900210", "2026-01-02", "V", ""]
