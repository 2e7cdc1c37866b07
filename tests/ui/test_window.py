import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.project.files import open_project
from desktop.project.flow import STEP_NAMES
from desktop.ui.dialogs import questions
from desktop.ui.main_window import MainWindow
from desktop.ui.preferences import Preferences, load_preferences
from desktop.ui.theme import DARK, LIGHT
from tests.ui.conftest import OpenWindow
from tests.ui.reading import control, settle, texts_of, type_into

Button = QMessageBox.StandardButton


# ---------------------------------------------------------------------------- switches


@pytest.mark.parametrize("page", STEP_NAMES)
def test_language_theme_and_units_keep_page_and_state(open_: OpenWindow, qtbot: QtBot, page: str) -> None:
    window = open_()
    window.session.put("name", "Helpdesk")
    window.go(page)
    project = window.session.project
    window.frame.top.language.segment("ru").click()
    settle(qtbot, window)
    assert (window.frame.page_name, window.session.project, window.look.language) == (page, project, "ru")
    assert window.frame.rail.rows[page].isChecked()
    title = {
        "model": "Модель",
        "workload": "Нагрузка",
        "site": "Площадка и правила",
        "result": "Результат",
        "costs": "Стоимость",
        "spec": "Спецификация",
    }[page]
    assert title in texts_of(window.frame.pages[page])
    window.actions_by_code["theme.dark"].trigger()
    settle(qtbot, window)
    assert (window.frame.page_name, window.look.theme, window.look.language) == (page, DARK, "ru")
    gib = window.frame.pane.memory.legend()["weights"]
    window.frame.top.units.segment(True).click()
    settle(qtbot, window)
    assert window.frame.pane.memory.legend()["weights"] != gib
    assert (window.frame.page_name, window.session.project) == (page, project)


def test_the_theme_button_goes_round(open_: OpenWindow) -> None:
    window = open_()
    seen = []
    for _ in range(3):
        seen.append((window.preferences.theme, window.look.theme))
        window.frame.top.theme.click()
    assert seen[0] == ("light", LIGHT)
    assert seen[1] == ("dark", DARK)
    assert [theme for theme, _ in seen] == ["light", "dark", "system"]


def test_focus_and_scroll_survive_a_switch(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(size=(1180, 720))
    field = control(window, "economics.staff_fte")
    field.setFocus()
    qtbot.wait(5)
    scrolled = window.frame.scrolls["site"].verticalScrollBar().value()
    assert scrolled > 0
    window.set_language("ru")
    qtbot.wait(20)
    assert QApplication.focusWidget().objectName() == "economics.staff_fte"
    assert window.frame.scrolls["site"].verticalScrollBar().value() == pytest.approx(scrolled, abs=120)


def test_preferences_are_remembered_and_nonsense_is_ignored(open_: OpenWindow, tmp_path: Path) -> None:
    window = open_()
    window.set_theme("dark")
    window.set_units(True)
    assert load_preferences(tmp_path / "window.json") == window.preferences
    for content in ("", "[1]", '{"theme": "pink"}'):
        (tmp_path / "window.json").write_text(content, encoding="utf-8")
        assert load_preferences(tmp_path / "window.json") == Preferences()


def test_the_project_is_the_same_in_both_languages(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_("ru")
    type_into(qtbot, window, "inference.ttft_s", "2,5")
    assert window.session.value("inference.ttft_s") == 2.5
    window.set_language("en")
    assert control(window, "inference.ttft_s").lineEdit().text() == "2.5"


# ---------------------------------------------------------------------------- keys and steps


def test_steps_by_key_and_by_footer(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.AltModifier)
    assert window.frame.page_name == "site"
    window.frame.footer.next.click()
    assert window.frame.page_name == "result"
    window.actions_by_code["back"].trigger()
    window.frame.footer.back.click()
    assert window.frame.page_name == "workload"
    for _ in range(9):
        window.go_next()
    assert window.frame.page_name == "spec"


def test_f6_goes_from_steps_to_page_to_answer(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    window.go("workload")
    qtbot.wait(5)
    window.frame.rail.rows["workload"].setFocus()
    window.next_region()
    assert window.frame.stack.isAncestorOf(QApplication.focusWidget())
    window.next_region()
    assert window.frame.pane.isAncestorOf(QApplication.focusWidget())
    window.previous_region()
    assert window.frame.stack.isAncestorOf(QApplication.focusWidget())


def test_undo_goes_to_the_field_that_changes(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    type_into(qtbot, window, "inference.users", "750")
    window.go("costs")
    window.actions_by_code["undo"].trigger()
    settle(qtbot, window)
    assert window.frame.page_name == "workload"
    assert window.session.value("inference.users") == 300
    assert window.frame.pages["workload"].bindings["inference.users"].control.lineEdit().text() == "300"
    window.actions_by_code["redo"].trigger()
    assert window.session.value("inference.users") == 750


def test_a_small_window_keeps_marks_and_a_narrow_pane(open_: OpenWindow) -> None:
    wide, small = open_(size=(1440, 900)), open_(size=(1180, 720))
    assert (wide.frame.rail.width(), wide.frame.pane.width()) == (228, 396)
    assert (small.frame.rail.width(), small.frame.pane.width()) == (56, 340)


# ---------------------------------------------------------------------------- files


@pytest.mark.parametrize("act", ["close", "new", "open"])
@pytest.mark.parametrize("answer", ["save", "discard", "cancel"])
def test_unsaved_changes_are_never_lost_silently(
    open_: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, answer: str
) -> None:
    window = open_()
    window.session.put("name", "Precious")
    target, other = tmp_path / "precious.rackwright.json", tmp_path / "other.rackwright.json"
    other.write_text(json.dumps({"format_version": 1, "name": "Other"}), encoding="utf-8")
    asked: list[str] = []

    def ask(_parent: QWidget, _look: object, name: str) -> str:
        asked.append(name)
        return answer

    monkeypatch.setattr(questions, "ask_about_changes", ask)
    monkeypatch.setattr(questions, "ask_file_to_save", lambda *_: target)
    monkeypatch.setattr(questions, "ask_file_to_open", lambda *_: other)
    done = getattr(window, act)()
    assert asked == ["Precious"]
    assert target.exists() == (answer == "save")
    if answer == "save":
        assert open_project(target).name == "Precious"
    left = answer != "cancel"
    if act == "close":
        assert done is left
        assert window.isVisible() is not left
    else:
        name = {"new": "", "open": "Other"}[act] if left else "Precious"
        assert window.session.project.name == name


@pytest.mark.parametrize(
    ("pressed", "answer"), [(Button.Save, "save"), (Button.Discard, "discard"), (Button.Cancel, "cancel")]
)
def test_the_question_has_three_answers(
    open_: OpenWindow, monkeypatch: pytest.MonkeyPatch, pressed: Button, answer: str
) -> None:
    window = open_("ru", model=None)
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: pressed)
    assert questions.ask_about_changes(window, window.look, "Помощник") == answer


def test_a_cancelled_file_dialog_keeps_the_window_open(open_: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_()
    monkeypatch.setattr(questions, "ask_about_changes", lambda *_: "save")
    monkeypatch.setattr(questions, "ask_file_to_save", lambda *_: None)
    assert window.close() is False
    assert window.session.is_changed()


def test_saving_again_writes_the_same_file(open_: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window = open_()
    target = tmp_path / "helpdesk.rackwright.json"
    monkeypatch.setattr(questions, "ask_file_to_save", lambda *_: target)
    assert window.save()
    assert "Saved" in " ".join(texts_of(window.frame.top))
    window.session.put("name", "Helpdesk")
    window.answer_now()
    assert "Not saved yet" in texts_of(window.frame.top)
    monkeypatch.setattr(questions, "ask_file_to_save", lambda *_: pytest.fail("the file is known"))
    assert window.save()
    saved = open_project(target)
    assert (saved.name, saved.catalog_sha256) == ("Helpdesk", window.session.quote.catalog.sha256)
    assert not window.session.is_changed()


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"name": "no version"}',
        '{"format_version": 99}',
        '{"format_version": 1, "request": {"needs": [{"mode": "inference", "users": -5}]}}',
    ],
)
def test_a_broken_project_file_is_one_message_and_changes_nothing(
    open_: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    window = open_()
    before = window.session.project
    file = tmp_path / "broken.rackwright.json"
    file.write_text(content, encoding="utf-8")
    told: list[str] = []
    monkeypatch.setattr(questions, "tell", lambda _parent, _look, text, details="": told.append(text))
    window.open_file(file)
    assert len(told) == 1
    assert "Traceback" not in told[0] and "\n" not in told[0]
    assert window.session.project == before


def test_a_folder_that_cannot_be_written_is_one_message(
    open_: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_()
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    told: list[str] = []
    monkeypatch.setattr(questions, "tell", lambda _parent, _look, text, details="": told.append(text))
    monkeypatch.setattr(questions, "ask_file_to_save", lambda *_: tmp_path / "file" / "project.rackwright.json")
    assert window.save() is False
    assert len(told) == 1
    assert window.session.is_changed()


def test_the_sample_opens_with_its_answer(open_: OpenWindow, repository: Path, qtbot: QtBot) -> None:
    window = open_(model=None)
    window.open_file(repository / "resources/samples/llama-70b-assistant.json")
    assert window.frame.top.name.text() == "Helpdesk assistant"
    assert window.session.quote.best() is not None
    assert not window.session.is_changed()
    assert "Helpdesk assistant" in window.windowTitle()


# ---------------------------------------------------------------------------- accessibility


def focusable(widget: QWidget) -> list[QWidget]:
    return [
        child
        for child in widget.findChildren(QWidget)
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus
        and child.isVisibleTo(widget)
        and not child.objectName().startswith("qt_")
    ]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_stop_of_tab_has_a_name(open_: OpenWindow, qtbot: QtBot, language: str) -> None:
    window = open_(language)
    window.session.put_modes(("inference", "training"))
    for page in STEP_NAMES:
        window.go(page)
        qtbot.wait(5)
        nameless = [
            f"{page}: {type(child).__name__} {child.objectName()}"
            for child in focusable(window)
            if not (child.accessibleName() or isinstance(child.parent(), QComboBox))
        ]
        assert nameless == []


def test_fields_name_their_unit_and_labels_lead_to_them(open_: OpenWindow) -> None:
    window = open_()
    window.go("workload")
    page = window.frame.pages["workload"]
    assert page.bindings["inference.tpot_s"].control.accessibleName() == "Then every token within, ms"
    buddies = {label.buddy() for label in page.findChildren(QLabel) if label.buddy() is not None}
    assert {binding.control for binding in page.bindings.values()} <= buddies


def test_charts_are_told_in_words_and_never_stop_tab(open_: OpenWindow) -> None:
    window = open_()
    window.go("costs")
    for chart in (window.frame.pane.memory.bar, window.frame.pages["costs"].chart):
        assert chart.focusPolicy() == chart.viewport().focusPolicy() == Qt.FocusPolicy.NoFocus
        assert any(sign.isdigit() for sign in chart.accessibleDescription())


@pytest.mark.parametrize("size", [(1440, 900), (1320, 800), (1180, 720)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_text_is_cut_off(open_: OpenWindow, qtbot: QtBot, language: str, size: tuple[int, int]) -> None:
    window = open_(language, size=size)
    for page in STEP_NAMES:
        window.go(page)
        qtbot.wait(20)
        cut = [
            f"{page}: {widget.text()}"
            for widget in (*window.findChildren(QLabel), *window.findChildren(QPushButton))
            if widget.isVisible()
            and widget.text()
            and not (isinstance(widget, QLabel) and widget.wordWrap())
            and widget.width() < widget.sizeHint().width()
        ]
        assert cut == []
        for region in (window.frame.pages[page], window.frame.pane._content):
            assert region.minimumSizeHint().width() <= region.parentWidget().width(), f"{page}: wider than its view"


def test_the_preview_follows_the_fields_and_stays_whole(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    window.go("spec")
    page = window.frame.pages["spec"]
    qtbot.waitUntil(lambda: page.page_count() >= 2, timeout=20_000)
    before = page._pictures[0].toImage()
    qtbot.keyClicks(control(window, "number"), "Q-77")
    qtbot.waitUntil(lambda: page._pictures[0].toImage() != before, timeout=20_000)
    sheet = page._labels()[0]
    assert sheet.height() > sheet.width() > 300, "an A4 page stands upright"
    assert page.height() > page.page_count() * sheet.height()
    page._zoom.segment("page").click()
    assert page._labels()[0].height() < sheet.window().height()
    window.session.refuse("inference.users", "From 1.")
    window.answer_now()
    assert page.page_count() == 0
    assert page._status.isVisible()


# ---------------------------------------------------------------------------- the end


def test_closing_leaves_nothing_behind(qtbot: QtBot, open_: OpenWindow) -> None:
    before = set(QApplication.topLevelWidgets())
    window: MainWindow = open_()
    for page in STEP_NAMES:
        window.go(page)
    window.set_language("ru")
    window.set_theme("dark")
    window.session.mark_saved(Path("kept"))
    assert window.close()
    window.deleteLater()
    qtbot.waitUntil(lambda: not isValid(window))
    left = set(QApplication.topLevelWidgets()) - before
    assert [type(widget).__name__ for widget in left] == []
