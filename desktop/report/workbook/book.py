"""A workbook under the house's rules: typed text is never a formula, formulas have their value, every sheet prints."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from typing import Any

import xlsxwriter  # type: ignore[import-untyped]
from xlsxwriter.format import Format  # type: ignore[import-untyped]
from xlsxwriter.worksheet import Worksheet  # type: ignore[import-untyped]

NAVY, MUTED, WASH = "#12355B", "#526071", "#F5F7FA"
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "\0")
"""First characters that a spreadsheet may read as a formula when the cell is edited (OWASP, CWE-1236)."""
A4 = 9
MOST_SHEET_NAME = 31
NUMBER_FORMATS = {
    "money": "#,##0.00",
    "money_whole": "#,##0",
    "whole": "#,##0",
    "percent": "0%",
    "share": "0.0%",
    "gib": "0.00",
    "one": "0.0",
    "general": "0.###",
    "count": "0",
}


@dataclass(frozen=True)
class Footer:
    """What every printed page says below: left text, and the words for page numbers."""

    left: str
    page: str
    of: str


class Book:
    """Collects sheets; `finish()` is the file. `row`, `column` count from zero."""

    def __init__(self, title: str, author: str, subject: str, created: datetime, footer: Footer) -> None:
        self._file = BytesIO()
        self._book = xlsxwriter.Workbook(
            self._file,
            {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
        )
        self._book.set_properties(
            {"title": title, "author": author, "subject": subject, "created": created.replace(tzinfo=None)}
        )
        self._footer = footer
        self._formats: dict[tuple[tuple[str, Any], ...], Format] = {}

    def style(self, **changes: Any) -> Format:
        """A cell format on the house's base, made once."""
        values = {"font_name": "Calibri", "font_size": 10, "valign": "top", **changes}
        key = tuple(sorted(values.items()))
        if key not in self._formats:
            self._formats[key] = self._book.add_format(values)
        return self._formats[key]

    def sheet(
        self, name: str, widths: Sequence[float], header_row: int | None = None, landscape: bool = True
    ) -> "Sheet":
        """A new sheet, A4, one page wide; rows down to `header_row` stay on screen and repeat on paper."""
        sheet = self._book.add_worksheet(name[:MOST_SHEET_NAME])
        sheet.hide_gridlines(2)
        sheet.set_paper(A4)
        if landscape:
            sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(0.5, 0.5, 0.6, 0.6)
        left = self._footer.left.replace("&", "&&")
        sheet.set_footer(f"&L&8{left}&R&8{self._footer.page} &P {self._footer.of} &N")
        for column, width in enumerate(widths):
            sheet.set_column(column, column, width)
        if header_row is not None:
            sheet.freeze_panes(header_row + 1, 0)
            sheet.repeat_rows(header_row)
        return Sheet(self, sheet, name[:MOST_SHEET_NAME])

    def name(self, name: str, sheet: "Sheet", row: int, column: int) -> None:
        """A defined name for one cell; names are English in every language, so that formulas survive translation."""
        self._book.define_name(name, f"='{sheet.title}'!${column_letter(column)}${row + 1}")

    def chart(self, options: dict[str, str]) -> Any:
        return self._book.add_chart(options)

    def finish(self) -> bytes:
        self._book.close()
        return self._file.getvalue()


class Sheet:
    """One sheet of a book."""

    def __init__(self, book: Book, sheet: Worksheet, title: str) -> None:
        self._book, self.raw, self.title = book, sheet, title

    def text(self, row: int, column: int, value: str, **style: Any) -> None:
        """A string, whatever it looks like."""
        quote = {"quote_prefix": True} if value.startswith(DANGEROUS) else {}
        self.raw.write_string(row, column, value, self._book.style(**({"text_wrap": True} | style | quote)))

    def heading(self, value: str) -> None:
        self.text(0, 0, value, bold=True, font_size=16, font_color=NAVY, text_wrap=False)

    def header(self, row: int, names: Sequence[str], right: Sequence[int] = ()) -> None:
        """Column titles; those in `right` stand over figures."""
        for column, name in enumerate(names):
            self.text(
                row,
                column,
                name,
                bold=True,
                bg_color=NAVY,
                font_color="#FFFFFF",
                valign="vcenter",
                align="right" if column in right else "left",
            )

    def number(self, row: int, column: int, value: float | Decimal, kind: str, **style: Any) -> None:
        """A number in one of NUMBER_FORMATS. Money as a float is exact to the cent up to 9e13."""
        self.raw.write_number(row, column, float(value), self._book.style(num_format=NUMBER_FORMATS[kind], **style))

    def formula(self, row: int, column: int, formula: str, value: float | Decimal, kind: str, **style: Any) -> None:
        """A formula with the value it has, so that a viewer that computes nothing shows the figure."""
        self.raw.write_formula(
            row, column, formula, self._book.style(num_format=NUMBER_FORMATS[kind], **style), float(value)
        )

    def date(self, row: int, column: int, value: datetime, number_format: str) -> None:
        self.raw.write_datetime(row, column, value, self._book.style(num_format=number_format, align="left"))

    def blank(self, row: int, column: int) -> None:
        self.raw.write_blank(row, column, None, self._book.style())


def column_letter(column: int) -> str:
    """Letter of a column counted from zero.

    >>> column_letter(0), column_letter(27)
    ('A', 'AB')
    """
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def cell(row: int, column: int) -> str:
    """Address of a cell counted from zero.

    >>> cell(4, 6)
    'G5'
    """
    return f"{column_letter(column)}{row + 1}"
