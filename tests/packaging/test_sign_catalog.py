"""A catalog is signed with a key that the program trusts, and the same key and catalog give the same bytes."""

import importlib.util
import json
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from desktop.catalog import Catalog, load_catalog
from desktop.catalog.reader import SCHEMA_VERSION
from desktop.catalog.updates import inspect_update
from desktop.resources import catalog_file
from tests.catalog.changed import changed_catalog

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD = REPOSITORY / "packaging" / "build_catalog.py"


def _script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sign_catalog", REPOSITORY / "packaging" / "sign_catalog.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SIGN = _script()


def build(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(BUILD), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_is_signed_is_what_the_program_installs(tmp_path: Path, catalog: Catalog) -> None:
    public = bytes.fromhex(SIGN.new_key(tmp_path / "key"))
    database = changed_catalog(tmp_path / "newer.db", day="2099-04-30")
    update = SIGN.sign_catalog(database, tmp_path / "key", tmp_path, [public])
    assert update.name == "catalog-2099-04.rwcat"
    found = inspect_update(update, catalog, [public])
    assert found.catalog == load_catalog(database)
    with zipfile.ZipFile(update) as archive:
        assert archive.namelist() == ["manifest.json", "catalog.db", "signature"]
        assert archive.read("catalog.db") == database.read_bytes()
        assert json.loads(archive.read("manifest.json")) == {
            "format": 1,
            "version": "2099-04-30",
            "schema_version": SCHEMA_VERSION,
            "sha256": found.catalog.stamp.sha256,
            "size_bytes": database.stat().st_size,
            "minimum_program": "0.1.0",
        }
    first = update.read_bytes()
    assert SIGN.sign_catalog(database, tmp_path / "key", tmp_path, [public]).read_bytes() == first
    assert sorted(file.name for file in tmp_path.iterdir()) == ["catalog-2099-04.rwcat", "key", "newer.db"]


def test_a_new_key_is_for_its_owner_alone_and_replaces_none(tmp_path: Path) -> None:
    file = tmp_path / "key"
    made = build("--new-key", file)
    assert (made.returncode, made.stderr) == (0, "")
    assert len(bytes.fromhex(made.stdout)) == 32
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    secret = file.read_text(encoding="ascii")
    assert made.stdout != secret
    again = build("--new-key", file)
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr.startswith(str(file)) and "Traceback" not in again.stderr
    assert file.read_text(encoding="ascii") == secret


def test_no_private_key_comes_into_the_repository() -> None:
    file = REPOSITORY / "resources" / "release_key"
    with pytest.raises(SIGN.BadKey, match="outside the repository"):
        SIGN.new_key(file)
    assert not file.exists()


def test_a_key_that_the_program_does_not_trust_signs_nothing(tmp_path: Path) -> None:
    SIGN.new_key(tmp_path / "key")
    done = build("--out", tmp_path / "built.db", "--sign", tmp_path / "key")
    assert done.returncode == 1
    assert "does not trust this key" in done.stderr and "Traceback" not in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["built.db", "key"]


@pytest.mark.parametrize("content", [None, "", "hello", "00" * 31, "ключ"])
def test_a_file_that_is_no_key(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    database = Path(shutil.copy(catalog_file(), tmp_path / "copy.db"))
    with pytest.raises(SIGN.BadKey, match="key: "):
        SIGN.sign_catalog(database, file, tmp_path, [])
    assert list(tmp_path.glob("*.rwcat*")) == []
