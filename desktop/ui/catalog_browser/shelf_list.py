"""The list of shelves on the left, each with the number of rows that the search finds in it."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from desktop.catalog.browsing import LAYOUTS
from desktop.ui.catalog_browser.record_table import dress_table
from desktop.ui.look import Look
from desktop.ui.widgets.table import Cell, CellDelegate, Column, Index, Rows

ROW_HEIGHT = 30
COUNT_WIDTH = 50


class ShelfList(QTableView):
    """`chosen` tells the table whose shelf is to be shown."""

    chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look, self.tables = look, tuple(LAYOUTS)
        self._rows = Rows([Column(look.say("browser.shelves"), 0), Column("", COUNT_WIDTH, right=True)])
        self._rows.setParent(self)
        self._delegate = CellDelegate(look)
        self._delegate.setParent(self)
        self.setModel(self._rows)
        self.setItemDelegate(self._delegate)
        dress_table(self, ROW_HEIGHT)
        self.horizontalHeader().hide()
        self.setColumnWidth(1, COUNT_WIDTH)
        self._rows.show_rows([[Cell(), Cell()] for _ in self.tables])
        self.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAccessibleName(look.say("browser.shelves"))
        self.selectionModel().currentRowChanged.connect(self._current)

    def show_counts(self, counts: Mapping[str, int]) -> None:
        """Rows found by table; a shelf without any is grey."""
        self._rows.rows = [
            [
                Cell(self._look.say(f"shelf.{table}"), tone="text" if counts[table] else "text3", size="body"),
                Cell(self._look.numerals.number(counts[table]), tone="text2" if counts[table] else "text3"),
            ]
            for table in self.tables
        ]
        self._rows.dataChanged.emit(self._rows.index(0, 0), self._rows.index(len(self.tables) - 1, 1))

    def show_table(self, table: str) -> None:
        """Stand on a table without telling anybody."""
        self.selectionModel().blockSignals(True)
        self.setCurrentIndex(self._rows.index(self.tables.index(table), 0))
        self.selectionModel().blockSignals(False)
        self._mark(self.tables.index(table))

    def _current(self, current: Index) -> None:
        self._mark(current.row())
        self.chosen.emit(self.tables[current.row()])

    def _mark(self, place: int) -> None:
        self._delegate.chosen = place
        self.viewport().update()
