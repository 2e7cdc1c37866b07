"""JSON as the standard means it: no NaN, no doubled keys, no bottomless nesting, no figure longer than any real one."""

import json
from typing import Any, NoReturn

from desktop.request.problem import Problem

MAX_DIGITS = 20


def parse_strict(data: bytes | str, name: str) -> Any:
    """Parsed JSON of a file or line called `name`.

    Raises Problem("bad_json") with `line`, `column` and `reason` (a code: syntax, encoding, duplicate_key, not_finite,
    number_too_long, too_deep).
    """
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise Problem("bad_json", field=name, reason="encoding", line=1, column=1) from None

    def refuse(reason: str) -> NoReturn:
        raise Problem("bad_json", field=name, reason=reason, line=0, column=0)

    def whole(digits: str) -> int:
        return int(digits) if len(digits) <= MAX_DIGITS else refuse("number_too_long")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        return table if len(table) == len(pairs) else refuse("duplicate_key")

    def finite(digits: str) -> float:
        value = float(digits)
        return value if abs(value) != float("inf") else refuse("not_finite")

    try:
        return json.loads(
            text,
            parse_constant=lambda _: refuse("not_finite"),
            parse_int=whole,
            parse_float=finite,
            object_pairs_hook=once,
        )
    except json.JSONDecodeError as error:
        raise Problem("bad_json", field=name, reason="syntax", line=error.lineno, column=error.colno) from None
    except RecursionError:
        raise Problem("bad_json", field=name, reason="too_deep", line=0, column=0) from None
