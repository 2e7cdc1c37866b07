"""The shipped catalog, read once."""

import pytest

from desktop.catalog import Catalog, load_catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog()
