"""The words and figures of one document: labels by code, messages as sentences, counts with their nouns."""

import re
from datetime import date
from decimal import Decimal
from functools import cache

from babel import Locale
from babel.numbers import format_currency, get_currency_symbol

from desktop.quote import Message, Range, RuleCheck
from desktop.words import Language, Numerals, message_sentence, phrase, phrases_of, rule_sentence

NBSP = "\u00a0"
_HELD_TOGETHER = re.compile(r"(?<=[×≤≥№]) (?=\d)|(?<=\d) (?=[×%≤≥])|(?<=[≤≥]) (?=[$€])")
_DAY, _MONTH, _QUARTER = (re.compile(p) for p in (r"\d{4}-\d\d-\d\d", r"(\d{4})-(\d\d)", r"(\d{4})-Q([1-4])"))


class Wording:
    """How one reader reads: `label` for the documents' own phrases, `term` for the shared ones, `say` for messages."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self.numerals = Numerals(language)

    def label(self, code: str, **values: object) -> str:
        """A phrase of resources/translations/report.toml; a line never breaks between a sign and its figure."""
        return hold(phrase("report", code, self.language, **values))

    def labels(self, group: str) -> dict[str, str]:
        """All phrases of one table of report.toml, by their last name."""
        return {
            code.removeprefix(group + "."): hold(entry[self.language])
            for code, entry in phrases_of("report").items()
            if code.startswith(group + ".")
        }

    def term(self, code: str) -> str:
        return phrase("terms", code, self.language)

    def known(self, code: str, otherwise: str) -> str:
        """The phrase of report.toml for a code that a newer catalog may not know yet, or the name as it stands."""
        return self.label(code) if code in phrases_of("report") else otherwise

    def say(self, message: Message) -> str:
        """A warning, reason or refusal as a sentence."""
        return hold(message_sentence(message, self.language, self.numerals))

    def say_rule(self, check: RuleCheck) -> str:
        return hold(rule_sentence(check, self.language, self.numerals))

    def currency_sign(self, currency: str) -> str:
        return get_currency_symbol(currency, locale=self.numerals.locale)

    def count(self, noun: str, number: int) -> str:
        """A number with its noun in the right form: 2 servers, 5 серверов."""
        form = _locale(self.numerals.locale).plural_form(number)
        return f"{self.numerals.number(number)}{NBSP}{self.label(f'count.{noun}.{form}')}"

    def figure(self, value: float | Decimal) -> str:
        """A given figure with no more decimals than it was given with, up to three: 12, 0.25, 1.3."""
        digits = next(digits for digits in (0, 1, 2, 3) if digits == 3 or round(float(value), digits) == float(value))
        return self.numerals.number(value, digits)

    def rate(self, amount: float | Decimal, currency: str) -> str:
        """A price for one unit: to the cent, below one to a tenth of it, from a thousand in whole units."""
        size = abs(float(amount))
        decimals = "" if size >= 1000 else ".00" if size >= 1 else ".000"
        pattern = f"¤#,##0{decimals}" if self.language == "en" else f"#,##0{decimals}{NBSP}¤"
        return format_currency(
            amount, currency, format=pattern, locale=self.numerals.locale, currency_digits=False
        ).replace("\u202f", NBSP)

    def given_seconds(self, value: float) -> str:
        """A target as it was given: 1.5 s."""
        return f"{self.figure(value)}{NBSP}{self.term('unit.s')}"

    def range(self, figure: Range, digits: int, factor: float = 1.0) -> str:
        return self.numerals.span(
            self.numerals.number(figure.low * factor, digits), self.numerals.number(figure.high * factor, digits)
        )

    def as_of(self, written: str) -> str:
        """A date as precise as its source: a day, a month, a quarter or a year; anything else as it stands."""
        if written.startswith("<="):
            return self.label("date.by", date=self.as_of(written.removeprefix("<=")))
        if _DAY.fullmatch(written):
            return self.numerals.date_short(date.fromisoformat(written))
        if month := _MONTH.fullmatch(written):
            return self.label("date.month", year=month[1], month=month[2])
        if quarter := _QUARTER.fullmatch(written):
            return self.label("date.quarter", year=quarter[1], quarter=quarter[2])
        return written


def hold(text: str) -> str:
    return _HELD_TOGETHER.sub(NBSP, text)


@cache
def _locale(name: str) -> Locale:
    return Locale.parse(name)
