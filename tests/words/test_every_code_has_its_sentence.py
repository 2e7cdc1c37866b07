"""Whatever code the rooms below raise or report, the words room can say it in both languages."""

import ast
from pathlib import Path

import pytest

from desktop.resources import root
from desktop.words.phrases import phrases_of
from desktop.words.sentences import SUBJECTS

CODES = {"Problem": "problem", "Message": "message", "RuleCheck": "rule", "Doubt": "doubt", "Reason": "doubt"}
KEYWORDS = {"Problem": "code", "Message": "code", "RuleCheck": "rule", "Doubt": "code", "Reason": "code"}


def used_codes() -> list[tuple[str, str, str]]:
    """(kind, code, file) of every Problem, Message, RuleCheck and Doubt written with a literal code."""
    found = set()
    for path in sorted(Path(root(), "desktop").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if name not in CODES or not isinstance(node, ast.Call):
                continue
            first = node.args[:1] or [word.value for word in node.keywords if word.arg == KEYWORDS[name]]
            if first and isinstance(first[0], ast.Constant) and first[0].value:
                found.add((CODES[name], str(first[0].value), path.name))
    return sorted(found)


@pytest.mark.parametrize(("kind", "code", "file"), used_codes())
def test_code_has_a_sentence(kind: str, code: str, file: str) -> None:
    known = [key for subject in SUBJECTS for key in phrases_of(subject)]
    assert any(key == f"{kind}.{code}" or key.startswith(f"{kind}.{code}.") for key in known), f"{file}: {kind}.{code}"
