"""Small workbooks for the tests, written as spreadsheets and vendors write them, or as an attacker would."""

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook

Rows = Sequence[Sequence[Any]]


def workbook(path: Path, rows: Rows, merged: Sequence[str] = (), others: Mapping[str, tuple[str, Rows]] = {}) -> Path:
    """A workbook whose first sheet holds `rows`; `others` are further sheets: title, state and rows."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Prices"
    for row in rows:
        sheet.append(list(row))
    for place in merged:
        sheet.merge_cells(place)
    for title, (state, content) in others.items():
        other = book.create_sheet(title)
        other.sheet_state = state
        for row in content:
            other.append(list(row))
    book.save(path)
    return path


def changed(path: Path, member: str, pattern: str, new: str) -> Path:
    """The workbook with a text of one of its parts replaced."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text = parts[member].decode()
    assert re.search(pattern, text)
    parts[member] = re.sub(pattern, new, text).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    path.write_bytes(stream.getvalue())
    return path


def packed(path: Path, sizes: Mapping[str, int]) -> Path:
    """A workbook in name: members of so many equal bytes, which pack to almost nothing."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        for name, size in sizes.items():
            archive.writestr(name, b"0" * size)
    return path
