"""The PDF read back: its figures, its tags, its attachment, its bytes."""

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from desktop.project.document import Party, Project
from desktop.quote import Quote
from desktop.report import render_pages, render_pdf, spec_sheet
from desktop.report.attachment import FILE_NAME, attachment, canonical, checksum
from desktop.request import InlineModel
from desktop.words import Language
from tests.report import sample
from tests.report.sample_plan import answer, plan, server, training_answer

VARIANTS: dict[str, Quote] = {
    "serving": sample.quote(),
    "nothing_fits": sample.nothing_fits(),
    "unpriced": sample.unpriced(),
    "both": sample.quote(answers=(answer(), training_answer())),
    "training": sample.quote(answers=(training_answer(),), schemes=None, cloud=None),
    "nothing_sized": sample.quote(answers=(answer(configurations=(), rejected=()),), schemes=None, cloud=None),
}
LANGUAGES: tuple[Language, ...] = ("en", "ru")


def read(project: Project, quote: Quote, language: Language) -> PdfReader:
    return PdfReader(BytesIO(render_pdf(spec_sheet(project, quote, language))))


def text_of(reader: PdfReader) -> str:
    """All text with every space and break as one space: a line break is the layout's, not the sheet's."""
    return " ".join(" ".join(page.extract_text() for page in reader.pages).replace("\u200b", "").split())


@pytest.mark.parametrize(
    ("language", "figures"),
    [
        (
            "en",
            ["$414,504", "345,420.00", "69,084.00", "63,925,543,402", "59.54", "26.5 months", "8,108 W", "0.62–1.12",
             "$539,820", "Total incl. VAT", "Page 1 of", "Meridian"],
        ),
        (
            "ru",
            ["414 504 $", "345 420,00", "69 084,00", "63 925 543 402", "59,54", "26,5 мес.", "8 108 Вт", "0,62–1,12",
             "539 820 $", "Всего с НДС", "Стр. 1 из", "АО «Меридиан Страхование»"],
        ),
    ],
)  # fmt: skip
def test_figures_stand_in_the_text(language: Language, figures: list[str]) -> None:
    customer = Party(name="Meridian Insurance Group plc" if language == "en" else "АО «Меридиан Страхование»")
    text = text_of(read(sample.project(customer=customer), sample.quote(), language))
    assert [figure for figure in figures if figure not in text] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_string_of_the_sheet_reaches_the_page(variant: str, language: Language) -> None:
    """Nothing is lost between the dictionary and the page: words, figures and Cyrillic."""
    sheet = spec_sheet(sample.project(), VARIANTS[variant], language)
    text = text_of(PdfReader(BytesIO(render_pdf(sheet)))).replace(" ", "").replace("-", "").replace("\u00ad", "")
    lost = [told for told in printed(sheet["sections"]) + printed(sheet["summary"]) if squeezed(told) not in text]
    assert lost == []


def printed(value: Any, key: str = "") -> list[str]:
    """Strings that stand on a page: not codes, alternative texts or pictures."""
    if isinstance(value, str):
        return [] if key in ("svg", "alt", "kind", "code", "tone") else [value]
    if isinstance(value, dict):
        return [text for name, child in value.items() for text in printed(child, name)]
    return [text for child in value for text in printed(child)] if isinstance(value, list) else []


def squeezed(text: str) -> str:
    return "".join(text.split()).replace("-", "").replace("\u00ad", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_document_is_tagged_archival_and_knows_its_language(language: Language) -> None:
    reader = read(sample.project(), sample.quote(), language)
    catalog = reader.trailer["/Root"]
    assert "/StructTreeRoot" in catalog and catalog["/MarkInfo"]["/Marked"]  # type: ignore[operator,index]
    assert catalog["/Lang"] == language  # type: ignore[index]
    metadata = catalog["/Metadata"].get_object().get_data().decode()  # type: ignore[index]
    assert "<pdfaid:part>3</pdfaid:part>" in metadata and "<pdfaid:conformance>A</pdfaid:conformance>" in metadata
    assert "<pdfuaid:part>1</pdfuaid:part>" in metadata
    assert reader.metadata is not None and "RW-2026-0142" in str(reader.metadata.title)


def test_only_the_bundled_typeface_is_used() -> None:
    fonts = {
        str(font.get_object()["/BaseFont"])
        for page in read(sample.project(), sample.quote(), "ru").pages
        for font in page["/Resources"]["/Font"].values()  # type: ignore[index]
    }
    assert fonts and all("Inter" in font for font in fonts)


def test_attachment_is_the_canonical_project() -> None:
    project = sample.project()
    data = read(project, sample.quote(), "en").attachments[FILE_NAME][0]
    assert data == canonical(project.model_dump(mode="json")) == attachment(project)
    assert Project.model_validate(json.loads(data)) == project
    text = text_of(read(project, sample.quote(), "en"))
    assert checksum(data) in text and checksum(data)[:12] in text


def test_where_a_model_was_saved_stays_in_the_house() -> None:
    project = sample.project()
    config = {"model_type": "llama", "_name_or_path": "/srv/somebody/models/Own-8B"}
    need = project.request.needs[0].model_copy(update={"model": InlineModel(hf_config=config)})
    own = project.model_copy(update={"request": project.request.model_copy(update={"needs": (need,)})})
    data = attachment(own)
    assert b"somebody" not in data
    assert b'"_name_or_path":"Own-8B"' in data


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_input_same_bytes(language: Language) -> None:
    first, second = (render_pdf(spec_sheet(sample.project(), sample.quote(), language)) for _ in range(2))
    assert first == second


def test_no_date_gives_the_same_bytes_too() -> None:
    project = sample.project(issued_on=None)
    assert render_pdf(spec_sheet(project, sample.quote(), "en")) == render_pdf(
        spec_sheet(project, sample.quote(), "en")
    )


def test_plan_that_does_not_fit_has_no_price_in_its_text() -> None:
    text = text_of(read(sample.project(), sample.nothing_fits(), "en"))
    assert "Does not fit" in text and "62.8 GiB" in text
    assert "414,504" not in text and "Total incl. VAT" not in text and "req/s" not in text


def test_preview_has_a_picture_for_each_page() -> None:
    sheet = spec_sheet(sample.project(), sample.quote(), "en")
    pages = render_pages(sheet, 72)
    assert len(pages) == len(PdfReader(BytesIO(render_pdf(sheet))).pages)
    assert all(page.startswith(b"\x89PNG") for page in pages)


@given(st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=25, deadline=None)
def test_whatever_people_type_makes_a_document(name: str, detail: str) -> None:
    project = sample.project(name=name, customer=Party(name=detail, details=(name, detail)))
    assert render_pdf(spec_sheet(project, VARIANTS["nothing_sized"], "ru")).startswith(b"%PDF-")


@pytest.mark.parametrize("count", [9, 12, 15, 18, 24, 40])
def test_totals_are_never_alone_on_a_page(count: int) -> None:
    """The last item stands on the page of the totals, however long the bill is."""
    lines = server().lines
    many = tuple(lines[place % len(lines)].model_copy(update={"part": f"item-{place}"}) for place in range(count))
    bought = server().model_copy(update={"lines": many})
    quote = sample.quote(answers=(answer(configurations=(plan(server=bought),)),))
    pages = [page.extract_text() for page in read(sample.project(), quote, "en").pages]
    page = next(text for text in pages if "Total, net" in text)
    assert f"item-{count - 1}" in page
