"""One GPU without loading the catalog: the same facts, and nothing but the standard library."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from desktop.catalog import load_catalog
from desktop.catalog.lookup import gpu_facts
from desktop.request import Problem
from desktop.resources import catalog_file
from tests.cli.console import ROOT

CATALOG = load_catalog(catalog_file())
ALONE = """
import json, sys
from desktop.catalog.lookup import gpu_facts
facts = gpu_facts(sys.argv[1])
outside = {name.partition(".")[0] for name in sys.modules} & {"pydantic", "pydantic_core", "numpy", "babel", "PySide6"}
print(json.dumps([facts, sorted(outside)]))
"""


def test_a_fresh_process_loads_nothing_else() -> None:
    command = [sys.executable, "-c", ALONE, "h100_sxm"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    facts, outside = json.loads(done.stdout)
    assert outside == []
    assert facts == CATALOG.gpu("h100_sxm").model_dump(mode="json")
    assert facts["mem_bandwidth_gbs"] == 3350  # NVIDIA H100 data sheet, SXM5: 3.35 TB/s


def test_every_gpu_has_the_facts_of_the_whole_catalog() -> None:
    for gpu in CATALOG.gpus:
        assert gpu_facts(gpu.id) == gpu.model_dump(mode="json")


@pytest.mark.parametrize("called", ["H100", "NVIDIA A100", "H100 SXN", "", "'; DROP TABLE gpus; --", "x" * 100_000])
def test_a_name_that_is_not_one_gpu_is_refused_in_the_same_words(called: str) -> None:
    with pytest.raises(Problem) as quick:
        gpu_facts(called)
    with pytest.raises(Problem) as whole:
        CATALOG.gpu(called)
    assert quick.value.args == whole.value.args


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    assert _refusal(tmp_path / "catalog.db") == ("catalog_unreadable", "catalog.db", {"reason": "missing"})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\0" + b"\0" * 4096])
def test_a_file_that_is_no_catalog_is_said(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "catalog.db"
    file.write_bytes(content)
    assert _refusal(file) == ("catalog_unreadable", "catalog.db", {"reason": "damaged"})


def test_a_broken_cell_is_said(tmp_path: Path) -> None:
    file = tmp_path / "catalog.db"
    file.write_bytes(catalog_file().read_bytes())
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE gpus SET aliases = '[' WHERE id = 'nvidia-t4'")
    assert _refusal(file) == ("catalog_unreadable", "catalog.db", {"reason": "damaged"})


def test_the_package_still_offers_its_names() -> None:
    import desktop.catalog

    assert desktop.catalog.load_catalog is load_catalog
    with pytest.raises(AttributeError, match="no attribute nonsense"):
        desktop.catalog.nonsense  # type: ignore[attr-defined]  # noqa: B018


def _refusal(file: Path) -> tuple[object, ...]:
    with pytest.raises(Problem) as caught:
        gpu_facts("h100_sxm", file)
    return caught.value.args
