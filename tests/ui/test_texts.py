"""Every phrase the window asks for is written in both languages, with the same values in it."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from desktop.project.flow import STEP_NAMES
from desktop.ui.ways_out import SMALLER_FORMATS
from desktop.words import phrases_of

ROOM = Path(__file__).resolve().parents[2] / "desktop" / "ui"
PHRASES = phrases_of("window")
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
SAME_IN_BOTH = re.compile(
    r"^[\W\d]*([A-Z0-9$%/]|\{\w+\}|\W|vLLM|SGLang|Rackwright|LoRA|QLoRA|Adam\w*|Adafactor|Lion)*[\W\d]*$"
)


def asked_for() -> set[str]:
    """Codes that stand as plain text in a call of `say`."""
    codes: set[str] = set()
    for file in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "attr", getattr(node.func, "id", "")) == "say"
                and node.args
            ):
                first = node.args[0]
                branches = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                codes.update(branch.value for branch in branches if isinstance(branch, ast.Constant))
    return codes


def test_every_code_that_is_asked_for_is_written() -> None:
    codes = asked_for()
    assert len(codes) > 150
    assert sorted(codes - set(PHRASES)) == []


@pytest.mark.parametrize(
    "code",
    [
        f"{group}.{name}"
        for group, names in {
            "step": STEP_NAMES,
            "state": ("done", "warn", "bad", "waits"),
            "severity": ("ok", "warn", "bad", "accent"),
            "break_even": ("immediate", "never", "not_comparable", "not_within_horizon", "reverses"),
            "way": (
                "gpus",
                "context",
                "ttft",
                "tpot",
                "rack",
                "cooling",
                *(f"format_{name}" for name in SMALLER_FORMATS),
            ),
            "costs": (
                "about_on_premise",
                "about_cloud",
                "about_hybrid",
                "about_api",
                "article_agrees",
                "article_differs",
                "article_unknown",
            ),
        }.items()
        for name in names
    ],
)
def test_codes_put_together_are_written(code: str) -> None:
    assert code in PHRASES


def test_both_languages_say_the_same_values() -> None:
    differing = []
    for code, texts in PHRASES.items():
        fields = [{name for _, name, _, _ in Formatter().parse(texts[language]) if name} for language in ("en", "ru")]
        if fields[0] != fields[1]:
            differing.append(code)
    assert differing == []


def test_nothing_stays_in_the_other_language() -> None:
    english = [code for code, texts in PHRASES.items() if CYRILLIC.search(texts["en"])]
    russian = [
        code
        for code, texts in PHRASES.items()
        if not CYRILLIC.search(texts["ru"]) and texts["ru"] != texts["en"] and not SAME_IN_BOTH.match(texts["ru"])
    ]
    assert (english, russian) == ([], [])


def test_nobody_is_shouted_at() -> None:
    assert [code for code, texts in PHRASES.items() if "!" in texts["en"] + texts["ru"]] == []
