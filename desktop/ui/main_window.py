"""The window. It is rebuilt from the session for every language and theme: one path for all of them."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenuBar, QWidget

from desktop.project.files import SUFFIX
from desktop.project.flow import STEP_NAMES, flow, next_step, previous_step
from desktop.ui.catalog_browser.browser import CatalogBrowser
from desktop.ui.catalog_files import CatalogFiles
from desktop.ui.catalog_on_hand import CatalogOnHand
from desktop.ui.desk import Desk
from desktop.ui.dialogs.about import AboutDialog, KeysDialog
from desktop.ui.file_actions import FileActions
from desktop.ui.look import Look
from desktop.ui.pages.model import ModelPage
from desktop.ui.preferences import SMALLEST, Preferences, save_preferences
from desktop.ui.session import Session
from desktop.ui.shell.frame import PAGES, Frame
from desktop.ui.shell.menus import fill_menus
from desktop.ui.stylesheet import stylesheet
from desktop.ui.theme import DARK, LIGHT, Theme, palette
from desktop.words import Language

COALESCE_MS = 30


class MainWindow(QMainWindow):
    def __init__(
        self, session: Session, catalog: CatalogOnHand, preferences: Preferences, preferences_file: Path
    ) -> None:
        super().__init__()
        self.session, self._catalog = session, catalog
        self.preferences, self._preferences_file = preferences, preferences_file
        self.files = FileActions(self, session)
        self.catalog_files = CatalogFiles(self, catalog, self.catalog_changed)
        self._timer = QTimer(self, singleShot=True, interval=COALESCE_MS)
        self._timer.timeout.connect(self.refresh)
        self.setMinimumSize(*SMALLEST)
        self.resize(preferences.width, preferences.height)
        self.setAcceptDrops(True)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_theme_changed)
        self.frame: Frame | None = None
        self.browser: CatalogBrowser | None = None
        self.rebuild()

    # ------------------------------------------------------------------ building and answering

    def rebuild(self, page_name: str = "") -> None:
        """Make everything anew from the session and the preferences; page, scroll position and focus stay."""
        old, focus = self.frame, QApplication.focusWidget()
        page_name = page_name or (old.page_name if old else STEP_NAMES[0])
        scrolled = old.scroll_position() if old and old.page_name == page_name else 0
        focused = focus.objectName() if focus is not None and old is not None and old.isAncestorOf(focus) else ""
        self.look = Look(self._theme(), self.preferences.language or "en", self.preferences.decimal_memory)
        self.files.look = self.catalog_files.look = self.look
        QApplication.setPalette(palette(self.look.theme))
        self.setStyleSheet(stylesheet(self.look.theme))
        self.setMenuBar(QMenuBar(self))
        self.actions_by_code = fill_menus(self, self, self.look, STEP_NAMES, self.preferences.theme)
        desk = Desk(self.look, self.session, self._catalog, self.changed, self.go, self.export)
        self.frame = Frame(desk, self, self.preferences.theme, page_name)
        self.setCentralWidget(self.frame)
        self.frame.fit(self.width())
        self._focus_first()
        if self.browser is not None:
            self.browser.rebuild(self.look)
        if self.isVisible():
            self.answer_now()
            QTimer.singleShot(0, lambda: self._return_to(scrolled, focused))
        else:
            self.changed()  # the first frame is on screen before the advisor is loaded

    def changed(self) -> None:
        """Something was said: answer soon, once for a burst of keystrokes."""
        self._timer.start()

    def answer_now(self) -> None:
        """Answer without waiting for the pause."""
        self._timer.stop()
        self.refresh()

    def refresh(self) -> None:
        """Answer the request and show it everywhere."""
        try:
            self.session.answer()
        finally:  # a defect is told by the failure dialog; what is on screen must not pass for the answer
            self._show_answer()

    def _show_answer(self) -> None:
        session = self.session
        say, day = self.look.say, self.look.numerals.date_short(self._catalog().stamp.built)
        catalog = say("rail.no_own_data") if self._catalog.trouble is not None else say("rail.catalog", date=day)
        steps = flow(session.project, session.quote, session.problem)
        self.frame.show_answer(steps, catalog)
        self._show_project()

    def is_settled(self) -> bool:
        """Whether what is on screen answers what was said."""
        return not self._timer.isActive()

    def _show_project(self) -> None:
        session, say = self.session, self.look.say
        project = session.project
        if session.is_changed():
            saved = say("top.unsaved")
        else:
            saved = say("top.saved", time=self.files.saved_at.strftime("%H:%M")) if self.files.saved_at else ""
        self.frame.top.show_project(project.name, project.number, project.revision, saved)
        ready = session.quote is not None and session.is_current()
        self.frame.top.enable(session.can_undo(), session.can_redo(), ready)
        for code, on in (("undo", session.can_undo()), ("redo", session.can_redo()), ("export", ready)):
            self.actions_by_code[code].setEnabled(on)
        name = project.name or (session.path.name.removesuffix(SUFFIX) if session.path else say("top.unnamed"))
        self.setWindowTitle(f"{name}[*] — {say('app.name')}")
        self.setWindowModified(session.is_changed())

    def _theme(self) -> Theme:
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        choice = self.preferences.theme
        return DARK if choice == "dark" or (choice == "system" and dark) else LIGHT

    def _focus_first(self) -> None:
        """An empty project waits for its model; else nothing stands out."""
        page = self.frame.present_page()
        if isinstance(page, ModelPage) and self.session.model() is None:
            page.search.edit.setFocus()
        else:
            page.setFocus()

    def _return_to(self, scrolled: int, focused: str) -> None:
        self.frame.scroll_to(scrolled)
        widget = self.frame.findChild(QWidget, focused) if focused else None
        if widget is not None:
            widget.setFocus()

    # ------------------------------------------------------------------ going somewhere

    def go(self, place: str) -> None:
        """Show a page by its name, or the field of an address."""
        self.frame.show_page(place if place in PAGES else self.frame.page_with(place))
        self.answer_now()
        if place not in PAGES:
            self.frame.focus_field(place)

    def go_next(self) -> None:
        self.go(next_step(self.frame.page_name) or self.frame.page_name)

    def go_back(self) -> None:
        self.go(previous_step(self.frame.page_name) or self.frame.page_name)

    def next_region(self) -> None:
        self.frame.focus_region(1)

    def previous_region(self) -> None:
        self.frame.focus_region(-1)

    # ------------------------------------------------------------------ acting

    def new(self) -> None:
        if self.files.new():
            self.rebuild(STEP_NAMES[0])

    def open(self) -> None:
        if self.files.open():
            self.rebuild(STEP_NAMES[0])

    def open_file(self, file: Path) -> None:
        if self.files.open_file(file):
            self.rebuild(STEP_NAMES[0])

    def save(self) -> bool:
        saved = self.files.save()
        self._show_project()
        return saved

    def save_as(self) -> bool:
        saved = self.files.save_as()
        self._show_project()
        return saved

    def export(self) -> None:
        self.answer_now()
        self.files.export()

    def undo(self) -> None:
        if self.session.can_undo():
            self._step_to(self.session.undo())

    def redo(self) -> None:
        if self.session.can_redo():
            self._step_to(self.session.redo())

    def rename(self, name: str) -> None:
        self.session.put("name", name)
        self._reload()

    def set_units(self, decimal: bool) -> None:
        self._prefer(decimal_memory=decimal)

    def set_language(self, language: Language) -> None:
        self._prefer(language=language)

    def set_theme(self, choice: str) -> None:
        self._prefer(theme=choice)

    def show_catalog(self) -> None:
        """Open the catalog beside this window, or bring it to the front."""
        if self.browser is None:
            self.browser = CatalogBrowser(self, self.look, self._catalog, self.catalog_changed)
        self.browser.show()
        self.browser.raise_()
        self.browser.activateWindow()

    def install_catalog(self) -> None:
        self.catalog_files.install()

    def roll_back_catalog(self) -> None:
        self.catalog_files.roll_back()

    def import_prices(self) -> None:
        self.catalog_files.import_prices()

    def export_prices(self) -> None:
        self.catalog_files.export_prices()

    def show_own_terms(self) -> None:
        self.catalog_files.show_own_terms()

    def catalog_changed(self) -> None:
        """The user's data or the catalog itself is another one: compute the quote anew and show everything by it."""
        self._catalog.renew()
        self.session.reconsider()
        self.rebuild()

    def show_keys(self) -> None:
        KeysDialog(self, self.look, self.actions_by_code).exec()

    def show_about(self) -> None:
        AboutDialog(self, self.look, self._catalog()).exec()

    def _step_to(self, address: str) -> None:
        self._reload()
        if address:
            self.go(address)

    def _reload(self) -> None:
        self.frame.present_page().load()
        self.changed()

    def _prefer(self, **changes: object) -> None:
        self.preferences = self.preferences.model_copy(update=changes)
        save_preferences(self.preferences, self._preferences_file)
        self.rebuild()

    def _system_theme_changed(self) -> None:
        if self.preferences.theme == "system":
            self.rebuild()

    # ------------------------------------------------------------------ Qt tells

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.frame is not None:
            self.frame.fit(self.width())

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.files.may_leave():
            event.ignore()
            return
        size = {"width": self.width(), "height": self.height()}
        save_preferences(self.preferences.model_copy(update=size), self._preferences_file)
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A project opens; any other file or folder is taken for a model."""
        file = Path(next(url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()))
        if file.name.endswith(SUFFIX):
            if self.files.may_leave():
                self.open_file(file)
            return
        self.go("model")
        page = self.frame.present_page()
        if isinstance(page, ModelPage):
            page.search.take_file(file)
