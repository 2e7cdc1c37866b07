"""A thin bar: one size against a limit."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.ui.look import Look


class SizeBar(QWidget):
    """The bar turns red where the size passes the tick."""

    def __init__(self, look: Look, width: int = 130) -> None:
        super().__init__()
        self._theme = look.theme
        self._size = self._limit = 0.0
        self._span = 1.0
        self.setFixedSize(width, 18)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_size(self, size: float, limit: float, span: float) -> None:
        """`span` is what the whole width stands for; a limit of zero has no tick."""
        self._size, self._limit, self._span = size, limit, max(span, 1.0)
        self.update()

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.hover))
        painter.drawRoundedRect(QRectF(0, 4, self.width(), 10), 3, 3)
        over = bool(self._limit) and self._size > self._limit
        painter.setBrush(QColor(self._theme.bad if over else self._theme.part("weights")))
        painter.drawRoundedRect(QRectF(0, 4, self.width() * min(1.0, self._size / self._span), 10), 3, 3)
        if self._limit:
            x = self.width() * min(1.0, self._limit / self._span)
            painter.setPen(QPen(QColor(self._theme.text), 1.6))
            painter.drawLine(QPointF(x, 0), QPointF(x, 18))
