"""When the program itself is at fault: what happened, in words, with diagnostics to copy; nothing is sent anywhere."""

import platform
import sys
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from desktop import __version__
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.text import label

Trace = tuple[type[BaseException], BaseException, TracebackType | None]


class FailureDialog(QDialog):
    def __init__(self, parent: QWidget | None, look: Look, details: str) -> None:
        super().__init__(parent)
        self.details = details
        self.setWindowTitle(look.say("failure.title"))
        self.resize(640, 420)
        layout = column(self, 12, (20, 16, 20, 16))
        layout.addWidget(label(look.say("failure.head"), "section", wrap=True))
        layout.addWidget(label(look.say("failure.text"), "muted", wrap=True))
        text = QPlainTextEdit(details)
        text.setReadOnly(True)
        text.setAccessibleName(look.say("failure.details"))
        layout.addWidget(text, 1)
        line = row()
        line.addWidget(button(look, look.say("failure.copy"), lambda: QGuiApplication.clipboard().setText(details)))
        line.addStretch()
        line.addWidget(button(look, look.say("failure.close"), self.accept, "primary"))
        layout.addLayout(line)


def diagnostics(trace: Trace) -> str:
    """Versions, system and the trace; no figure and no name of a project."""
    facts = [
        f"Rackwright {__version__}",
        f"Python {sys.version.split()[0]}",
        f"Qt {qVersion()}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
    ]
    return "\n".join(facts) + "\n\n" + "".join(traceback.format_exception(*trace))


class FailureHook:
    """Takes the place of sys.excepthook: one dialog at a time, and the trace on stderr."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._showing = False
        self._before = sys.excepthook

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before(kind, error, trace)
            return
        text = diagnostics((kind, error, trace))
        print(text, file=sys.stderr)
        if self._showing:
            return
        self._showing = True
        try:
            self._show(text)
        finally:
            self._showing = False
