"""A catalog file is read whole or not at all: what is wrong with it is one message that names the file."""

import hashlib
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from desktop.catalog import Catalog, load_catalog
from desktop.catalog.reader import SCHEMA_VERSION, TABLES
from desktop.request import Problem
from desktop.resources import catalog_file
from desktop.words.sentences import problem_sentence


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(catalog_file(), tmp_path / "copy.db"))


def reason_of(file: Path) -> str:
    """Why the file is refused; every reason has a sentence in both languages that names the file."""
    with pytest.raises(Problem) as caught:
        load_catalog(file)
    problem = caught.value
    assert (problem.code, problem.field) == ("catalog_unreadable", file.name)
    assert all(file.name in problem_sentence(problem, language) for language in ("en", "ru"))
    return str(problem.values["reason"])


def changed(file: Path, statement: str) -> Path:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(statement)
    return file


def test_the_stamp_names_version_day_and_bytes(catalog: Catalog) -> None:
    assert catalog.stamp.version == "2026-12-01"
    assert catalog.stamp.built == date(2026, 12, 1)
    assert catalog.stamp.sha256 == hashlib.sha256(catalog_file().read_bytes()).hexdigest()


def test_every_record_has_the_types_its_class_promises(catalog: Catalog) -> None:
    for table, record in TABLES.items():
        for row in getattr(catalog, table):
            assert record.model_validate(row.model_dump()) == row


def test_reading_leaves_no_trace(copy: Path) -> None:
    copy.chmod(0o444)
    before = copy.read_bytes()
    load_catalog(copy)
    assert [file.name for file in copy.parent.iterdir()] == [copy.name]
    assert copy.read_bytes() == before


def test_any_file_name_will_do(copy: Path) -> None:
    odd = copy.rename(copy.with_name("каталог #1 100%25?mode=rw.db"))
    assert len(load_catalog(odd).gpus) == 70


def test_a_missing_file(tmp_path: Path) -> None:
    assert reason_of(tmp_path / "nothing.db") == "missing"


def test_a_folder(tmp_path: Path) -> None:
    assert reason_of(tmp_path) == "unreadable"


@pytest.mark.parametrize("content", [b"", b"not a database", b"{}" * 4096, b"\0" * 8192])
def test_a_foreign_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "foreign.db"
    file.write_bytes(content)
    assert reason_of(file) == "foreign"


def test_a_database_of_another_program(tmp_path: Path) -> None:
    assert reason_of(changed(tmp_path / "other.db", "CREATE TABLE gpus (id TEXT)")) == "foreign"


def test_a_catalog_of_another_program_version(copy: Path) -> None:
    assert reason_of(changed(copy, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")) == "other_version"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE hardware_prices SET low = '25014.18' WHERE low = '250141.80'",
        "UPDATE gpus SET usable_mib = usable_mib + 1 WHERE id = 'nvidia-l40s'",
        "DELETE FROM vat_rates WHERE region = 'Russia'",
        "DROP TABLE regions",
        "ALTER TABLE gpus DROP COLUMN tdp_w",
        "DELETE FROM meta",
    ],
)
def test_a_catalog_with_other_content_than_was_built(copy: Path, statement: str) -> None:
    assert reason_of(changed(copy, statement)) == "damaged"


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.99])
def test_a_file_cut_short(copy: Path, kept: float) -> None:
    content = copy.read_bytes()
    copy.write_bytes(content[: int(len(content) * kept)])
    assert reason_of(copy) == "damaged"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(min_value=0, max_value=catalog_file().stat().st_size - 1), st.integers(min_value=1, max_value=255))
@example(18, 0xFF).via("write version of the file format")
@example(100, 0xFF).via("type of the first page")
def test_no_changed_byte_goes_unnoticed(catalog: Catalog, copy: Path, position: int, flip: int) -> None:
    content = bytearray(catalog_file().read_bytes())
    content[position] ^= flip
    copy.write_bytes(content)
    try:
        read = load_catalog(copy)
    except Problem as problem:
        assert problem.code == "catalog_unreadable"
    else:  # an unused byte of a page or of the header
        assert all(getattr(read, table) == getattr(catalog, table) for table in TABLES)
