"""When the program itself is at fault: what happened, in words, with diagnostics to copy; nothing is sent anywhere."""

import platform
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

import desktop
from desktop import __version__
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.text import label

PROGRAM = Path(desktop.__file__).parent.parent

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
    """Versions, system, the kinds of the errors and their places in the program; no word of a project.

    What an error says is left out, for it may quote a field, and so are the folders of this computer.
    """
    facts = [
        f"Rackwright {__version__}",
        f"Python {sys.version.split()[0]}",
        f"Qt {qVersion()}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
    ]
    return "\n".join(facts) + "\n\n" + "\n\n".join(_places(error) for error in _chain(trace[1]))


def _chain(error: BaseException) -> list[BaseException]:
    """The error and those it came from, the first one first, as Python prints them."""
    chain: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in chain:
        chain.insert(0, following)
        hidden = following.__cause__ is not None or following.__suppress_context__
        following = following.__cause__ if hidden else following.__context__
    return chain


def _places(error: BaseException) -> str:
    lines = [
        f"  {_inside(frame.filename)}:{frame.lineno} {frame.name}\n    {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    return "\n".join([type(error).__name__, *lines])


def _inside(filename: str) -> str:
    """A file of the program seen from its folder; of any other only its name."""
    file = Path(filename)
    return file.relative_to(PROGRAM).as_posix() if file.is_relative_to(PROGRAM) else file.name


class FailureHook:
    """Takes the place of sys.excepthook: one dialog at a time; and the whole trace on stderr."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._showing = False
        self._before = sys.excepthook

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self._before(kind, error, trace)
            return
        traceback.print_exception(kind, error, trace)
        if self._showing:
            return
        self._showing = True
        try:
            self._show(diagnostics((kind, error, trace)))
        finally:
            self._showing = False
