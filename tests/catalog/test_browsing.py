"""Searching, filtering and comparing the catalog, without a window."""

from datetime import date
from decimal import Decimal

import pytest

from desktop.catalog import Catalog
from desktop.catalog.browsing import (
    LAYOUTS,
    MOST_COMPARED,
    PRICE,
    Library,
    by_origin,
    compare,
    facts_of,
    in_order,
)
from desktop.catalog.facts import ABOUT, RECALLED, Origin
from desktop.catalog.prices import CloudPrice, HardwarePrice
from desktop.catalog.reader import TABLES
from desktop.catalog.records import Cpu, Gpu, Stamp

DAY = date(2026, 12, 1)
STAMP = Stamp(version="2026-12-01", built=DAY, sha256="0" * 64)


@pytest.fixture(scope="module")
def library(catalog: Catalog) -> Library:
    return Library(catalog, DAY)


def gpu(name: str, **facts: object) -> Gpu:
    known = {"vendor": "NVIDIA", "architecture": "Hopper", "form_factor": "SXM5", "source": "data sheet"}
    said = {"id": name.lower().replace(" ", "-"), "name": name, "short": name, "verification": "read", **known, **facts}
    return Gpu.model_validate(said)


# Dense figures of NVIDIA's data sheets: https://www.nvidia.com/en-us/data-center/h100/ and …/h200/
H100 = gpu("H100 SXM", memory_gb=80, mem_bandwidth_gbs=3350, bf16_tflops=989, tdp_w=700, as_of="2026-08")
H200 = gpu("H200 SXM", memory_gb=141, mem_bandwidth_gbs=4800, bf16_tflops=989, tdp_w=700, aliases=("Hopper 141",))


def test_every_table_but_the_regions_has_a_shelf_whose_columns_are_its_fields() -> None:
    assert set(LAYOUTS) == set(TABLES) - {"regions"}
    for table, layout in LAYOUTS.items():
        fields = set(TABLES[table].model_fields) | {PRICE, ""}
        assert {*layout.called, *layout.columns, layout.group} <= fields, table


def test_every_record_stands_on_its_shelf(library: Library, catalog: Catalog) -> None:
    for table in LAYOUTS:
        shelf, records = library.shelf(table), getattr(catalog, table)
        assert [row.record for row in shelf.rows] == list(records)
        assert len({row.key for row in shelf.rows}) == len(records)
        assert all(row.title for row in shelf.rows), table
    assert len(library.shelf("models").rows) >= 371


@pytest.mark.parametrize(
    ("table", "query", "found"),
    [
        ("gpus", "h100_sxm", "NVIDIA H100 SXM5 80GB"),
        ("gpus", "SXM  h100", "NVIDIA H100 SXM5 80GB"),
        ("models", "meta-llama/Llama-3.1-8B", "Llama-3.1-8B"),
        ("models", "llama 3.1 70b", "Llama-3.1-70B"),
        ("cpus", "epyc9654", "AMD EPYC 9654"),
        ("hardware_prices", "dgx h100", "NVIDIA DGX H100"),
    ],
)
def test_a_row_is_found_by_its_names_however_they_are_written(
    library: Library, table: str, query: str, found: str
) -> None:
    assert found in [row.title for row in library.shelf(table).find(query)]


def test_a_price_is_found_by_the_other_names_of_its_part(library: Library) -> None:
    rows = library.shelf("measured_rates").find("nvidia a100 sxm4")
    assert rows and all("A100" in row.title for row in rows)


def test_a_query_finds_what_holds_all_its_words_and_an_empty_one_everything() -> None:
    shelf = Library(Catalog(STAMP, gpus=(H100, H200)), DAY).shelf("gpus")
    assert [row.title for row in shelf.find("141 hopper")] == ["H200 SXM"]
    assert shelf.find("hopper turing") == [] == shelf.find("100sxm4")
    assert shelf.find("  ") == list(shelf.rows)
    assert (shelf.count("sxm"), shelf.count("h200"), shelf.count("")) == (2, 1, 2)


def test_filters_leave_a_maker_and_a_verification(library: Library, catalog: Catalog) -> None:
    shelf = library.shelf("gpus")
    amd = shelf.find(group="AMD")
    assert amd and [row.record for row in amd] == [gpu for gpu in catalog.gpus if gpu.vendor == "AMD"]
    assert {"AMD", "NVIDIA"} <= set(shelf.groups)
    cpu = Cpu(id="x", name="X", cores=8, tdp_w=100, memory_channels=8, verification="part-read", recalled=("cores",))
    part_read = Library(Catalog(STAMP, cpus=(cpu,)), DAY).shelf("cpus")
    assert part_read.verifications == {"part-read", RECALLED}
    assert [row.key for row in part_read.find(verification=RECALLED)] == ["x"]
    assert part_read.find(verification="computed") == []


def price(as_of: str, category: str = "gpu", low: int = 30_000) -> HardwarePrice:
    return HardwarePrice(
        part="h100-sxm", category=category, low=low, high=low, currency="USD", kind="street", as_of=as_of
    )


def test_prices_go_stale_by_the_limit_of_their_kind() -> None:
    """GPU and memory prices after 14 days, other parts and cloud offers after 30 (issue: prices and their age)."""
    prices = (price("2026-11-17"), price("2026-11-16"), price("2026-11-16", "chassis"), price("<=2026-12-01"))
    offer = CloudPrice(
        provider="A",
        instance="p5",
        gpu="h100-sxm",
        gpu_count=8,
        region="US",
        price_per_hour=Decimal("98.32"),
        currency="USD",
        vat_included=False,
        term="on-demand",
        as_of="2026-10-31",
    )
    catalog = Catalog(STAMP, gpus=(H100,), hardware_prices=prices, cloud_prices=(offer,))
    library = Library(catalog, DAY)
    shelf = library.shelf("hardware_prices")
    assert [row.stale for row in shelf.rows] == [False, True, False, True]
    assert [row.key for row in shelf.find(stale=True)] == ["1", "3"]
    assert [row.age_days for row in shelf.rows] == [14, 15, 15, None]
    assert library.shelf("cloud_prices").rows[0].stale
    assert not library.shelf("gpus").has_stale
    assert [row.as_of for row in library.prices_of("h100-sxm")][0::3] == ["2026-11-17", "<=2026-12-01"]
    own = Library(Catalog(STAMP, gpus=(H100,), hardware_prices=prices, age_limits={"gpu": 20, "other": 30}), DAY)
    assert [row.stale for row in own.shelf("hardware_prices").rows] == [False, False, False, True]


def test_rows_are_ordered_by_a_column_and_the_unknown_stands_last() -> None:
    unknown = gpu("GH900", memory_gb=None)
    shelf = Library(Catalog(STAMP, gpus=(H200, unknown, H100)), DAY).shelf("gpus")
    titles = [[row.title for row in in_order(shelf.rows, "memory_gb", falling)] for falling in (False, True)]
    assert titles == [["H100 SXM", "H200 SXM", "GH900"], ["H200 SXM", "H100 SXM", "GH900"]]
    assert [row.title for row in in_order(shelf.rows, "title", False)] == ["GH900", "H100 SXM", "H200 SXM"]


def test_compared_gpus_tell_where_they_differ_and_where_each_value_comes_from() -> None:
    half_known = gpu("B200 SXM", memory_gb=180, recalled=("memory_gb",), verification="part-read")
    fields = {compared.field: compared for compared in compare([H100, H200, half_known])}
    assert fields["mem_bandwidth_gbs"].values == (3350, 4800, None)
    assert fields["mem_bandwidth_gbs"].differs
    assert not fields["vendor"].differs
    assert fields["memory_gb"].origins[0] == Origin(source="data sheet", as_of="2026-08", verification="read")
    assert fields["memory_gb"].origins[2].verification == RECALLED
    assert not {"id", "name", "aliases", "fp4_tflops"} & set(fields)
    assert list(fields).index("memory_gb") < list(fields).index("tdp_w")
    assert compare([]) == ()
    with pytest.raises(ValueError, match="5 records, at most 4"):
        compare([H100] * (MOST_COMPARED + 1))


def test_facts_stand_under_their_source_and_the_recalled_ones_first() -> None:
    own = Origin(source="nvidia-smi", as_of="2026-09", verification="read")
    card = gpu("H100 NVL", memory_gb=94, usable_mib=95_830, tdp_w=400, recalled=("tdp_w",), origins={"usable_mib": own})
    groups = by_origin(card)
    assert [origin.verification for origin, _ in groups] == [RECALLED, "read", "read"]
    assert groups[0][1] == [("tdp_w", 400)]
    assert (own, [("usable_mib", 95_830)]) in groups
    assert {field for _, facts in groups for field, _ in facts} == set(facts_of(card))


def test_a_model_shows_its_architecture(catalog: Catalog) -> None:
    """Llama-3.1-8B: 32 layers, 8 KV heads of 128, https://huggingface.co/meta-llama/Llama-3.1-8B config.json."""
    facts = facts_of(catalog.model("Llama-3.1-8B"))
    assert (facts["num_layers"], facts["num_kv_heads"], facts["head_dim"]) == (32, 8, 128)
    assert facts["params_total"] == 8_030_261_248
    assert not {*ABOUT, "facts"} & set(facts)


def test_names_of_what_is_not_there_stay_as_they_are(library: Library) -> None:
    assert library.name("nvidia-h100-sxm5-80gb") == "NVIDIA H100 SXM5 80GB"
    assert library.name("nobody") == "nobody"
    with pytest.raises(KeyError):
        library.shelf("regions")
