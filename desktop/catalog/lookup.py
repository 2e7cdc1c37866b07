"""One GPU straight from the file, in milliseconds: the standard library only, one row, nothing kept open."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

from desktop.catalog.names import LONGEST_NAME, Names, with_maker
from desktop.resources import catalog_file

JSON_COLUMNS = ("aliases", "recalled", "origins")

Gpu = tuple[str, str]  # its id and its name
Entry = tuple[Gpu, str, tuple[str, ...], tuple[str, ...]]


def gpu_facts(name: str, file: Path | None = None) -> dict[str, Any]:
    """Every field of the GPU of that id, name, short name or alias, as JSON would hold it.

    Reads the shipped catalog, or `file`, and trusts it: load_catalog checks every byte of it, this does not.
    Raises Problem: unknown_gpu with the three closest names; ambiguous_gpu with every GPU the name may mean;
    catalog_unreadable where the file is missing or no sound catalog.
    """
    path = file or catalog_file()
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            names: Names[Gpu] = Names(_entries(database))
            found = names.find(name)
            if len(found) == 1:
                return _facts(database, found[0])
    except (sqlite3.Error, ValueError):
        _refuse_file(path)
    _refuse_name(name, found, names)


def _entries(database: sqlite3.Connection) -> Iterator[Entry]:
    for gpu, name, short, aliases, maker in database.execute("SELECT id, name, short, aliases, vendor FROM gpus"):
        yield (gpu, name), name, with_maker(maker, (gpu, name, short)), with_maker(maker, json.loads(aliases))


def _facts(database: sqlite3.Connection, gpu: Gpu) -> dict[str, Any]:
    rows = database.execute("SELECT * FROM gpus WHERE id = ?", gpu[:1])
    values = zip((column[0] for column in rows.description), rows.fetchone(), strict=True)
    return {field: json.loads(value) if field in JSON_COLUMNS else value for field, value in values}


def _refuse_name(name: str, found: tuple[Gpu, ...], names: Names[Gpu]) -> NoReturn:
    from desktop.request import Problem  # its room loads pydantic, which only a refusal can wait for

    shown = name[:LONGEST_NAME]
    if found:
        raise Problem("ambiguous_gpu", "gpu", name=shown, closest=tuple(gpu[1] for gpu in found))
    raise Problem("unknown_gpu", "gpu", name=shown, closest=names.closest(name))


def _refuse_file(path: Path) -> NoReturn:
    from desktop.request import Problem  # as above

    raise Problem("catalog_unreadable", path.name, reason="damaged" if path.exists() else "missing") from None
