"""A catalog that differs from the shipped one as a test needs it, and an update of it."""

import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from desktop.catalog.reader import SCHEMA_VERSION, TABLES, content_digest, read_rows
from desktop.catalog.update_file import Manifest, manifest_of, pack, write_manifest
from desktop.resources import catalog_file

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEYS = (KEY.public_key().public_bytes_raw(),)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
DAY = "2099-01-15"  # later than any shipped catalog
H100 = "nvidia-h100-sxm5-80gb"
CHANGES = (
    f"UPDATE gpus SET tdp_w = tdp_w + 1 WHERE id = '{H100}'",
    "DELETE FROM regions WHERE name = 'Russia'",
    "UPDATE models SET facts = json_set(facts, '$.layers', 33, '$.hello', 1) WHERE id = 'llama-3.1-8b'",
    "UPDATE hardware_prices SET high = '999999' WHERE part = 'lenovo-sr680a-v3-h200'",
    "UPDATE exchange_rates SET currency = 'KZT' WHERE rowid = 1",
)


def changed_catalog(file: Path, *statements: str, day: str = DAY) -> Path:
    """The shipped catalog with `statements` carried out, of that day, with the digest that its content then has."""
    shutil.copy(catalog_file(), file)
    file.chmod(0o644)
    with closing(sqlite3.connect(file)) as database, database:
        for statement in (*statements, f"UPDATE meta SET value = '{day}' WHERE name = 'version'"):
            database.execute(statement)
        digest = content_digest({table: read_rows(database, table) for table in TABLES})
        database.execute("UPDATE meta SET value = ? WHERE name = 'content_sha256'", (digest,))
    return file


def manifest(database: bytes, day: str = DAY) -> Manifest:
    return manifest_of(database, date.fromisoformat(day), SCHEMA_VERSION, "0.1.0")


def signed(database: bytes, said: bytes, key: Ed25519PrivateKey = KEY) -> bytes:
    """An update with any manifest."""
    return pack(said, database, key.sign(said))


def update_of(database: Path, day: str = DAY, key: Ed25519PrivateKey = KEY) -> bytes:
    content = database.read_bytes()
    return signed(content, write_manifest(manifest(content, day)), key)
