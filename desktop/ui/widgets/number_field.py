"""A field for one number: typed freely (2k, 1,5, 200 M), stepped by arrows, empty where the default shall hold."""

from babel.numbers import format_decimal
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox

from desktop.ui.fonts import font
from desktop.ui.limits import Limits
from desktop.ui.look import Look
from desktop.ui.typed_numbers import read_number
from desktop.ui.widgets.no_wheel import guard
from desktop.ui.widgets.text import restyle
from desktop.words.numerals import NBSP

Number = int | float


class NumberField(QAbstractSpinBox):
    """`edited` carries a valid number, or None for an empty optional field; `refused` says what is impossible."""

    edited = Signal(object)
    refused = Signal(str)

    def __init__(
        self, look: Look, limits: Limits, whole: bool = True, step: Number = 1, width: int = 112, optional: bool = False
    ) -> None:
        super().__init__()
        self._look, self._limits, self._whole, self._step = look, limits, whole, step
        self._optional = optional
        self._value: Number | None = None
        self.setFixedWidth(width)
        self.setFont(font("body", tabular=True))
        self.setKeyboardTracking(True)
        guard(self)
        self.lineEdit().textEdited.connect(self._typed)

    def value(self) -> Number | None:
        """The last valid number."""
        return self._value

    def show_value(self, value: Number | None) -> None:
        """Show a number without telling anybody."""
        self._value = value
        text = self._written(value)
        if not self.hasFocus() or read_number(self.lineEdit().text(), self._look.language) != value:
            self.lineEdit().setText(text)
        restyle(self, state="")

    def show_default(self, value: Number | None) -> None:
        """The figure that holds while the field is empty."""
        self.lineEdit().setPlaceholderText(self._written(value))

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.lineEdit().setAccessibleName(name)

    def limits_sentence(self) -> str:
        """What can be typed here."""
        low, high, say = self._written(self._limits.low), self._written(self._limits.high), self._look.say
        if self._limits.above:
            return say("field.above_to", low=low, high=high) if high else say("field.above", low=low)
        return say("field.between", low=low, high=high) if high else say("field.from", low=low)

    # ------------------------------------------------------------------ Qt asks

    def stepBy(self, steps: int) -> None:
        start = (
            self._value
            if self._value is not None
            else read_number(self.lineEdit().placeholderText(), self._look.language)
        )
        value = round((start or 0) + steps * self._step, 9)
        low, high = self._limits.low, self._limits.high
        if low is not None:
            value = max(value, low + self._step if self._limits.above else low)
        if high is not None:
            value = min(value, high)
        self._take(int(value) if float(value).is_integer() else value)
        self.lineEdit().setText(self._written(self._value))

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        return QAbstractSpinBox.StepEnabledFlag.StepUpEnabled | QAbstractSpinBox.StepEnabledFlag.StepDownEnabled

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        return QValidator.State.Acceptable, text, position

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 10, Qt.Key.Key_Down: -10}.get(Qt.Key(event.key()))
        if steps and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.stepBy(steps)
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.property("state") != "bad":
            self.lineEdit().setText(self._written(self._value))

    # ------------------------------------------------------------------ typing

    def _typed(self, text: str) -> None:
        if not text.strip() and self._optional:
            self._take(None)
            return
        value = read_number(text, self._look.language)
        wrong = self._wrong(value)
        if wrong:
            restyle(self, state="bad")
            self.refused.emit(wrong)
            return
        self._take(value)

    def _wrong(self, value: Number | None) -> str:
        """Why a typed value cannot be taken."""
        if value is None:
            return self._look.say("field.not_a_number")
        if not self._limits.allow(value):
            return self.limits_sentence()
        return self._look.say("field.whole") if self._whole and not float(value).is_integer() else ""

    def _take(self, value: Number | None) -> None:
        self._value = value
        restyle(self, state="")
        self.edited.emit(value)

    def _written(self, value: Number | None) -> str:
        if value is None:
            return ""
        return format_decimal(value, format="#,##0.######", locale=self._look.numerals.locale).replace("\u202f", NBSP)
