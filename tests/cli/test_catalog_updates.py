"""catalog install and catalog rollback."""

import io
import os
from pathlib import Path

import pytest

from desktop.catalog import load_catalog
from desktop.cli import catalog_updates
from desktop.cli.arguments import run
from tests.catalog.changed import DAY, KEYS, changed_catalog, update_of
from tests.cli.console import desktop

CHANGES = (
    "UPDATE gpus SET tdp_w = 1 WHERE id = 'nvidia-l40s'",
    "UPDATE gpus SET id = 'nvidia-l41s', name = 'L41S' WHERE id = 'nvidia-l4'",
)
SHOWN = """\
catalog-2099-01.rwcat: the catalog of 2099-01-15; in force is that of {present}.
gpus: new 1, changed 1, gone 1
  - nvidia-l4
  ~ nvidia-l40s: tdp_w
  + nvidia-l41s
"""


@pytest.fixture
def update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An update by a key that this process trusts."""
    monkeypatch.setenv("RACKWRIGHT_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(catalog_updates, "release_keys", lambda: KEYS)
    file = tmp_path / "catalog-2099-01.rwcat"
    file.write_bytes(update_of(changed_catalog(tmp_path / "newer.db", *CHANGES)))
    return file


def test_an_update_is_shown_and_installed_and_taken_back(update: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shipped = load_catalog()
    shown = sorted(SHOWN.format(present=shipped.stamp.version).splitlines())
    assert run(["catalog", "install", str(update), "--yes"]) == 0
    said = capsys.readouterr()
    assert sorted(said.out.splitlines()) == sorted([*shown, f"In force is the catalog of {DAY}."])
    assert (said.err, load_catalog().stamp.version) == ("", DAY)
    assert run(["catalog", "install", str(update), "--yes"]) == 1
    assert "one of that day is in force" in capsys.readouterr().err
    assert run(["catalog", "rollback", "--lang", "ru"]) == 0
    assert capsys.readouterr().out == f"Действует каталог от {shipped.stamp.version}.\n"
    assert load_catalog() == shipped
    assert run(["catalog", "rollback"]) == 1
    assert "no update to take back" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "status"),
    [("y\n", 0), ("Да\n", 0), ("yes", 0), ("n\n", 1), ("\n", 1), ("", 1), ("yeast\n", 1)],
)
def test_an_update_is_asked_about(
    update: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answer: str, status: int
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert run(["catalog", "install", str(update)]) == status
    assert ("Nothing was installed." in capsys.readouterr().out) == bool(status)
    assert (load_catalog().stamp.version == DAY) == (status == 0)


def test_a_later_command_uses_what_was_installed(update: Path, tmp_path: Path) -> None:
    assert run(["catalog", "install", str(update), "--yes"]) == 0
    data = os.environ["RACKWRIGHT_DATA"]
    (figures,) = [desktop("catalog", "stats", RACKWRIGHT_DATA=data).out]
    assert f'"version": "{DAY}"' in figures
    done = desktop("self-check", RACKWRIGHT_DATA=data)
    assert done.status == 0 and DAY in done.out
    assert DAY not in desktop("catalog", "stats", RACKWRIGHT_DATA=str(tmp_path / "elsewhere")).out


def test_a_catalog_without_a_difference(
    update: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    update.write_bytes(update_of(changed_catalog(tmp_path / "same.db")))
    assert run(["catalog", "install", str(update), "--yes"]) == 0
    assert "No record differs." in capsys.readouterr().out


def test_the_program_trusts_no_key_of_a_test(update: Path, tmp_path: Path) -> None:
    data = tmp_path / "another"
    for language, said in (("en", "another key than"), ("ru", "не ключом Rackwright")):
        done = desktop("catalog", "install", update, "--yes", "--lang", language, RACKWRIGHT_DATA=str(data))
        assert (done.status, done.out) == (1, "")
        assert update.name in done.err and said in done.err and "Traceback" not in done.err
    assert not data.exists()


def test_what_cannot_be_installed(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.rwcat"
    foreign.write_bytes(b"hello")
    for path, said in (
        (tmp_path / "none.rwcat", "no such file"),
        (tmp_path, "folder"),
        (foreign, "is not a catalog update"),
    ):
        done = desktop("catalog", "install", path, "--yes")
        assert (done.status, done.out) == (1, "")
        assert path.name in done.err and said in done.err and "Traceback" not in done.err


def test_a_folder_that_takes_nothing(
    update: Path, read_only_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RACKWRIGHT_DATA", str(read_only_folder))
    assert run(["catalog", "install", str(update), "--yes"]) == 1
    assert "no permission" in capsys.readouterr().err
    assert load_catalog().stamp.version != DAY


@pytest.mark.parametrize("arguments", [("install",), ("install", "a", "b"), ("rollback", "now")])
def test_a_senseless_command_line(arguments: tuple[str, ...]) -> None:
    done = desktop("catalog", *arguments)
    assert (done.status, done.out) == (2, "")
    assert "usage: rackwright" in done.err
