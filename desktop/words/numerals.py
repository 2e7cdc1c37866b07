"""Numbers, money, dates and ranges as the reader writes them. Babel holds the locale rules."""

import datetime
import re
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

from babel import Locale
from babel.dates import format_date
from babel.numbers import (
    NumberPattern,
    format_compact_currency,
    format_currency,
    format_percent,
    get_currency_symbol,
    parse_pattern,
)

from desktop.units import GB, GIB
from desktop.words.phrases import Language, phrase

NBSP = "\u00a0"
NARROW_NBSP = "\u202f"  # what CLDR puts between Russian groups in some places
SMALLEST = {0: Decimal(1), 1: Decimal("0.1"), 2: Decimal("0.01"), 3: Decimal("0.001")}
MOST_DECIMALS = 3
LARGEST = 1e21  # past it a figure is only a slip of the keyboard, and is written with its exponent
SMALLEST_FIGURE = 0.005  # what would round to zero in two decimals
_UNIT_BEHIND = re.compile(r"(-?\d[\d,.\u00a0]*)(\u00a0\D+)")
_DAY, _MONTH, _QUARTER, _HALF = (
    re.compile(p) for p in (r"\d{4}-\d\d-\d\d", r"(\d{4})-(\d\d)", r"(\d{4})-Q([1-4])", r"(\d{4})-H([12])")
)


class Numerals:
    """One reader's way to write figures.

    >>> Numerals("en").money(Decimal("139576"), "USD"), Numerals("en").gib(34_359_738_368)
    ('$139,576', '32.0')
    """

    def __init__(self, language: Language, decimal_memory: bool = False) -> None:
        self.language: Language = language
        self.locale = _locale({"en": "en_US", "ru": "ru_RU"}[language])
        self.decimal_memory = decimal_memory

    def number(self, value: float | Decimal, digits: int = 0) -> str:
        """Grouped, with exactly `digits` decimals; a positive figure that rounds to zero prints as below the
        smallest."""
        smallest = SMALLEST[digits]
        if abs(float(value)) >= LARGEST:
            return f"{float(value):.3g}"
        if 0 < Decimal(str(value)) < smallest / 2:
            return f"<{NBSP}{self.number(smallest, digits)}"
        written: str = _pattern(digits).apply(value, self.locale)
        return written.replace(NARROW_NBSP, NBSP)

    def given(self, value: float | Decimal) -> str:
        """A figure with no more decimals than it was given with, up to three: 12, 0.25, 1.3."""
        return self.number(value, decimals_of(value))

    def figure(self, value: float | Decimal) -> str:
        """Three significant digits at most, and none that is a trailing zero: 3, 34.4, 1.5, 1,234."""
        size = abs(float(value))
        if 0 < size < SMALLEST_FIGURE:
            return self.number(value, 2)
        digits = 0 if size >= 100 else 1 if size >= 10 else 2
        return self.number(value, min(digits, decimals_of(round(float(value), digits))))

    def count(self, subject: str, noun: str, number: int) -> str:
        """A number with its noun in the right form, from `count.<noun>` of a phrase file: 2 servers, 5 серверов."""
        form = self.locale.plural_form(number)
        return f"{self.number(number)}{NBSP}{phrase(subject, f'count.{noun}.{form}', self.language)}"

    def short(self, value: float) -> str:
        """Three significant digits at most, whole from 100."""
        size = abs(value)
        return self.number(value, 0 if size >= 100 else 1 if size >= 10 else 2)

    def percent(self, share: float | Decimal, digits: int = 0) -> str:
        pattern = "#,##0" + ("." + "0" * digits if digits else "") + (f"{NBSP}%" if self.language == "ru" else "%")
        return format_percent(share, format=pattern, locale=self.locale)

    def given_percent(self, share: float | Decimal) -> str:
        """A share as it was given, to a tenth of a percent: 8%, 12.5%."""
        return self.percent(share, min(1, decimals_of(round(float(share) * 100, 1))))

    def gib(self, value_bytes: float, digits: int = 1) -> str:
        """Bytes in GiB (or GB where the reader switched), without the unit."""
        return self.number(value_bytes / (GB if self.decimal_memory else GIB), digits)

    def gib_unit(self) -> str:
        return phrase("terms", "unit.gb" if self.decimal_memory else "unit.gib", self.language)

    def memory(self, value_bytes: float, digits: int = 1) -> str:
        return f"{self.gib(value_bytes, digits)}{NBSP}{self.gib_unit()}"

    def money(self, amount: Decimal | float, currency: str, cents: bool = False) -> str:
        """Whole units unless `cents`: totals and headlines are exact to the unit, line items to the cent."""
        if abs(float(amount)) >= LARGEST:
            return f"{float(amount):.3g}{NBSP}{currency}"
        places = "0.01" if cents else "1"
        rounded = Decimal(str(amount)).quantize(Decimal(places), rounding=ROUND_HALF_UP)
        return format_currency(
            rounded,
            currency,
            locale=self.locale,
            currency_digits=False,
            format=None if cents else _whole(self.language),
        ).replace(NARROW_NBSP, NBSP)

    def money_short(self, amount: Decimal | float, currency: str) -> str:
        """Compact money for axes and chips: $140K, 11,2 млн ₽."""
        digits = 0 if abs(float(amount)) >= 100_000 and abs(float(amount)) < 1e6 else 1
        return format_compact_currency(amount, currency, locale=self.locale, fraction_digits=digits).replace(
            NARROW_NBSP, NBSP
        )

    def rate(self, amount: Decimal | float, currency: str) -> str:
        """A price for one unit: to the cent, below one to a tenth of it, from a thousand in whole units."""
        size = abs(float(amount))
        decimals = "" if size >= 1000 else ".00" if size >= 1 else ".000"
        pattern = f"¤#,##0{decimals}" if self.language == "en" else f"#,##0{decimals}{NBSP}¤"
        return format_currency(amount, currency, format=pattern, locale=self.locale, currency_digits=False).replace(
            NARROW_NBSP, NBSP
        )

    def currency_sign(self, currency: str) -> str:
        return get_currency_symbol(currency, locale=self.locale)

    def span(self, low: str, high: str) -> str:
        """A range of two written figures."""
        return low if low == high else f"{low}–{high}"

    def money_span(self, low: Decimal | float, high: Decimal | float, currency: str) -> str:
        """A range of money in short, with a unit that stands behind the figure written once: 348–460 тыс. $."""
        first, last = self.money_short(low, currency), self.money_short(high, currency)
        begin, end = _UNIT_BEHIND.fullmatch(first), _UNIT_BEHIND.fullmatch(last)
        return self.span(begin[1] if begin and end and begin[2] == end[2] and first != last else first, last)

    def seconds(self, value: float, milliseconds: bool = False) -> str:
        unit = phrase("terms", "unit.ms" if milliseconds else "unit.s", self.language)
        return f"{self.number(value * 1000, 0) if milliseconds else self.number(value, 2)}{NBSP}{unit}"

    def months(self, value: float) -> str:
        return f"{self.number(round(value))}{NBSP}{phrase('terms', 'unit.months', self.language)}"

    def date(self, day: datetime.date) -> str:
        """1 Dec 2026 or 1 декабря 2026 г."""
        return format_date(
            day, format="d MMM yyyy" if self.language == "en" else "d MMMM yyyy 'г'.", locale=self.locale
        )

    def date_short(self, day: datetime.date) -> str:
        return format_date(day, format="yyyy-MM-dd" if self.language == "en" else "dd.MM.yyyy", locale=self.locale)

    def as_of(self, written: str) -> str:
        """A date as precise as its source: a day, a month, a quarter, a half-year or a year; else as it stands."""
        if written.startswith("<="):
            return self._term("date.by", date=self.as_of(written.removeprefix("<=")))
        if _DAY.fullmatch(written):
            return self.date_short(datetime.date.fromisoformat(written))
        if month := _MONTH.fullmatch(written):
            return self._term("date.month", year=month[1], month=month[2])
        if quarter := _QUARTER.fullmatch(written):
            return self._term("date.quarter", year=quarter[1], quarter=quarter[2])
        if half := _HALF.fullmatch(written):
            return self._term("date.half", year=half[1], half=half[2])
        return written

    def _term(self, code: str, **values: object) -> str:
        return phrase("terms", code, self.language, **values)


def decimals_of(value: float | Decimal) -> int:
    """Decimals a figure needs to be written as it was given, three at most.

    >>> decimals_of(12.0), decimals_of(0.25), decimals_of(1 / 3)
    (0, 2, 3)
    """
    number = float(value)
    return next(
        digits for digits in range(MOST_DECIMALS + 1) if digits == MOST_DECIMALS or round(number, digits) == number
    )


@cache
def _locale(name: str) -> Locale:
    return Locale.parse(name)


@cache
def _pattern(digits: int) -> NumberPattern:
    return parse_pattern("#,##0" + ("." + "0" * digits if digits else ""))


def _whole(language: Language) -> str:
    return "¤#,##0" if language == "en" else f"#,##0{NBSP}¤"
