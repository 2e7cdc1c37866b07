"""The pattern of each part of memory, so that parts stay apart without colour, and the swatch of the legend."""

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QWidget

from desktop.ui.look import Look
from desktop.ui.theme import PATTERNS, Theme

MARK_ALPHA, SPARE_ALPHA = 0.42, 0.55
STEP, DENSE_STEP, LINE_STEP, DOT_STEP = 7, 4, 5, 6  # pixels between marks
SWATCH = 14


def paint_part(painter: QPainter, area: QRectF, part: str, theme: Theme) -> None:
    """Fill an area with a part's colour and pattern."""
    painter.fillRect(area, QColor(theme.part(part)))
    paint_marks(painter, area, PATTERNS.get(part, "vertical"), theme.mark)


def paint_marks(painter: QPainter, area: QRectF, pattern: str, colour: str) -> None:
    """Draw a pattern's marks; they are anchored to the widget, so legends match bars."""
    draw = _MARKS.get(pattern)
    if draw is None or area.width() < 5:
        return
    marks = QColor(colour)
    marks.setAlphaF(MARK_ALPHA)
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(marks, 1.3))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    draw(painter, area)
    painter.restore()


def paint_spare(painter: QPainter, area: QRectF, theme: Theme) -> None:
    """What the engine reserves beyond the need: a faint hatch, never a solid part."""
    lines = QColor(theme.control)
    lines.setAlphaF(SPARE_ALPHA)
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    painter.setPen(QPen(lines, 1))
    _slanted(painter, area, DOT_STEP, 1)
    painter.restore()


class Swatch(QWidget):
    """The square before a legend entry."""

    def __init__(self, look: Look, part: str) -> None:
        super().__init__()
        self._theme, self._part = look.theme, part
        self.setFixedSize(SWATCH, SWATCH)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(0, 0, SWATCH, SWATCH)
        shape = QPainterPath()
        shape.addRoundedRect(area, 3, 3)
        painter.setClipPath(shape)
        if self._part != "spare":
            paint_part(painter, area, self._part, self._theme)
            return
        painter.fillRect(area, QColor(self._theme.sunken))
        paint_spare(painter, area, self._theme)
        painter.setPen(QPen(QColor(self._theme.control), 1))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)


def _slanted(painter: QPainter, area: QRectF, step: int, direction: int) -> None:
    height = area.height()
    x = math.floor((area.left() - height) / step) * step
    while x < area.right() + height:
        near, far = (area.bottom(), area.top()) if direction > 0 else (area.top(), area.bottom())
        painter.drawLine(QPointF(x, near), QPointF(x + height, far))
        x += step


def _upright(painter: QPainter, area: QRectF) -> None:
    x = math.floor(area.left() / LINE_STEP) * LINE_STEP
    while x < area.right():
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        x += LINE_STEP


def _level(painter: QPainter, area: QRectF) -> None:
    y = area.top() + 3
    while y < area.bottom():
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        y += LINE_STEP


def _dots(painter: QPainter, area: QRectF, filled: bool) -> None:
    if filled:
        painter.setBrush(QBrush(painter.pen().color()))
        painter.setPen(Qt.PenStyle.NoPen)
    y, odd = area.top() + 3, False
    while y < area.bottom():
        x = math.floor(area.left() / DOT_STEP) * DOT_STEP + (3 if odd else 0)
        while x < area.right():
            painter.drawEllipse(QPointF(x, y), 1.1, 1.1)
            x += DOT_STEP
        y, odd = y + LINE_STEP, not odd


def _cross(painter: QPainter, area: QRectF) -> None:
    _slanted(painter, area, STEP, 1)
    _slanted(painter, area, STEP, -1)


def _grid(painter: QPainter, area: QRectF) -> None:
    _upright(painter, area)
    _level(painter, area)


_MARKS: dict[str, Callable[[QPainter, QRectF], None]] = {
    "rise": lambda painter, area: _slanted(painter, area, STEP, 1),
    "dense": lambda painter, area: _slanted(painter, area, DENSE_STEP, 1),
    "fall": lambda painter, area: _slanted(painter, area, STEP, -1),
    "cross": _cross,
    "vertical": _upright,
    "horizontal": _level,
    "grid": _grid,
    "dots": lambda painter, area: _dots(painter, area, filled=True),
    "ring": lambda painter, area: _dots(painter, area, filled=False),
}
