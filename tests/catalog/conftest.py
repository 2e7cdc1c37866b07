"""The shipped catalog, read once."""

from pathlib import Path

import pytest

from desktop.catalog import Catalog, load_catalog
from tests.catalog.changed import CHANGES, changed_catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="session")
def newer_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A later catalog that differs from the shipped one in a few records."""
    return changed_catalog(tmp_path_factory.mktemp("newer") / "catalog.db", *CHANGES)
