"""What few people need, folded under one line that tells what is inside."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.ui.icons import icon
from desktop.ui.look import Look
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.text import label


class Disclosure(QWidget):
    def __init__(self, look: Look, title: str, inside: QWidget, summary: str = "") -> None:
        super().__init__()
        self._look = look
        self._inside = inside
        layout = column(self, 8)
        line = row(gap=6)
        self.handle = QPushButton(title)
        self.handle.setProperty("kind", "quiet")
        self.handle.setCheckable(True)
        self.handle.setIconSize(QSize(14, 14))
        self.handle.setAccessibleName(title)
        self.handle.toggled.connect(self._toggle)
        line.addWidget(self.handle)
        self._summary = label(summary, "caption")
        line.addWidget(self._summary)
        line.addStretch()
        layout.addLayout(line)
        layout.addWidget(inside)
        self._toggle(False)

    def unfold(self) -> None:
        self.handle.setChecked(True)

    def say_summary(self, text: str) -> None:
        self._summary.setText(text)

    def _toggle(self, open_: bool) -> None:
        self._inside.setVisible(open_)
        self._summary.setVisible(not open_)
        self.handle.setIcon(icon("chevron-down" if open_ else "chevron-right", self._look.theme.accent, 14))
