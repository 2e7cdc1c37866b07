"""What a customer reads: no code, no dotted input, no underscore word; no English sentence in the Russian papers."""

import re
from functools import cache
from io import BytesIO
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest
from pypdf import PdfReader

from desktop.advisor import recommend
from desktop.catalog import load_catalog
from desktop.costs.ranges import INPUTS
from desktop.project.document import Project
from desktop.project.files import open_project
from desktop.quote import Component, Quote
from desktop.report import render_pdf, render_workbook, spec_sheet
from desktop.resources import resource
from desktop.words import Language

LANGUAGES: tuple[Language, ...] = ("en", "ru")
UNDERSCORE = re.compile(r"\b[A-Za-z]\w*_\w*[A-Za-z]\w*\b")
SYMBOL = re.compile(r"[A-Za-z]+_\w{1,4}")  # n_kv, S_step: a sign with its index, as formulas write it
ENGLISH = re.compile(r"(?:\b[A-Za-z][a-z]+\b[ ,]+){3,}\b[A-Za-z][a-z]+\b")
VERBATIM = ("json", "svg", "stamp", "language", "code", "kind", "file")


@cache
def sample() -> tuple[Project, Quote]:
    project = open_project(resource("samples", "llama-70b-assistant.json"))
    return project, recommend(project.request, load_catalog())


@cache
def sheet(language: Language) -> dict[str, Any]:
    return spec_sheet(*sample(), language)


@cache
def printed(language: Language) -> str:
    reader = PdfReader(BytesIO(render_pdf(sheet(language))))
    return "\n".join(" ".join(page.extract_text().split()) for page in reader.pages)


@cache
def cells(language: Language) -> tuple[str, ...]:
    book = openpyxl.load_workbook(BytesIO(render_workbook(*sample(), language)), data_only=True)
    return tuple(
        cell for page in book for row in page.iter_rows(values_only=True) for cell in row if isinstance(cell, str)
    )


def strings(value: Any, key: str = "") -> list[str]:
    if isinstance(value, str):
        return [] if key in VERBATIM else [value]
    children = value.items() if isinstance(value, dict) else (("", item) for item in value or ())
    return [text for name, child in children if not isinstance(child, bool | int) for text in strings(child, name)]


def svg_texts(language: Language) -> list[str]:
    charts = [block["svg"] for section in sheet(language)["sections"] for block in section["blocks"] if "svg" in block]
    return [text for chart in charts for text in re.findall(r">([^<>]+)</text>", chart)]


def components() -> list[Component]:
    return [part for answer in sample()[1].answers for part in answer.configurations[0].memory.worst().components]


@cache
def exempt() -> tuple[str, ...]:
    """Names, sources and what the user typed: they stand as they are in every language. Longest first."""
    project, quote = sample()
    texts = {project.name, quote.catalog.sha256}
    for party in (project.supplier, project.customer):
        texts |= {party.name, *party.details}
    for part in components():
        texts.add(part.source)
    for answer in quote.answers:
        texts.add(answer.model_name)
        for plan in answer.configurations:
            texts |= {plan.gpu, plan.gpu_short, *(check.source for check in plan.rules)}
            if plan.server is not None:
                texts |= {plan.server.platform, plan.server.source, plan.server.cpu}
                for line in plan.server.lines:
                    texts |= {line.part, line.description, line.price.source}
    if quote.cloud is not None:
        texts |= {quote.cloud.provider, quote.cloud.instance, quote.cloud.source}
    texts |= {tariff.source for tariff in (quote.electricity, quote.vat) if tariff is not None}
    texts |= {gpu.name for gpu in load_catalog().gpus} | {gpu.short for gpu in load_catalog().gpus}
    return tuple(sorted((text for text in texts if len(text) > 1), key=len, reverse=True))


def own_words(text: str) -> str:
    """A text without names and sources; a formula stays, it has signs and no sentences."""
    for name in exempt():
        text = text.replace(name, "§")
    return text


def everything(language: Language) -> list[str]:
    return [own_words(text) for text in (*strings(sheet(language)), *svg_texts(language), *cells(language))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_with_an_underscore(language: Language) -> None:
    found = {word for text in everything(language) for word in UNDERSCORE.findall(text) if not SYMBOL.fullmatch(word)}
    assert found == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_path_of_an_input(language: Language) -> None:
    dotted = [path for path in INPUTS if "." in path]
    texts = [*everything(language), printed(language)]
    assert [path for path in dotted if any(path in text for text in texts)] == []
    raw = [path.replace("_", " ") for path in dotted]
    assert [path for path in raw if any(path in text for text in texts)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_of_a_format_engine_or_component(language: Language) -> None:
    codes = {code for code in load_catalog().calibration.weight_formats if not code.isdigit()}
    codes |= {"vllm", "pytorch-fsdp", "on_premise", "on-demand", "does_not_fit", "not_comparable"}
    words = {word.strip(",.;:()[]") for text in everything(language) for word in text.split()}
    assert words & codes == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_of_the_memory_says_how_it_is_computed(language: Language) -> None:
    for section in sheet(language)["sections"]:
        for block in section["blocks"]:
            if block["kind"] == "memory":
                assert all(re.sub(r"\[S\d+\]", "", row[3]).strip() for row in block["rows"])


def test_no_english_sentence_in_the_russian_papers() -> None:
    found = [(match.group(), text) for text in everything("ru") for match in ENGLISH.finditer(text)]
    assert found == []


def test_no_english_sentence_on_the_russian_pages() -> None:
    """The text as it is printed: lines may break inside a name, so only runs that no name holds count."""
    names = " ".join(exempt())
    runs = [match.group() for match in ENGLISH.finditer(own_words(printed("ru")))]
    assert [run for run in runs if not all(word in names for word in re.findall("[A-Za-z]+", run))] == []


def test_shares_are_percent_and_money_has_its_sign() -> None:
    costs = sample()[1].schemes
    assert costs is not None and any(bar.input == "opex.support_rate_year" for bar in costs.sensitivity)
    assert {"8%", "15%", "PUE"} <= set(svg_texts("en"))
    assert {"8\u00a0%", "15\u00a0%", "PUE"} <= set(svg_texts("ru"))
