"""What an update changes, record by record."""

from pathlib import Path

from desktop.catalog import Catalog, load_catalog
from desktop.catalog.updates import Difference, differences
from desktop.resources import catalog_file
from tests.catalog.changed import H100, changed_catalog


def test_each_record_that_differs_is_named(newer_database: Path, catalog: Catalog) -> None:
    rate = catalog.exchange_rates[0]
    rate_id = " / ".join(str(part) for part in (rate.currency, rate.on) if part)
    assert set(differences(catalog, load_catalog(newer_database))) == {
        Difference("gpus", H100, "changed", ("tdp_w",)),
        Difference("models", "llama-3.1-8b", "changed", ("facts.layers", "facts.hello")),
        Difference("hardware_prices", "lenovo-sr680a-v3-h200 / street / US / USD", "changed", ("high",)),
        Difference("exchange_rates", rate_id, "gone"),
        Difference("exchange_rates", rate_id.replace(rate.currency, "KZT"), "new"),
        Difference("regions", "Russia", "gone"),
    }


def test_a_catalog_does_not_differ_from_itself(catalog: Catalog) -> None:
    assert differences(catalog, load_catalog(catalog_file())) == ()


def test_records_that_nothing_tells_apart_are_taken_in_their_order(tmp_path: Path, catalog: Catalog) -> None:
    twin = "INSERT INTO vat_rates SELECT * FROM vat_rates WHERE rowid = 1"
    other = "UPDATE vat_rates SET rate = '0.5' WHERE rowid = (SELECT max(rowid) FROM vat_rates)"
    two = load_catalog(changed_catalog(tmp_path / "two.db", twin, other))
    (added,) = differences(catalog, two)
    assert (added.table, added.kind, added.fields) == ("vat_rates", "new", ())
    three = load_catalog(changed_catalog(tmp_path / "three.db", twin, other.replace("0.5", "0.6")))
    assert [(found.kind, found.fields) for found in differences(two, three)] == [("changed", ("rate",))]
    assert [found.kind for found in differences(two, catalog)] == ["gone"]
