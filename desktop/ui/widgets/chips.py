"""A list of names: each can be taken out, others are added from a choice."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import clear, column, grid
from desktop.ui.widgets.no_wheel import guard
from desktop.ui.widgets.text import label

IN_A_ROW = 3


class Chips(QWidget):
    """The value is a tuple of ids; an empty one is told by `empty_text`."""

    edited = Signal(object)

    def __init__(self, look: Look, options: Sequence[tuple[str, str]], empty_text: str) -> None:
        super().__init__()
        self._look, self._names, self._empty = look, dict(options), empty_text
        self._value: tuple[str, ...] = ()
        layout = column(self, 6)
        self.add = QComboBox()
        self.add.setFixedWidth(220)
        self.add.setMaxVisibleItems(16)
        guard(self.add)
        self.add.addItem(look.say("chips.add"))
        for code, text in options:
            self.add.addItem(text, code)
        self.add.activated.connect(self._added)
        layout.addWidget(self.add)
        self.setFocusProxy(self.add)
        self._chips = grid(gap=(4, 2))
        layout.addLayout(self._chips)
        self.show_value(())

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.add.setAccessibleName(name)

    def value(self) -> tuple[str, ...]:
        return self._value

    def show_value(self, value: Sequence[str]) -> None:
        self._value = tuple(value)
        clear(self._chips)
        if not self._value:
            self._chips.addWidget(label(self._empty, "caption"), 0, 0)
        for place, code in enumerate(self._value):
            text = self._names.get(code, code)
            chip = button(
                self._look,
                text,
                lambda code=code: self._taken_out(code),
                "quiet",
                "close",
                name=self._look.say("chips.remove", name=text),
            )
            self._chips.addWidget(chip, place // IN_A_ROW, place % IN_A_ROW)
        self._chips.setColumnStretch(IN_A_ROW, 1)

    def _added(self, place: int) -> None:
        code = self.add.itemData(place)
        self.add.setCurrentIndex(0)
        if code and code not in self._value:
            self._change((*self._value, code))

    def _taken_out(self, code: str) -> None:
        self._change(tuple(other for other in self._value if other != code))

    def _change(self, value: tuple[str, ...]) -> None:
        self.show_value(value)
        self.edited.emit(value)
