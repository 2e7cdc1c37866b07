"""Where files lie: the shipped ones beside the package in a checkout, inside the bundle when frozen; and the user's."""

import os
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


def user_folder() -> Path:
    """Folder of the user's own data: RACKWRIGHT_DATA, else the platform's. Need not exist yet."""
    if own := os.environ.get("RACKWRIGHT_DATA"):
        return Path(own)
    from platformdirs import user_data_path

    return user_data_path("rackwright", appauthor=False)
