"""What a widget needs to show itself to one reader: the theme, the language and the way figures are written."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from babel import Locale

from desktop.quote import Message, RuleCheck
from desktop.request import Problem
from desktop.ui.theme import Theme
from desktop.words import (
    Language,
    Numerals,
    message_sentence,
    phrase,
    phrases_of,
    problem_sentence,
    rule_sentence,
)
from desktop.words.numerals import NBSP

SMALLEST = 0.005  # what would round to zero is told as less than the smallest figure


@dataclass(frozen=True)
class Look:
    theme: Theme
    language: Language
    decimal_memory: bool = False

    @cached_property
    def numerals(self) -> Numerals:
        return Numerals(self.language, self.decimal_memory)

    def figure(self, value: float | Decimal) -> str:
        """Three significant digits at most, and none that is a trailing zero: 3, 34.4, 1.5, 1,234."""
        size = abs(float(value))
        if 0 < size < SMALLEST:
            return self.numerals.number(value, 2)
        digits = 0 if size >= 100 else 1 if size >= 10 else 2
        while digits and round(float(value), digits) == round(float(value), digits - 1):
            digits -= 1
        return self.numerals.number(value, digits)

    def span(self, low: float, high: float) -> str:
        """A range in the digits of `figure`."""
        return self.numerals.span(self.figure(low), self.figure(high))

    def say(self, code: str, **values: object) -> str:
        """A phrase of the window."""
        return phrase("window", code, self.language, **values)

    def known(self, code: str, otherwise: str) -> str:
        """A phrase of the window for a code that may come from newer data, or the name as it stands."""
        return self.say(code) if code in phrases_of("window") else otherwise

    def term(self, code: str) -> str:
        """A term shared with the documents."""
        return phrase("terms", code, self.language)

    def part(self, name: str) -> str:
        """Name of a part of memory."""
        return self.term(f"part.{name}") if f"part.{name}" in phrases_of("terms") else name

    def count(self, noun: str, number: int) -> str:
        """A number with its noun in the right form: 1 server, 5 серверов."""
        form = Locale.parse(self.numerals.locale).plural_form(number)
        return f"{self.numerals.number(number)}{NBSP}{self.say(f'count.{noun}.{form}')}"

    def sentence(self, message: Message) -> str:
        """A warning, remark or reason. A code without a sentence is shown itself: a remark is never lost."""
        try:
            return message_sentence(message, self.language, self.numerals)
        except KeyError:
            return message.message or message.code

    def problem(self, problem: Problem) -> str:
        """What is wrong, without the name of the field: it stands beside the field or next to a link to it."""
        try:
            text = problem_sentence(problem, self.language)
        except KeyError:
            return self.known(f"problem.{problem.code}", str(problem))
        text = text.removeprefix(f"{problem.field}: ")
        return text[:1].upper() + text[1:]

    def rule(self, check: RuleCheck) -> str:
        """A rule with both sides of it."""
        try:
            return rule_sentence(check, self.language, self.numerals)
        except KeyError:
            return check.rule
