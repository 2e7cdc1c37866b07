"""From an empty project to an exported spec sheet by filling fields; the figures are read back from the PDF."""

import json
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader
from pytestqt.qtbot import QtBot

from desktop.ui.dialogs import questions
from desktop.words import Numerals
from tests.ui.conftest import OpenWindow
from tests.ui.reading import control, settle, texts_of, type_into

SPACES = str.maketrans({"\u00a0": " ", "\u202f": " ", "\n": " "})


def plain(text: str) -> str:
    return " ".join(text.translate(SPACES).split())


@pytest.mark.parametrize("language", ["en", "ru"])
def test_empty_project_to_exported_pdf(
    open_: OpenWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    window = open_(language, model=None)
    assert window.session.quote is None
    search = window.frame.page("model").search
    qtbot.keyClicks(search.edit, "Llama-3.1-8B")
    settle(qtbot, window)
    assert "8030261248" in window.frame.pages["model"].facts.facts()[window.look.say("fact.parameters")].translate(
        str.maketrans("", "", "\u00a0,")
    )
    window.frame.footer.next.click()
    for address, typed in (
        ("inference.users", "400"),
        ("inference.input_tokens", "1.5k"),
        ("inference.output_tokens", "300"),
        ("inference.tpot_s", "60"),
    ):
        type_into(qtbot, window, address, typed)
    assert (window.session.value("inference.input_tokens"), window.session.value("inference.tpot_s")) == (1500, 0.06)
    window.frame.footer.next.click()
    type_into(qtbot, window, "policy.max_rack_kw", "12")
    window.frame.footer.next.click()
    assert window.frame.page_name == "result"
    assert len(window.frame.pages["result"].table.rows()) > 1
    window.frame.footer.next.click()
    assert window.frame.page_name == "costs"
    window.frame.footer.next.click()
    assert window.frame.page_name == "spec"
    number = control(window, "number")
    qtbot.keyClicks(number, "Q-2026-0142")
    window.frame.pages["spec"].bindings["issued_on"].control.on.click()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: window.frame.pages["spec"].page_count() >= 2, timeout=20_000)

    told: list[str] = []
    monkeypatch.setattr(questions, "ask_folder", lambda *_: tmp_path / "out")
    monkeypatch.setattr(questions, "tell_exported", lambda _parent, _look, _text, files: told.append(files) or False)
    monkeypatch.setattr(questions, "tell", lambda *given, **_: pytest.fail(str(given[2:])))
    window.frame.export_block.button.click()
    assert len(told) == 1

    quote = window.session.quote
    plan, figures = quote.best(), Numerals(language)
    pdf = next((tmp_path / "out").rglob("*.pdf"))
    document = plain(" ".join(page.extract_text() for page in PdfReader(pdf).pages))
    pane = plain(" ".join(texts_of(window.frame.pane)))
    for figure in (
        plan.gpu_short,
        figures.money(plan.capex, plan.currency),
        figures.number(plan.memory.required_bytes.value / 2**30, 1),
        figures.number(plan.memory.usable_bytes / 2**30, 1),
    ):
        assert plain(figure) in document, figure
    for figure in (plan.gpu_short, figures.money(plan.capex, plan.currency)):
        assert plain(figure) in pane, figure
    assert "Q-2026-0142" in document
    assert plain(figures.number(plan.speed.ttft_s.value, 2)) in document
    written = json.loads(next((tmp_path / "out").rglob("quote.json")).read_text(encoding="utf-8"))
    assert written["answers"][0]["configurations"][0]["gpu"] == plan.gpu
    assert load_workbook(next((tmp_path / "out").rglob("*.xlsx"))).sheetnames
