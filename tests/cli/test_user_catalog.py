"""`catalog import`, `export`, `confirm` and `conflicts`, as a shell runs them, on a data folder of their own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.catalog import Catalog
from tests.cli.console import Outcome, desktop

H100 = "nvidia-h100-sxm5-80gb"
Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return lambda *arguments: desktop("catalog", *arguments, RACKWRIGHT_DATA=str(tmp_path / "data"))


def told(done: Outcome) -> dict[str, Any]:
    assert (done.status, done.err) == (0, "")
    content: dict[str, Any] = json.loads(done.out)
    return content


def written(folder: Path, text: str, name: str = "list.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode("cp1251"))
    return path


def test_a_list_is_shown_first_and_taken_with_apply(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path, "Наименование;Цена, руб. без НДС\nNVIDIA H100 SXM5 80GB;3 500 000,50\nКабель;5\n")
    shown = told(run("import", path, "--supplier", "Поставщик", "--lang", "ru"))
    assert shown["counts"] == {"new": 1, "changed": 0, "unchanged": 0, "parts": 0, "rejected": 1}
    assert (shown["new"][0]["part"], shown["new"][0]["low"], shown["applied"]) == (H100, "3500000.50", False)
    assert shown["rejected"][0]["message"].startswith("Строка 3: ")
    assert not (tmp_path / "data").exists()

    assert told(run("import", path, "--supplier", "Поставщик", "--apply"))["applied"]
    again = told(run("import", path, "--supplier", "Поставщик"))["counts"]
    assert (again["new"], again["unchanged"]) == (0, 1)

    assert told(run("export", tmp_path / "own.xlsx"))["rows"] == 1
    exported = told(run("import", tmp_path / "own.xlsx", "--supplier", "Anybody"))["counts"]
    assert (exported["unchanged"], exported["rejected"]) == (1, 0)


def test_columns_and_names_that_are_said_are_remembered_when_applied(tmp_path: Path, run: Run) -> None:
    path = written(tmp_path, "was;kostet\nPlatte = gross;5\n")
    failed = run("import", path, "--supplier", "S")
    assert (failed.status, failed.out) == (1, "") and "no column is the price" in failed.err
    said = ("--map", "price=kostet", "--map", "name=was", "--link", f"Platte = gross={H100}", "--currency", "eur")
    found = told(run("import", path, "--supplier", "S", *said, "--vat", "included", "--apply"))
    assert [(price["part"], price["currency"], price["vat_included"]) for price in found["new"]] == [
        (H100, "EUR", True)
    ]
    again = told(run("import", path, "--supplier", "S", "--currency", "EUR", "--vat", "included"))
    assert again["counts"]["unchanged"] == 1 and again["columns"] == {"price": "kostet", "name": "was"}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_file_that_is_none_is_one_sentence_and_changes_nothing(tmp_path: Path, run: Run, language: str) -> None:
    (tmp_path / "noise.csv").write_bytes(bytes(range(256)))
    (tmp_path / "cut.xlsx").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "empty.csv").touch()
    for name in ("noise.csv", "cut.xlsx", "empty.csv", "missing.csv"):
        done = run("import", tmp_path / name, "--supplier", "S", "--apply", "--lang", language)
        assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
        assert name in done.err and "Traceback" not in done.err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "said",
    [("--map", "price"), ("--link", "x=nothing"), ("--kind", "gift"), ("--currency", "XAU"), ("--supplier", " ")],
)
def test_what_makes_no_sense_is_one_sentence(tmp_path: Path, run: Run, said: tuple[str, str]) -> None:
    path = written(tmp_path, "name;price\nA;5\n")
    done = run("import", path, "--supplier", "S", *said)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)


def test_a_confirmation_is_kept_with_its_name(run: Run, catalog: Catalog) -> None:
    gpu = next(gpu for gpu in catalog.gpus if "tdp_w" in gpu.recalled)
    said = told(run("confirm", "gpus", gpu.id, "tdp_w", "--by", "A. Engineer"))
    assert (said["value"], said["by"]) == (json.dumps(gpu.tdp_w), "A. Engineer")
    assert told(run("conflicts")) == {"conflicts": []}
    for wrong in (("gpus", "none", "tdp_w"), ("cheese", "x"), ("gpus", gpu.id, "name")):
        done = run("confirm", *wrong, "--by", "A")
        assert (done.status, done.err.count("\n")) == (1, 1)


def test_conflicts_are_listed(tmp_path: Path, run: Run) -> None:
    record = {"id": H100, "name": "H", "short": "H", "vendor": "V", "architecture": "A", "form_factor": "SXM"}
    cell = json.dumps(record).replace('"', '""')
    path = written(tmp_path, f'table,part,record\ngpus,{H100},"{cell}"\n')
    told(run("import", path, "--supplier", "S", "--apply"))
    (found,) = told(run("conflicts"))["conflicts"]
    assert (found["kind"], found["table"], found["id"]) == ("same_id", "gpus", H100)


def test_own_data_of_something_else_is_told(tmp_path: Path, run: Run) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "user.db").write_text("my diary, not for programs" * 10, encoding="utf-8")
    for arguments in (("conflicts",), ("export", tmp_path / "own.csv")):
        done = run(*arguments)
        assert (done.status, done.out) == (1, "") and "user.db is not a file of your own data" in done.err
