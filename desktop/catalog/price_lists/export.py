"""The user's own prices and parts as CSV or XLSX, in a form that imports again unchanged."""

import csv
import errno
import io
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import xlsxwriter  # type: ignore[import-untyped]

from desktop.catalog.price_lists.cells import guarded
from desktop.catalog.prices import HardwarePrice
from desktop.catalog.user_data import UserData, record_id
from desktop.request import Problem

COLUMNS = (
    "table",
    "part",
    "price",
    "price_high",
    "currency",
    "vat",
    "vat_rate",
    "date",
    "supplier",
    "category",
    "kind",
    "region",
    "source",
    "notes",
    "record",
)
MOST_CHARACTERS = 32_767  # of a cell: Excel specifications and limits, support.microsoft.com
EXACT_DIGITS = 15  # what a spreadsheet keeps of a number
FAILURES = {errno.EACCES: "permission", errno.EPERM: "permission", errno.EROFS: "permission"} | {
    errno.ENOSPC: "no_space",
    errno.EFBIG: "no_space",
    errno.ENOENT: "not_a_folder",
    errno.ENOTDIR: "not_a_folder",
    errno.EISDIR: "is_a_folder",
}
Value = str | Decimal


def export_user_data(user: UserData, path: Path) -> int:
    """Writes own prices and parts to `path`, whole or not at all; returns the number of rows.

    Text that a spreadsheet would run as a formula begins with an apostrophe (CWE-1236), which the import takes off.
    Raises Problem: price_list with the reason unknown_type (neither .csv nor .xlsx) or cell_too_long; cannot_write.
    """
    write = {".csv": _csv, ".xlsx": _xlsx}.get(path.suffix.lower())
    if write is None:
        raise Problem("price_list", path.name, reason="unknown_type")
    rows = [*_part_rows(user), *(_price_row(price) for price in user.prices())]
    content = write(rows, path.name)
    beside = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        try:
            beside.write_bytes(content)
            os.replace(beside, path)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
    except OSError as error:
        raise Problem("cannot_write", path.name, reason=FAILURES.get(error.errno or 0, "other")) from error
    return len(rows)


def _part_rows(user: UserData) -> Iterator[dict[str, Value]]:
    for table, parts in user.parts().items():
        for part in parts:
            record = part.model_dump_json(exclude_defaults=True)
            yield {"table": table, "part": record_id(part), "source": part.source, "record": record}


def _price_row(price: HardwarePrice) -> dict[str, Value]:
    return {
        "part": price.part,
        "price": price.low,
        "price_high": price.high,
        "currency": price.currency,
        "vat": "included" if price.vat_included else "excluded",
        "vat_rate": "" if price.vat_rate is None else f"{format(price.vat_rate * 100, 'f')}%",
        "date": price.as_of,
        "supplier": price.supplier,
        "category": price.category,
        "kind": price.kind,
        "region": price.region,
        "source": price.source,
        "notes": price.notes,
    }


def _csv(rows: list[dict[str, Value]], name: str) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_written(row.get(column, "")) for column in COLUMNS])
    return stream.getvalue().encode("utf-8-sig")  # with a mark, or a spreadsheet takes it for the system's code page


def _xlsx(rows: list[dict[str, Value]], name: str) -> bytes:
    stream = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(stream, options) as book:
        sheet = book.add_worksheet("prices")
        sheet.write_row(0, 0, COLUMNS)
        for number, row in enumerate(rows, start=1):
            for place, column in enumerate(COLUMNS):
                _write_cell(sheet, number, place, row.get(column, ""), name)
    return stream.getvalue()


def _write_cell(sheet: xlsxwriter.worksheet.Worksheet, row: int, place: int, value: Value, name: str) -> None:
    if isinstance(value, Decimal) and len(value.as_tuple().digits) <= EXACT_DIGITS:
        sheet.write_number(row, place, float(value))
    elif value != "":
        text = _written(value)
        if len(text) > MOST_CHARACTERS:
            raise Problem("price_list", name, reason="cell_too_long", line=row + 1)
        sheet.write_string(row, place, text)


def _written(value: Value) -> str:
    if isinstance(value, str):
        return guarded(value)
    text = format(value, "f")
    # three digits behind the point could be taken for thousands
    return f"{text}0" if len(text.partition(".")[2]) == 3 else text
