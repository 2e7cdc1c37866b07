"""Builds catalog.db from resources/catalog: the same sources give the same bytes, on every machine.

Run as a file, `python packaging/build_catalog.py [--out FILE] [--sign KEYFILE]`. This folder is no package: one of that
name would hide the installed `packaging` that pip and pytest import.
"""

import argparse
import csv
import hashlib
import io
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from sqlite_utils import Database

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from desktop.architectures.count_checks import count_findings  # noqa: E402
from desktop.catalog.check_exceptions import CheckException, unexcused  # noqa: E402
from desktop.catalog.checks import TensorClock, hardware_findings  # noqa: E402
from desktop.catalog.facts import PART_READ, RECALLED, VERIFICATIONS, Fact, is_dated, oldest_day  # noqa: E402
from desktop.catalog.price_checks import price_findings  # noqa: E402
from desktop.catalog.reader import APPLICATION_ID, SCHEMA_VERSION, TABLES, content_digest, read_rows  # noqa: E402
from desktop.request import Strict  # noqa: E402

SOURCES = ROOT / "resources" / "catalog"
FIELD_SOURCES = "field_sources.csv"
CHECK_EXCEPTIONS = "check_exceptions.csv"
TENSOR_CLOCKS = "tensor_clocks.csv"
MODEL_COLUMNS = ("name", "family", "kind", "model_type", "licence", "params_total", "params_active", "source", "notes")
YES_NO = {"yes": True, "no": False}
FROM_MEMORY = ("recalled", "UNVERIFIED", "card memory")  # words of a model's source
CHANGE_COUNTER = 1
SQLITE_WRITER = 3_040_001  # the library that wrote last, by the header: one value for all machines

Origins = dict[tuple[str, str], dict[str, dict[str, str]]]  # by table and id: by field, what is said of it
Tables = Mapping[str, list[tuple[str, Any]]]  # by table: where the row stands, and its record


class BadSource(Exception):
    """One row that cannot be in the catalog; the text names its file and line."""


def build_catalog(sources: Path, out: Path) -> None:
    """Writes the catalog of all files in `sources` to `out`, replacing it at once.

    Raises BadSource for the first row that its record does not accept, that names what is not there, or that breaks a
    rule no exception excuses.
    """
    version, day = _version(sources / "version.toml")
    origins = _origins(sources)
    tables = {table: list(_rows(sources, table, origins)) for table in TABLES}
    if origins:
        raise BadSource(f"{FIELD_SOURCES}: nothing is called {', '.join('/'.join(row) for row in sorted(origins))}")
    _check_references(tables)
    _check_aliases(sources, tables)
    _check_rows(tables, day)
    _check_rules(sources, tables, day)
    unfinished = out.with_name(out.name + ".part")
    unfinished.unlink(missing_ok=True)
    try:
        with closing(Database(str(unfinished))) as database:
            _write(database, tables, version, _sources_digest(sources))
        _normalise_header(unfinished)
        os.replace(unfinished, out)
    finally:
        unfinished.unlink(missing_ok=True)


def _version(file: Path) -> tuple[str, date]:
    try:
        version = str(tomllib.loads(_text(file))["version"])
        return version, date.fromisoformat(version)
    except (tomllib.TOMLDecodeError, KeyError, ValueError) as error:
        raise BadSource(f"{file.name}: version: no day ({error})") from None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSource(f"{file.name}: cannot be read: {error}") from None


def _check_rows(tables: Tables, today: date) -> None:
    """No fact is of a day to come, and no row stands twice."""
    for rows in tables.values():
        seen: dict[str, str] = {}
        for where, record in rows:
            if isinstance(record, Fact):
                days = (record.as_of, *(origin.as_of for origin in record.origins.values()))
                if any((day := oldest_day(as_of)) and day > today for as_of in days):
                    raise BadSource(f"{where}: as_of: a day to come")
            text = record.model_dump_json()
            if text in seen:
                raise BadSource(f"{where}: the same as {seen[text]}")
            seen[text] = where


def _origins(sources: Path) -> Origins:
    """What field_sources.csv says of single values, by table and id."""
    found: Origins = {}
    for line, row in _lines(sources / FIELD_SOURCES):
        if row["table"] not in TABLES or row["field"] not in TABLES[row["table"]].model_fields:
            raise BadSource(f"{FIELD_SOURCES}, line {line}: there is no field {row['table']}.{row['field']}")
        if not row["source"] or row["verification"] not in VERIFICATIONS or not _dated(row["as_of"]):
            raise BadSource(f"{FIELD_SOURCES}, line {line}: needs a source, a verification and a date")
        said = {name: row[name] for name in ("source", "as_of", "verification")}
        found.setdefault((row["table"], row["id"]), {})[row["field"]] = said
    return found


def _rows(sources: Path, table: str, origins: Origins) -> Iterator[tuple[str, Strict]]:
    name = "models.jsonl" if table == "models" else f"{table}.csv"
    made = {"models": _model_lines, "gpus": _gpu_lines}.get(table)
    lines = made(sources) if made else _csv_lines(sources / name, table)
    for line, row in lines:
        where = f"{name}, line {line}"
        try:
            if own := origins.pop((table, row.get("id", "")), None):
                row = row | {"origins": own}
            record = TABLES[table].model_validate(row)
            _check_fact(record)
        except ValidationError as error:
            first = error.errors()[0]
            raise BadSource(f"{where}: {'.'.join(str(part) for part in first['loc'])}: {first['msg']}") from None
        except ValueError as error:
            raise BadSource(f"{where}: {error}") from None
        yield where, record


def _csv_lines(file: Path, table: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows as records take them: empty cells left out, lists split at semicolons, yes and no for booleans."""
    kinds = {name: str(field.annotation) for name, field in TABLES[table].model_fields.items()}
    for line, row in _lines(file):
        yield line, {name: _cell(text, kinds.get(name, "")) for name, text in row.items() if text}


def _lines(file: Path) -> Iterator[tuple[int, dict[str, str]]]:
    reader = csv.DictReader(io.StringIO(_text(file), newline=""), strict=True)
    try:
        for row in reader:
            if None in row or None in row.values():
                raise BadSource(f"{file.name}, line {reader.line_num}: a cell too many or too few")
            yield reader.line_num, row
    except csv.Error as error:
        raise BadSource(f"{file.name}, line {reader.line_num}: {error}") from None


def _cell(text: str, kind: str) -> Any:
    if "tuple" in kind:
        return tuple(part.strip() for part in text.split(";"))
    return YES_NO.get(text, text) if kind == "<class 'bool'>" else text


def _gpu_lines(sources: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    aliases = _aliases(sources / "gpu_aliases.csv", "gpu")
    for line, row in _csv_lines(sources / "gpus.csv", "gpus"):
        yield line, row | {"aliases": (*row.get("aliases", ()), *aliases.get(row["id"], ()))}


def _aliases(file: Path, column: str) -> dict[str, list[str]]:
    """What else records are called, by the name or id in `column`."""
    found: dict[str, list[str]] = {}
    for _, row in _lines(file):
        found.setdefault(row[column], []).append(row["alias"])
    return found


def _model_lines(sources: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """A line of models.jsonl: what the record names, beside all of it as facts."""
    aliases = _aliases(sources / "model_aliases.csv", "model")
    lines = _text(sources / "models.jsonl").rstrip("\n").split("\n")
    for line, text in enumerate(lines, start=1):
        try:
            facts = json.loads(text)
        except ValueError as error:
            raise BadSource(f"models.jsonl, line {line}: {error}") from None
        name = facts["name"]
        known = {column: facts[column] for column in MODEL_COLUMNS if facts.get(column) is not None}
        # an exact parameter count proves dimensions that were only recalled, though not the context or a window
        from_memory = any(word in facts["source"] for word in FROM_MEMORY)
        exact = str(facts.get("verify", "")).startswith("EXACT")
        verification = (PART_READ if exact else RECALLED) if from_memory else "computed" if exact else "read"
        yield (
            line,
            known
            | {
                "id": _slug(name),
                "hf_id": facts.get("hf_id") or "",
                "verification": verification,
                "aliases": tuple(aliases.get(name, ())),
                "facts": facts,
            },
        )


def _slug(name: str) -> str:
    """Id of a name: lower case, digits, dots, and dashes for the rest.

    >>> _slug("Command-R+ 08-2024")
    'command-r-plus-08-2024'
    """
    return re.sub(r"[^a-z0-9.]+", "-", name.lower().replace("+", "-plus")).strip("-")


def _check_fact(record: Strict) -> None:
    if not isinstance(record, Fact):
        return
    if not record.source.strip():
        raise ValueError("no source")
    if record.verification not in VERIFICATIONS:
        raise ValueError(f"verification is one of {', '.join(VERIFICATIONS)}")
    if not _dated(record.as_of):
        raise ValueError(f"as_of is no date: {record.as_of}")
    if record.recalled and record.verification != PART_READ:
        raise ValueError(f"recalled names fields of a row that is {record.verification}")
    if unknown := [name for name in record.recalled if name not in type(record).model_fields]:
        raise ValueError(f"recalled names no field: {', '.join(unknown)}")


def _dated(as_of: str) -> bool:
    return not as_of or is_dated(as_of)


def _check_references(tables: Tables) -> None:
    """Every id stands once, and every id a row names is there."""
    ids = {table: _ids(rows) for table, rows in tables.items() if "id" in TABLES[table].model_fields}
    parts = ids["memory_modules"] | ids["drives"] | ids["nics"]
    priced = ids["gpus"] | ids["cpus"] | parts | ids["switches"] | ids["psus"] | ids["platforms"] | ids["server_models"]
    for table, column, known in (
        ("measured_rates", "gpu", ids["gpus"]),
        ("cloud_prices", "gpu", ids["gpus"]),
        ("platforms", "gpus", ids["gpus"]),
        ("platforms", "cpu", ids["cpus"]),
        ("server_models", "gpus", ids["gpus"]),
        ("psus", "servers", ids["server_models"] | ids["platforms"]),
        ("api_prices", "model", ids["models"] | {""}),
        ("hardware_prices", "part", priced),
    ):
        for where, record in tables[table]:
            named = getattr(record, column)
            for name in named if isinstance(named, tuple) else (named,):
                if name not in known:
                    raise BadSource(f"{where}: {column}: nothing has the id {name}")


def _check_aliases(sources: Path, tables: Tables) -> None:
    """Every GPU and model that an alias belongs to is there."""
    gpus, models = {record.id for _, record in tables["gpus"]}, {record.name for _, record in tables["models"]}
    for name, column, known in (("gpu_aliases.csv", "gpu", gpus), ("model_aliases.csv", "model", models)):
        if unknown := _aliases(sources / name, column).keys() - known:
            raise BadSource(f"{name}: no {column} is called {', '.join(sorted(unknown))}")


def _check_rules(sources: Path, tables: Tables, day: date) -> None:
    """Every row keeps the rules or is excused from one by name; every exception is needed."""
    records = {table: [record for _, record in rows] for table, rows in tables.items()}
    clocks = list(_tensor_clocks(sources / TENSOR_CLOCKS, {record.id for record in records["gpus"]}))
    lines = {CheckException(**row): line for line, row in _lines(sources / CHECK_EXCEPTIONS)}
    for exception, line in lines.items():
        if not exception.reason:
            raise BadSource(f"{CHECK_EXCEPTIONS}, line {line}: no reason")
    findings = [
        *hardware_findings(records, clocks),
        *price_findings(records, day),
        *count_findings(records["models"]),
    ]
    left, unneeded = unexcused(findings, list(lines))
    for finding in left:
        raise BadSource(f"{tables[finding.table][finding.place][0]}: {finding.rule}: {finding.said}")
    for exception in unneeded:
        raise BadSource(f"{CHECK_EXCEPTIONS}, line {lines[exception]}: {exception.row} breaks {exception.rule} no more")


def _tensor_clocks(file: Path, gpus: set[str]) -> Iterator[TensorClock]:
    for line, row in _lines(file):
        where = f"{file.name}, line {line}"
        if row["gpu"] not in gpus or not row["source"]:
            raise BadSource(f"{where}: needs the id of a GPU and a source")
        try:
            yield TensorClock(row["gpu"], int(row["sms"]), int(row["flop_per_clock"]), float(row["boost_mhz"]))
        except ValueError as error:
            raise BadSource(f"{where}: {error}") from None


def _ids(rows: Iterable[tuple[str, Any]]) -> set[str]:
    found: set[str] = set()
    for where, record in rows:
        if record.id in found:
            raise BadSource(f"{where}: id: {record.id} stands twice")
        found.add(record.id)
    return found


def _write(database: Database, tables: Tables, version: str, sources_sha256: str) -> None:
    for pragma in (
        "page_size = 4096",
        "encoding = 'UTF-8'",
        "auto_vacuum = NONE",
        "secure_delete = ON",
        f"application_id = {APPLICATION_ID}",
        f"user_version = {SCHEMA_VERSION}",
    ):
        database.execute(f"PRAGMA {pragma}")
    for table, rows in tables.items():
        columns = {name: _column(str(field.annotation)) for name, field in TABLES[table].model_fields.items()}
        database.table(table).create(columns).insert_all([_values(record) for _, record in rows])
    content = content_digest({table: read_rows(database.conn, table) for table in TABLES})
    meta = {"version": version, "sources_sha256": sources_sha256, "content_sha256": content}
    rows_of_meta = [{"name": name, "value": value} for name, value in meta.items()]
    database.table("meta").create({"name": str, "value": str}, pk="name").insert_all(rows_of_meta)
    database.vacuum()


def _column(kind: str) -> type:
    if any(text in kind for text in ("Decimal", "tuple", "dict", "date")):
        return str
    return float if "float" in kind else int if "int" in kind or "bool" in kind else str


def _values(record: Strict) -> dict[str, Any]:
    """A record as columns: lists and objects as JSON, money and dates as text."""
    return {
        name: json.dumps(value, ensure_ascii=False, separators=(",", ":")) if isinstance(value, list | dict) else value
        for name, value in record.model_dump(mode="json").items()
    }


def _sources_digest(sources: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(sources.iterdir()):
        if file.suffix in (".csv", ".jsonl", ".toml"):
            digest.update(file.name.encode() + b"\0" + file.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def _normalise_header(file: Path) -> None:
    """Sets what depends on the library: the change counter, the counter that vouches for the size, the writer."""
    with file.open("r+b") as stream:
        for offset, value in ((24, CHANGE_COUNTER), (92, CHANGE_COUNTER), (96, SQLITE_WRITER)):
            stream.seek(offset)
            stream.write(value.to_bytes(4, "big"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Builds the catalog from its sources.")
    parser.add_argument("--out", type=Path, default=ROOT / "catalog.db", help="file to write (default: catalog.db)")
    parser.add_argument("--sign", type=Path, metavar="KEYFILE", help="write catalog-YYYY-MM.rwcat beside it, signed")
    parser.add_argument("--new-key", type=Path, metavar="KEYFILE", help="make a private key to sign with, and stop")
    arguments = parser.parse_args()
    if arguments.new_key:
        return _make_key(arguments.new_key)
    try:
        build_catalog(SOURCES, arguments.out)
    except (BadSource, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{arguments.out} ({arguments.out.stat().st_size // 1024} KiB)")
    return _sign(arguments.out, arguments.sign) if arguments.sign else 0


def _make_key(key_file: Path) -> int:
    from sign_catalog import BadKey, new_key  # beside this file; a plain build does without it

    try:
        print(new_key(key_file))
    except BadKey as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _sign(database: Path, key_file: Path) -> int:
    from sign_catalog import BadKey, sign_catalog

    from desktop.catalog.signatures import release_keys

    try:
        update = sign_catalog(database, key_file, database.parent, release_keys())
    except BadKey as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{update} ({update.stat().st_size // 1024} KiB)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
