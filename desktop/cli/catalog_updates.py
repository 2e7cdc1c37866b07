"""`catalog install` and `catalog rollback`: an update is shown, agreed to and installed; or taken back."""

import sys
from collections import Counter
from pathlib import Path

from desktop.catalog.reader import CatalogState, catalog_state
from desktop.catalog.signatures import release_keys
from desktop.catalog.updates import Difference, Update, inspect_update, install, rollback
from desktop.request import Problem
from desktop.words import Language, phrase, problem_sentence

SIGNS = {"new": "+", "changed": "~", "gone": "-"}
YES = ("y", "yes", "д", "да")


def install_update(file: Path, agreed: bool, language: Language) -> int:
    """Prints what the update changes and installs it, after a question unless `agreed`. Status 1: not installed."""
    try:
        present = catalog_state().catalog
        update = inspect_update(file, present, release_keys())
        for line in _shown(update, present.stamp.version, language):
            print(line)
        if not (agreed or _agrees(language)):
            print(phrase("cli", "update.left", language))
            return 1
        return _tell(install(update), language)
    except Problem as problem:
        print(problem_sentence(problem, language), file=sys.stderr)
        return 1


def roll_back(language: Language) -> int:
    """Returns to the catalog before the last update and says which that is. Exit status 1: nothing was changed."""
    try:
        return _tell(rollback(), language)
    except Problem as problem:
        print(problem_sentence(problem, language), file=sys.stderr)
        return 1


def _shown(update: Update, present: str, language: Language) -> list[str]:
    """The days, then each table with its counts and one line a record."""
    days = {"offered": update.manifest.version.isoformat(), "present": present}
    lines = [phrase("cli", "update.days", language, file=update.file, **days)]
    if not update.differences:
        return [*lines, phrase("cli", "update.same", language)]
    by_table: dict[str, list[Difference]] = {}
    for difference in update.differences:
        by_table.setdefault(difference.table, []).append(difference)
    for table, found in by_table.items():
        kinds = Counter(difference.kind for difference in found)
        counts = {"new": kinds["new"], "changed": kinds["changed"], "gone": kinds["gone"]}
        lines.append(phrase("cli", "update.table", language, table=table, **counts))
        lines += [_line(difference) for difference in found]
    return lines


def _line(difference: Difference) -> str:
    fields = f": {', '.join(difference.fields)}" if difference.fields else ""
    return f"  {SIGNS[difference.kind]} {difference.id}{fields}"


def _agrees(language: Language) -> bool:
    print(phrase("cli", "update.question", language), end=" ", flush=True)
    return sys.stdin.readline().strip().casefold() in YES


def _tell(state: CatalogState, language: Language) -> int:
    if state.refused is not None:
        print(problem_sentence(state.refused, language), file=sys.stderr)
        return 1
    print(phrase("cli", "update.in_force", language, version=state.catalog.stamp.version))
    return 0
