"""The rows of one shelf as a table: cells are written when they are first seen, columns that find no room stay away."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyleOptionViewItem, QTableView

from desktop.catalog.browsing import PRICE, Library, Row, Shelf
from desktop.catalog.facts import RECALLED
from desktop.ui.catalog_browser.figures import age_written, cell_text, field_name, verification_name, verification_tone
from desktop.ui.fonts import Weight, font
from desktop.ui.icons import pixmap
from desktop.ui.look import Look
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.table import CELL_ROLE, HEAD_HEIGHT, LEFT, RIGHT, Cell, CellDelegate, Column, Index

ROW_HEIGHT = 42
TICK, TITLE, STATUS = "tick", "title", "age_days"  # columns beside those of the shelf, by what they are sorted by
TICK_WIDTH, TITLE_LEAST, STATUS_WIDTH, FIELD_WIDTH = 36, 190, 124, 100
WIDTHS = {
    "memory_gb": 76,
    "bf16_tflops": 112,
    "conditions": 200,
    "family": 150,
    "form_factor": 124,
    "ru": 200,
    "concept": 150,
    PRICE: 180,
    "price_per_hour": 116,
    "supplier": 130,
    "gpu": 170,
    "cpu": 170,
    "supported": 150,
    "default": 150,
    "provider": 120,
    "input_per_million_tokens": 146,
    "output_per_million_tokens": 146,
}
BOX, AROUND_HEAD = 16, 22


class RecordModel(QAbstractTableModel):
    """Rows of a shelf; `tickable` ones carry a box."""

    def __init__(self, look: Look, library: Library) -> None:
        super().__init__()
        self._look, self._library = look, library
        self.columns: list[Column] = []
        self.fields: list[str] = []
        self.rows: list[Row] = []
        self.ticked: tuple[str, ...] = ()
        self.tickable = False
        self._cells: dict[str, list[Cell]] = {}

    def show_shelf(self, shelf: Shelf, tickable: bool) -> None:
        """Take the columns of another shelf; its rows follow."""
        self.beginResetModel()
        self.tickable, self.rows, self._cells = tickable, [], {}
        self.fields = [*([TICK] if tickable else []), TITLE, *shelf.layout.columns, STATUS]
        self.columns = [self._column(shelf, field) for field in self.fields]
        self.endResetModel()

    def show_rows(self, rows: list[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def show_ticks(self, ticked: tuple[str, ...]) -> None:
        self.ticked = ticked
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, 0))

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if self.fields[index.column()] == TICK:
            if role == Qt.ItemDataRole.CheckStateRole:
                return Qt.CheckState.Checked if row.key in self.ticked else Qt.CheckState.Unchecked
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._look.say('browser.compare')}: {row.title}"
            return Cell() if role == CELL_ROLE else None
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole, CELL_ROLE):
            return None
        cell = self._written(row)[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        return cell if role == CELL_ROLE else ", ".join(text for text in (cell.text, cell.sub) if text)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].head
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int((RIGHT if self.columns[section].right else LEFT) | Qt.AlignmentFlag.AlignVCenter)
        return None

    def _column(self, shelf: Shelf, field: str) -> Column:
        say = self._look.say
        if field == TICK:
            return Column("", TICK_WIDTH)
        if field == TITLE:
            return Column(say("browser.name"), TITLE_LEAST)
        if field == STATUS:
            return Column(say("browser.status"), STATUS_WIDTH)
        values = (getattr(row.record, field, None) for row in shelf.rows)
        value = next((value for value in values if value is not None), None)
        right = field == PRICE or not isinstance(value, str | tuple | bool)
        head = field_name(self._look, field)
        needed = QFontMetrics(font("caption", Weight.Medium)).horizontalAdvance(head) + AROUND_HEAD
        return Column(head, max(WIDTHS.get(field, FIELD_WIDTH), needed), right)

    def _written(self, row: Row) -> list[Cell]:
        if row.key not in self._cells:
            self._cells[row.key] = [self._cell(row, field) for field in self.fields]
        return self._cells[row.key]

    def _cell(self, row: Row, field: str) -> Cell:
        if field == TICK:
            return Cell()
        if field == TITLE:
            return Cell(row.title, getattr(row.record, "id", ""), weight="medium")
        if field == STATUS:
            return status_cell(self._look, row)
        text = cell_text(self._look, field, row.record, self._library.name)
        if text and row.record.verification != RECALLED and row.record.unverified(field):  # else the row says so once
            return Cell(text, verification_name(self._look, RECALLED), tone="warn")
        return Cell(text)


def status_cell(look: Look, row: Row) -> Cell:
    """How the row was verified and how old it is; stale and unverified are words, not only a colour."""
    verification = row.record.verification
    said, stale = verification_name(look, verification), look.say("browser.stale")
    as_of = look.numerals.as_of(row.record.as_of) or look.say("browser.no_date")
    sub = as_of if row.age_days is None else age_written(look, row.age_days)
    if row.stale and verification == RECALLED:
        sub = f"{stale}, {as_of}"
    elif row.stale:
        said = stale
    marked = row.stale or verification == RECALLED
    tone = "warn" if marked else verification_tone(verification)
    return Cell(said, sub, tone=tone, weight="bold" if marked else "")


class TickDelegate(CellDelegate):
    """Draws the box of a tickable row as the style sheet draws those of check boxes."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        model: RecordModel = index.model()  # type: ignore[assignment]
        if model.fields[index.column()] != TICK:
            return
        theme, area = self._look.theme, QRectF(option.rect)
        on = model.rows[index.row()].key in model.ticked
        box = QRectF(area.center().x() - BOX / 2 + 2, area.center().y() - BOX / 2, BOX, BOX)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent_fill if on else theme.control), 1))
        painter.setBrush(QColor(theme.accent_fill if on else theme.surface))
        painter.drawRoundedRect(box, 4, 4)
        if on:
            painter.drawPixmap(int(box.left()) + 2, int(box.top()) + 2, pixmap("check", theme.on_accent, BOX - 4))
        painter.restore()


class RecordTable(QTableView):
    """`chosen` tells the row the reader stands on, `toggled` the one whose box was ticked, `ordered` a column's field,
    `typed` what was typed while the table had the focus, `entered` that Enter was pressed."""

    chosen = Signal(object)
    toggled = Signal(str)
    ordered = Signal(str)
    typed = Signal(str)
    entered = Signal()

    def __init__(self, look: Look, library: Library) -> None:
        super().__init__()
        self.records = RecordModel(look, library)
        self.records.setParent(self)
        self._delegate = TickDelegate(look)
        self._delegate.setParent(self)
        self.setModel(self.records)
        self.setItemDelegate(self._delegate)
        dress_table(self, ROW_HEIGHT)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.horizontalHeader().setSectionsClickable(True)
        self.horizontalHeader().sectionClicked.connect(lambda place: self.ordered.emit(self.records.fields[place]))
        self.selectionModel().currentRowChanged.connect(self._current)

    def show_shelf(self, shelf: Shelf, tickable: bool) -> None:
        self.records.show_shelf(shelf, tickable)
        header = self.horizontalHeader()
        for place, known in enumerate(self.records.columns):
            header.setSectionResizeMode(place, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(place, known.width)
        header.setSectionResizeMode(self.records.fields.index(TITLE), QHeaderView.ResizeMode.Stretch)
        self._fit()

    def show_rows(self, rows: list[Row], key: str) -> None:
        """Show rows and stand on the one with that key, else on the first."""
        self.selectionModel().blockSignals(True)
        self.records.show_rows(rows)
        self.selectionModel().blockSignals(False)
        place = next((n for n, row in enumerate(rows) if row.key == key), 0)
        if rows:
            self.setCurrentIndex(self.records.index(place, self.records.fields.index(TITLE)))
        self._current(self.currentIndex())

    def show_order(self, field: str, falling: bool) -> None:
        """Mark the column the rows are ordered by."""
        header = self.horizontalHeader()
        header.setSortIndicatorShown(field in self.records.fields)
        if field in self.records.fields:
            order = Qt.SortOrder.DescendingOrder if falling else Qt.SortOrder.AscendingOrder
            header.setSortIndicator(self.records.fields.index(field), order)

    def row(self) -> Row | None:
        """The row the reader stands on."""
        place = self.currentIndex().row()
        return self.records.rows[place] if 0 <= place < len(self.records.rows) else None

    def step(self, rows: int) -> None:
        """Stand some rows further down, or up."""
        place = min(max(self.currentIndex().row() + rows, 0), len(self.records.rows) - 1)
        if place >= 0:
            self.setCurrentIndex(self.records.index(place, self.records.fields.index(TITLE)))

    # ------------------------------------------------------------------ Qt tells

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, key = self.row(), event.key()
        if key == Qt.Key.Key_Space and row is not None and self.records.tickable:
            self.toggled.emit(row.key)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, text: str) -> None:
        if text.strip():
            self.typed.emit(text)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.records.fields[index.column()] == TICK:
            self.toggled.emit(self.records.rows[index.row()].key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _current(self, current: QModelIndex | QPersistentModelIndex) -> None:
        self._delegate.chosen = current.row()
        self.viewport().update()
        self.chosen.emit(self.row())

    def _fit(self) -> None:
        """Columns of the shelf that do not fit beside the title are left to the pane, the last ones first."""
        records = self.records
        room = self.viewport().width() - TITLE_LEAST - STATUS_WIDTH - (TICK_WIDTH if records.tickable else 0)
        for place, field in enumerate(records.fields):
            beside = field in (TICK, TITLE, STATUS)
            room -= 0 if beside else records.columns[place].width
            self.setColumnHidden(place, room < 0 and not beside)


def framed(table: QTableView) -> QFrame:
    """A table on a card of its own."""
    card = QFrame()
    card.setProperty("role", "card")
    column(card, 0, (4, 4, 4, 4)).addWidget(table)
    return card


def dress_table(table: QTableView, row_height: int) -> None:
    """A table without grid and frame, as high as its place, scrolled by pixels."""
    table.verticalHeader().hide()
    table.verticalHeader().setMinimumSectionSize(20)
    table.verticalHeader().setDefaultSectionSize(row_height)
    table.horizontalHeader().setHighlightSections(False)
    table.horizontalHeader().setFixedHeight(HEAD_HEIGHT)
    table.setShowGrid(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
