import re
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop.catalog import load_catalog
from desktop.ui.dialogs.about import AboutDialog, KeysDialog
from desktop.ui.dialogs.failure import FailureDialog, FailureHook, diagnostics
from desktop.ui.look import Look
from desktop.ui.theme import LIGHT
from tests.ui.conftest import OpenWindow
from tests.ui.reading import texts_of


def raised() -> BaseException:
    try:
        raise ZeroDivisionError("a defect of the program")
    except ZeroDivisionError as error:
        return error


def test_a_defect_is_shown_once_with_what_helps_to_mend_it(capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []
    error = raised()

    def show(details: str) -> None:
        shown.append(details)
        hook(type(error), error, error.__traceback__)  # a second defect while the first is on screen

    hook = FailureHook(show)
    hook(type(error), error, error.__traceback__)
    assert len(shown) == 1
    assert all(
        part in shown[0] for part in ("Rackwright", "Python 3", "Qt 6.8", "ZeroDivisionError", "test_failure.py")
    )
    assert capsys.readouterr().err.count("ZeroDivisionError: a defect") == 2


def test_diagnostics_hold_no_folder_of_this_computer_and_no_word_of_the_project(tmp_path: Path) -> None:
    """The window promises so: an error may quote a file or a field."""
    customer = "-".join(("Ivanov", "GmbH"))
    try:
        try:
            load_catalog(tmp_path / customer)
        except Exception as first:
            raise KeyError(str(tmp_path / customer)) from first
    except KeyError as error:
        said = diagnostics((type(error), error, error.__traceback__))
    assert customer not in said
    assert not re.search(r"(^|[\s\"'(])(/|[A-Za-z]:\\)\w", said), said
    assert "  tests/ui/test_failure.py:" in said and "  desktop/catalog/" in said
    assert said.index("desktop/catalog/") < said.index("KeyError")


def test_diagnostics_can_be_copied(qtbot: QtBot) -> None:
    dialog = FailureDialog(None, Look(LIGHT, "ru"), "versions and trace")
    qtbot.addWidget(dialog)
    next(button for button in dialog.findChildren(QPushButton) if button.text() == "Скопировать").click()
    assert QGuiApplication.clipboard().text() == "versions and trace"


def test_help_lists_the_keys_of_the_menus_and_the_catalog(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(model=None)
    keys = KeysDialog(window, window.look, window.actions_by_code)
    about = AboutDialog(window, window.look, window._catalog())
    for dialog in (keys, about):
        dialog.show()
    assert {"Ctrl+E", "Alt+1", "F6"} <= set(texts_of(keys))
    stamp = window._catalog().stamp
    assert any(stamp.sha256[:16] in text for text in texts_of(about))
