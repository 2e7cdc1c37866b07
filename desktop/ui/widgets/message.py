"""A remark: icon, sentence, optional link. Severity is told by shape and word, not only by colour."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from desktop.ui.look import Look
from desktop.ui.widgets.buttons import link
from desktop.ui.widgets.layouts import row
from desktop.ui.widgets.text import ICON_OF_TONE, label, picture

TOP = Qt.AlignmentFlag.AlignTop


class MessageLine(QFrame):
    def __init__(
        self,
        look: Look,
        tone: str,
        text: str,
        act: Callable[[], object] | None = None,
        act_text: str = "",
        boxed: bool = False,
    ) -> None:
        super().__init__()
        layout = row(self, 8, (12, 8, 12, 8) if boxed else (0, 0, 0, 0))
        if boxed:
            self.setProperty("role", "box")
            self.setProperty("tone", tone)
        layout.addWidget(picture(look, ICON_OF_TONE[tone], tone), 0, TOP)
        self.sentence = label(text, "message", wrap=True)
        layout.addWidget(self.sentence, 1, TOP)
        self.setAccessibleName(f"{look.say(f'severity.{tone}')}: {text}")
        if act is not None:
            layout.addWidget(link(look, act_text, act, name=f"{act_text}: {text}"), 0, TOP)
