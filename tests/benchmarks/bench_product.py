"""How long the user waits: for an estimate, for the choice over the whole catalog, for a redraw, for the documents.

Run by `make bench`, never by `make test`: a time says nothing about right or wrong, and each machine has its own.
"""

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from desktop.advisor import estimate, recommend
from desktop.catalog import Catalog, load_catalog
from desktop.project.document import Project
from desktop.project.files import open_project
from desktop.quote import Quote
from desktop.report import render_pdf, spec_sheet
from desktop.report.workbook import render_workbook
from desktop.request import InferencePlan
from desktop.ui.charts.memory_bar import MemoryBar
from desktop.ui.look import Look
from desktop.ui.theme import LIGHT

PLAN = InferencePlan.model_validate(
    {
        "model": "Llama-3.1-70B",
        "gpu": "NVIDIA H100 SXM5 80GB",
        "gpus": 4,
        "weights": "fp8",
        "parallel": {"tensor": 4},
        "traffic": {"input_tokens": 2000, "output_tokens": 500, "concurrency": 64},
    }
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


@pytest.fixture(scope="module")
def sample(repository: Path) -> Project:
    return open_project(repository / "resources" / "samples" / "llama-70b-assistant.json")


@pytest.fixture(scope="module")
def quote(sample: Project, catalog: Catalog) -> Quote:
    return recommend(sample.request, catalog)


def test_open_catalog(benchmark: BenchmarkFixture) -> None:
    assert benchmark(load_catalog).gpus


def test_estimate(benchmark: BenchmarkFixture, catalog: Catalog) -> None:
    assert benchmark(estimate, PLAN, catalog).memory.verdict == "fits"


def test_full_choice_over_the_catalog(benchmark: BenchmarkFixture, catalog: Catalog, sample: Project) -> None:
    assert benchmark(recommend, sample.request, catalog).best()


def test_redraw_of_the_memory_bar(benchmark: BenchmarkFixture, qtbot: QtBot, quote: Quote) -> None:
    best = quote.best()
    assert best is not None
    bar = MemoryBar(Look(LIGHT, "en"))
    qtbot.addWidget(bar)
    bar.resize(360, bar.height())
    bar.show()

    def redraw() -> None:
        bar.show_memory(best.memory)
        bar.grab()

    benchmark(redraw)
    assert bar.parts


def test_pdf(benchmark: BenchmarkFixture, sample: Project, quote: Quote) -> None:
    pdf = benchmark(lambda: render_pdf(spec_sheet(sample, quote, "en")))
    assert pdf.startswith(b"%PDF-")


def test_workbook(benchmark: BenchmarkFixture, sample: Project, quote: Quote) -> None:
    assert benchmark(render_workbook, sample, quote, "en").startswith(b"PK")
