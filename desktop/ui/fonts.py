"""Inter, shipped with the program, so every screen and every document is set in the same type."""

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from desktop.resources import resource
from desktop.ui.theme import POINTS

Weight = QFont.Weight


def load_fonts() -> None:
    """Make the shipped fonts known to Qt; needs a QApplication."""
    for file in sorted(resource("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))


@cache
def font(size: str = "body", weight: QFont.Weight = Weight.Normal, tabular: bool = False) -> QFont:
    """A font of the type scale; `tabular` gives figures of one width for right-aligned columns. One object for all who
    ask, since tables ask for every cell: take a copy to change it."""
    result = QFont("Inter")
    result.setPointSizeF(POINTS[size])
    result.setWeight(weight)
    result.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if tabular:
        result.setFeature(QFont.Tag("tnum"), 1)
    return result
