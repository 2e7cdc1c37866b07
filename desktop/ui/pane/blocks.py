"""What the blocks of the pane are made of: a hairline, a head, rows of figures."""

from PySide6.QtWidgets import QGridLayout, QWidget

from desktop.ui.look import Look
from desktop.ui.widgets.layouts import clear, column, grid, row
from desktop.ui.widgets.text import label, rule

GAP = 12


class Block(QWidget):
    """A part of the pane under a hairline; `body` is emptied and filled again with every answer."""

    def __init__(self, look: Look, lined: bool = True) -> None:
        super().__init__()
        self.look = look
        layout = column(self, 0)
        if lined:
            layout.addSpacing(GAP)
            layout.addWidget(rule())
            layout.addSpacing(GAP)
        self.body = column(gap=5)
        layout.addLayout(self.body)

    def restart(self, head: str = "", *aside: QWidget) -> None:
        """Empty the block and write its head."""
        clear(self.body)
        if head:
            line = row(gap=6)
            line.addWidget(label(head, "head"))
            line.addStretch()
            for widget in aside:
                line.addWidget(widget)
            self.body.addLayout(line)


def figure_rows(rows: list[tuple[str, str, str]]) -> QGridLayout:
    """Name, value in semibold, and what belongs to it in a caption under the value."""
    layout = grid(gap=(8, 1))
    for place, (name, value, under) in enumerate(rows):
        layout.addWidget(label(name, "small", wrap=True), 2 * place, 0)
        layout.addWidget(label(value, "strong", right=True), 2 * place, 1)
        if under:
            layout.addWidget(label(under, "caption", right=True), 2 * place + 1, 0, 1, 2)
        layout.setRowMinimumHeight(2 * place + 1, 3)
    layout.setColumnStretch(0, 1)
    return layout
