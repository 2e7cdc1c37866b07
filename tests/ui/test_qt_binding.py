import sys

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

CALLS = 1000


def test_qt_binding_keeps_none_alive(qtbot: QtBot) -> None:
    """PySide6 6.12.0 drops a reference to None in every call that returns it; Python 3.11 then aborts the process."""
    widget = QWidget()
    qtbot.addWidget(widget)
    before = sys.getrefcount(None)
    for _ in range(CALLS):
        widget.update()
    assert sys.getrefcount(None) > before - CALLS / 10
