"""Problems and messages as sentences. The name of a value says how it is written: `_bytes`, `_w`, `_s`, `_months`,
`_share`, `_money`."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from desktop.architectures import Doubt
from desktop.quote import Message, RuleCheck
from desktop.request import Problem
from desktop.words.names import engine_name, format_name, region_name
from desktop.words.numerals import NBSP, Numerals
from desktop.words.phrases import Language, phrase, phrases_of

SUBJECTS = ("messages", "cli")  # files of resources/translations that hold sentences
NAMED = {
    "format": format_name,
    "weights": format_name,
    "precision": format_name,
    "engine": engine_name,
    "region": region_name,
}
VARIANTS = ("reason", "what", "rule")  # values that choose between sentences of one code


def problem_sentence(problem: Problem, language: Language) -> str:
    """What is wrong, in one sentence that names the field or the file. Raises KeyError for a code without a
    sentence."""
    values = {**problem.values, "field": problem.field}
    return _sentence("problem", problem.code, values, Numerals(language))


def message_sentence(message: Message, language: Language, numerals: Numerals | None = None) -> str:
    """A warning, remark or reason as one sentence."""
    return _sentence(
        "message", message.code, {**message.values, "field": message.field}, numerals or Numerals(language)
    )


def doubt_sentence(doubt: Doubt, language: Language, numerals: Numerals | None = None) -> str:
    """A doubt about a model's files as one sentence. Raises KeyError for a code without one."""
    return _sentence("doubt", doubt.code, doubt.values, numerals or Numerals(language))


def rule_sentence(check: RuleCheck, language: Language, numerals: Numerals | None = None) -> str:
    """A rule with both sides of it."""
    return _sentence("rule", check.rule, check.values, numerals or Numerals(language))


def written(values: Mapping[str, Any], numerals: Numerals) -> dict[str, str]:
    """Every value as its reader writes it, by the suffix of its name."""
    return {name: _value(name, value, values, numerals) for name, value in values.items()}


def _sentence(kind: str, code: str, values: Mapping[str, Any], numerals: Numerals) -> str:
    variant = next((values[name] for name in VARIANTS if isinstance(values.get(name), str)), "")
    for subject in SUBJECTS:
        known = phrases_of(subject)
        for key in (f"{kind}.{code}.{variant}", f"{kind}.{code}"):
            if key in known:
                return phrase(subject, key, numerals.language, **written(values, numerals))
    raise KeyError(f"{kind}.{code}" + (f".{variant}" if variant else ""))


def _value(name: str, value: Any, values: Mapping[str, Any], numerals: Numerals) -> str:
    if isinstance(value, str) and name.endswith("_money"):  # as JSON holds decimals
        return numerals.money(Decimal(value), str(values.get("currency", "USD")))
    if isinstance(value, str):
        return NAMED[name](value, numerals.language) if name in NAMED else value
    if isinstance(value, list | tuple):
        return ", ".join(_value(name, item, values, numerals) for item in value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return str(value)
    if name.endswith("_bytes"):
        return numerals.memory(float(value))
    if name.endswith("_w"):
        return f"{numerals.number(float(value) / 1000, 1)}{NBSP}{phrase('terms', 'unit.kw', numerals.language)}"
    if name.endswith("_s"):
        return numerals.seconds(float(value), milliseconds=abs(float(value)) < 1)
    if name.endswith("_months"):
        return numerals.months(float(value))
    if name.endswith("_share"):
        return numerals.percent(float(value))
    if name.endswith("_money"):
        return numerals.money(Decimal(str(value)), str(values.get("currency", "USD")))
    return numerals.given(value)
