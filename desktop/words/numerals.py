"""Numbers, money, dates and ranges as the reader writes them. Babel holds the locale rules."""

import datetime
from decimal import ROUND_HALF_UP, Decimal

from babel.dates import format_date
from babel.numbers import format_compact_currency, format_currency, format_decimal, format_percent

from desktop.units import GB, GIB
from desktop.words.phrases import Language, phrase

NBSP = "\u00a0"
SMALLEST = {0: Decimal(1), 1: Decimal("0.1"), 2: Decimal("0.01"), 3: Decimal("0.001")}


class Numerals:
    """One reader's way to write figures.

    >>> Numerals("en").money(Decimal("139576"), "USD"), Numerals("en").gib(34_359_738_368)
    ('$139,576', '32.0')
    """

    def __init__(self, language: Language, decimal_memory: bool = False) -> None:
        self.language: Language = language
        self.locale = {"en": "en_US", "ru": "ru_RU"}[language]
        self.decimal_memory = decimal_memory

    def number(self, value: float | Decimal, digits: int = 0) -> str:
        """Grouped, with exactly `digits` decimals; a positive figure that rounds to zero prints as below the
        smallest."""
        smallest = SMALLEST[digits]
        if 0 < Decimal(str(value)) < smallest / 2:
            return f"<{NBSP}{self.number(smallest, digits)}"
        pattern = "#,##0" + ("." + "0" * digits if digits else "")
        return format_decimal(value, format=pattern, locale=self.locale).replace("\u202f", NBSP)

    def short(self, value: float) -> str:
        """Three significant digits at most, whole from 100."""
        size = abs(value)
        return self.number(value, 0 if size >= 100 else 1 if size >= 10 else 2)

    def percent(self, share: float | Decimal, digits: int = 0) -> str:
        pattern = "#,##0" + ("." + "0" * digits if digits else "") + (f"{NBSP}%" if self.language == "ru" else "%")
        return format_percent(share, format=pattern, locale=self.locale)

    def gib(self, value_bytes: float, digits: int = 1) -> str:
        """Bytes in GiB (or GB where the reader switched), without the unit."""
        return self.number(value_bytes / (GB if self.decimal_memory else GIB), digits)

    def gib_unit(self) -> str:
        return phrase("terms", "unit.gb" if self.decimal_memory else "unit.gib", self.language)

    def memory(self, value_bytes: float, digits: int = 1) -> str:
        return f"{self.gib(value_bytes, digits)}{NBSP}{self.gib_unit()}"

    def money(self, amount: Decimal | float, currency: str, cents: bool = False) -> str:
        """Whole units unless `cents`: totals and headlines are exact to the unit, line items to the cent."""
        places = "0.01" if cents else "1"
        rounded = Decimal(str(amount)).quantize(Decimal(places), rounding=ROUND_HALF_UP)
        return format_currency(
            rounded,
            currency,
            locale=self.locale,
            currency_digits=False,
            format=None if cents else _whole(self.language),
        ).replace("\u202f", NBSP)

    def money_short(self, amount: Decimal | float, currency: str) -> str:
        """Compact money for axes and chips: $140K, 11,2 млн ₽."""
        digits = 0 if abs(float(amount)) >= 100_000 and abs(float(amount)) < 1e6 else 1
        return format_compact_currency(amount, currency, locale=self.locale, fraction_digits=digits).replace(
            "\u202f", NBSP
        )

    def span(self, low: str, high: str) -> str:
        """A range of two written figures."""
        return low if low == high else f"{low}–{high}"

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


def _whole(language: Language) -> str:
    return "¤#,##0" if language == "en" else f"#,##0{NBSP}¤"
