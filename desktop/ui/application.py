"""Starts Qt, opens the window, and catches what nobody else caught."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QLocale
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from desktop.catalog import load_catalog
from desktop.catalog.user_data import UserData, user_file
from desktop.project.document import Project
from desktop.quote import Quote
from desktop.request import RecommendRequest
from desktop.ui.catalog_on_hand import CatalogOnHand
from desktop.ui.dialogs.failure import FailureDialog, FailureHook
from desktop.ui.fonts import font, load_fonts
from desktop.ui.icons import pixmap
from desktop.ui.main_window import MainWindow
from desktop.ui.preferences import Preferences, load_preferences, preferences_file
from desktop.ui.session import Session
from desktop.ui.theme import LIGHT
from desktop.words import Language


def main(arguments: Sequence[str]) -> int:
    """Open the window, with a project where a file is named; returns the exit status."""
    app = QApplication.instance() or QApplication([sys.argv[0]])
    dress(app)  # type: ignore[arg-type]
    preferences = load_preferences(preferences_file())
    if preferences.language is None:
        preferences = preferences.model_copy(update={"language": _system_language()})
    window = open_window(preferences, preferences_file())
    sys.excepthook = FailureHook(lambda details: FailureDialog(window, window.look, details).exec())
    window.resize(window.size().boundedTo(window.screen().availableSize()))  # the last screen may have been larger
    window.show()
    if arguments:
        window.open_file(Path(arguments[0]))
    return app.exec()


def dress(app: QApplication) -> None:
    """Fusion, Inter, the program's name and icon: the same on every system."""
    app.setStyle("Fusion")
    app.setApplicationName("Rackwright")
    load_fonts()
    app.setFont(font())
    app.setWindowIcon(QIcon(pixmap("app", LIGHT.accent, 64)))


def open_window(preferences: Preferences, file: Path) -> MainWindow:
    """The window over the catalog and the user's own data, with an empty project."""
    catalog = CatalogOnHand(load_catalog, UserData(user_file()))

    def answer(request: RecommendRequest) -> Quote:
        from desktop.advisor import recommend  # half the start-up time: loaded after the window is on screen

        return recommend(request, catalog())

    project = Project(language=preferences.language or "en")
    return MainWindow(Session(answer, project), catalog, preferences, file)


def _system_language() -> Language:
    return "ru" if QLocale.system().language() == QLocale.Language.Russian else "en"
