"""A price list as a table: its header found below whatever stands above it, its rows numbered as the user sees them."""

import stat
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.catalog.price_lists.cells import Cell, text_of
from desktop.catalog.price_lists.columns import NAMING, guess_mapping
from desktop.catalog.price_lists.read_csv import csv_rows
from desktop.catalog.price_lists.read_xlsx import ZIP_MAGIC, xlsx_sheets
from desktop.request import Problem

MOST_ROWS = 200_000
MOST_BYTES = 64 * 2**20
HEADER_WITHIN = 40  # rows; above it stand the vendor's name, a date, an address
WORKBOOKS = (".xlsx", ".xlsm")


@dataclass(frozen=True)
class Reject:
    """A row that is not taken: its line, the reason as a code of `problem.price_row`, and what its sentence needs."""

    line: int
    reason: str
    values: dict[str, Any] = field(default_factory=dict)

    def problem(self, name: str) -> Problem:
        """What is wrong with the row, of the list `name`."""
        return Problem("price_row", name, reason=self.reason, line=self.line, **self.values)


@dataclass(frozen=True)
class Table:
    """Column names, then rows by line number; `rejected` are those that could not be read as rows at all."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[Cell, ...]], ...]
    rejected: tuple[Reject, ...] = ()
    sheet: str = ""
    other_sheets: tuple[str, ...] = ()


def read_table(path: Path, sheet: str = "", named: Collection[str] = ()) -> Table:
    """The table of a CSV or XLSX file: of that sheet, else of the first visible one that has a price column.

    `named` are columns the user has named: the header is the row that holds them. Raises Problem with the file's name:
    file_missing, is_a_folder, cannot_read, file_too_large, or price_list with the reason: empty, unknown_type,
    too_many_rows, or one of `csv_rows` and `xlsx_sheets`.
    """
    data = _content(path)
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise Problem("price_list", path.name, reason="empty")
    if data.startswith(ZIP_MAGIC) or path.suffix.lower() in (*WORKBOOKS, ".xls"):
        return _workbook_table(data, path.name, sheet, named)
    if path.suffix.lower() not in (".csv", ".tsv", ".txt"):
        raise Problem("price_list", path.name, reason="unknown_type")
    rows: list[tuple[int, list[Cell]]] = []
    for line, cells in csv_rows(data, path.name):
        if any(cell.strip() for cell in cells):
            rows.append((line, list(cells)))
        if len(rows) > MOST_ROWS + HEADER_WITHIN:
            raise Problem("price_list", path.name, reason="too_many_rows", limit=MOST_ROWS)
    if not rows:
        raise Problem("price_list", path.name, reason="empty")
    return _table(path.name, rows, named, by_place=False)


def _content(path: Path) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise Problem("is_a_folder", path.name)
        if not stat.S_ISREG(status.st_mode):
            raise Problem("cannot_read", path.name, reason="not_a_file")
        if status.st_size > MOST_BYTES:
            raise Problem("file_too_large", path.name, limit_mib=MOST_BYTES // 2**20)
        return path.read_bytes()
    except FileNotFoundError:
        raise Problem("file_missing", path.name) from None
    except PermissionError:
        raise Problem("cannot_read", path.name, reason="permission") from None
    except OSError:
        raise Problem("cannot_read", path.name) from None


def _workbook_table(data: bytes, name: str, sheet: str, named: Collection[str]) -> Table:
    found: Table | None = None
    for read in xlsx_sheets(data, name, sheet, MOST_ROWS + HEADER_WITHIN):
        if not read.rows:
            continue
        table = _table(name, read.rows, named, by_place=True, sheet=read.title, other_sheets=read.others)
        if "price" in guess_mapping(table.header).columns or set(named) & set(table.header):
            return table
        found = found or table
    if found is None:
        raise Problem("price_list", name, reason="empty")
    return found


def _table(
    name: str,
    rows: Sequence[tuple[int, list[Cell]]],
    named: Collection[str],
    by_place: bool,
    sheet: str = "",
    other_sheets: tuple[str, ...] = (),
) -> Table:
    place = _header_place(rows, named)
    header = _header(rows[place][1])
    width = len(header)
    kept: list[tuple[int, tuple[Cell, ...]]] = []
    rejected: list[Reject] = []
    for line, cells in rows[place + 1 :]:
        # in text, a cell too many is a delimiter within a figure: 1,5 between commas would be taken for 1
        if not by_place and any(text_of(cell) for cell in cells[width:]):
            rejected.append(Reject(line, "too_many_cells", {"cells": len(cells), "columns": width}))
        else:
            kept.append((line, (*cells[:width], *[""] * (width - len(cells)))))
    if len(kept) + len(rejected) > MOST_ROWS:
        raise Problem("price_list", name, reason="too_many_rows", limit=MOST_ROWS)
    return Table(name, header, tuple(kept), tuple(rejected), sheet, other_sheets)


def _header_place(rows: Sequence[tuple[int, list[Cell]]], named: Collection[str]) -> int:
    """The row with the words of a header: what the user named, else a price and a name; the first row without any."""
    for place, (_, cells) in enumerate(rows[:HEADER_WITHIN]):
        if named and set(named) <= {text_of(cell) for cell in cells}:
            return place
    best, place_of_best = 0, 0
    for place, (_, cells) in enumerate(rows[:HEADER_WITHIN]):
        columns = guess_mapping(_header(cells)).columns
        worth = len(columns) if "price" in columns and any(field in columns for field in NAMING) else 0
        if worth > best:
            best, place_of_best = worth, place
    return place_of_best


def _header(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Column names, told apart by a number where two are alike, without the nameless ones at the end."""
    names = [" ".join(text_of(cell).split()) for cell in cells]
    while names and not names[-1]:
        names.pop()
    seen: dict[str, int] = {}
    told: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        told.append(f"{name} ({seen[name]})" if name and seen[name] > 1 else name)
    return tuple(told)
