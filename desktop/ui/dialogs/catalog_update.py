"""What a catalog update would change, shown before it is installed."""

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from desktop.catalog.updates import Difference, Update
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.table import Cell, Column, Table
from desktop.ui.widgets.text import label

TONES = {"new": "ok", "changed": "accent", "gone": "warn"}
MOST_ROWS = 500  # beyond, the counts say the rest
SIZE = (820, 560)


class UpdateDialog(QDialog):
    """The days of both catalogs, counts by kind, and every record that differs with its changed fields."""

    def __init__(self, parent: QWidget, look: Look, update: Update, present: str) -> None:
        super().__init__(parent)
        self._look = look
        say = look.say
        self.setWindowTitle(say("update.title"))
        self.resize(*SIZE)
        layout = column(self, 10, (24, 20, 24, 16))
        layout.addWidget(label(say("update.title"), "title"))
        offered = update.manifest.version.isoformat()
        days = say("update.days", present=look.numerals.as_of(present), offered=look.numerals.as_of(offered))
        layout.addWidget(label(days, "muted", wrap=True))
        kinds = Counter(difference.kind for difference in update.differences)
        self.counts = say("update.counts", **{kind: look.numerals.number(kinds[kind]) for kind in TONES})
        layout.addWidget(label(self.counts, "strong"))
        columns = [
            Column(say("update.kind"), 110),
            Column(say("update.table"), 170),
            Column(say("update.record"), 260),
            Column(say("update.fields"), 200),
        ]
        self.table = Table(look, columns, say("update.title"), stretch=3, row_height=30)
        self.table.show_rows([self._row(difference) for difference in update.differences[:MOST_ROWS]])
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setAlignment(Qt.AlignmentFlag.AlignTop)
        scroll.setWidget(self.table)
        layout.addWidget(scroll, 1)
        if len(update.differences) > MOST_ROWS:
            more = look.numerals.number(len(update.differences) - MOST_ROWS)
            layout.addWidget(label(say("update.more", more=more), "caption"))
        layout.addWidget(label(say("update.own_stays"), "caption", wrap=True))
        line = row(gap=8)
        line.addStretch()
        line.addWidget(button(look, say("ask.cancel_button"), self.reject))
        self.install = button(look, say("update.install"), self.accept, "primary")
        line.addWidget(self.install)
        layout.addLayout(line)

    def _row(self, difference: Difference) -> list[Cell]:
        say, fields = self._look.say, ", ".join(difference.fields)
        return [
            Cell(say(f"update.is_{difference.kind}"), pill=TONES[difference.kind]),
            Cell(self._look.known(f"shelf.{difference.table}", difference.table), tone="text2"),
            Cell(difference.id, tip=difference.id),
            Cell(fields, tone="text2", tip=fields),
        ]
