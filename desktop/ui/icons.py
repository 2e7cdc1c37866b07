"""Line icons of 16 px, kept as SVG in resources/icons and tinted when they are loaded."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop.resources import resource

PIXEL_RATIO = 2.0  # drawn at twice the size, so they stay sharp on dense screens


def icon(name: str, colour: str, size: int = 16) -> QIcon:
    return QIcon(pixmap(name, colour, size))


def pixmap(name: str, colour: str, size: int = 16) -> QPixmap:
    """The icon drawn in one colour on a transparent ground."""
    side = int(size * PIXEL_RATIO)
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(_svg(name).replace("currentColor", colour).encode())).render(
        painter, QRectF(0, 0, side, side)
    )
    painter.end()
    picture.setDevicePixelRatio(PIXEL_RATIO)
    return picture


def themed_file(name: str, theme_name: str) -> str:
    """Path of an icon already tinted for a theme: a style sheet can only name files."""
    return resource("icons", theme_name, f"{name}.svg").as_posix()


@cache
def _svg(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")
