"""From the shipped sample through the whole house to the documents, in both languages."""

from decimal import Decimal
from functools import cache
from io import BytesIO

import openpyxl  # type: ignore[import-untyped]
import pytest
from pypdf import PdfReader

from desktop.advisor import recommend
from desktop.catalog import load_catalog
from desktop.project.document import Project
from desktop.project.files import open_project
from desktop.quote import Quote
from desktop.report import render_pdf, render_workbook, spec_sheet
from desktop.request import Economics, InferenceNeed, Policy, Vat
from desktop.resources import resource
from desktop.words import Language, Numerals

LANGUAGES: tuple[Language, ...] = ("en", "ru")


@cache
def sample() -> tuple[Project, Quote]:
    project = open_project(resource("samples", "llama-70b-assistant.json"))
    return project, recommend(project.request, load_catalog())


def changed(**changes: object) -> tuple[Project, Quote]:
    project, _ = sample()
    request = project.request.model_copy(update=changes)
    return project.model_copy(update={"request": request}), recommend(request, load_catalog())


def pages(project: Project, quote: Quote, language: Language) -> list[str]:
    reader = PdfReader(BytesIO(render_pdf(spec_sheet(project, quote, language))))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_of_the_quote_stand_in_the_pdf(language: Language) -> None:
    project, quote = sample()
    best, numerals, text = quote.best(), Numerals(language), " ".join(pages(project, quote, language))
    assert best is not None and best.server is not None and best.speed is not None
    for figure in (
        numerals.money(best.server.gross, best.server.currency, cents=True),
        numerals.number(best.memory.required_bytes.value),
        numerals.number(quote.main().parameters),
        numerals.gib(best.memory.required_bytes.value, 2),
        numerals.number(best.power_w),
        *(numerals.number(part.bytes) for part in best.memory.worst().components if part.bytes),
    ):
        assert plain(figure) in text
    assert "70,553,706,496" in text or "70 553 706 496" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_summary_takes_exactly_the_first_page(language: Language) -> None:
    project, quote = sample()
    sheet = spec_sheet(project, quote, language)
    found = pages(project, quote, language)
    assert plain(sheet["summary"]["headline"]) in found[0]
    assert plain(sheet["sections"][0]["title"]) in found[1]


def test_nothing_of_the_shipped_words_is_missing_in_the_font() -> None:
    project, quote = sample()
    assert [spec_sheet(project, quote, language)["replaced"] for language in LANGUAGES] == [[], []]


@pytest.mark.parametrize("language", LANGUAGES)
def test_workbook_has_the_totals_of_the_quote(language: Language) -> None:
    project, quote = sample()
    best = quote.best()
    assert best is not None and best.server is not None
    book = openpyxl.load_workbook(BytesIO(render_workbook(project, quote, language)), data_only=True)
    for name, amount in (("TotalNet", best.server.net),):
        sheet, cell = next(iter(book.defined_names[name].destinations))
        assert Decimal(str(book[sheet][cell].value)) == amount


@pytest.mark.parametrize("language", LANGUAGES)
def test_tax_is_printed_and_adds_up(language: Language) -> None:
    project, quote = changed(economics=Economics(vat=Vat(rate=Decimal("0.22")), region="Europe"))
    best, numerals, text = quote.best(), Numerals(language), " ".join(pages(project, quote, language))
    assert best is not None and best.server is not None and best.server.vat > 0
    assert best.server.gross == best.server.net + best.server.vat
    for amount in (best.server.net, best.server.vat, best.server.gross):
        assert plain(numerals.money(amount, best.server.currency, cents=True)) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_small_card_does_not_fit_and_gets_no_price(language: Language) -> None:
    need = InferenceNeed(model="Llama-3.1-70B", context=131_072, input_tokens=120_000, weights=("bf16",))
    project, quote = changed(needs=(need,), policy=Policy(gpus_allowed=("nvidia-t4",)))
    assert quote.best() is None and quote.nearest() is not None
    sheet = spec_sheet(project, quote, language)
    assert sheet["summary"]["headline"] == ("Does not fit" if language == "en" else "Не помещается")
    assert {"bill", "costs", "performance", "engineering"}.isdisjoint(section["code"] for section in sheet["sections"])
    assert render_pdf(sheet).startswith(b"%PDF-")


@pytest.mark.parametrize("language", LANGUAGES)
def test_data_that_must_stay_leave_no_cloud_as_the_best(language: Language) -> None:
    project, quote = changed(policy=Policy(data_must_stay_on_site=True, max_rack_kw=20))
    sheet = spec_sheet(project, quote, language)
    best = sheet["summary"]["schemes"]["best"] if sheet["summary"]["schemes"] else 1
    assert best in (1, 3)  # on-premise or hybrid, never the cloud's column
    assert render_pdf(sheet).startswith(b"%PDF-")
