"""An update is installed whole or not at all."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.catalog import Catalog, load_catalog
from desktop.catalog.installed import LIST, installed
from desktop.catalog.reader import SCHEMA_VERSION, catalog_state, current_catalog
from desktop.catalog.updates import differences, inspect_update, install, rollback
from desktop.request import Problem
from desktop.resources import catalog_file
from desktop.words.sentences import problem_sentence
from tests.catalog.changed import DAY, H100, KEYS, changed_catalog, update_of


@pytest.fixture(scope="module")
def update(newer_database: Path) -> bytes:
    return update_of(newer_database)


@pytest.fixture
def file(tmp_path: Path, update: bytes) -> Path:
    path = tmp_path / "catalog-2099-01.rwcat"
    path.write_bytes(update)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "catalogs"


# ----------------------------------------------------------------------------------------------------------- installing


def test_an_update_says_what_it_is(file: Path, catalog: Catalog) -> None:
    found = inspect_update(file, catalog, KEYS)
    assert found.manifest.version.isoformat() == found.catalog.stamp.version == DAY
    assert found.differences == differences(catalog, found.catalog) != ()


def test_an_installed_update_is_in_force_and_can_be_taken_back(
    file: Path, folder: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RACKWRIGHT_DATA", str(folder.parent))
    shipped = catalog_file().read_bytes()
    assert current_catalog() == catalog_file()
    state = install(inspect_update(file, catalog, KEYS))
    assert (state.is_installed, state.refused, state.file.parent) == (True, None, folder)
    assert load_catalog().stamp == state.catalog.stamp
    assert load_catalog().gpu(H100).tdp_w == 701  # NVIDIA's data sheet says 700 W; the update one more
    assert current_catalog() == state.file
    assert sorted(path.name for path in folder.iterdir()) == sorted([LIST, state.file.name])
    with pytest.raises(Problem, match="same_day"):
        inspect_update(file, load_catalog(), KEYS)

    back = rollback()
    assert (back.is_installed, back.refused, back.file) == (False, None, catalog_file())
    assert load_catalog() == catalog
    assert [path.name for path in folder.iterdir()] == [LIST]
    assert catalog_file().read_bytes() == shipped
    with pytest.raises(Problem, match="nothing_to_roll_back") as caught:
        rollback()
    assert all(catalog.stamp.version in problem_sentence(caught.value, language) for language in ("en", "ru"))
    assert install(inspect_update(file, load_catalog(), KEYS)).is_installed


def test_one_catalog_before_is_kept(tmp_path: Path, folder: Path, catalog: Catalog) -> None:
    present = catalog
    for day in ("2099-01-15", "2099-02-15", "2099-03-15"):
        file = tmp_path / f"catalog-{day}.rwcat"
        file.write_bytes(update_of(changed_catalog(tmp_path / "next.db", day=day), day))
        present = install(inspect_update(file, present, KEYS), folder).catalog
        assert present.stamp.version == day
    assert [entry.version.isoformat() for entry in installed(folder)] == ["2099-02-15", "2099-03-15"]
    assert len(list(folder.glob("*.db"))) == 2
    assert rollback(folder).catalog.stamp.version == "2099-02-15"
    assert rollback(folder).catalog == catalog


def test_an_update_is_held_against_what_is_in_force_when_it_is_installed(
    tmp_path: Path, file: Path, folder: Path, catalog: Catalog
) -> None:
    slow = inspect_update(file, catalog, KEYS)
    later = tmp_path / "later.rwcat"
    later.write_bytes(update_of(changed_catalog(tmp_path / "later.db", day="2099-02-01"), "2099-02-01"))
    install(inspect_update(later, catalog, KEYS), folder)
    with pytest.raises(Problem, match="older"):
        install(slow, folder)
    assert catalog_state(folder).catalog.stamp.version == "2099-02-01"


def test_an_installed_catalog_older_than_the_shipped_one_is_not_in_force(
    tmp_path: Path, folder: Path, catalog: Catalog
) -> None:
    day = "2020-01-01"
    file = tmp_path / "old.rwcat"
    file.write_bytes(update_of(changed_catalog(tmp_path / "old.db", day=day), day))
    older = load_catalog(changed_catalog(tmp_path / "older.db", day="2019-01-01"))
    found = inspect_update(file, older, KEYS)
    with pytest.raises(Problem, match="older"):
        install(found, folder)
    folder.mkdir(parents=True)
    sha256 = found.manifest.sha256
    (folder / f"catalog-{day}-{sha256[:12]}.db").write_bytes(found.database)
    (folder / LIST).write_text(f'{{"installed": [{{"version": "{day}", "sha256": "{sha256}"}}]}}', encoding="ascii")
    state = catalog_state(folder)
    assert (state.is_installed, state.refused, state.catalog) == (False, None, catalog)
    with pytest.raises(Problem, match="nothing_to_roll_back"):
        rollback(folder)


# --------------------------------------------------------------------------------------- the old catalog or the new one


def reason_of_install(file: Path, folder: Path, catalog: Catalog) -> str:
    with pytest.raises(Problem) as caught:
        install(inspect_update(file, catalog, KEYS), folder)
    assert caught.value.code == "cannot_write"
    assert all(problem_sentence(caught.value, language) for language in ("en", "ru"))
    return str(caught.value.values["reason"])


def test_a_folder_that_takes_nothing(file: Path, catalog: Catalog, read_only_folder: Path, tmp_path: Path) -> None:
    assert reason_of_install(file, read_only_folder / "catalogs", catalog) == "permission"
    assert catalog_state(read_only_folder / "catalogs").catalog == catalog
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "catalogs"):
        assert reason_of_install(file, folder, catalog) == "not_a_folder"
        assert catalog_state(folder).catalog == catalog


def test_a_list_that_cannot_be_replaced(file: Path, folder: Path, catalog: Catalog) -> None:
    (folder / LIST).mkdir(parents=True)
    assert reason_of_install(file, folder, catalog) == "other"
    assert catalog_state(folder).catalog == catalog


INSTALL = """
import os, sys
from pathlib import Path
from desktop.catalog.reader import catalog_state
from desktop.catalog.updates import inspect_update, install
from desktop.request import Problem
from tests.catalog.changed import KEYS

folder, file, call, number = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
update = inspect_update(file, catalog_state(folder).catalog, KEYS)
real = getattr(os, call, None)
calls = 0

def ends(*given):
    global calls
    calls += 1
    if calls == number:
        os._exit(9)
    return real(*given)

if real:
    setattr(os, call, ends)
try:
    print(install(update, folder).catalog.stamp.version)
except Problem as problem:
    print(problem.code, problem.values["reason"])
    print(catalog_state(folder).is_installed, sorted(path.name for path in folder.iterdir()))
"""


def test_a_full_disk(tmp_path: Path, update: bytes, repository: Path, small_disk: Callable[[int], list[str]]) -> None:
    """The disk, or the longest file, is 100 KiB smaller than the database."""
    room = small_disk(len(update) // 1024 - 100)
    file = tmp_path.parent / f"{tmp_path.name}.rwcat"  # what lies in tmp_path is not seen on the small disk
    file.write_bytes(update)
    command = [*room, sys.executable, "-c", INSTALL, str(tmp_path / "catalogs"), str(file), "", "0"]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["cannot_write no_space", "False []"]


@pytest.mark.parametrize(
    ("call", "number", "in_force"),
    [
        ("fsync", 1, "2099-01-15"),  # of the database
        ("replace", 1, "2099-01-15"),
        ("fsync", 2, "2099-01-15"),  # of the folder
        ("fsync", 3, "2099-01-15"),  # of the list
        ("replace", 2, "2099-01-15"),
        ("fsync", 4, "2099-02-15"),  # the list is the new one
        ("unlink", 1, "2099-02-15"),  # what is no longer listed
    ],
)
def test_a_program_that_dies_on_the_way(
    tmp_path: Path, folder: Path, repository: Path, catalog: Catalog, call: str, number: int, in_force: str
) -> None:
    for day in ("2098-12-15", "2099-01-15", "2099-02-15"):
        file = tmp_path / f"{day}.rwcat"
        file.write_bytes(update_of(changed_catalog(tmp_path / "next.db", day=day), day))
        if day != "2099-02-15":
            install(inspect_update(file, catalog_state(folder).catalog, KEYS), folder)
    command = [sys.executable, "-c", INSTALL, str(folder), str(file), call, str(number)]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (9, "", "")
    state = catalog_state(folder)
    assert (state.is_installed, state.refused, state.catalog.stamp.version) == (True, None, in_force)
    if in_force == "2099-01-15":  # what was left behind is in nobody's way, and goes
        install(inspect_update(file, state.catalog, KEYS), folder)
        assert catalog_state(folder).catalog.stamp.version == "2099-02-15"
        assert len(list(folder.iterdir())) == 3


# --------------------------------------------------------------------------------- what becomes of an installed catalog


def _cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _other_content(file: Path) -> None:
    changed_catalog(file, "UPDATE gpus SET tdp_w = 1")


def _other_schema(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[60:64] = (SCHEMA_VERSION + 1).to_bytes(4, "big")
    file.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (Path.unlink, "missing"),
        (_cut, "damaged"),
        (_other_content, "damaged"),
        (_other_schema, "other_version"),
        (lambda file: file.write_bytes(b"hello"), "foreign"),
        (lambda file: (file.unlink(), file.mkdir()), "unreadable"),
    ],
)
def test_a_spoilt_catalog_gives_way_to_the_shipped_one(
    file: Path, folder: Path, catalog: Catalog, spoil: Callable[[Path], object], reason: str
) -> None:
    update = inspect_update(file, catalog, KEYS)
    spoilt = install(update, folder).file
    spoil(spoilt)
    state = catalog_state(folder)
    assert (state.file, state.catalog, state.is_installed) == (catalog_file(), catalog, False)
    assert state.refused is not None
    assert (state.refused.code, state.refused.field) == ("installed_unusable", spoilt.name)
    assert state.refused.values == {"version": catalog.stamp.version, "reason": reason}
    for language in ("en", "ru"):
        said = problem_sentence(state.refused, language)
        assert spoilt.name in said and catalog.stamp.version in said
    back = rollback(folder)
    assert (back.refused, back.catalog) == (None, catalog)
    if not spoilt.is_dir():
        assert install(update, folder).is_installed


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff",
        b'{"installed": [{"version": "2099-01-15", "sha256": "../../user"}]}',
        b'{"installed": [{"version": "../../user", "sha256": "' + b"0" * 64 + b'"}]}',
        b'{"installed": [{"version": "2099-01-15", "sha256": "' + b"0" * 64 + b'", "file": "user.db"}]}',
    ],
)
def test_a_spoilt_list(file: Path, folder: Path, catalog: Catalog, said: bytes) -> None:
    update = inspect_update(file, catalog, KEYS)
    install(update, folder)
    (folder / LIST).write_bytes(said)
    state = catalog_state(folder)
    assert state.catalog == catalog and state.refused is not None
    assert (state.refused.field, state.refused.values["reason"]) == (LIST, "damaged")
    assert rollback(folder).refused is None
    assert install(update, folder).is_installed
