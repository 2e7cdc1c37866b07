"""Sets the pages of the spec sheet beside the window's own work: typesetting takes a third of a second."""

from datetime import date

from PySide6.QtCore import QObject, QThreadPool, Signal

from desktop.project.document import Project
from desktop.quote import Quote


class PageSetter(QObject):
    """`ready` carries the PNG of every page, or the exception that kept them from being set. Only the newest order
    counts: an immutable project and quote go in, nothing is shared."""

    ready = Signal(object)

    def __init__(self, parent: QObject, dots_per_inch: float) -> None:
        super().__init__(parent)
        self._dots_per_inch = dots_per_inch
        self._newest = 0

    def order(self, project: Project, quote: Quote) -> None:
        self._newest += 1
        number, dots = self._newest, self._dots_per_inch
        bridge = _Bridge()
        bridge.done.connect(self._done)
        QThreadPool.globalInstance().start(lambda: bridge.done.emit(number, _set(project, quote, dots)))

    def _done(self, number: int, outcome: object) -> None:
        if number == self._newest:
            self.ready.emit(outcome)


class _Bridge(QObject):
    """Lives as long as the work does, so that a window may close meanwhile."""

    done = Signal(int, object)


def _set(project: Project, quote: Quote, dots_per_inch: float) -> list[bytes] | Exception:
    from desktop.report import render_pages, spec_sheet

    try:
        return render_pages(spec_sheet(project, quote, project.language, date.today()), dots_per_inch)
    except Exception as error:  # shown or raised by the window: an exception must not end a worker thread
        return error
