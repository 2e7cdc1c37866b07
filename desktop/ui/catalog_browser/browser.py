"""The browser's window: beside the main one, never in its way; built anew for a language, a theme or other facts."""

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from desktop.catalog.browsing import Library
from desktop.ui.catalog_browser.own_entries import OwnEntries
from desktop.ui.catalog_browser.view import BrowserView, Place
from desktop.ui.catalog_on_hand import CatalogOnHand
from desktop.ui.look import Look
from desktop.ui.widgets.layouts import column
from desktop.words import problem_sentence

SMALLEST, FIRST = (1000, 600), (1320, 820)


class CatalogBrowser(QDialog):
    """`changed` is called after the reader has confirmed a value or kept an own price."""

    def __init__(
        self, parent: QWidget, look: Look, catalog: CatalogOnHand, changed: Callable[[], object], on: date | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._catalog, self._changed, self._on = catalog, changed, on
        self._place = Place()
        self._layout = column(self, 0)
        self.view: BrowserView | None = None
        self.setMinimumSize(*SMALLEST)
        self.resize(*FIRST)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search)
        self.rebuild(look)

    def rebuild(self, look: Look) -> None:
        """Show the catalog as it now is, to this reader; place, search and ticks stay."""
        old, focus = self.view, self.focusWidget()
        in_search = isinstance(focus, QLineEdit) and focus.objectName() == "catalog.search"
        self.setWindowTitle(look.say("browser.title"))
        on = self._on or date.today()
        library = Library(self._catalog(), on)
        own = OwnEntries(self._catalog.user, self._catalog.shipped, on, self._changed)
        problem = self._catalog.trouble
        trouble = problem_sentence(problem, look.language) if problem is not None else ""
        self.view = BrowserView(look, library, own, self._place, trouble)
        self._layout.addWidget(self.view)
        if old is not None:
            self._layout.removeWidget(old)
            old.hide()
            old.deleteLater()
        if old is None or in_search:
            self.search()
        else:
            self.view.table.setFocus()

    def search(self) -> None:
        """Put the cursor into the search field."""
        if self.view is not None:
            self.view.search.setFocus()
            self.view.search.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes one step back, and Enter is no button's here."""
        if event.key() == Qt.Key.Key_Escape and self.view is not None:
            self.view.escape(self.close)
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)
        self.search()
