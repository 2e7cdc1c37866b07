"""The words and figures of one document: labels by code, messages as sentences, counts with their nouns."""

import re

from desktop.quote import Message, RuleCheck
from desktop.words import Language, Numerals, known_phrase, message_sentence, phrase, phrases_of, rule_sentence
from desktop.words.numerals import NBSP

_HELD_TOGETHER = re.compile(r"(?<=[×≤≥№]) (?=\d)|(?<=\d) (?=[×%≤≥])|(?<=[≤≥]) (?=[$€])")


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
        return hold(known_phrase("report", code, self.language, otherwise))

    def say(self, message: Message) -> str:
        """A warning, reason or refusal as a sentence."""
        return hold(message_sentence(message, self.language, self.numerals))

    def say_rule(self, check: RuleCheck) -> str:
        return hold(rule_sentence(check, self.language, self.numerals))

    def count(self, noun: str, number: int) -> str:
        """A number with its noun in the right form: 2 servers, 5 серверов."""
        return self.numerals.count("report", noun, number)

    def given_seconds(self, value: float) -> str:
        """A target as it was given: 1.5 s."""
        return f"{self.numerals.given(value)}{NBSP}{self.term('unit.s')}"


def hold(text: str) -> str:
    return _HELD_TOGETHER.sub(NBSP, text)
