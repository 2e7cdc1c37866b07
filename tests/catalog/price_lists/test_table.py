"""Price lists as files: encodings, delimiters, sheets, and what is refused before or while it is read."""

import zipfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from desktop.catalog.price_lists import Table, guess_mapping, read_table
from desktop.catalog.price_lists.cells import Shared, Unread
from desktop.catalog.price_lists.columns import said_by_header
from desktop.request import Problem
from desktop.words import problem_sentence
from tests.catalog.price_lists.workbooks import changed, packed, workbook

RUSSIAN = 'Наименование;Цена, руб.\r\n"Плата ""А""; 80 ГБ";1 234,50\r\nПлата Б;5\r\n'
READ = (('Плата "А"; 80 ГБ', "1 234,50"), ("Плата Б", "5"))
SHEET = "xl/worksheets/sheet1.xml"


def written(folder: Path, content: str | bytes, name: str = "list.csv") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def cells(table: Table) -> tuple[tuple[Any, ...], ...]:
    return tuple(row for _, row in table.rows)


def refused(path: Path, code: str = "price_list", **said: Any) -> str:
    with pytest.raises(Problem) as caught:
        read_table(path, **said)
    assert (caught.value.code, caught.value.field) == (code, path.name)
    for language in ("en", "ru"):
        assert path.name in problem_sentence(caught.value, language)  # type: ignore[arg-type]
    return str(caught.value.values.get("reason"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    text = f"List;\r\n{RUSSIAN}"  # UTF-16 without a mark is told by its zero bytes, which Cyrillic alone has none of
    table = read_table(written(tmp_path, text.encode(encoding)))
    assert (table.header, cells(table)) == (("Наименование", "Цена, руб."), READ)


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_delimiters(tmp_path: Path, delimiter: str) -> None:
    lines = (("name", "price", "date"), ('"H100, 80 GB"', '"1234,50"', "2026-01-02"), ("A100", "5", "2026-01-02"))
    table = read_table(written(tmp_path, "\n".join(delimiter.join(line) for line in lines)))
    assert cells(table) == (("H100, 80 GB", "1234,50", "2026-01-02"), ("A100", "5", "2026-01-02"))


def test_decimal_commas_do_not_make_a_delimiter(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "name;price\nA;1,5\nB;2,5\nC, D;3,5\n"))
    assert cells(table) == (("A", "1,5"), ("B", "2,5"), ("C, D", "3,5"))


def test_the_line_a_spreadsheet_writes_for_its_delimiter(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "sep=;\r\nname;price\r\nA;1\r\n"))
    assert (table.header, table.rows) == (("name", "price"), ((3, ("A", "1")),))


def test_the_header_stands_below_a_title_and_lines_are_counted_as_the_file_has_them(tmp_path: Path) -> None:
    text = 'ООО «Поставщик»;;\n\nПрайс-лист от 01.12.2026;;\nАртикул;Наименование;Цена\n1;"two\nlines";5\n2;B;6\n'
    table = read_table(written(tmp_path, text))
    assert table.header == ("Артикул", "Наименование", "Цена")
    assert [line for line, _ in table.rows] == [5, 7]


def test_columns_of_one_name_are_told_apart(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, "name;price;price;;\nA;1;2;;\n")).header == ("name", "price", "price (2)")


def test_a_delimiter_within_a_figure_is_a_reject(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "name,price\nA,1,5\nB,25\nC,30,\n"))
    assert cells(table) == (("B", "25"), ("C", "30"))
    assert [(reject.line, reject.reason) for reject in table.rejected] == [(2, "too_many_cells")]


def test_a_header_the_user_names(tmp_path: Path) -> None:
    path = written(tmp_path, "a;b\nwas;kostet\nA;5\n")
    assert read_table(path).header == ("a", "b")
    assert read_table(path, named=("was", "kostet")).header == ("was", "kostet")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "empty"),
        ("\n \n;;\n", "empty"),
        (b"\xff\xfe", "empty"),
        (bytes(range(256)) * 8, "binary"),
        (b"name;price\nA\x00B;5\n", "binary"),
        ('name;price\nA;5\n"B;6\nC;7\n', "broken_quotes"),
        ("name;price\n" + "A" * 200_000 + ";5\n", "broken_quotes"),
    ],
)
def test_text_that_is_no_price_list(tmp_path: Path, content: str | bytes, reason: str) -> None:
    assert refused(written(tmp_path, content)) == reason


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    refused(tmp_path / "none.csv", "file_missing")
    refused(tmp_path, "is_a_folder")
    assert refused(written(tmp_path, "x", "list.pdf")) == "unknown_type"
    large = tmp_path / "large.csv"
    with large.open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    refused(large, "file_too_large")


def test_a_hundred_thousand_rows_are_read_and_more_than_twice_that_are_not(tmp_path: Path) -> None:
    rows = "".join(f"Board {number};{number + 1},50\n" for number in range(100_000))
    table = read_table(written(tmp_path, "name;price\n" + rows))
    assert len(table.rows) == 100_000 and table.rows[-1] == (100_001, ("Board 99999", "100000,50"))
    assert refused(written(tmp_path, "name;price\n" + "A;1\n" * 200_001)) == "too_many_rows"


# ------------------------------------------------------------------------------------------------------------ workbooks


def test_a_workbook(tmp_path: Path) -> None:
    rows = [
        ("Price list",),
        (),
        ("Name", "Article", "Price, USD", "Date"),
        ("H100", 900210, 25000.1, date(2026, 11, 30)),
        ("A100", "x", 0.1 + 0.2, None),
        ("=cmd|'/C calc'!A0", True, "1 234,50", "text"),
    ]
    text = '<c r="A6" t="str"><v>=cmd</v></c>'
    path = changed(workbook(tmp_path / "list.xlsx", rows), SHEET, r'<c r="A6".*?</c>', text)
    table = read_table(path)
    assert (table.header, table.sheet, table.other_sheets) == (("Name", "Article", "Price, USD", "Date"), "Prices", ())
    assert table.rows[0] == (4, ("H100", Decimal(900210), Decimal("25000.1"), date(2026, 11, 30)))
    assert table.rows[1] == (5, ("A100", "x", Decimal("0.3"), ""))
    assert table.rows[2] == (6, ("=cmd", "True", "1 234,50", "text"))


def test_formulas_without_a_value_are_known_and_those_with_one_are_read(tmp_path: Path) -> None:
    path = workbook(tmp_path / "list.xlsx", [("name", "price"), ("A", "=5*2"), ("B", "=5*3"), ("=1+1", 7)])
    assert [row[1][1] for row in read_table(path).rows] == [Unread.FORMULA, Unread.FORMULA, Decimal(7)]
    assert read_table(path).rows[2][1][0] is Unread.FORMULA
    calculated = changed(path, SHEET, r"<f>5\*3</f><v\s*/?>(</v>)?", "<f>5*3</f><v>15</v>")
    assert [row[1][1] for row in read_table(calculated).rows] == [Unread.FORMULA, Decimal(15), Decimal(7)]


def test_a_merged_cell_gives_its_value_to_its_rows_and_says_that_it_is_shared(tmp_path: Path) -> None:
    rows = [("Vendor", "Name", "Price"), ("V", "A", 10), (None, "B", None), ("Section", None, None), ("W", "C", 5)]
    table = read_table(workbook(tmp_path / "list.xlsx", rows, merged=("A2:A3", "C2:C3", "A4:C4")))
    assert cells(table) == (
        (Shared("V"), "A", Shared(Decimal(10))),
        (Shared("V"), "B", Shared(Decimal(10))),
        ("Section", "", ""),
        ("W", "C", Decimal(5)),
    )


def test_sheets(tmp_path: Path) -> None:
    prices = [("Name", "Price"), ("A", 1)]
    others = {
        "Old": ("hidden", [("Name", "Price"), ("A", 9)]),
        "Secret": ("veryHidden", [("Name", "Price"), ("A", 8)]),
        "GPU": ("visible", prices),
        "CPU": ("visible", [("Name", "Price"), ("B", 2)]),
    }
    path = workbook(tmp_path / "list.xlsx", [("About us",)], others=others)
    table = read_table(path)
    assert (table.sheet, table.other_sheets, cells(table)) == ("GPU", ("Prices", "CPU"), (("A", Decimal(1)),))
    assert cells(read_table(path, sheet="CPU")) == (("B", Decimal(2)),)
    assert refused(path, sheet="Old") == "no_sheet"


def test_a_sheet_that_lies_about_its_size_is_read_as_it_is(tmp_path: Path) -> None:
    path = workbook(tmp_path / "list.xlsx", [("name", "price"), ("A", 1)])
    table = read_table(changed(path, SHEET, r'<dimension ref="[^"]*"', '<dimension ref="A1:XFD1048576"'))
    assert (table.header, table.rows) == (("name", "price"), ((2, ("A", Decimal(1))),))


def test_a_row_number_beyond_any_sheet_does_not_hang(tmp_path: Path) -> None:
    path = workbook(tmp_path / "list.xlsx", [("name", "price"), ("A", 1), ("B", 2)])
    table = read_table(changed(path, SHEET, r'<row r="3"', '<row r="999999999"'))
    assert len(table.rows) <= 2


def test_merged_cells_that_cover_the_sheet_over_and_over(tmp_path: Path) -> None:
    path = workbook(tmp_path / "list.xlsx", [("name", "price"), ("A", 1), ("B", 2)], merged=("A1:A2", "B1:B2"))
    far = changed(path, SHEET, r'<row r="3".*?</row>', '<row r="1048576"><c r="A1048576"><v>1</v></c></row>')
    assert refused(changed(far, SHEET, r":([AB])2", r":\g<1>1048576")) == "damaged"


def truncated(path: Path) -> Path:
    return written(path, workbook(path / "whole.xlsx", [("name", "price"), ("A", 1)]).read_bytes()[:-200], "list.xlsx")


def bomb(path: Path) -> Path:
    return packed(path / "list.xlsx", {SHEET: 40 * 2**20})


def many_small(path: Path) -> Path:
    return packed(path / "list.xlsx", {f"xl/media/{number}.png": 2**20 for number in range(65)})


def many_members(path: Path) -> Path:
    return packed(path / "list.xlsx", {f"xl/media/{number}.png": 0 for number in range(2001)})


def lying(path: Path) -> Path:
    """A directory that promises one byte of a member that has forty million."""
    data = bytearray(bomb(path).read_bytes())
    size = (40 * 2**20).to_bytes(4, "little")
    place = data.rindex(size)
    data[place : place + 4] = (1).to_bytes(4, "little")
    return written(path, bytes(data), "list.xlsx")


def broken_xml(path: Path) -> Path:
    return changed(workbook(path / "list.xlsx", [("name", "price"), ("A", 1)]), SHEET, "</sheetData>", "")


def other_zip(path: Path) -> Path:
    with zipfile.ZipFile(path / "list.xlsx", "w") as archive:
        archive.writestr("word/document.xml", "<document/>")
    return path / "list.xlsx"


def old_format(path: Path) -> Path:
    return written(path, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 4096, "list.xls")


def blank(path: Path) -> Path:
    return workbook(path / "list.xlsx", [])


def billion_laughs(path: Path) -> Path:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    made = workbook(path / "list.xlsx", [("name", "price"), ("A", 1)])
    return changed(made, SHEET, r"^", f'<!DOCTYPE x [<!ENTITY l0 "ha">{entities}]>')


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (truncated, "damaged"),
        (bomb, "zip_bomb"),
        (many_small, "too_large_unpacked"),
        (many_members, "zip_bomb"),
        (lying, "damaged"),
        (broken_xml, "damaged"),
        (other_zip, "damaged"),
        (old_format, "old_workbook"),
        (blank, "empty"),
    ],
)
def test_a_workbook_that_is_refused(tmp_path: Path, make: Callable[[Path], Path], reason: str) -> None:
    assert refused(make(tmp_path)) == reason


def test_entities_are_not_blown_up(tmp_path: Path) -> None:
    path = billion_laughs(tmp_path)
    try:
        table = read_table(path)
    except Problem as problem:
        assert problem.values["reason"] == "damaged"
    else:
        assert cells(table) == (("A", Decimal(1)),)


def test_text_under_the_name_of_a_workbook_and_the_other_way_round(tmp_path: Path) -> None:
    assert refused(written(tmp_path, "name;price\nA;1\n", "list.xlsx")) == "damaged"
    content = workbook(tmp_path / "list.xlsx", [("name", "price"), ("A", 1)]).read_bytes()
    assert cells(read_table(written(tmp_path, content, "list.csv"))) == (("A", Decimal(1)),)


# ------------------------------------------------------------------------------------------------------------- columns


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        (
            ("Артикул", "Наименование товара", "Производитель", "Цена, руб. с НДС", "Валюта", "Дата"),
            "part_number name vendor price currency date",
        ),
        (
            ("Part Number", "Description", "Brand", "Unit Price", "Currency", "VAT"),
            "part_number name vendor price currency vat",
        ),
        (("SKU", "Product", "MSRP (USD)", "Qty", "Total price"), "part_number name price - -"),
        (("Код", "Номенклатура", "Категория товара", "Стоимость"), "part_number name - price"),
        (("P/N", "Модель", "РРЦ", "Старая цена", "Ставка НДС"), "part_number name price - vat_rate"),
        (("Позиция", "Код", "Артикул", "Наименование", "Цена"), "- - part_number name price"),
        (("part", "price", "price_high", "vat", "vat_rate", "record"), "part price price_high vat vat_rate record"),
    ],
)
def test_header_words(header: tuple[str, ...], columns: str) -> None:
    expected = {field: name for field, name in zip(columns.split(), header, strict=True) if field != "-"}
    assert guess_mapping(header).columns == expected and not guess_mapping(header).alternatives


def test_several_prices_are_never_chosen_between() -> None:
    header = ("Наименование", "Цена розничная", "Цена дилерская")
    mapping = guess_mapping(header)
    with pytest.raises(Problem) as caught:
        mapping.check(header, "list.csv")
    assert caught.value.values == {"reason": "several_price_columns", "columns": header[1:]}
    mapping.with_columns({"price": "Цена дилерская"}, header, "list.csv").check(header, "list.csv")


@pytest.mark.parametrize(
    ("header", "reason"),
    [(("name", "qty"), "no_price_column"), (("price", "qty"), "no_name_column"), (("a", "b"), "no_price_column")],
)
def test_columns_that_are_missing(header: tuple[str, ...], reason: str) -> None:
    with pytest.raises(Problem) as caught:
        guess_mapping(header).check(header, "list.csv")
    assert caught.value.values["reason"] == reason


@pytest.mark.parametrize(
    "column", ["Цена, тыс. руб.", "Price per GB", "Цена за 10 шт", "Price / month", "Цена в месяц", "Price, million"]
)
def test_a_price_of_more_or_less_than_a_piece_is_not_taken(column: str) -> None:
    with pytest.raises(Problem) as caught:
        guess_mapping(("name", column)).check(("name", column), "list.csv")
    assert caught.value.values == {"reason": "scaled_price", "column": column}


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("Цена, руб. с НДС 22%", ("RUB", True, Decimal("0.22"))),
        ("Price, USD, excl. VAT", ("USD", False, None)),
        ("Price (US$) incl. 19% VAT", ("USD", True, Decimal("0.19"))),
        ("Цена со скидкой 10% (вкл. доставку)", ("", None, None)),
        ("Price per unit, HK$", ("", None, None)),
        ("Net price", ("", None, None)),
    ],
)
def test_what_the_header_of_the_price_says(column: str, said: tuple[Any, ...]) -> None:
    assert said_by_header(column) == said
    guess_mapping(("name", column)).check(("name", column), "list.csv")


def test_columns_the_user_names_must_be_there() -> None:
    for said, code in (({"price": "Cost"}, "price_list"), ({"prize": "a"}, "wrong_value")):
        with pytest.raises(Problem) as caught:
            guess_mapping(("a", "b")).with_columns(said, ("a", "b"), "list.csv")
        assert caught.value.code == code
