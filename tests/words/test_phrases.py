"""Every translation file: both languages, the same values, nothing empty, nothing left in the other alphabet."""

import re
import tomllib
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from desktop.resources import resource
from desktop.words import phrase, phrases_of

FILES = sorted(resource("translations").glob("*.toml"))
SUBJECTS = [path.stem for path in FILES]
CYRILLIC = re.compile("[А-Яа-яЁё]")
FORMS = {"one", "few", "many", "other"}


def values_of(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_entry_is_a_pair(path: Path) -> None:
    """Read from the file itself, so that an entry with one language only is seen."""

    def walk(node: dict[str, Any], name: str) -> None:
        texts = {key for key, value in node.items() if isinstance(value, str)}
        assert texts in (set(), {"en", "ru"}), f"{path.name}: {name} has {sorted(texts)}"
        for key, value in node.items():
            if isinstance(value, dict):
                walk(value, f"{name}.{key}" if name else key)
            else:
                assert isinstance(value, str), f"{path.name}: {name}.{key} is no text"

    walk(tomllib.loads(path.read_text(encoding="utf-8")), "")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_both_languages_say_the_same_values_and_are_not_empty(subject: str) -> None:
    for code, entry in phrases_of(subject).items():
        assert entry["en"].strip() and entry["ru"].strip(), code
        assert values_of(entry["en"]) == values_of(entry["ru"]), code
        for text in (entry["en"], entry["ru"]):
            assert text == text.strip() or text.strip() in ("or", "или", "and", "и") or "{more}" in text, code
            assert "  " not in text, code


@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_cyrillic_in_english(subject: str) -> None:
    """A Cyrillic с or а looks like a Latin one and is found by nobody."""
    names_of_languages = {"Русский", "РУ"}
    wrong = {
        code: entry["en"]
        for code, entry in phrases_of(subject).items()
        if CYRILLIC.search(entry["en"]) and not names_of_languages & {entry["en"]}
    }
    assert wrong == {}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_russian_sentence_is_russian(subject: str) -> None:
    """A phrase of three English words or more has Cyrillic in its translation."""
    wrong = [
        code
        for code, entry in phrases_of(subject).items()
        if len(re.findall(r"[a-z]{3,}", re.sub(r"\{\w+\}", "", entry["en"]))) >= 3 and not CYRILLIC.search(entry["ru"])
    ]
    assert wrong == []


def test_counted_nouns_have_all_plural_forms() -> None:
    """CLDR: Russian has one, few, many and other; English one and other."""
    counts: dict[str, set[str]] = {}
    for code in phrases_of("report"):
        if code.startswith("count."):
            _, noun, form = code.split(".")
            counts.setdefault(noun, set()).add(form)
    assert counts and all(forms == FORMS for forms in counts.values())


def test_unknown_code_is_an_error_not_a_blank() -> None:
    with pytest.raises(KeyError):
        phrase("terms", "no.such.code", "en")


def test_values_are_filled_in_literally() -> None:
    assert phrase("report", "tile.net", "en", net="{x} $1") == "net {x} $1"
