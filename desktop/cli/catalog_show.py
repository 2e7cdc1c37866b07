"""`catalog show NAME`: what the catalog knows of one thing, one fact a line, each with where it comes from."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from babel.numbers import format_decimal

from desktop.catalog import Catalog
from desktop.catalog.browsing import facts_of
from desktop.catalog.facts import Fact, unit_of
from desktop.catalog.names import LONGEST_NAME, Names, with_maker
from desktop.catalog.overlay import catalog_on_hand
from desktop.cli.json_lines import write_json
from desktop.request import Problem
from desktop.words import Language, Numerals, known_phrase, phrase, problem_sentence

SHOWN = ("gpus", "models", "platforms", "server_models", "cpus", "memory_modules", "drives", "nics", "switches", "psus")
NAMES = ("id", "name", "short", "aliases")  # said once, above the facts
COLUMNS = ("field", "value", "unit", "verification", "as_of", "source")
VERSIONS = ("cuda_compute_capability",)  # written with a point in every language
GROUPED_FROM = 10_000  # below it a number may be a year
WIDEST = 40  # a longer value shifts its own line, not the whole table
GAP = "  "
NOTHING = "-"

Found = tuple[str, Any]  # the table, and the record in it


def show(name: str, language: Language, as_json: bool) -> int:
    try:
        found = found_records(catalog_on_hand(), name)
    except Problem as problem:
        print(problem_sentence(problem, language), file=sys.stderr)
        return 1
    if as_json:
        write_json({"records": [{"table": table, **record_content(record)} for table, record in found]}, indent=2)
    else:
        print("\n\n".join("\n".join(_lines(table, record, language)) for table, record in found))
    return 0


def found_records(catalog: Catalog, name: str) -> tuple[Found, ...]:
    """The record of that name with its table, whatever it is; GPUs and models by their aliases too.

    Several only where they are one thing: a server that is listed and can be quoted stands in two tables.
    Raises Problem: unknown_record with the three closest names of all kinds; ambiguous_record with all it may mean.
    """
    names: Names[Found] = Names(_entries(catalog))
    found = names.find(name)
    shown, meant = name[:LONGEST_NAME], tuple(dict.fromkeys(_title(record) for _, record in found))
    if not found:
        raise Problem("unknown_record", name=shown, closest=names.closest(name))
    if len(meant) > 1 and len({record.id for _, record in found}) > 1:
        raise Problem("ambiguous_record", name=shown, closest=meant)
    return found


def record_content(record: Fact) -> dict[str, Any]:
    """Its names and notes, and every known fact with unit, source, date and verification, as JSON holds it."""
    plain = record.model_dump(mode="json")
    known = {field: plain.get(field, value) for field, value in facts_of(record).items()}
    return {
        "id": plain["id"],
        "name": _title(record),
        "aliases": plain.get("aliases", []),
        "notes": record.notes,
        "facts": [
            {"field": field, "value": value, "unit": unit_of(field), **record.origin(field).model_dump()}
            for field, value in known.items()
            if field not in NAMES
        ],
    }


def _entries(catalog: Catalog) -> Iterator[tuple[Found, str, Sequence[str], Sequence[str]]]:
    for table in SHOWN:
        for record in getattr(catalog, table):
            title, maker = _title(record), getattr(record, "vendor", "")
            own = (record.id, title, getattr(record, "short", ""), getattr(record, "hf_id", ""))
            others = (*getattr(record, "aliases", ()), title.removeprefix(maker), getattr(record, "part_number", ""))
            yield (table, record), title, with_maker(maker, own), with_maker(maker, others)


def _title(record: Any) -> str:
    return str(record.name) if hasattr(record, "name") else f"{record.vendor} {record.model}"


def _lines(table: str, record: Fact, language: Language) -> Iterator[str]:
    content = record_content(record)
    yield content["name"]
    yield f"{known_phrase('window', f'shelf.{table}', language, table)}: {content['id']}"
    if content["aliases"]:
        yield phrase("cli", "show.called", language, names=", ".join(content["aliases"]))
    if record.notes:
        yield phrase("cli", "show.notes", language, notes=record.notes)
    sources: dict[str, int] = {}
    rows = [tuple(phrase("cli", f"show.{column}", language) for column in COLUMNS)]
    for fact in content["facts"]:
        number = sources.setdefault(fact["source"], len(sources) + 1) if fact["source"] else 0
        rows.append(_row(fact, f"[{number}]" if number else NOTHING, Numerals(language)))
    widths = [max(len(text) for text in column if len(text) <= WIDEST) for column in zip(*rows, strict=True)]
    yield ""
    for row in rows:
        yield GAP.join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    yield from (f"[{number}] {source}" for source, number in sources.items())


def _row(fact: dict[str, Any], source: str, numerals: Numerals) -> tuple[str, ...]:
    field, unit, verification = fact["field"], fact["unit"], fact["verification"]
    return (
        known_phrase("window", f"catalog_field.{field}", numerals.language, field.replace("_", " ")),
        str(fact["value"]) if field in VERSIONS else _written(fact["value"], numerals),
        known_phrase("window", f"catalog_unit.{unit}", numerals.language, unit),
        known_phrase("window", f"verified.{verification}", numerals.language, verification),
        fact["as_of"] or NOTHING,
        source,
    )


def _written(value: Any, numerals: Numerals) -> str:
    if isinstance(value, bool):
        return phrase("cli", "show.yes" if value else "show.no", numerals.language)
    if isinstance(value, list):
        return ", ".join(_written(item, numerals) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_written(item, numerals)}" for name, item in value.items())
    if not isinstance(value, int | float):
        return str(value)
    pattern = "0.########" if abs(value) < GROUPED_FROM else "#,##0.########"
    return str(format_decimal(value, format=pattern, locale=numerals.locale))
