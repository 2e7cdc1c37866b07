"""How long the user waits: for an estimate, for the choice over the whole catalog, for a redraw, for the documents.

Run by `make bench`, never by `make test`: a time says nothing about right or wrong, and each machine has its own.
"""

import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytest_benchmark.fixture import BenchmarkFixture
from pytestqt.qtbot import QtBot

from desktop.advisor import estimate, recommend
from desktop.catalog import Catalog, load_catalog
from desktop.catalog.user_data import UserData
from desktop.project.document import Project
from desktop.project.files import open_project
from desktop.quote import Quote
from desktop.report import render_pdf, spec_sheet
from desktop.report.workbook import render_workbook
from desktop.request import InferencePlan
from desktop.ui.catalog_browser.browser import CatalogBrowser
from desktop.ui.catalog_on_hand import CatalogOnHand
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
LOOKUP = "from desktop.catalog.lookup import gpu_facts; gpu_facts('h100_sxm')"


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


@pytest.mark.parametrize("work", ["pass", LOOKUP], ids=["bare interpreter", "lookup"])
def test_one_gpu_from_process_start(benchmark: BenchmarkFixture, repository: Path, work: str) -> None:
    """The second less the first is what a reader waits for: 20 ms at most."""
    command = [sys.executable, "-c", work]
    benchmark.pedantic(lambda: subprocess.run(command, cwd=repository, check=True), rounds=20, warmup_rounds=2)


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


def test_browser_filters_the_models_per_keystroke(
    benchmark: BenchmarkFixture, qtbot: QtBot, catalog: Catalog, tmp_path: Path
) -> None:
    """A letter into the search: 371 models are filtered and the rows in sight are drawn anew."""
    parent = QWidget()
    qtbot.addWidget(parent)
    on_hand = CatalogOnHand(lambda: catalog, UserData(tmp_path / "user.db"))
    browser = CatalogBrowser(parent, Look(LIGHT, "en"), on_hand, lambda: None)
    browser.resize(1440, 900)
    view = browser.view
    assert view is not None
    view.show_table("models")
    with qtbot.waitExposed(browser):
        browser.show()
    word = "llama 3.1"
    typed = cycle(word[:end] for end in range(len(word) + 1))

    def keystroke() -> None:
        view.search.setText(next(typed))
        view.table.viewport().repaint()

    benchmark(keystroke)
    assert len(view.table.records.rows) > 3
