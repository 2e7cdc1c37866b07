"""`catalog import`, `export`, `confirm` and `conflicts`: the user's own data beside the shipped catalog."""

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from desktop.catalog import load_catalog
from desktop.catalog.overlay import confirm_fact, conflicts
from desktop.catalog.price_lists import (
    Preview,
    Reject,
    Table,
    apply,
    export_user_data,
    mapping_of,
    preview,
    read_table,
)
from desktop.catalog.user_data import UserData, record_id, user_file
from desktop.cli.json_lines import write_json
from desktop.request import Problem
from desktop.words import Language, problem_sentence


def import_price_list(chosen: argparse.Namespace, language: Language) -> int:
    """Prints what a price list would change, and changes it with `--apply`. Exit status 1: a Problem."""

    def answer() -> dict[str, Any]:
        user = UserData(user_file())
        said = _pairs(chosen.map, "map")
        known = user.mapping(chosen.supplier.strip())
        table = read_table(chosen.file, chosen.sheet, tuple(said.values()))
        mapping = mapping_of(table, known, said)
        found = preview(
            table,
            mapping,
            load_catalog(),
            user,
            chosen.supplier,
            date.today(),
            currency=chosen.currency.upper(),
            vat_included=None if chosen.vat is None else chosen.vat == "included",
            kind=chosen.kind,
            region=chosen.region,
            mark=chosen.decimal,
            links=_pairs(chosen.link, "link"),
        )
        shown = _shown(table, found, language)
        if chosen.apply:
            apply(found, user)
        return {**shown, "applied": bool(chosen.apply)}

    return _answered(answer, language)


def export_own_data(file: Path, language: Language) -> int:
    """Writes own prices and parts to `file`. Exit status 1: a Problem."""
    return _answered(lambda: {"file": str(file), "rows": export_user_data(UserData(user_file()), file)}, language)


def confirm_value(table: str, id: str, field: str, by: str, language: Language) -> int:
    """Keeps a confirmation of a recalled value and prints it. Exit status 1: a Problem."""

    def answer() -> dict[str, Any]:
        user = UserData(user_file())
        return confirm_fact(load_catalog(), user, table, id, field, by, date.today()).model_dump(mode="json")

    return _answered(answer, language)


def list_conflicts(language: Language) -> int:
    """Prints every conflict. Exit status 1: a Problem."""

    def answer() -> dict[str, Any]:
        found = conflicts(load_catalog(), UserData(user_file()))
        return {"conflicts": [conflict.model_dump(mode="json") for conflict in found]}

    return _answered(answer, language)


def _answered(answer: Callable[[], dict[str, Any]], language: Language) -> int:
    try:
        content = answer()
    except Problem as problem:
        print(problem_sentence(problem, language), file=sys.stderr)
        return 1
    write_json(content, indent=2)
    return 0


def _pairs(said: Sequence[str], option: str) -> dict[str, str]:
    """`NAME=VALUE` as the option gives it; the last `=` parts them where a link names a part."""
    pairs: dict[str, str] = {}
    for text in said:
        name, equals, value = text.rpartition("=") if option == "link" else text.partition("=")
        if not (equals and name and value):
            raise Problem("wrong_value", option, value=text[:60], allowed=("NAME=VALUE",))
        pairs[name] = value
    return pairs


def _shown(table: Table, found: Preview, language: Language) -> dict[str, Any]:
    return {
        "file": table.name,
        "sheet": table.sheet,
        "other_sheets": list(table.other_sheets),
        "supplier": found.supplier,
        "columns": found.mapping.columns,
        "assumed": list(found.assumed),
        "counts": {
            "new": len(found.new),
            "changed": len(found.changed),
            "unchanged": len(found.unchanged),
            "parts": len(found.parts),
            "rejected": len(found.rejected),
        },
        "new": [price.model_dump(mode="json", exclude_defaults=True) for price in found.new],
        "changed": [
            {
                "before": change.before.model_dump(mode="json", exclude_defaults=True),
                "after": change.after.model_dump(mode="json", exclude_defaults=True),
            }
            for change in found.changed
        ],
        "parts": [{"table": change.table, "id": record_id(change.after)} for change in found.parts],
        "rejected": [_reject(reject, table.name, language) for reject in found.rejected],
    }


def _reject(reject: Reject, name: str, language: Language) -> dict[str, Any]:
    return {
        "line": reject.line,
        "reason": reject.reason,
        "closest": list(reject.values.get("closest", ())),
        "message": problem_sentence(reject.problem(name), language),
    }
