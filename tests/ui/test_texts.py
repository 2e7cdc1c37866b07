"""Every phrase the window asks for is written in both languages, with the same values in it."""

import ast
import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from desktop.architectures.inspection.inspection import Kind
from desktop.architectures.inspection.layer_kinds import MIXERS
from desktop.catalog import load_catalog
from desktop.catalog.browsing import LAYOUTS, PRICE
from desktop.catalog.facts import CONFIRMED, OWN, UNITS, VERIFICATIONS
from desktop.catalog.overlay import ConflictKind
from desktop.catalog.prices import Category
from desktop.catalog.reader import TABLES
from desktop.project import flow
from desktop.project.flow import STEP_NAMES
from desktop.request import training
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


def codes_of_the_flow() -> set[str]:
    """Codes that flow says itself, and those of others that it places on a page."""
    calls = [
        node
        for node in ast.walk(ast.parse(Path(flow.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_reason"
    ]
    return {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)} | set(flow.ABOUT_MONEY)


def test_whatever_the_flow_says_has_a_phrase_in_the_export_pane() -> None:
    codes = codes_of_the_flow()
    assert {"best_misses", "best_breaks_rule", "lines_without_price"} <= codes
    fields = ("number", "issued_on", "supplier.name", "customer.name")
    wanted = {f"open.{code}" for code in codes - {"not_filled"}} | {f"open.not_filled.{field}" for field in fields}
    assert sorted(wanted - set(PHRASES)) == []
    assert sorted(code for code in PHRASES if code.startswith("open.") and code not in wanted) == []


def test_everything_of_the_catalog_and_the_contract_that_is_shown_has_a_name() -> None:
    catalog = load_catalog()
    formats = catalog.calibration.weight_formats
    wanted = {f"region.{region.name}" for region in catalog.regions}
    wanted |= {f"region.{tariff.region}" for tariff in catalog.tariffs}
    wanted |= {f"quality.{known.quality}" for known in formats.values()} | {f"format.{name}.name" for name in formats}
    wanted |= {f"file_kind.{kind}" for kind in get_args(Kind)} | {f"mixer.{code}" for code in MIXERS.values()}
    wanted |= {
        f"{group}.{name}"
        for group, names in (
            ("framework", get_args(training.FrameworkName)),
            ("sharding", get_args(training.Sharding)),
            ("recompute", (*get_args(training.Recompute), "auto")),
            ("precision", get_args(training.Precision)),
            ("method", get_args(training.Method)),
            ("optimizer", {name.removesuffix("+in-backward") for name in get_args(training.Optimizer)}),
            ("offload", set(get_args(training.Offload)) - {"none"}),
        )
        for name in names
    }
    assert sorted(wanted - set(PHRASES)) == []
    assert sorted(code for code in PHRASES if code.startswith("region.") and code not in wanted) == []


def words_of_the_code() -> set[str]:
    """Every text in the window's code, and every name that data or contract may put into a code."""
    words: set[str] = set()
    rooms = [*(ROOM.parent / "request").glob("*.py"), *(ROOM.parent / "quote").glob("*.py")]
    for file in [*ROOM.rglob("*.py"), Path(flow.__file__), *rooms]:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        words |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is str}
    catalog = load_catalog()
    words |= {region.name for region in catalog.regions} | {tariff.region for tariff in catalog.tariffs}
    words |= set(catalog.calibration.weight_formats) | {"one", "few", "many", "other"}
    words |= {known.quality for known in catalog.calibration.weight_formats.values()}
    words |= {name for record in TABLES.values() for name in record.model_fields} | {PRICE} | set(LAYOUTS) | set(TABLES)
    words |= {fact for model in catalog.models for fact in model.facts}
    words |= {*get_args(Category), *get_args(ConflictKind), *UNITS.values(), *VERIFICATIONS, CONFIRMED, OWN}
    words |= {*get_args(Kind), *MIXERS.values()}
    return words | {f"format_{name}" for name in SMALLER_FORMATS}


def test_no_phrase_is_kept_that_nobody_reads() -> None:
    """A phrase is read where its code stands in the code, or where a code that is put together there can become it."""
    words, shapes = words_of_the_code(), []
    for file in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr) and any(
                isinstance(part, ast.Constant) and "." in part.value for part in node.values
            ):
                parts = (re.escape(part.value) if isinstance(part, ast.Constant) else "(.+?)" for part in node.values)
                shapes.append(re.compile("".join(parts)))

    def is_read(code: str) -> bool:
        found = [match for shape in shapes if (match := shape.fullmatch(code))]
        return code in words or any(all(hole in words for hole in match.groups()) for match in found)

    assert sorted(code for code in PHRASES if not is_read(code)) == []


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
