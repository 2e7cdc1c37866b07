"""Labels: a role from the type scale and a tone from the palette."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from desktop.ui.fonts import font
from desktop.ui.icons import pixmap
from desktop.ui.look import Look

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
TONE_OF_SEVERITY = {"error": "bad", "warning": "warn", "info": "accent"}
ICON_OF_TONE = {"ok": "ok", "warn": "warn", "bad": "bad", "accent": "info"}


def label(text: str, role: str = "", tone: str = "", wrap: bool = False, right: bool = False) -> QLabel:
    """A plain-text label; `right` aligns a figure to the right in figures of one width."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setProperty("role", role)
    widget.setProperty("tone", tone)
    if wrap:
        widget.setWordWrap(True)
        widget.setMinimumWidth(1)
    if right:
        widget.setFont(font("body", tabular=True))
        widget.setAlignment(RIGHT)
    return widget


def restyle(widget: QWidget, **properties: object) -> None:
    """Change role, tone or state, and let the style sheet see it."""
    changed = [name for name, value in properties.items() if widget.property(name) != value]
    for name in changed:
        widget.setProperty(name, properties[name])
    if changed:
        widget.style().unpolish(widget)
        widget.style().polish(widget)
        widget.update()


def pill(text: str, tone: str) -> QLabel:
    widget = label(text, "pill", tone)
    widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return widget


def picture(look: Look, name: str, tone: str, size: int = 16) -> QLabel:
    """An icon as a label; it never stands alone, the word beside it says the same."""
    widget = QLabel()
    widget.setPixmap(pixmap(name, getattr(look.theme, tone), size))
    widget.setFixedSize(size, size)
    return widget


def rule() -> QFrame:
    line = QFrame()
    line.setProperty("role", "rule")
    return line
