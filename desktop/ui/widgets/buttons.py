"""Buttons: one filled kind for the main act, quiet ones, links, icons with a name, and the segmented choice."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QSizePolicy

from desktop.ui.icons import icon, pixmap
from desktop.ui.look import Look
from desktop.ui.widgets.layouts import row

TONE_OF_KIND = {"primary": "on_accent", "quiet": "accent", "link": "accent"}


def button(
    look: Look, text: str, act: Callable[[], object], kind: str = "", picture: str = "", name: str = ""
) -> QPushButton:
    """A button that does `act`. One that shows only an icon needs a `name` for its tooltip and for screen readers."""
    widget = QPushButton(text)
    widget.setProperty("kind", kind)
    widget.setCursor(Qt.CursorShape.PointingHandCursor)
    widget.setAccessibleName((name or text).replace("&", ""))
    if name:
        widget.setToolTip(name)
    if picture:
        shown = icon(picture, getattr(look.theme, TONE_OF_KIND.get(kind, "text2")))
        shown.addPixmap(pixmap(picture, look.theme.text3), QIcon.Mode.Disabled)
        widget.setIcon(shown)
        widget.setIconSize(QSize(16, 16))
    widget.clicked.connect(lambda: act())
    return widget


def link(look: Look, text: str, act: Callable[[], object], name: str = "") -> QPushButton:
    widget = button(look, text, act, "link", name=name)
    widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return widget


class Segmented(QFrame):
    """A choice of a few words, all in sight."""

    edited = Signal(object)

    def __init__(self, options: Sequence[tuple[Any, str]], name: str = "") -> None:
        super().__init__()
        self.setProperty("role", "segmented")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._values = [value for value, _ in options]
        self._group = QButtonGroup(self)
        layout = row(self, 2, (3, 3, 3, 3))
        for place, (_, text) in enumerate(options):
            segment = QPushButton(text)
            segment.setProperty("kind", "segment")
            segment.setCheckable(True)
            self._group.addButton(segment, place)
            layout.addWidget(segment)
        self._group.idClicked.connect(lambda place: self.edited.emit(self._values[place]))
        self.setAccessibleName(name)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for segment in self._group.buttons():
            segment.setAccessibleName(f"{name}: {segment.text()}" if name else segment.text())

    def value(self) -> Any:
        place = self._group.checkedId()
        return self._values[place] if place >= 0 else None

    def show_value(self, value: Any) -> None:
        """Mark a choice without telling anybody."""
        if value in self._values:
            self._group.button(self._values.index(value)).setChecked(True)

    def segment(self, value: Any) -> QPushButton:
        """The button of one choice."""
        return self._group.button(self._values.index(value))  # type: ignore[return-value]

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        (self._group.checkedButton() or self._group.buttons()[0]).setFocus(reason)
