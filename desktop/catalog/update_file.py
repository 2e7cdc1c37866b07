"""The file of a catalog update, `catalog-YYYY-MM.rwcat`: a ZIP of a manifest, the database and a signature.

There is one way to write it: members in this order, stored, of a fixed time. So the same content gives the same bytes
on every machine, and a reader that writes the content again and compares has refused every name too many, every path,
every false size, every appended or changed byte, and every compressed member, which might grow without end.
"""

import hashlib
import io
import json
import zipfile
from datetime import date

from pydantic import Field, ValidationError

from desktop.request import Problem, Strict
from desktop.request.strict_json import parse_strict

FORMAT = 1
MEMBERS = ("manifest.json", "catalog.db", "signature")
MAX_UPDATE_BYTES = 64 * 2**20  # the catalog of 2026-12 has about one MiB
LOCAL_HEADER = b"PK\3\4"  # this and the two places below: PKWARE's APPNOTE.TXT 6.3.10, section 4.3.7
LOCAL_HEADER_BYTES = 30
SIZE_AT = 22
EARLIEST = (1980, 1, 1, 0, 0, 0)  # a ZIP knows no earlier time
UNIX, ZIP_2_0, REGULAR_FILE = 3, 20, 0o100644 << 16


class Manifest(Strict):
    """What an update says of itself."""

    format: int
    version: date = Field(description="day of the catalog")
    schema_version: int = Field(description="of the database")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$", description="of the database")
    size_bytes: int = Field(ge=0, description="of the database")
    minimum_program: str = Field(pattern=r"^\d+\.\d+\.\d+$", description="oldest version of the program that reads it")


def pack(manifest: bytes, database: bytes, signature: bytes) -> bytes:
    """The whole file."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        for name, content in zip(MEMBERS, (manifest, database, signature), strict=True):
            member = zipfile.ZipInfo(name, EARLIEST)
            member.create_system, member.create_version, member.extract_version = UNIX, ZIP_2_0, ZIP_2_0
            member.external_attr = REGULAR_FILE
            archive.writestr(member, content)
    return whole.getvalue()


def unpack(content: bytes, name: str) -> tuple[bytes, bytes, bytes]:
    """Manifest, database and signature of a file called `name`.

    Raises Problem("update_refused") with `reason`: foreign (no update at all) or damaged.
    """
    if not content.startswith(LOCAL_HEADER):
        raise Problem("update_refused", name, reason="foreign")
    members, at = [], 0
    for member in MEMBERS:
        size = int.from_bytes(content[at + SIZE_AT : at + SIZE_AT + 4], "little")
        at += LOCAL_HEADER_BYTES + len(member)
        members.append(content[at : at + size])
        at += size
    manifest, database, signature = members
    if pack(manifest, database, signature) != content:
        raise Problem("update_refused", name, reason="damaged")
    return manifest, database, signature


def write_manifest(manifest: Manifest) -> bytes:
    """The bytes that are signed."""
    return json.dumps(manifest.model_dump(mode="json"), indent=1).encode() + b"\n"


def read_manifest(content: bytes, name: str) -> Manifest:
    """The manifest of an update called `name`, whose signature was checked before.

    Raises Problem("update_refused") with `reason`: foreign, older_format or newer_format.
    """
    try:
        said = parse_strict(content, name)
    except Problem:
        raise Problem("update_refused", name, reason="foreign") from None
    found = said.get("format") if isinstance(said, dict) else None
    if not isinstance(found, int) or isinstance(found, bool):
        raise Problem("update_refused", name, reason="foreign")
    if found != FORMAT:
        raise other_format(name, found, FORMAT)
    try:
        return Manifest.model_validate(said)
    except ValidationError:
        raise Problem("update_refused", name, reason="foreign") from None


def other_format(name: str, found: int, known: int) -> Problem:
    """The refusal of an update whose file or database is of another format than this program's."""
    return Problem("update_refused", name, reason="older_format" if found < known else "newer_format")


def manifest_of(database: bytes, version: date, schema_version: int, minimum_program: str) -> Manifest:
    """The manifest of a database."""
    return Manifest(
        format=FORMAT,
        version=version,
        schema_version=schema_version,
        sha256=hashlib.sha256(database).hexdigest(),
        size_bytes=len(database),
        minimum_program=minimum_program,
    )
