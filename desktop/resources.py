"""Where the shipped files lie: beside the package in a checkout, inside the bundle when frozen."""

import sys
from pathlib import Path


def root() -> Path:
    """Folder that holds `resources/` and `catalog.db`."""
    bundle = getattr(sys, "_MEIPASS", None)
    return Path(bundle) if bundle else Path(__file__).resolve().parent.parent


def resource(*parts: str) -> Path:
    """Path of a shipped file under `resources/`."""
    return root().joinpath("resources", *parts)


def catalog_file() -> Path:
    """The shipped catalog: built, read-only."""
    return root() / "catalog.db"
