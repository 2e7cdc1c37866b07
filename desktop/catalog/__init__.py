"""Facts, each with its source: GPUs, models, servers, parts, prices, tariffs. Read once, never changed.

Its names are loaded when first asked for: `desktop.catalog.lookup` answers in milliseconds because nothing else is.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["Catalog", "load_catalog"]

if TYPE_CHECKING:
    from desktop.catalog.catalog import Catalog
    from desktop.catalog.reader import load_catalog
else:
    PLACES = {"Catalog": "desktop.catalog.catalog", "load_catalog": "desktop.catalog.reader"}

    def __getattr__(name):
        if name not in PLACES:
            raise AttributeError(f"module {__name__} has no attribute {name}")
        return getattr(import_module(PLACES[name]), name)
