"""Tables of two-line cells: a model that holds what is to be read, and a delegate that draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from desktop.ui.fonts import Weight, font
from desktop.ui.icons import pixmap
from desktop.ui.look import Look

Index = QModelIndex | QPersistentModelIndex
LEFT, RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
HEAD_HEIGHT = 30
CELL_ROLE = Qt.ItemDataRole.UserRole
WEIGHTS = {"": Weight.Normal, "medium": Weight.Medium, "bold": Weight.DemiBold}


@dataclass(frozen=True)
class Cell:
    """What one cell says: a line, a second line in grey, an icon before it, or a pill instead of the line."""

    text: str = ""
    sub: str = ""
    tone: str = "text"
    weight: str = ""
    size: str = "small"
    icon: str = ""
    pill: str = ""
    tip: str = ""


@dataclass(frozen=True)
class Column:
    head: str
    width: int
    right: bool = False


class Rows(QAbstractTableModel):
    """Cells by row and column."""

    def __init__(self, columns: Sequence[Column]) -> None:
        super().__init__()
        self.columns = list(columns)
        self.rows: list[list[Cell]] = []

    def show_rows(self, rows: list[list[Cell]]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        cell = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return cell.tip or None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(text for text in (cell.text, cell.sub) if text)
        return cell if role == CELL_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].head
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int((RIGHT if self.columns[section].right else LEFT) | Qt.AlignmentFlag.AlignVCenter)
        return None


class CellDelegate(QStyledItemDelegate):
    def __init__(self, look: Look, chosen: int = -1) -> None:
        super().__init__()
        self._look = look
        self.chosen = chosen

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._look.theme
        cell: Cell = index.data(CELL_ROLE)
        model: Rows = index.model()  # type: ignore[assignment]
        right = model.columns[index.column()].right
        area = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = index.row() == self.chosen
        if chosen:
            painter.fillRect(area, QColor(theme.accent_soft))
            if index.column() == 0:
                painter.fillRect(QRectF(area.left(), area.top(), 3, area.height()), QColor(theme.accent_fill))
        painter.fillRect(QRectF(area.left(), area.bottom() - 1, area.width(), 1), QColor(theme.line))
        box = area.adjusted(8, 0, -8, 0)
        if cell.pill:
            self._pill(painter, box, cell, right)
        else:
            if cell.icon:
                painter.drawPixmap(
                    int(box.left()), int(area.center().y() - 7), pixmap(cell.icon, getattr(theme, cell.tone), 15)
                )
                box.adjust(21, 0, 0, 0)
            self._lines(painter, box, cell, right, chosen)
        painter.restore()

    def _lines(self, painter: QPainter, box: QRectF, cell: Cell, right: bool, chosen: bool) -> None:
        theme = self._look.theme
        place = (RIGHT if right else LEFT) | Qt.AlignmentFlag.AlignVCenter
        first = QRectF(box.left(), box.center().y() - 17, box.width(), 17) if cell.sub else box
        self._line(
            painter, first, cell.text, font(cell.size, WEIGHTS[cell.weight], right), getattr(theme, cell.tone), place
        )
        if cell.sub:
            second = QRectF(box.left(), box.center().y(), box.width(), 16)
            self._line(painter, second, cell.sub, font("caption"), theme.text2 if chosen else theme.text3, place)

    def _line(
        self, painter: QPainter, box: QRectF, text: str, letters: QFont, colour: str, place: Qt.AlignmentFlag
    ) -> None:
        painter.setFont(letters)
        painter.setPen(QColor(colour))
        painter.drawText(
            box, place, painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()) + 1)
        )

    def _pill(self, painter: QPainter, box: QRectF, cell: Cell, right: bool) -> None:
        letters = font("caption", Weight.DemiBold)
        width = QFontMetricsF(letters).horizontalAdvance(cell.text) + 16
        shape = QRectF(box.right() - width if right else box.left(), box.center().y() - 9.5, width, 19)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._look.theme.soft(cell.pill)))
        painter.drawRoundedRect(shape, 9.5, 9.5)
        painter.setFont(letters)
        painter.setPen(QColor(getattr(self._look.theme, cell.pill)))
        painter.drawText(shape, Qt.AlignmentFlag.AlignCenter, cell.text)


class Table(QTableView):
    """A table as high as its rows; one column takes the spare width."""

    def __init__(
        self, look: Look, columns: Sequence[Column], name: str, stretch: int = 0, row_height: int = 40
    ) -> None:
        super().__init__()
        self._rows = Rows(columns)
        self._rows.setParent(self)
        self._delegate = CellDelegate(look)
        self._delegate.setParent(self)
        self._row_height = row_height
        self.setModel(self._rows)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(20)
        self.verticalHeader().setDefaultSectionSize(row_height)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        header.setFixedHeight(HEAD_HEIGHT)
        for place, column in enumerate(columns):
            self.setColumnWidth(place, column.width)
        header.setSectionResizeMode(stretch, QHeaderView.ResizeMode.Stretch)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, rows: list[list[Cell]], chosen: int = -1) -> None:
        self._delegate.chosen = chosen
        self._rows.show_rows(rows)
        self.setFixedHeight(HEAD_HEIGHT + self._row_height * len(rows) + 5)

    def rows(self) -> list[list[Cell]]:
        """What the table says, for tests and for copying."""
        return self._rows.rows
