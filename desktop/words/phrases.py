"""Phrases by code. Each file of resources/translations is one subject; each entry holds both languages side by side.

[verdict.fits]
en = "Fits"
ru = "Помещается"
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from desktop.resources import resource

Language = Literal["en", "ru"]


@cache
def phrases_of(subject: str) -> Mapping[str, Mapping[str, str]]:
    """All phrases of one file, as {code: {"en": …, "ru": …}}; nested tables join their names with a dot."""
    tables = tomllib.loads(resource("translations", f"{subject}.toml").read_text(encoding="utf-8"))
    flat: dict[str, Mapping[str, str]] = {}

    def walk(node: Mapping[str, Any], path: str) -> None:
        texts = {language: text for language, text in node.items() if isinstance(text, str)}
        if texts:
            flat[path] = texts
        for name, child in node.items():
            if isinstance(child, Mapping):  # a phrase may have variants below it
                walk(child, f"{path}.{name}" if path else name)

    walk(tables, "")
    return flat


def phrase(subject: str, code: str, language: Language, **values: object) -> str:
    """The phrase for a code with its values filled in. Raises KeyError for a code nobody wrote down."""
    text = phrases_of(subject)[code][language]
    return text.format(**values) if values else text


def known_phrase(subject: str, code: str, language: Language, otherwise: str) -> str:
    """The phrase for a code that may come from newer data than the phrases; `otherwise` where nobody wrote it down."""
    return phrase(subject, code, language) if code in phrases_of(subject) else otherwise
