"""Up to four GPUs side by side: a row a property, bold where they differ, each cell with its source and age."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop.catalog.ageing import age_days
from desktop.catalog.browsing import ComparedField, Library, Row, compare
from desktop.catalog.facts import RECALLED
from desktop.ui.catalog_browser.figures import DASH, field_name, origin_lines, unit_name, verification_name, written
from desktop.ui.catalog_browser.record_table import dress_table, framed
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import Segmented, button
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.table import Cell, CellDelegate, Column, Index, Rows
from desktop.ui.widgets.text import label

ROW_HEIGHT = 38
PROPERTY_WIDTH = 168


class Comparison(QWidget):
    """`chosen` tells the field the reader stands on; Back is `leave`."""

    chosen = Signal(object)

    def __init__(self, look: Look, library: Library, leave: Callable[[], object]) -> None:
        super().__init__()
        self._look, self._library = look, library
        self._compared: tuple[ComparedField, ...] = ()
        self._fields: list[ComparedField] = []
        self.rows_of: list[Row] = []
        layout = column(self, 10, (20, 12, 20, 14))
        head = row(gap=12)
        head.addWidget(button(look, look.say("browser.back"), leave))
        head.addWidget(label(look.say("browser.comparison_hint"), "caption", wrap=True), 1)
        self.which = Segmented(
            [(False, look.say("browser.all_rows")), (True, look.say("browser.differences"))],
            look.say("browser.rows_shown"),
        )
        self.which.show_value(False)
        self.which.edited.connect(lambda _: self._show())
        head.addWidget(self.which)
        layout.addLayout(head)
        self.table = SideBySide(look)
        self.table.chosen.connect(self._chosen)
        layout.addWidget(framed(self.table), 1)

    def show_gpus(self, rows: Sequence[Row]) -> None:
        self.rows_of = list(rows)
        self._compared = compare([row.record for row in rows])
        self._show()

    def shown(self) -> list[ComparedField]:
        """The compared fields in sight."""
        return self._fields

    def _show(self) -> None:
        self._fields = [field for field in self._compared if field.differs or not self.which.value()]
        heads = [getattr(row.record, "short", "") or row.title for row in self.rows_of]
        self.table.show_cells(self._look.say("browser.field"), heads, [self._cells(field) for field in self._fields])

    def _cells(self, compared: ComparedField) -> list[Cell]:
        tone = "text" if compared.differs else "text2"
        name = Cell(field_name(self._look, compared.field), unit_name(self._look, compared.field), tone=tone)
        return [name, *(self._cell(compared, place) for place in range(len(self.rows_of)))]

    def _cell(self, compared: ComparedField, place: int) -> Cell:
        look, value, origin = self._look, compared.values[place], compared.origins[place]
        if value is None:
            return Cell(DASH, tone="text3", tip=look.say("browser.unknown"))
        record, name_of = self.rows_of[place].record, self._library.name
        text = written(look, compared.field, value, record, name_of, unit=False)
        whole = written(look, compared.field, value, record, name_of)
        unverified = origin.verification == RECALLED
        return Cell(
            text,
            verification_name(look, RECALLED) if unverified else "",
            tone="warn" if unverified else "text" if compared.differs else "text2",
            weight="bold" if compared.differs else "",
            tip=f"{whole}\n{origin_lines(look, origin, age_days(origin.as_of, self._library.on))}",
        )

    def _chosen(self, place: int) -> None:
        self.chosen.emit(self._fields[place] if 0 <= place < len(self._fields) else None)


class SideBySide(QTableView):
    """The table itself; its columns share the width."""

    chosen = Signal(int)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._delegate = CellDelegate(look)
        self._delegate.setParent(self)
        self.setItemDelegate(self._delegate)
        dress_table(self, ROW_HEIGHT)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAccessibleName(look.say("browser.comparison"))
        self._rows: Rows | None = None

    def show_cells(self, property_head: str, heads: Sequence[str], cells: list[list[Cell]]) -> None:
        old = self._rows
        self._rows = Rows([Column(property_head, PROPERTY_WIDTH), *(Column(head, 100, right=True) for head in heads)])
        self._rows.setParent(self)
        self._rows.rows = cells
        self.setModel(self._rows)
        if old is not None:
            old.deleteLater()
        header = self.horizontalHeader()
        for place in range(len(heads) + 1):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        self.setColumnWidth(0, PROPERTY_WIDTH)
        self.selectionModel().currentRowChanged.connect(self._current)
        if cells:
            self.setCurrentIndex(self._rows.index(0, 0))

    def cells(self) -> list[list[Cell]]:
        """What the table says, for tests and for copying."""
        return self._rows.rows if self._rows is not None else []

    def _current(self, current: Index) -> None:
        self._delegate.chosen = current.row()
        self.viewport().update()
        self.chosen.emit(current.row())
