"""The workbook read back by openpyxl: sums to the cent, live formulas with values, text that stays text."""

from decimal import Decimal
from io import BytesIO
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest
from openpyxl.workbook import Workbook  # type: ignore[import-untyped]

from desktop.project.document import Party, Project
from desktop.quote import Quote
from desktop.report import render_workbook
from desktop.report.sheet import spec_sheet
from desktop.words import Language
from tests.report import sample
from tests.report.sample_plan import answer, server, training_answer

LANGUAGES: tuple[Language, ...] = ("en", "ru")
SHEETS = {
    "en": ["Summary", "Bill of materials", "Memory", "Performance", "Costs", "Sources", "Data"],
    "ru": ["Резюме", "Спецификация", "Память", "Производительность", "Затраты", "Источники", "Данные"],
}


def opened(
    language: Language = "en", quote: Quote | None = None, project: Project | None = None, values: bool = True
) -> Workbook:
    data = render_workbook(project or sample.project(), quote or sample.quote(), language)
    return openpyxl.load_workbook(BytesIO(data), data_only=values)


def named(book: Workbook, name: str) -> Any:
    sheet, cell = next(iter(book.defined_names[name].destinations))
    return book[sheet][cell].value


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_and_names(language: Language) -> None:
    book = opened(language)
    assert book.sheetnames == SHEETS[language]
    assert {"Servers", "VatRate", "TotalNet", "TotalVat", "TotalGross", "RequiredBytes", "UsableBytes"} <= set(
        book.defined_names
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_totals_equal_the_decimal_sums_to_the_cent(language: Language) -> None:
    book, bought = opened(language), server()
    for name, amount in (("TotalNet", bought.net), ("TotalVat", bought.vat), ("TotalGross", bought.gross)):
        assert Decimal(str(named(book, name))) == amount
    rows = list(book.worksheets[1].iter_rows(min_row=6, max_row=5 + len(bought.lines), values_only=True))
    assert sum(Decimal(str(row[6])) for row in rows) == Decimal(
        "345420.00"
    )  # Σ unit price · quantity of the price list
    for row, line in zip(rows, bought.lines, strict=True):
        assert Decimal(str(row[5])) * int(row[4]) == Decimal(str(row[6])) == line.amount


def test_every_formula_has_a_cached_value() -> None:
    formulas, values = opened(values=False), opened()
    cells = [cell for sheet in formulas for row in sheet.iter_rows() for cell in row if cell.data_type == "f"]
    assert len(cells) > 70
    assert [cell.coordinate for cell in cells if values[cell.parent.title][cell.coordinate].value is None] == []


def test_quantities_amounts_and_tax_are_formulas_over_named_cells() -> None:
    sheet = opened(values=False)["Bill of materials"]
    assert [sheet[f"{column}6"].value for column in "EGHI"] == [
        "=D6*Servers",
        "=ROUND(E6*F6,2)",
        "=ROUND(G6*VatRate,2)",
        "=G6+H6",
    ]
    assert sheet["G14"].value == "=SUM(G6:G13)"


def test_memory_is_in_bytes_and_gib() -> None:
    book = opened()
    assert named(book, "RequiredBytes") == 63_925_543_402
    assert book["Memory"]["C11"].value == pytest.approx(63_925_543_402 / 2**30)
    assert opened(values=False)["Memory"]["C5"].value == "=B5/2^30"


def test_speed_is_numbers() -> None:
    rows = {row[0]: row for row in opened()["Performance"].iter_rows(min_row=4, values_only=True)}
    assert rows["Time to first token, s"][1:6] == ("≤", 1.5, 0.62, 0.84, 1.12)


def test_costs_by_month_and_their_difference() -> None:
    book = opened()
    rows = [row for row in book["Costs"].iter_rows(values_only=True) if isinstance(row[0], int)]
    assert [row[0] for row in rows] == list(range(37))
    assert rows[36][1:4] == (539820, 664416, 124596)
    assert named(book, "TotalOnPremise") == 539820


def test_sources_have_the_numbers_of_the_spec_sheet() -> None:
    sheet = spec_sheet(sample.project(), sample.quote(), "en")
    listed = next(section for section in sheet["sections"] if section["code"] == "sources")["blocks"][0]["rows"]
    assert [list(row) for row in opened()["Sources"].iter_rows(min_row=4, values_only=True)] == listed


INJECTIONS = ['=HYPERLINK("http://x","y")', "+7 495 000-00-00", "-2+3", "@SUM(A1)", "\t=1", "|calc", "%0A", "=1+1"]


@pytest.mark.parametrize("typed", INJECTIONS)
def test_what_people_type_stays_text(typed: str) -> None:
    book = opened(
        project=sample.project(name=typed, supplier=Party(name=typed), customer=Party(name=typed)), values=False
    )
    cells = [cell for row in book["Summary"].iter_rows() for cell in row if cell.value == typed]
    assert len(cells) == 3
    assert all(cell.data_type == "s" and cell.quotePrefix for cell in cells)


def test_part_names_stay_text() -> None:
    lines = tuple(line.model_copy(update={"part": "=cmd|' /C calc'!A0"}) for line in server().lines)
    plan = sample.quote().answers[0].configurations[0]
    bought = plan.model_copy(update={"server": server().model_copy(update={"lines": lines})})
    sheet = opened(quote=sample.quote(answers=(answer(configurations=(bought,)),)), values=False)["Bill of materials"]
    assert sheet["B6"].data_type == "s" and sheet["B6"].value == "=cmd|' /C calc'!A0"


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_input_same_bytes(language: Language) -> None:
    first, second = (render_workbook(sample.project(), sample.quote(), language) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_prints_on_a4_one_page_wide(language: Language) -> None:
    for sheet in opened(language, sample.quote(answers=(answer(), training_answer()))):
        assert sheet.page_setup.paperSize == 9
        assert sheet.sheet_properties.pageSetUpPr.fitToPage and sheet.page_setup.fitToHeight == 0
        assert sheet.print_area and "&P" in sheet.oddFooter.right.text
        assert len(sheet.title) <= 31


def test_plan_that_does_not_fit_has_neither_bill_nor_costs() -> None:
    book = opened(quote=sample.nothing_fits())
    assert book.sheetnames == ["Summary", "Memory", "Sources", "Data"]
    assert "TotalNet" not in book.defined_names
    shown = [cell for row in book["Summary"].iter_rows(values_only=True) for cell in row if isinstance(cell, str)]
    assert "Does not fit" in shown


def test_two_needs_have_sheets_and_names_of_their_own() -> None:
    book = opened(quote=sample.quote(answers=(answer(), training_answer())))
    assert "Bill of materials, training" in book.sheetnames
    assert named(book, "RequiredBytesTraining") == 46 * 2**30


def test_missing_price_is_said_beside_the_total() -> None:
    sheet = opened(quote=sample.unpriced())["Bill of materials"]
    written = [cell for row in sheet.iter_rows(values_only=True) for cell in row if isinstance(cell, str)]
    assert any("incomplete" in text for text in written) and "no price: ask" in written
