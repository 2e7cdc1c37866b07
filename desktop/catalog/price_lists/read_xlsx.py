"""Sheets of a price list in XLSX: opened only when its zip directory promises a sane size, and never calculated."""

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from xml.parsers import expat

from openpyxl import load_workbook  # type: ignore[import-untyped]
from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries  # type: ignore[import-untyped]

from desktop.catalog.price_lists.cells import Cell, Shared, Unread
from desktop.request import Problem

MOST_BYTES = 64 * 2**20  # unpacked
MOST_RATIO = 200  # of a member; a sheet of a hundred thousand like rows packs to a twentieth
SMALL_BYTES = 2**20  # a member this small may pack as well as it likes
MOST_MEMBERS = 2000
MOST_COLUMNS = 128
LAST_ROW = 1_048_576  # of any sheet
MOST_SHARED = 1_000_000
OLE_MAGIC = b"\xd0\xcf\x11\xe0"  # an XLS of before 2007, or an XLSX under a password
ZIP_MAGIC = b"PK"


@dataclass(frozen=True)
class Sheet:
    """A visible sheet and the titles of the others. `rows` are numbered as the spreadsheet numbers them; blank ones are
    left out."""

    title: str
    others: tuple[str, ...]
    rows: list[tuple[int, list[Cell]]]


def xlsx_sheets(data: bytes, name: str, only: str = "", most_rows: int = LAST_ROW) -> Iterator[Sheet]:
    """The visible sheets, or the one called `only`; each is read when it is asked for.

    Raises Problem("price_list") with the reason: old_workbook, too_large_unpacked, zip_bomb, damaged, no_sheet,
    too_many_rows.
    """
    _check_directory(data, name)
    try:
        with warnings.catch_warnings(), zipfile.ZipFile(io.BytesIO(data)) as archive:
            warnings.simplefilter("ignore")  # openpyxl tells of styles and extensions it does not know
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            visible = {str(sheet.title): sheet for sheet in book.worksheets if sheet.sheet_state == "visible"}
            if only and only not in visible:
                raise Problem("price_list", name, reason="no_sheet", sheet=only[:60], sheets=tuple(visible))
            for title in (only,) if only else visible:
                marks = _Marks(archive.read(visible[title]._worksheet_path))
                others = tuple(other for other in visible if other != title)
                yield Sheet(title, others, _rows(visible[title], marks, name, most_rows))
    except Problem:
        raise
    except Exception as error:  # a parser of hostile input: what it stumbles on is all one to the user
        raise Problem("price_list", name, reason="damaged") from error


def _check_directory(data: bytes, name: str) -> None:
    """Before anything is unpacked: zipfile never unpacks more of a member than its directory entry says."""
    if data.startswith(OLE_MAGIC):
        raise Problem("price_list", name, reason="old_workbook")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise Problem("price_list", name, reason="damaged") from None
    for member in members:
        if member.file_size > SMALL_BYTES and member.file_size > MOST_RATIO * max(member.compress_size, 1):
            raise Problem("price_list", name, reason="zip_bomb")
    if len(members) > MOST_MEMBERS:
        raise Problem("price_list", name, reason="zip_bomb")
    if sum(member.file_size for member in members) > MOST_BYTES:
        raise Problem("price_list", name, reason="too_large_unpacked", limit_mib=MOST_BYTES // 2**20)
    if "xl/workbook.xml" not in {member.filename for member in members}:
        raise Problem("price_list", name, reason="damaged")


def _rows(sheet: Any, marks: "_Marks", name: str, most_rows: int) -> list[tuple[int, list[Cell]]]:
    rows: list[tuple[int, list[Cell]]] = []
    cells = sheet.iter_rows(max_row=LAST_ROW, max_col=MOST_COLUMNS, values_only=True)  # the sheet's own word may lie
    for number, values in enumerate(cells, start=1):
        if any(value is not None for value in values) or number in marks.formula_rows:
            row = [_cell(value) for value in values]
            for column in marks.formula_rows.get(number, ()):
                row[column - 1] = Unread.FORMULA
            rows.append((number, row))
            if len(rows) > most_rows:
                raise Problem("price_list", name, reason="too_many_rows", limit=most_rows)
    _share_merged(rows, marks.merged)
    return rows


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    # a spreadsheet computes in binary and shows 15 digits: 0.1 + 0.2 is 0.3 there
    return Decimal(format(value, ".15g"))


def _share_merged(rows: list[tuple[int, list[Cell]]], merged: list[tuple[int, int, int, int]]) -> None:
    """Gives the value of a merged cell to every row it covers, marked as shared: it may be meant for all together."""
    by_number = dict(rows)
    left = MOST_SHARED
    for column, first, _, last in merged:
        origin = by_number.get(first)
        if last == first or column > MOST_COLUMNS or origin is None:
            continue
        value = origin[column - 1]
        if value == "" or isinstance(value, Shared):
            continue
        for number in range(first, min(last, rows[-1][0]) + 1):
            left -= 1
            if left < 0:
                raise ValueError("merged cells cover the sheet over and over")
            if number in by_number:
                by_number[number][column - 1] = Shared(value)


class _Marks:
    """What openpyxl does not tell of a sheet: its merged cells, and formulas that nobody has calculated."""

    def __init__(self, xml: bytes) -> None:
        self.formula_rows: dict[int, list[int]] = {}
        self.merged: list[tuple[int, int, int, int]] = []
        if not re.search(rb"<(?:\w+:)?(?:f|mergeCell)[\s/>]", xml) and not xml.startswith((b"\xff\xfe", b"\xfe\xff")):
            return
        self._row = self._column = 0
        self._formula = self._value = self._in_value = False
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._text
        parser.Parse(xml, True)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if name == "row":
            self._row = int(attributes.get("r", self._row + 1))
            self._column = 0
        elif name == "c":
            placed = attributes.get("r")
            self._column = coordinate_to_tuple(placed)[1] if placed else self._column + 1
            self._formula = self._value = False
        elif name == "f":
            self._formula = True
        elif name in ("v", "t"):
            self._in_value = True
        elif name == "mergeCell":
            self.merged.append(range_boundaries(attributes["ref"]))

    def _text(self, text: str) -> None:
        self._value = self._value or (self._in_value and bool(text.strip()))

    def _end(self, tag: str) -> None:
        name = tag.rpartition(" ")[2]
        if name in ("v", "t"):
            self._in_value = False
        elif name == "c" and self._formula and not self._value and 1 <= self._column <= MOST_COLUMNS:
            self.formula_rows.setdefault(self._row, []).append(self._column)
