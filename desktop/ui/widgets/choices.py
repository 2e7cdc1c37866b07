"""Choices of one out of many, of several, and short texts; all say `edited`, `value` and `show_value`."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from desktop.ui.widgets.layouts import row
from desktop.ui.widgets.no_wheel import guard


class Choice(QComboBox):
    """One of many."""

    edited = Signal(object)

    def __init__(self, options: Sequence[tuple[Any, str]], width: int = 150) -> None:
        super().__init__()
        self._values = [value for value, _ in options]
        self.addItems([text for _, text in options])
        self.setFixedWidth(width)
        guard(self)
        self.activated.connect(lambda place: self.edited.emit(self._values[place]))

    def value(self) -> Any:
        return self._values[self.currentIndex()] if self.currentIndex() >= 0 else None

    def show_value(self, value: Any) -> None:
        """A value from a file that is not offered here is shown as it is, not lost."""
        if value not in self._values:
            self._values.append(value)
            self.addItem(str(value))
        self.setCurrentIndex(self._values.index(value))


class Several(QWidget):
    """Any of a few; the value is a tuple in the order of the options."""

    edited = Signal(object)

    def __init__(self, options: Sequence[tuple[Any, str]], at_least_one: bool = False) -> None:
        super().__init__()
        self._at_least_one = at_least_one
        self._boxes = {value: QCheckBox(text) for value, text in options}
        layout = row(self, 8)
        for box in self._boxes.values():
            box.setAccessibleName(box.text())
            box.clicked.connect(self._clicked)
            layout.addWidget(box)
        layout.addStretch()

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for box in self._boxes.values():
            box.setAccessibleName(f"{name}: {box.text()}")

    def value(self) -> tuple[Any, ...]:
        return tuple(value for value, box in self._boxes.items() if box.isChecked())

    def show_value(self, values: Sequence[Any]) -> None:
        for value, box in self._boxes.items():
            box.setChecked(value in values)

    def box(self, value: Any) -> QCheckBox:
        return self._boxes[value]

    def _clicked(self) -> None:
        if self._at_least_one and not self.value():
            self.sender().setChecked(True)  # type: ignore[union-attr]
            return
        self.edited.emit(self.value())


class TextField(QLineEdit):
    """A short text."""

    edited = Signal(object)

    def __init__(self, width: int = 0, longest: int = 200) -> None:
        super().__init__()
        self.setMaxLength(longest)
        if width:
            self.setFixedWidth(width)
        self.textEdited.connect(self.edited.emit)

    def value(self) -> str:
        return self.text()

    def show_value(self, value: str) -> None:
        if self.text() != value:
            self.setText(value)
