"""A bare pyqtgraph plot in the window's style: hairline grid, no frame, no menu, never a stop for Tab."""

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from desktop.ui.fonts import Weight, font
from desktop.ui.look import Look

pg.setConfigOptions(antialias=True)


class Plot(pg.PlotWidget):
    def __init__(self, look: Look, height: int) -> None:
        super().__init__(background=look.theme.surface, enableMenu=False)
        self.look = look
        self.setFixedHeight(height)
        self.setFrameShape(QFrame.Shape.NoFrame)
        unused = self.getPlotItem().ctrlMenu  # pyqtgraph makes it anyway, without an owner
        unused.setParent(self, unused.windowFlags())
        self.hideButtons()
        self.setMouseEnabled(False, False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.getPlotItem().setContentsMargins(0, 0, 0, 0)

    def wheelEvent(self, event: object) -> None:
        event.ignore()  # the page scrolls  # type: ignore[attr-defined]

    def pen(self, colour: str, width: float = 1, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> object:
        return pg.mkPen(colour, width=width, style=style)

    def text(
        self, text: str, colour: str, anchor: tuple[float, float] = (0, 0.5), weight: Weight = Weight.Medium
    ) -> pg.TextItem:
        item = pg.TextItem(text, color=colour, anchor=anchor)
        item.setFont(font("caption", weight))
        self.addItem(item, ignoreBounds=True)
        return item
