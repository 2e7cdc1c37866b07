"""Facts, each with its source: GPUs, models, servers, parts, prices, tariffs. Read once, never changed."""

from desktop.catalog.catalog import Catalog
from desktop.catalog.reader import load_catalog

__all__ = ["Catalog", "load_catalog"]
