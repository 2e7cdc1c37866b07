"""What the window remembers between runs: language, theme, units, size. Never a word of a project."""

import json
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_config_path
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from desktop.words import Language

ThemeChoice = Literal["system", "light", "dark"]

SMALLEST = (1180, 720)  # what the pages are laid out for
LARGEST = (15360, 8640)  # a wall of screens; what is larger is no window


def _within(low: int, high: int) -> BeforeValidator:
    """Clamps a number; what is none is left to the check that follows."""
    return BeforeValidator(lambda value: min(max(value, low), high) if type(value) is int else value)


class Preferences(BaseModel):
    """Sizes [px] are brought within what can be shown."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    language: Language | None = None
    theme: ThemeChoice = "system"
    decimal_memory: bool = False
    width: Annotated[int, _within(SMALLEST[0], LARGEST[0])] = 1440
    height: Annotated[int, _within(SMALLEST[1], LARGEST[1])] = 900


def preferences_file() -> Path:
    return user_config_path("rackwright", appauthor=False) / "window.json"


def load_preferences(file: Path) -> Preferences:
    """Settings of a file. What cannot be read counts as not said: the window opens, with its default for it."""
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Preferences()
    known: dict[str, Any] = {}
    for name, value in said.items() if isinstance(said, dict) else ():
        with suppress(ValidationError):
            known[name] = getattr(Preferences.model_validate({name: value}), name, None)
    return Preferences.model_validate(known)


def save_preferences(preferences: Preferences, file: Path) -> None:
    """Written whole or not at all. A settings folder that cannot be written is no reason to disturb anybody."""
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}.part")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_text(preferences.model_dump_json(indent=2), encoding="utf-8")
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)
