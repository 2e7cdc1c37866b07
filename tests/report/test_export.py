"""Files of an export: all of them or none, whatever the disk and the folder do."""

import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.report import export_quote
from desktop.report.export import file_stem, write_together
from desktop.request import InlineModel, Problem
from desktop.words import Language, problem_sentence
from tests.report import sample
from tests.report.sample_plan import SERVING, answer


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("language", ["en", "ru"])
def test_writes_sheet_workbook_and_quote(tmp_path: Path, language: Language) -> None:
    files = export_quote(sample.project(), sample.quote(), tmp_path, language)
    assert [path.name for path in files] == [
        f"RW-2026-0142_{language}.pdf",
        f"RW-2026-0142_{language}.xlsx",
        "quote.json",
    ]
    assert names(tmp_path) == sorted(path.name for path in files)
    assert files[0].read_bytes().startswith(b"%PDF-") and files[1].read_bytes().startswith(b"PK")
    assert json.loads(files[2].read_bytes()) == sample.quote().model_dump(mode="json")


def test_missing_folder_is_made(tmp_path: Path) -> None:
    export_quote(sample.project(), sample.quote(), tmp_path / "build" / "quote", "en")
    assert "quote.json" in names(tmp_path / "build" / "quote")


def test_second_export_replaces_the_first(tmp_path: Path) -> None:
    first = export_quote(sample.project(), sample.quote(), tmp_path, "en")[0].read_bytes()
    again = export_quote(sample.project(revision=3), sample.quote(), tmp_path, "en")[0].read_bytes()
    assert first != again and len(names(tmp_path)) == 3


def refused(folder: Path) -> Problem:
    with pytest.raises(Problem) as caught:
        export_quote(sample.project(), sample.quote(), folder, "en")
    assert caught.value.code == "cannot_write"
    for language in ("en", "ru"):
        assert problem_sentence(caught.value, language).count("\n") == 0
    return caught.value


def test_read_only_folder(read_only_folder: Path) -> None:
    before = names(read_only_folder)
    assert refused(read_only_folder).values == {"reason": "permission"}
    assert refused(read_only_folder / "new").values == {"reason": "permission"}
    assert names(read_only_folder) == before


def test_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("kept")
    assert refused(tmp_path / "out").values == {"reason": "not_a_folder"}
    assert refused(tmp_path / "out" / "deeper").values == {"reason": "not_a_folder"}
    assert (tmp_path / "out").read_text() == "kept"


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file of this process may grow beyond 64 KiB: the system refuses the write half-way, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_files")
def test_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    assert refused(tmp_path).values == {"reason": "no_space"}
    assert names(tmp_path) == []


@pytest.mark.usefixtures("small_files")
def test_full_disk_removes_the_folder_it_made(tmp_path: Path) -> None:
    refused(tmp_path / "build" / "quote")
    assert names(tmp_path) == []


@pytest.mark.usefixtures("small_files")
def test_full_disk_keeps_the_earlier_export(tmp_path: Path) -> None:
    (tmp_path / "RW-2026-0142_en.pdf").write_bytes(b"earlier")
    problem = refused(tmp_path)
    assert problem.field == "RW-2026-0142_en.pdf"
    assert names(tmp_path) == ["RW-2026-0142_en.pdf"]
    assert (tmp_path / "RW-2026-0142_en.pdf").read_bytes() == b"earlier"


def test_one_file_that_cannot_be_replaced_keeps_them_all(tmp_path: Path) -> None:
    """A folder under the name of the workbook stands for a workbook open in Excel, which Windows does not let go."""
    (tmp_path / "RW-2026-0142_en.pdf").write_bytes(b"earlier")
    (tmp_path / "RW-2026-0142_en.xlsx").mkdir()
    assert refused(tmp_path).values == {"reason": "is_a_folder"}
    assert names(tmp_path) == ["RW-2026-0142_en.pdf", "RW-2026-0142_en.xlsx"]
    assert (tmp_path / "RW-2026-0142_en.pdf").read_bytes() == b"earlier"


def test_failure_of_the_last_move_brings_the_first_file_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"old a")
    move = os.replace

    def refuse_b(source: Path, target: Path) -> None:
        if target == tmp_path / "b":
            raise PermissionError(13, "in use")
        move(source, target)

    monkeypatch.setattr(os, "replace", refuse_b)
    with pytest.raises(Problem):
        write_together(tmp_path, {"a": b"new a", "b": b"new b"})
    assert names(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"old a"


@pytest.mark.parametrize(
    ("number", "stem"),
    [
        ("RW-2026-0142", "RW-2026-0142"),
        ("РВ/2026\\0142", "РВ-2026-0142"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "quote"),
        (" . ", "quote"),
        ("CON", "quote-CON"),
        ("a:b*c?", "a-b-c"),
    ],
)
def test_number_becomes_a_name_every_file_system_takes(number: str, stem: str) -> None:
    assert file_stem(number) == stem


def test_long_number_stays_within_a_file_name() -> None:
    assert len(file_stem("Я" * 60).encode()) <= 60


def test_quote_names_no_folder_of_this_machine(tmp_path: Path) -> None:
    need = SERVING.model_copy(update={"model": InlineModel(file=tmp_path / "models" / "config.json")})
    quote = sample.quote(answers=(answer(need=need),))
    written = export_quote(sample.project(), quote, tmp_path, "en")[2].read_text(encoding="utf-8")
    assert "config.json" in written and str(tmp_path) not in written
