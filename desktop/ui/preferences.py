"""What the window remembers between runs: language, theme, units, size. Never a word of a project."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Literal

from platformdirs import user_config_path
from pydantic import BaseModel, ConfigDict, ValidationError

from desktop.words import Language

ThemeChoice = Literal["system", "light", "dark"]


class Preferences(BaseModel):
    """A file that cannot be read or holds nonsense counts as no file: the window opens with its defaults."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    language: Language | None = None
    theme: ThemeChoice = "system"
    decimal_memory: bool = False
    width: int = 1440
    height: int = 900


def preferences_file() -> Path:
    return user_config_path("rackwright", appauthor=False) / "window.json"


def load_preferences(file: Path) -> Preferences:
    try:
        return Preferences.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, ValidationError):
        return Preferences()


def save_preferences(preferences: Preferences, file: Path) -> None:
    """A settings folder that cannot be written is no reason to disturb anybody."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(preferences.model_dump_json(indent=2), encoding="utf-8")
