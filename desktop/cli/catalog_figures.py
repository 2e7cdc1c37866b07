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


def print_figures(language: Language) -> int:
    try:
        figures = catalog_figures(load_catalog())
    except Problem as problem:
        print(problem_sentence(problem, language), file=sys.stderr)
        return 1
    write_json(figures, indent=2)
    return 0


def catalog_figures(catalog: Catalog) -> dict[str, Any]:
    """Version and digest of the catalog; for each table its rows, how they were verified, and from when they are."""
    return {
        "version": catalog.stamp.version,
        "built": catalog.stamp.built.isoformat(),
        "sha256": catalog.stamp.sha256,
        "tables": {
            table: _figures(getattr(catalog, table)) for table, record in TABLES.items() if issubclass(record, Fact)
        },
    }


def _figures(rows: Iterable[Fact]) -> dict[str, Any]:
    facts = tuple(rows)
    days = [day for fact in facts if (day := oldest_day(fact.as_of))]
    return {
        "rows": len(facts),
        "verification": dict(sorted(Counter(fact.verification or "none" for fact in facts).items())),
        "oldest": min(days).isoformat() if days else None,
        "newest": max(days).isoformat() if days else None,
    }
