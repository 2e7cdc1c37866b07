"""Rows of a price list in CSV, whatever spreadsheet wrote it: encoding and delimiter are found out."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from desktop.catalog.price_lists.columns import guess_mapping
from desktop.request import Problem

DELIMITERS = ";\t,"
SAMPLE_LINES = 50
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
MARKS = (  # the longer one first: UTF-32 is not read
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def csv_rows(data: bytes, name: str) -> Iterator[tuple[int, list[str]]]:
    """Number of the line a row begins on, and its cells.

    Raises Problem("price_list") with the reason: binary (no text), broken_quotes.
    """
    text = _decoded(data, name)
    said = re.match(r"sep=(.)\r?\n", text)
    delimiter = said[1] if said else _delimiter(text)
    skipped = 1 if said else 0
    stream = io.StringIO(text[said.end() :] if said else text, newline="")
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line + skipped, cells
            line = reader.line_num + 1
    except csv.Error:
        raise Problem("price_list", name, reason="broken_quotes", line=line + skipped) from None


def _decoded(data: bytes, name: str) -> str:
    text = _text(data)
    if text is None or CONTROL.search(text):
        raise Problem("price_list", name, reason="binary")
    return text


def _text(data: bytes) -> str | None:
    encoding = next((encoding for mark, encoding in MARKS if data.startswith(mark)), "")
    if not encoding and b"\0" in data[:200]:  # UTF-16 without a mark: every other byte of Latin text and digits is zero
        encoding = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    for attempt in (encoding,) if encoding else ("utf-8", "cp1251"):
        try:
            return data.decode(attempt)
        except UnicodeDecodeError:
            continue
    return None


def _delimiter(text: str) -> str:
    """The one under which a line reads most like a header, then that which parts most lines into as many cells."""
    sample = [line for line in text[: 2**16].splitlines()[:SAMPLE_LINES] if line.strip()]

    def agreement(delimiter: str) -> tuple[int, int, int]:
        rows = [row for row in csv.reader(sample, delimiter=delimiter) if len(row) > 1]
        known = max((len(guess_mapping(row).columns) for row in rows), default=0)
        widths = Counter(len(row) for row in rows)
        return (known, *max(((count, width) for width, count in widths.items()), default=(0, 0)))

    return max(DELIMITERS, key=agreement)
