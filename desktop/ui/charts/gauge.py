"""Bullet gauge: the value as a dot, its range as a band, the limit as a tick."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from desktop.quote import Range
from desktop.ui.look import Look

HEIGHT, MIDDLE, BAND = 14, 7.0, 6.0
HEADROOM = 1.45  # the limit stands at about two thirds of the scale


class Gauge(QWidget):
    """Green: the whole range keeps the limit; amber: the value does, part of the range does not; red: neither does."""

    def __init__(self, look: Look, figure: Range, limit: float | None, lower_is_better: bool = True) -> None:
        super().__init__()
        self._theme = look.theme
        self._figure, self._limit, self._lower = figure, limit, lower_is_better
        self._top = max((limit or 0) * HEADROOM, min(figure.high, (limit or figure.high) * 2.2), 1e-12)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(90)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def tone(self) -> str:
        if self._limit is None:
            return "text2"
        worst, value = (self._figure.high if self._lower else self._figure.low), self._figure.value
        if self._keeps(worst):
            return "ok"
        return "warn" if self._keeps(value) else "bad"

    def _keeps(self, value: float) -> bool:
        return value <= (self._limit or 0) if self._lower else value >= (self._limit or 0)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        width = self.width() - 10

        def at(value: float) -> float:
            return 5 + min(1.0, value / self._top) * width

        painter.setBrush(QColor(self._theme.hover))
        painter.drawRoundedRect(QRectF(1, MIDDLE - BAND / 2, self.width() - 2, BAND), 3, 3)
        colour = self._theme.tone(self.tone())
        band = QColor(colour)
        band.setAlphaF(0.42)
        low, high = at(self._figure.low), at(self._figure.high)
        painter.setBrush(band)
        painter.drawRoundedRect(QRectF(low, MIDDLE - BAND / 2, max(4.0, high - low), BAND), 3, 3)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(at(self._figure.value), MIDDLE), 4.2, 4.2)
        if self._limit is not None:
            painter.setPen(QPen(QColor(self._theme.text), 2))
            painter.drawLine(QPointF(at(self._limit), 0.5), QPointF(at(self._limit), HEIGHT - 0.5))
