"""`catalog stats`: how much the catalog knows, how old it is, and how much of it was verified."""

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

from desktop.catalog import Catalog, load_catalog
from desktop.catalog.facts import Fact, oldest_day
from desktop.catalog.reader import TABLES
from desktop.cli.json_lines import write_json
from desktop.request import Problem
from desktop.words import Language, problem_sentence

PRICES = ("hardware_prices", "cloud_prices", "api_prices")


def print_figures(language: Language) -> int:
    try:
        figures = catalog_figures(load_catalog())
    except Problem as problem:
        print(problem_sentence(problem, language), file=sys.stderr)
        return 1
    write_json(figures, indent=2)
    return 0


def catalog_figures(catalog: Catalog) -> dict[str, Any]:
    """Version and digest of the catalog; for each table its rows, how many of them and which share were verified how,
    and from when they are; the same for single values; the oldest and the newest price, and how many bear no date."""
    tables = {table: getattr(catalog, table) for table, record in TABLES.items() if issubclass(record, Fact)}
    facts = (fact for rows in tables.values() for fact in rows)
    values = Counter(fact.origin(field).verification for fact in facts for field in fact.values())
    prices = [fact for table in PRICES for fact in tables[table]]
    return {
        "version": catalog.stamp.version,
        "built": catalog.stamp.built.isoformat(),
        "sha256": catalog.stamp.sha256,
        "values": {"number": values.total(), "share": _shares(values)},
        "prices": {**_days(prices), "undated": sum(oldest_day(price.as_of) is None for price in prices)},
        "tables": {table: _figures(rows) for table, rows in tables.items()},
    }


def _figures(facts: tuple[Fact, ...]) -> dict[str, Any]:
    verified = Counter(fact.verification for fact in facts)
    counted = {"rows": len(facts), "verification": dict(sorted(verified.items())), "share": _shares(verified)}
    return {**counted, **_days(facts)}


def _days(facts: Iterable[Fact]) -> dict[str, str | None]:
    days = [day for fact in facts if (day := oldest_day(fact.as_of))]
    return {"oldest": min(days).isoformat() if days else None, "newest": max(days).isoformat() if days else None}


def _shares(counts: Counter[str]) -> dict[str, float]:
    """Shares of a whole, to a thousandth."""
    return {name: round(count / counts.total(), 3) for name, count in sorted(counts.items())}
