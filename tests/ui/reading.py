"""Reading the window as a person does: texts that are in sight, fields by address, typing."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.main_window import MainWindow


def texts_of(widget: QWidget) -> list[str]:
    """Texts of all labels that can be seen, once Qt has shown the new ones."""
    QApplication.processEvents()
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible() and label.text()]


def control(window: MainWindow, address: str) -> QWidget:
    """Go to a field and return its control."""
    window.go(address)
    return window.frame.pages[window.frame.page_name].bindings[address].control


def type_into(qtbot: QtBot, window: MainWindow, address: str, text: str) -> None:
    """Replace a number by typing another one, and wait for the answer."""
    field = control(window, address)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    settle(qtbot, window)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until the coalescing timer has answered."""
    qtbot.waitUntil(window.is_settled, timeout=5000)


def press(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)
