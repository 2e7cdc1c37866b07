"""`catalog show`: one thing of the catalog, fact by fact."""

import json
import re
from typing import Any

import pytest

from desktop.catalog import Catalog, load_catalog
from desktop.cli.catalog_show import SHOWN, found_records, record_content
from desktop.request import Problem
from tests.cli.console import desktop


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def test_a_gpu_one_fact_a_line_with_its_source() -> None:
    """NVIDIA H100 data sheet, SXM5: 80 GB HBM3 at 3.35 TB/s, 989 TFLOP/s dense in BF16, 700 W."""
    done = desktop("catalog", "show", "h100_sxm")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "NVIDIA H100 SXM5 80GB"
    facts = [re.split(r"\s{2,}", line) for line in lines]
    for wanted in (["Memory", "80", "GB"], ["Bandwidth", "3350", "GB/s"], ["BF16, dense", "989", "TFLOP/s"]):
        assert wanted in [fact[:3] for fact in facts]
    assert ["Power", "700", "W", "Read"] in [fact[:4] for fact in facts]
    assert any(line.startswith("[1] ") and "ml-engineering" in line for line in lines)


def test_columns_stand_under_one_another() -> None:
    lines = desktop("catalog", "show", "EPYC 9124").out.splitlines()
    head = next(line for line in lines if line.startswith("Fact"))
    table = lines[lines.index(head) + 1 : lines.index("", lines.index(head))]
    for column in ("Value", "Verification", "As of", "Source"):
        place = head.index(column)
        assert all(line[place - 1] == " " and line[place] != " " for line in table)


def test_what_was_only_recalled_is_unverified_and_bears_no_source(catalog: Catalog) -> None:
    platform = next(row for row in catalog.platforms if row.recalled)
    fields = {fact["field"]: fact for fact in record_content(platform)["facts"]}
    recalled = [fields[field] for field in platform.recalled if field in fields]
    assert recalled and all((fact["verification"], fact["source"]) == ("recalled", "") for fact in recalled)
    printed = [line for line in desktop("catalog", "show", platform.id).out.splitlines() if "Unverified" in line]
    assert len(printed) == len(recalled) and all(line.endswith("  -") for line in printed)


def test_in_russian() -> None:
    done = desktop("catalog", "show", "L4", "--lang", "ru")
    assert (done.status, done.err) == (0, "")
    assert re.search(r"^Compute capability +8\.9 ", done.out, re.MULTILINE)
    assert re.search(r"^FP32 +30,3 +TFLOP/s +Прочитано ", done.out, re.MULTILINE)  # NVIDIA L4 data sheet: 30.3


def test_as_json() -> None:
    """meta-llama/Llama-3.1-8B: 8,030,261,248 elements, 32 layers."""
    done = desktop("catalog", "show", "Llama 3.1 8B", "--json")
    assert (done.status, done.err) == (0, "")
    (content,) = json.loads(done.out)["records"]
    assert (content["table"], content["id"], content["name"]) == ("models", "llama-3.1-8b", "Llama-3.1-8B")
    facts: dict[str, Any] = {fact["field"]: fact for fact in content["facts"]}
    assert (facts["params_total"]["value"], facts["num_layers"]["value"]) == (8_030_261_248, 32)
    assert set(facts["params_total"]) == {"field", "value", "unit", "source", "as_of", "verification"}


def test_everything_is_found_by_its_id_and_said_whole(catalog: Catalog) -> None:
    for table in SHOWN:
        for record in getattr(catalog, table)[:5]:
            assert (table, record) in found_records(catalog, record.id)
            facts = {fact["field"]: fact["value"] for fact in record_content(record)["facts"]}
            assert set(record.values()) - {"id", "name", "short", "aliases", "facts"} <= set(facts)
            json.dumps(facts, allow_nan=False)


def test_a_server_that_can_be_quoted_is_one_thing_with_its_listing(catalog: Catalog) -> None:
    both = {row.id for row in catalog.platforms} & {row.id for row in catalog.server_models}
    for server in sorted(both)[:3]:
        assert [table for table, _ in found_records(catalog, server)] == ["platforms", "server_models"]


@pytest.mark.parametrize(
    ("called", "said"),
    [
        ("H100 SXN", "The catalog has nothing called “H100 SXN”. Closest: NVIDIA H100 SXM5 80GB, "),
        ("H100", "“H100” may mean several things: NVIDIA H100 PCIe 80GB, NVIDIA H100 SXM5 80GB, NVIDIA H100 NVL 94GB."),
        ("x" * 100_000, "The catalog has nothing called “xxx"),
        ("", "The catalog has nothing called “”."),
    ],
)
def test_a_name_that_is_not_one_record_is_answered_in_one_line(called: str, said: str) -> None:
    done = desktop("catalog", "show", called)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(said) and done.err.count("\n") == 1 and len(done.err) < 500


def test_an_unknown_name_comes_with_three_of_all_kinds(catalog: Catalog) -> None:
    for called, table in (("Lama-3.1-8B", "models"), ("EPYC 9125", "cpus"), ("L40X", "gpus")):
        with pytest.raises(Problem) as caught:
            found_records(catalog, called)
        closest = caught.value.values["closest"]
        assert isinstance(closest, tuple) and len(closest) == 3
        assert found_records(catalog, closest[0])[0][0] == table
