"""The catalog is built from its sources: the same bytes each time, and no row that its record does not accept."""

import importlib.util
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from desktop.catalog import load_catalog

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPT = REPOSITORY / "packaging" / "build_catalog.py"
SOURCES = REPOSITORY / "resources" / "catalog"
SHIPPED = REPOSITORY / "catalog.db"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_catalog", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


BUILD = _script()


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCES, tmp_path / "sources"))


def test_the_shipped_catalog_is_what_its_sources_give(tmp_path: Path) -> None:
    BUILD.build_catalog(SOURCES, tmp_path / "rebuilt.db")
    assert (tmp_path / "rebuilt.db").read_bytes() == SHIPPED.read_bytes()


def test_the_script_runs_as_a_file_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "--out", "built.db"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("built.db (")
    assert (tmp_path / "built.db").read_bytes() == SHIPPED.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["built.db"]


def test_the_folder_does_not_hide_the_installed_packaging() -> None:
    show = "import packaging.version; print(packaging.version.Version('1.10') > packaging.version.Version('1.9'))"
    run = subprocess.run([sys.executable, "-c", show], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"


def test_line_endings_of_a_checkout_change_nothing(sources: Path, tmp_path: Path) -> None:
    for file in sources.iterdir():
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    BUILD.build_catalog(sources, tmp_path / "windows.db")
    assert (tmp_path / "windows.db").read_bytes() == SHIPPED.read_bytes()


def test_the_header_names_no_library_and_the_file_is_sound() -> None:
    header = SHIPPED.read_bytes()[:100]  # https://www.sqlite.org/fileformat2.html#the_database_header
    change_counter, valid_for, writer = (int.from_bytes(header[start : start + 4], "big") for start in (24, 92, 96))
    assert change_counter == valid_for == 1
    assert writer == 3_040_001
    assert int.from_bytes(header[28:32], "big") * 4096 == SHIPPED.stat().st_size
    with closing(sqlite3.connect(f"{SHIPPED.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA freelist_count").fetchone() == (0,)


def test_a_changed_source_changes_the_catalog_and_its_hash(sources: Path, tmp_path: Path) -> None:
    _replace(sources / "hardware_prices.csv", "277897.75", "277897.74")  # low, of a price whose low is its high
    BUILD.build_catalog(sources, tmp_path / "other.db")
    other, shipped = load_catalog(tmp_path / "other.db"), load_catalog(SHIPPED)
    assert other.stamp.sha256 != shipped.stamp.sha256
    assert [str(price.low) for price in other.prices_of("lenovo-sr680a-v3-h200")] == ["277897.74"]


@pytest.mark.parametrize(
    ("file", "line", "old", "new", "said"),
    [
        ("gpus.csv", 34, ",81559,HBM3,", ",many,HBM3,", "usable_mib"),
        ("gpus.csv", 34, ",81559,HBM3,", ",NaN,HBM3,", "usable_mib"),
        ("gpus.csv", 2, "id,name,short,", "id,nom,short,", "name"),
        ("gpus.csv", 34, "nvidia-h100-sxm5-80gb,", "nvidia-l40s,", "id: nvidia-l40s stands twice"),
        ("hardware_prices.csv", 5, "lenovo-sr680a-v3-h100,", "lenovo-v9,", "part: nothing has the id lenovo-v9"),
        ("hardware_prices.csv", 5, ",street,US,no,,Lenovo", ",stret,US,no,,Lenovo", "kind"),
        ("hardware_prices.csv", 5, ",2026-01-15,read", ",last January,read", "as_of is no date"),
        ("hardware_prices.csv", 5, ",2026-01-15,read", ",2026-01-15,rumour", "verification is one of"),
        ("cloud_prices.csv", 2, ",nvidia-t4,", ",nvidia-t5,", "gpu: nothing has the id nvidia-t5"),
        ("platforms.csv", 2, "; psu_rated_w; psu_redundant", "; psu_watts", "recalled names no field: psu_watts"),
        ("platforms.csv", 2, "intel-xeon-platinum-8568y-plus", "intel-xeon-1", "cpu: nothing has the id intel-xeon-1"),
        ("regions.csv", 7, "Africa,Африка,World", "Africa,Африка,World,1", "a cell too many"),
        ("models.jsonl", 1, '"params_total": 8030261248,', '"params_total": "eight",', "params_total"),
        ("models.jsonl", 266, "convnext_base@224", "convnext_base@256", "id: convnext-base-256 stands twice"),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(
    sources: Path, tmp_path: Path, file: str, line: int, old: str, new: str, said: str
) -> None:
    out = tmp_path / "catalog.db"
    out.write_bytes(b"the catalog of yesterday")
    _replace(sources / file, old, new)
    with pytest.raises(BUILD.BadSource) as caught:
        BUILD.build_catalog(sources, out)
    assert str(caught.value).startswith(f"{file}, line {line}: {said}")
    assert out.read_bytes() == b"the catalog of yesterday"
    assert sorted(left.name for left in tmp_path.iterdir()) == ["catalog.db", "sources"]


def test_an_alias_of_no_model_is_refused(sources: Path, tmp_path: Path) -> None:
    _replace(sources / "model_aliases.csv", ",Llama-3.1-8B", ",Llama-9")
    with pytest.raises(BUILD.BadSource, match=r"model_aliases\.csv: no model is called Llama-9"):
        BUILD.build_catalog(sources, tmp_path / "catalog.db")


def test_an_alias_of_no_gpu_is_refused(sources: Path, tmp_path: Path) -> None:
    _replace(sources / "gpu_aliases.csv", ",nvidia-a2", ",nvidia-a3")
    with pytest.raises(BUILD.BadSource, match=r"gpu_aliases\.csv: no gpu is called nvidia-a3"):
        BUILD.build_catalog(sources, tmp_path / "catalog.db")


def test_a_row_without_a_source_is_refused(sources: Path, tmp_path: Path) -> None:
    file = sources / "nics.csv"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines, "riser,Riser,,,1,25,,,,,,2026,read,,"]) + "\n", encoding="utf-8")
    with pytest.raises(BUILD.BadSource, match=rf"nics\.csv, line {len(lines) + 1}: no source"):
        BUILD.build_catalog(sources, tmp_path / "catalog.db")


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{old} is not in {file.name}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "line", "old", "new", "said"),
    [
        ("gpus.csv", 34, ",1979,,1979,", ",3958,,1979,", "fp8_twice_bf16: fp8_tflops 3958 is 4 times bf16_tflops 989"),
        ("tensor_clocks.csv", 2, "nvidia-v100-sxm2-16gb,80", "nvidia-v9,80", "needs the id of a GPU and a source"),
        ("tensor_clocks.csv", 2, ",1024,1530,", ",many,1530,", "invalid literal"),
        ("hardware_prices.csv", 2, ",199000,238800,", ",199000,19900,", "low_within_high: low 199000 is above high"),
        ("models.jsonl", 1, '"intermediate_size": 14336', '"intermediate_size": 14335', "parameter_count: published"),
        (
            "check_exceptions.csv",
            2,
            ",nvidia-b300-sxm,",
            ",nvidia-b200-sxm,",
            "nvidia-b200-sxm breaks fp4_twice_fp8 no more",
        ),
        ("check_exceptions.csv", 2, '"Blackwell Ultra triples FP4: 14,000 of 4,500 TFLOP/s dense"', "", "no reason"),
    ],
)
def test_a_row_that_breaks_a_rule_is_named(
    sources: Path, tmp_path: Path, file: str, line: int, old: str, new: str, said: str
) -> None:
    _replace(sources / file, old, new)
    if "no more" in said:  # the row that lost its excuse would be named first
        _replace(
            sources / "check_exceptions.csv", "fp4_twice_fp8,", "fp4_twice_fp8,nvidia-b300-sxm,,why\nfp4_twice_fp8,"
        )
        line += 1
    with pytest.raises(BUILD.BadSource) as caught:
        BUILD.build_catalog(sources, tmp_path / "catalog.db")
    assert str(caught.value).startswith(f"{file}, line {line}: {said}")
