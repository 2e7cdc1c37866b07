"""report.toml has no phrase that nobody reads, and the code asks for none that is not there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from desktop.resources import root
from desktop.words import phrases_of

WHOLE_GROUPS = ("sheet", "count")  # read as a table, and by the form of a number
READERS = ("label", "say", "known")


@cache
def written_codes() -> tuple[set[str], list[re.Pattern[str]]]:
    """Literal strings of the report room, and its f-strings as patterns where they name their group."""
    literals, patterns = set(), []
    for path in sorted(Path(root(), "desktop", "report").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                literals.add(node.value)
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
                if isinstance(parts[0], str) and "." in parts[0]:
                    patterns.append(
                        re.compile("".join(".+" if part is None else re.escape(str(part)) for part in parts))
                    )
    return literals, patterns


def asked_literally() -> set[str]:
    """Codes given as they are to a reader of report.toml, with both branches of a condition."""
    found = set()
    for path in sorted(Path(root(), "desktop", "report").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if name not in READERS:
                continue
            for choice in (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,):
                if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
                    found.add(choice.value)
    return found


@pytest.mark.parametrize("code", sorted(phrases_of("report")))
def test_phrase_is_read(code: str) -> None:
    literals, patterns = written_codes()
    assert (
        code.partition(".")[0] in WHOLE_GROUPS or code in literals or any(found.fullmatch(code) for found in patterns)
    )


def test_every_phrase_that_is_asked_for_is_there() -> None:
    codes = asked_literally()
    assert len(codes) > 150
    assert codes - set(phrases_of("report")) == set()
