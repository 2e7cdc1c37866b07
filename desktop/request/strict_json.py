"""JSON as the standard means it: no NaN, no doubled keys, no bottomless nesting, no figure longer than any real one."""

import json
from collections.abc import Callable
from typing import Any, NoReturn

from desktop.request.problem import Problem

MAX_DIGITS = 20
MAX_DEPTH = 64


def parse_strict(data: bytes | str, name: str) -> Any:
    """Parsed JSON of a file or line called `name`.

    Raises Problem("bad_json") with `line`, `column` and `reason` (a code: syntax, encoding, duplicate_key, not_finite,
    number_too_long, too_deep).
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        return table if len(table) == len(pairs) else _refuse(name, "duplicate_key")

    return _parsed(data, name, once, lambda _: _refuse(name, "not_finite"))


def parse_noting(data: bytes | str, name: str) -> tuple[Any, tuple[str, ...]]:
    """As `parse_strict` for files of others: a doubled key (the last one counts) and an infinity are noted by code,
    not refused. Python writes `Infinity` into published configs (Nemotron-H, `time_step_limit`).

    Raises Problem("bad_json") as `parse_strict` for all else, NaN among it.
    """
    notes: list[str] = []

    def last(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) != len(pairs):
            notes.append("field_given_twice")
        return table

    def constant(word: str) -> float:
        if word == "NaN":
            _refuse(name, "not_finite")
        notes.append("infinity")
        return float(word)

    return _parsed(data, name, last, constant), tuple(dict.fromkeys(notes))


def _parsed(
    data: bytes | str,
    name: str,
    pairs: Callable[[list[tuple[str, Any]]], dict[str, Any]],
    constant: Callable[[str], Any],
) -> Any:
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise Problem("bad_json", field=name, reason="encoding", line=1, column=1) from None

    def whole(digits: str) -> int:
        return int(digits) if len(digits) <= MAX_DIGITS else _refuse(name, "number_too_long")

    def finite(digits: str) -> float:
        value = float(digits)
        return value if abs(value) != float("inf") else _refuse(name, "not_finite")

    try:
        value = json.loads(text, parse_constant=constant, parse_int=whole, parse_float=finite, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise Problem("bad_json", field=name, reason="syntax", line=error.lineno, column=error.colno) from None
    except RecursionError:
        return _refuse(name, "too_deep")
    return value if _fits(value) else _refuse(name, "too_deep")


def _fits(value: Any) -> bool:
    """Whether nothing is nested deeper than MAX_DEPTH."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        if not containers:
            return True
        level = [item for box in containers for item in (box.values() if isinstance(box, dict) else box)]
    return False


def _refuse(name: str, reason: str) -> NoReturn:
    raise Problem("bad_json", field=name, reason=reason, line=0, column=0)
