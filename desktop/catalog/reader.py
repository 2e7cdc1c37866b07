"""catalog.db becomes a Catalog: read-only, whole, and only if every byte of its content is what was built. Which file
that is: the shipped one, or a newer one that was installed beside it."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from desktop.catalog.catalog import Catalog
from desktop.catalog.facts import Origin
from desktop.catalog.installed import catalogs_folder, installed
from desktop.catalog.prices import ApiPrice, CloudPrice, ExchangeRate, HardwarePrice, Tariff, VatRate
from desktop.catalog.records import (
    Cpu,
    Drive,
    Gpu,
    MeasuredRate,
    MemoryModule,
    ModelRecord,
    Nic,
    Platform,
    Psu,
    Region,
    ServerModel,
    Stamp,
    Switch,
)
from desktop.catalog.software import Compatibility, Flag, Term
from desktop.request import Problem, Strict
from desktop.resources import catalog_file

SQLITE_MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 0x52574B43  # "RWKC"; like the next, in the file's header: https://www.sqlite.org/fileformat2.html
SCHEMA_VERSION = 2
TABLES: dict[str, type[Strict]] = {
    "gpus": Gpu,
    "measured_rates": MeasuredRate,
    "models": ModelRecord,
    "cpus": Cpu,
    "memory_modules": MemoryModule,
    "drives": Drive,
    "nics": Nic,
    "switches": Switch,
    "psus": Psu,
    "platforms": Platform,
    "server_models": ServerModel,
    "hardware_prices": HardwarePrice,
    "cloud_prices": CloudPrice,
    "api_prices": ApiPrice,
    "tariffs": Tariff,
    "vat_rates": VatRate,
    "exchange_rates": ExchangeRate,
    "compatibility": Compatibility,
    "flags": Flag,
    "terms": Term,
    "regions": Region,
}


@dataclass(frozen=True)
class CatalogState:
    """The catalog in force, its file, whether that was installed, and why one that was installed is not in force."""

    file: Path
    catalog: Catalog
    is_installed: bool = False
    refused: Problem | None = None


def load_catalog(path: Path | None = None) -> Catalog:
    """The catalog in force, or the one at `path`. Rows are not validated again: the build did, their digest is checked.

    Raises Problem("catalog_unreadable") with the file's name and the reason: missing, unreadable, foreign (no catalog),
    other_version (of a program that keeps it otherwise) or damaged.
    """
    return catalog_state().catalog if path is None else _read(path)


def current_catalog() -> Path:
    """File of the catalog in force. Raises Problem("catalog_unreadable") where there is none."""
    return catalog_state().file


def catalog_state(folder: Path | None = None) -> CatalogState:
    """The catalog in force: the one installed last in `folder` (the user's own where none is named) if it is newer than
    the shipped one and sound, else the shipped one.

    Raises Problem("catalog_unreadable") as `load_catalog` does, for the shipped catalog. What is wrong with one that
    was installed stands in `refused`: installed_unusable with the file's name, that reason and the shipped `version`.
    """
    shipped = catalog_file()
    try:
        found = _newer_than(shipped, folder or catalogs_folder())
    except Problem as problem:
        catalog = _read(shipped)
        refused = Problem("installed_unusable", problem.field, version=catalog.stamp.version, **problem.values)
        return CatalogState(shipped, catalog, refused=refused)
    return found or CatalogState(shipped, _read(shipped))


def _newer_than(shipped: Path, folder: Path) -> CatalogState | None:
    newest = installed(folder)[-1:]
    if not newest or newest[0].version <= _day_of(shipped):
        return None
    file = folder / newest[0].name
    catalog = _read(file)
    if catalog.stamp.sha256 != newest[0].sha256:
        raise Problem("catalog_unreadable", file.name, reason="damaged")
    return CatalogState(file, catalog, is_installed=True)


def _day_of(file: Path) -> date:
    """Day of a catalog by its own word, unchecked; the earliest there is where it has none."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            (said,) = database.execute("SELECT value FROM meta WHERE name = 'version'").fetchone()
            return date.fromisoformat(said)
    except (sqlite3.Error, ValueError, TypeError):
        return date.min


def _read(file: Path) -> Catalog:
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise Problem("catalog_unreadable", file.name, reason="missing") from None
    except OSError:
        raise Problem("catalog_unreadable", file.name, reason="unreadable") from None
    if content[:16] != SQLITE_MAGIC or content[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        raise Problem("catalog_unreadable", file.name, reason="foreign")
    if content[60:64] != SCHEMA_VERSION.to_bytes(4, "big"):
        raise Problem("catalog_unreadable", file.name, reason="other_version")
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            meta = dict(database.execute("SELECT name, value FROM meta"))
            rows = {table: read_rows(database, table) for table in TABLES}
            if content_digest(rows) != meta["content_sha256"]:
                raise Problem("catalog_unreadable", file.name, reason="damaged")
            sha256 = hashlib.sha256(content).hexdigest()
            stamp = Stamp(version=meta["version"], built=date.fromisoformat(meta["version"]), sha256=sha256)
            records: dict[str, Any] = {table: _records(table, rows[table]) for table in TABLES}
            return Catalog(stamp=stamp, **records)
    except (sqlite3.Error, ValueError, KeyError, TypeError, ArithmeticError):
        raise Problem("catalog_unreadable", file.name, reason="damaged") from None


def read_rows(database: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
    """Rows of one table in the order they were written, columns in the order of the record's fields."""
    columns = ", ".join(f'"{name}"' for name in TABLES[table].model_fields)
    return database.execute(f'SELECT {columns} FROM "{table}" ORDER BY rowid').fetchall()


def content_digest(rows: dict[str, list[tuple[Any, ...]]]) -> str:
    """SHA-256 over every value of every table: a changed digit shows even where the file is a sound database."""
    digest = hashlib.sha256()
    for table, content in rows.items():
        digest.update(json.dumps([table, content], ensure_ascii=False, separators=(",", ":")).encode())
    return digest.hexdigest()


def _records(table: str, rows: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    record = TABLES[table]
    names = tuple(record.model_fields)
    all_converters = ((name, _converter(field.annotation)) for name, field in record.model_fields.items())
    converters = [(name, convert) for name, convert in all_converters if convert is not None]
    records = []
    for row in rows:
        values = dict(zip(names, row, strict=True))
        for name, convert in converters:
            value = values[name]
            if value is not None:
                values[name] = convert(value)
        records.append(record.model_construct(**values))
    return tuple(records)


def _converter(annotation: Any) -> Callable[[Any], Any] | None:
    """How a column becomes the field's type; None where SQLite gives that type already."""
    text = str(annotation)
    if "tuple" in text:
        return lambda value: () if value == "[]" else tuple(json.loads(value))
    if "Origin" in text:
        return _origins
    if "dict" in text:
        return json.loads
    if "Decimal" in text:
        return Decimal
    if "date" in text:
        return date.fromisoformat
    return bool if annotation is bool else None


def _origins(text: str) -> dict[str, Origin]:
    return {} if text == "{}" else {field: Origin(**said) for field, said in json.loads(text).items()}
