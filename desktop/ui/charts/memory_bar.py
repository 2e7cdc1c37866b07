"""Memory of the worst GPU: required parts, the engine's reserve, the usable limit, the card, the range of the need."""

from collections.abc import Mapping

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from desktop.quote import Memory
from desktop.ui.charts.patterns import paint_marks, paint_part, paint_spare
from desktop.ui.charts.plot import Plot
from desktop.ui.fonts import Weight, font
from desktop.ui.look import Look
from desktop.ui.theme import PART_ORDER, ink

BAR, ABOVE, BELOW = 30, 17, 27  # pixels: the bar, the line of text above it, the whisker and text below it
LABEL_ROOM, GAP = 58, 1.5


def parts_of(memory: Memory) -> dict[str, int]:
    """Bytes of the parts on the worst GPU in the order of the bar; a part that is zero is left out."""
    sums: dict[str, int] = {}
    for component in memory.worst().components:
        sums[component.component] = sums.get(component.component, 0) + component.bytes
    order = [part for part in PART_ORDER if part in sums] + [part for part in sums if part not in PART_ORDER]
    return {part: sums[part] for part in order if sums[part] > 0}


def spare_bytes(memory: Memory) -> int:
    """What the engine reserves beyond the need."""
    return max(0, min(memory.reserved_bytes, memory.usable_bytes) - memory.required_bytes.value)


class MemoryBar(Plot):
    """One stacked bar on a scale of bytes; it redraws in place."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, ABOVE + BAR + BELOW)
        for side in ("left", "bottom"):
            self.hideAxis(side)
        self.getViewBox().setDefaultPadding(0)
        self.getViewBox().setYRange(0, 1, padding=0)
        self._stack = _Stack(look)
        self.addItem(self._stack)
        self.parts: dict[str, int] = {}
        self.setAccessibleName(look.say("chart.memory"))

    def show_memory(self, memory: Memory) -> None:
        self.parts = parts_of(memory)
        self._stack.show_memory(memory, self.parts)
        self.getViewBox().setXRange(0, self._stack.span, padding=0)
        say, figures = self.look.say, self.look.numerals
        self.setAccessibleDescription(
            say(
                "chart.memory_words",
                usable=figures.memory(memory.usable_bytes),
                required=figures.memory(memory.required_bytes.value),
                parts="; ".join(
                    f"{self.look.term(f'part.{part}')} {figures.memory(size)}" for part, size in self.parts.items()
                ),
            )
        )


class _Stack(pg.GraphicsObject):
    """The bar itself. Positions are bytes on the x axis; patterns and texts are drawn in pixels and never stretch."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._memory: Memory | None = None
        self._parts: Mapping[str, int] = {}
        self.span = 1.0

    def show_memory(self, memory: Memory, parts: Mapping[str, int]) -> None:
        self.prepareGeometryChange()
        self._memory, self._parts = memory, parts
        self.span = max(memory.card_bytes, memory.usable_bytes, memory.required_bytes.high) * 1.005
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, self.span, 1)

    def paint(self, painter: QPainter, *_: object) -> None:
        if self._memory is None:
            return
        to_pixels = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = to_pixels.mapRect(self.boundingRect())
        draw = _Drawing(painter, self._look, whole, whole.width() / self.span)
        draw.bar(self._memory, self._parts)
        draw.limit(self._memory)
        draw.need(self._memory)
        painter.restore()


class _Drawing:
    """One painting of the bar: bytes times `scale` are pixels from the left edge of `whole`."""

    def __init__(self, painter: QPainter, look: Look, whole: QRectF, scale: float) -> None:
        self.painter, self.look, self.theme = painter, look, look.theme
        self.left, self.top, self.width, self.scale = whole.left(), whole.top() + ABOVE, whole.width(), scale

    def at(self, size: float) -> float:
        return self.left + size * self.scale

    def bar(self, memory: Memory, parts: Mapping[str, int]) -> None:
        theme, painter = self.theme, self.painter
        need, usable = sum(parts.values()), memory.usable_bytes
        card = QPainterPath()
        card.addRoundedRect(QRectF(self.left, self.top, self.at(memory.card_bytes) - self.left - 1, BAR), 4, 4)
        painter.fillPath(card, QColor(theme.sunken))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawPath(card)
        ends = QPainterPath()
        ends.addRoundedRect(
            QRectF(self.left, self.top, max(self.at(memory.card_bytes), self.at(need)) - self.left, BAR), 4, 4
        )
        painter.save()
        painter.setClipPath(ends)
        below = 0
        for part, size in parts.items():
            area = QRectF(self.at(below), self.top, size * self.scale, BAR)
            paint_part(painter, area, part, theme)
            if below:
                painter.fillRect(QRectF(area.left() - GAP / 2, self.top, GAP, BAR), QColor(theme.surface))
            self._name_part(part, size, area)
            below += size
        if need < usable:
            reserved = min(memory.reserved_bytes, usable)
            paint_spare(painter, QRectF(self.at(need), self.top, max(0.0, (reserved - need) * self.scale), BAR), theme)
        elif need > usable:
            self._overflow(need, usable)
        painter.restore()

    def _name_part(self, part: str, size: int, area: QRectF) -> None:
        if area.width() <= LABEL_ROOM:
            return
        letters = font("caption", Weight.DemiBold)
        metrics = QFontMetricsF(letters)
        text = f"{self.look.term(f'part.{part}')} {self.look.numerals.gib(size)}"
        if metrics.horizontalAdvance(text) > area.width() - 14:
            text = self.look.numerals.gib(size)
        fill = self.theme.part(part)
        self._plate(text, area, fill, metrics.horizontalAdvance(text) + 10)

    def _overflow(self, need: int, usable: int) -> None:
        area = QRectF(self.at(usable), self.top, (need - usable) * self.scale, BAR)
        self.painter.fillRect(area, QColor(self.theme.bad))
        paint_marks(self.painter, area, "rise", self.theme.mark)
        text = f"+{self.look.numerals.gib(need - usable)}"
        width = QFontMetricsF(font("caption", Weight.DemiBold)).horizontalAdvance(text) + 8
        if width < area.width():
            self._plate(text, area, self.theme.bad, width)

    def _plate(self, text: str, area: QRectF, fill: str, width: float) -> None:
        box = QRectF(area.center().x() - width / 2, area.center().y() - 9, width, 18)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(QColor(fill))
        self.painter.drawRoundedRect(box, 3, 3)
        self.painter.setFont(font("caption", Weight.DemiBold))
        self.painter.setPen(QColor(ink(fill)))
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def limit(self, memory: Memory) -> None:
        """The capacity line: how much of the card may be used."""
        colour = self.theme.bad if memory.verdict == "does_not_fit" else self.theme.text
        x = self.at(memory.usable_bytes)
        self.painter.setPen(QPen(QColor(colour), 2))
        self.painter.drawLine(QPointF(x, self.top - 4), QPointF(x, self.top + BAR + 4))
        self._write(
            x,
            self.top - 6,
            f"{self.look.say('memory.usable')} {self.look.numerals.gib(memory.usable_bytes)}",
            colour,
            Weight.DemiBold,
        )

    def need(self, memory: Memory) -> None:
        """Whisker of the requirement with its range, and the size of the card where there is room for it."""
        figures, required = self.look.numerals, memory.required_bytes
        colour = self.theme.bad if memory.verdict == "does_not_fit" else self.theme.text2
        y = self.top + BAR + 8
        self.painter.setPen(QPen(QColor(colour), 1.5))
        low, middle, high = self.at(required.low), self.at(required.value), self.at(required.high)
        self.painter.drawLine(QPointF(low, y), QPointF(high, y))
        for x in (low, high):
            self.painter.drawLine(QPointF(x, y - 4), QPointF(x, y + 4))
        if high - low > 18:
            self.painter.setBrush(QColor(colour))
            self.painter.drawEllipse(QPointF(middle, y), 2.6, 2.6)
        span = figures.span(figures.gib(required.low), figures.gib(required.high))
        end = self._write(
            middle,
            y + 15,
            f"{self.look.say('memory.required')} {figures.gib(required.value)}  ({span})",
            colour,
            Weight.DemiBold,
        )
        card = f"{self.look.say('memory.card')} {figures.gib(memory.card_bytes)}"
        if self.left + self.width - end > QFontMetricsF(font("caption")).horizontalAdvance(card) + 16:
            self._write(self.left + self.width, y + 15, card, self.theme.text3, Weight.Normal)

    def _write(self, centre: float, baseline: float, text: str, colour: str, weight: Weight) -> float:
        """A text centred on a position but kept inside the bar's width; returns its right edge."""
        letters = font("caption", weight)
        width = QFontMetricsF(letters).horizontalAdvance(text)
        x = min(max(self.left, centre - width / 2), self.left + self.width - width - 1)
        self.painter.setFont(letters)
        self.painter.setPen(QColor(colour))
        self.painter.drawText(QPointF(x, baseline), text)
        return x + width
