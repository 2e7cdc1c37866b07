"""A file that is not, byte for byte, what the key's owner signed is refused, and says why."""

import hashlib
import io
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from desktop.catalog import Catalog
from desktop.catalog.reader import SCHEMA_VERSION
from desktop.catalog.signatures import release_keys
from desktop.catalog.update_file import MAX_UPDATE_BYTES, MEMBERS, pack, unpack, write_manifest
from desktop.catalog.updates import inspect_update
from desktop.request import Problem
from desktop.words.sentences import problem_sentence
from tests.catalog.changed import DAY, KEYS, OTHER_KEY, changed_catalog, manifest, signed, update_of


@pytest.fixture(scope="module")
def update(newer_database: Path) -> bytes:
    return update_of(newer_database)


@pytest.fixture
def file(tmp_path: Path, update: bytes) -> Path:
    path = tmp_path / "catalog-2099-01.rwcat"
    path.write_bytes(update)
    return path


def refusal(file: Path, catalog: Catalog, keys: tuple[bytes, ...] = KEYS) -> str:
    """Why a file is refused; every refusal names the file in both languages."""
    with pytest.raises(Problem) as caught:
        inspect_update(file, catalog, keys)
    problem = caught.value
    assert problem.field == file.name
    assert all(file.name in problem_sentence(problem, language) for language in ("en", "ru"))
    return str(problem.values["reason"]) if problem.code == "update_refused" else problem.code


def refusal_of(content: bytes, file: Path, catalog: Catalog) -> str:
    file.write_bytes(content)
    return refusal(file, catalog)


def test_a_signature_by_another_key(tmp_path: Path, newer_database: Path, file: Path, catalog: Catalog) -> None:
    foreign = tmp_path / "foreign.rwcat"
    foreign.write_bytes(update_of(newer_database, key=OTHER_KEY))
    assert refusal(foreign, catalog) == "signature"
    assert refusal(file, catalog, keys=()) == "signature"
    assert refusal(file, catalog, keys=release_keys()) == "signature"
    second_key = (*release_keys(), *KEYS)
    assert inspect_update(file, catalog, second_key).manifest.version.isoformat() == DAY


def test_a_signature_of_another_update(tmp_path: Path, newer_database: Path, update: bytes, catalog: Catalog) -> None:
    said, content, signature = unpack(update, "")
    other = changed_catalog(tmp_path / "other.db", "UPDATE gpus SET tdp_w = 1").read_bytes()
    file = tmp_path / "mixed.rwcat"
    assert refusal_of(pack(said, other, signature), file, catalog) == "damaged"
    assert refusal_of(pack(write_manifest(manifest(other)), other, signature), file, catalog) == "signature"
    assert refusal_of(pack(said, content, b""), file, catalog) == "signature"
    assert refusal_of(pack(said, content, signature + b"\0"), file, catalog) == "signature"
    assert refusal_of(pack(said, b"", signature), file, catalog) == "damaged"


def test_an_update_cut_short(tmp_path: Path, update: bytes, catalog: Catalog) -> None:
    file = tmp_path / "cut.rwcat"
    lengths = {0, 1, 3, 4, 30, 43, 100, 300, *range(1000, len(update), len(update) // 40), *range(-400, 0)}
    for length in sorted(lengths):
        assert refusal_of(update[:length], file, catalog) == ("foreign" if 0 <= length < 4 else "damaged"), length


def test_no_changed_byte_is_let_through(tmp_path: Path, update: bytes, catalog: Catalog) -> None:
    file = tmp_path / "flipped.rwcat"
    positions = {
        *range(0, 300, 7),
        *range(300, len(update), len(update) // 60),
        *range(len(update) - 420, len(update), 7),
    }
    for position in sorted(positions):
        flipped = bytearray(update)
        flipped[position] ^= 1 << position % 8
        assert refusal_of(bytes(flipped), file, catalog) == ("foreign" if position < 4 else "damaged"), position


def test_every_byte_of_the_frame_counts() -> None:
    whole = pack(b"said", b"content", bytes(64))
    assert unpack(whole, "") == (b"said", b"content", bytes(64))
    for position in range(len(whole)):
        for flip in (1, 0x80, 0xFF):
            flipped = bytearray(whole)
            flipped[position] ^= flip
            with pytest.raises(Problem, match="update_refused"):
                unpack(bytes(flipped), "")
    for length in range(len(whole)):
        with pytest.raises(Problem, match="update_refused"):
            unpack(whole[:length], "")


def test_the_same_content_gives_the_same_bytes_everywhere() -> None:
    """Byte for byte a ZIP of three stored members as section 4.3 of PKWARE's APPNOTE.TXT lays it out: 3 x (30 + 46) and
    22 of the end, twice 30 of names, 75 of content."""
    whole = pack(b"said", b"content", bytes(64))
    assert len(whole) == 3 * (30 + 46) + 22 + 2 * sum(map(len, MEMBERS)) + 75
    assert hashlib.sha256(whole).hexdigest() == "6793f938d51c7a33a768620755ef4a718ed6d0f81f8348c80af50d6167f9c325"
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert archive.testzip() is None
        assert [archive.read(name) for name in MEMBERS] == [b"said", b"content", bytes(64)]


def _zip(*members: tuple[str, bytes], method: int = zipfile.ZIP_STORED, comment: bytes = b"") -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
        archive.comment = comment
    return whole.getvalue()


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_that_is_no_update(tmp_path: Path, update: bytes, catalog: Catalog) -> None:
    said, content, signature = unpack(update, "")
    good = list(zip(MEMBERS, (said, content, signature), strict=True))
    bomb = 200 * 2**20
    for members in (
        [*good, ("more", b"")],
        [*good, good[1]],
        [good[1], good[0], good[2]],
        [("/manifest.json", said), *good[1:]],
        [("../manifest.json", said), *good[1:]],
        [good[0], ("../catalog.db", content), good[2]],
        [good[0], ("/etc/catalog.db", content), good[2]],
        good[:2],
    ):
        assert refusal_of(_zip(*members), tmp_path / "odd.rwcat", catalog) == "damaged"
    for odd in (
        _zip(*good, method=zipfile.ZIP_DEFLATED),
        _zip(good[0], ("catalog.db", bytes(bomb)), good[2], method=zipfile.ZIP_DEFLATED),
        _zip(*good, comment=b"hello"),
        update + b"\0",
    ):
        assert refusal_of(odd, tmp_path / "odd.rwcat", catalog) == "damaged"
    for foreign in (b"", _zip(), b"#!/bin/sh\n", bytes(5000), b"\0" + update, content):
        assert refusal_of(foreign, tmp_path / "odd.rwcat", catalog) == "foreign"


@pytest.mark.parametrize("size", [0, 2**31, 2**32 - 1])
def test_a_size_that_is_not_true(tmp_path: Path, update: bytes, catalog: Catalog, size: int) -> None:
    file = tmp_path / "sizes.rwcat"
    for at in (18, 22, update.index(b"catalog.db") - 8, update.rindex(b"catalog.db") - 22):
        false = update[:at] + size.to_bytes(4, "little") + update[at + 4 :]
        assert refusal_of(false, file, catalog) == "damaged"


def test_a_file_too_large(tmp_path: Path, catalog: Catalog) -> None:
    file = tmp_path / "large.rwcat"
    file.touch()
    os.truncate(file, MAX_UPDATE_BYTES + 1)
    assert refusal(file, catalog) == "file_too_large"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 0}, "older_format"),
        ({"format": 2, "anything": "else"}, "newer_format"),
        ({"format": True}, "foreign"),
        ({"format": "1"}, "foreign"),
        ({"format": None}, "foreign"),
        ({"schema_version": SCHEMA_VERSION - 1}, "older_format"),
        ({"schema_version": SCHEMA_VERSION + 1}, "newer_format"),
        ({"schema_version": "many"}, "foreign"),
        ({"minimum_program": "99.0.0"}, "newer_program"),
        ({"minimum_program": "0.10.0"}, "newer_program"),
        ({"minimum_program": "tomorrow's"}, "foreign"),
        ({"version": "2020-01-01"}, "older"),
        ({"version": "2099-01-16"}, "damaged"),
        ({"version": "yesterday"}, "foreign"),
        ({"size_bytes": 1}, "damaged"),
        ({"size_bytes": -1}, "foreign"),
        ({"sha256": "0" * 64}, "damaged"),
        ({"sha256": "../../catalog"}, "foreign"),
        ({"more": 1}, "foreign"),
    ],
)
def test_a_signed_manifest_that_does_not_fit(
    tmp_path: Path, newer_database: Path, catalog: Catalog, changes: dict[str, Any], reason: str
) -> None:
    content = newer_database.read_bytes()
    said = manifest(content).model_dump(mode="json") | changes
    file = tmp_path / "other.rwcat"
    assert refusal_of(signed(content, json.dumps(said).encode()), file, catalog) == reason


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"format"',
        b"{}",
        b"\xff\xfe{}",
        b'{"format": NaN}',
        b'{"format": 1, "format": 1}',
        b'{"format": 1e400}',
        b'{"format": ' + b"9" * 5000 + b"}",
        b"[" * 60000,
        b'{"format": 1}',
    ],
)
def test_a_signed_manifest_that_is_none(tmp_path: Path, catalog: Catalog, said: bytes) -> None:
    assert refusal_of(signed(b"", said), tmp_path / "other.rwcat", catalog) == "foreign"


def test_a_signed_database_that_is_no_sound_catalog(tmp_path: Path, newer_database: Path, catalog: Catalog) -> None:
    whole = newer_database.read_bytes()
    for content in (b"", b"hello", whole[:100_000], whole.replace(b"80GB", b"90GB", 1)):
        said = write_manifest(manifest(content))
        assert refusal_of(signed(content, said), tmp_path / "hollow.rwcat", catalog) == "damaged"


def test_a_path_that_is_no_file(tmp_path: Path, catalog: Catalog) -> None:
    pipe = tmp_path / "pipe.rwcat"
    os.mkfifo(pipe)
    assert refusal(pipe, catalog) == "cannot_read"
    assert refusal(tmp_path, catalog) == "is_a_folder"
    assert refusal(tmp_path / "none.rwcat", catalog) == "file_missing"
    assert refusal(tmp_path / "n\0ne.rwcat", catalog) == "cannot_read"
    assert refusal(tmp_path / ("n" * 300), catalog) == "cannot_read"


def test_no_room_to_look_at_an_update(
    file: Path, catalog: Catalog, read_only_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(read_only_folder))
    with pytest.raises(Problem) as caught:
        inspect_update(file, catalog, KEYS)
    assert (caught.value.code, caught.value.values) == ("cannot_write", {"reason": "permission"})
