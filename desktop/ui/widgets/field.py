"""A field: label above, control, unit beside, hint below. Reads the same in Russian, which runs a third longer."""

from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.text import label, restyle


class Field(QWidget):
    """Ties the label to the control (buddy, accessible name with unit) and has the place where a problem is said."""

    def __init__(self, caption: str, control: QWidget, unit: str = "", hint: str = "") -> None:
        super().__init__()
        self.control, self._caption = control, caption
        self._hint = hint
        layout = column(self, 4)
        caption_label = label(caption, "label")
        caption_label.setBuddy(control)
        layout.addWidget(caption_label)
        line = row(gap=8)
        line.addWidget(control)
        self._unit = label("", "unit")
        line.addWidget(self._unit)
        line.addStretch()
        layout.addLayout(line)
        self.say_unit(unit)
        self._below = label(hint, "caption", wrap=True)
        self._below.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout.addWidget(self._below)
        layout.addStretch()
        self.say_hint(hint)

    def say_unit(self, unit: str) -> None:
        """Beside the control, and part of its name."""
        self._unit.setText(unit)
        self._unit.setVisible(bool(unit))
        self.control.setAccessibleName(f"{self._caption}, {unit}" if unit else self._caption)

    def say_hint(self, hint: str) -> None:
        """What the value means in other words; shown while nothing is wrong."""
        self._hint = hint
        self.say_problem("")

    def say_problem(self, sentence: str) -> None:
        """One sentence under the field; an empty one brings the hint back."""
        text = sentence or self._hint
        self._below.setText(text)
        self._below.setVisible(bool(text))
        restyle(self._below, tone="bad" if sentence else "")
        self.control.setAccessibleDescription(text)
        if sentence:
            restyle(self.control, state="bad")
        elif self.control.property("state") == "bad":
            restyle(self.control, state="")

    def problem(self) -> str:
        """The sentence under the field while something is wrong."""
        return self._below.text() if self._below.property("tone") == "bad" else ""
