"""A window over the shipped catalog, offscreen, with preferences in a folder of the test."""

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt is loaded

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from desktop.ui.application import dress, open_window
from desktop.ui.main_window import MainWindow
from desktop.ui.preferences import Preferences

MODEL = "Llama-3.1-70B"
OpenWindow = Callable[..., MainWindow]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform cannot raise windows or grab keys, and says so for every popup."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support"))


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["rackwright-tests"]


@pytest.fixture
def open_(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[OpenWindow]:
    """Opens a window; `model` is chosen and answered at once, `changes` are put into the session by address."""
    dress(qapp)
    opened: list[MainWindow] = []

    def make(
        language: str = "en",
        theme: str = "light",
        model: str | None = MODEL,
        size: tuple[int, int] = (1440, 900),
        changes: dict[str, object] | None = None,
    ) -> MainWindow:
        preferences = Preferences(language=language, theme=theme, width=size[0], height=size[1])
        window = open_window(preferences, tmp_path / "window.json")
        opened.append(window)
        if model is not None:
            window.session.put_model(model)
        for address, value in (changes or {}).items():
            window.session.put(address, value)
        window.show()
        window.answer_now()
        qtbot.wait(1)
        return window

    yield make
    for window in filter(isValid, opened):
        window.session.mark_saved(tmp_path / "kept.rackwright.json")
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
