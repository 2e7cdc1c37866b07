"""Layouts with their gap and margins said in one line (pixels on a 4 px grid)."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Margins = tuple[int, int, int, int]


def column(parent: QWidget | None = None, gap: int = 8, margins: Margins = (0, 0, 0, 0)) -> QVBoxLayout:
    layout = QVBoxLayout(parent) if parent is not None else QVBoxLayout()
    layout.setSpacing(gap)
    layout.setContentsMargins(*margins)
    return layout


def row(parent: QWidget | None = None, gap: int = 8, margins: Margins = (0, 0, 0, 0)) -> QHBoxLayout:
    layout = QHBoxLayout(parent) if parent is not None else QHBoxLayout()
    layout.setSpacing(gap)
    layout.setContentsMargins(*margins)
    return layout


def grid(parent: QWidget | None = None, gap: tuple[int, int] = (8, 8)) -> QGridLayout:
    layout = QGridLayout(parent) if parent is not None else QGridLayout()
    layout.setHorizontalSpacing(gap[0])
    layout.setVerticalSpacing(gap[1])
    layout.setContentsMargins(0, 0, 0, 0)
    return layout


def field_grid(*rows: Sequence[QWidget | None], columns: int = 0) -> QGridLayout:
    """Fields in columns of one width, top aligned."""
    layout = grid(gap=(24, 14))
    width = columns or max(len(cells) for cells in rows)
    for line, cells in enumerate(rows):
        for place, cell in enumerate(cells):
            if cell is not None:
                layout.addWidget(cell, line, place, Qt.AlignmentFlag.AlignTop)
    for place in range(width):
        layout.setColumnStretch(place, 1)
        layout.setColumnMinimumWidth(place, 1)
    return layout


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and delete it."""
    while layout.count():
        item = layout.takeAt(0)
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.setParent(None)
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear(inner)
