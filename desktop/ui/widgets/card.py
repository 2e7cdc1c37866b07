"""One titled block of a page. Cards never nest."""

from PySide6.QtWidgets import QFrame, QLayout, QWidget

from desktop.ui.widgets.layouts import Margins, column, grid, row
from desktop.ui.widgets.text import label


class Card(QFrame):
    def __init__(
        self, title: str = "", *aside: QWidget, note: str = "", gap: int = 10, margins: Margins = (20, 12, 20, 14)
    ) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.body = column(self, gap, margins)
        if title:
            head = row(gap=8)
            head.addWidget(label(title, "section"))
            if note:
                head.addWidget(label(note, "caption"))
            head.addStretch()
            for widget in aside:
                head.addWidget(widget)
            self.body.addLayout(head)

    def add(self, item: QWidget | QLayout) -> None:
        if isinstance(item, QLayout):
            self.body.addLayout(item)
        else:
            self.body.addWidget(item)


class Facts(QWidget):
    """Read-only names over values, in columns."""

    def __init__(self, columns: int = 4) -> None:
        super().__init__()
        self._columns = columns
        self._layout = grid(self, (20, 12))
        for place in range(columns):
            self._layout.setColumnStretch(place, 1)
        self._values: dict[str, str] = {}

    def show_facts(self, pairs: list[tuple[str, str]]) -> None:
        self._values = dict(pairs)
        while self._layout.count():
            widget = self._layout.takeAt(0).widget()
            widget.hide()
            widget.deleteLater()
        for place, (name, value) in enumerate(pairs):
            cell = QWidget()
            lines = column(cell, 1)
            lines.addWidget(label(name, "caption"))
            figure = label(value, wrap=True)
            lines.addWidget(figure)
            cell.setAccessibleName(f"{name}: {value}")
            self._layout.addWidget(cell, place // self._columns, place % self._columns)

    def facts(self) -> dict[str, str]:
        return self._values
