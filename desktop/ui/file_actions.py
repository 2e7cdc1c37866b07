"""New, open, save, export: what touches files. Nothing is lost without a question; every failure is one sentence."""

from datetime import date, datetime
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop.project.document import Project
from desktop.project.files import SUFFIX, open_project, save_project
from desktop.request import Problem
from desktop.ui.dialogs import questions
from desktop.ui.look import Look
from desktop.ui.session import Session


class FileActions:
    def __init__(self, window: QWidget, session: Session) -> None:
        self._window, self._session = window, session
        self.look: Look | None = None
        self.saved_at: datetime | None = None

    def may_leave(self) -> bool:
        """Whether the present project may be left: saved, given up, or without changes."""
        if not self._session.is_changed():
            return True
        answer = questions.ask_about_changes(self._window, self._say(), self._session.project.name)
        return self.save() if answer == "save" else answer == "discard"

    def new(self) -> bool:
        if not self.may_leave():
            return False
        self._start(Project(language=self._say().language), None)
        return True

    def open(self) -> bool:
        if not self.may_leave():
            return False
        file = questions.ask_file_to_open(self._window, self._say())
        return file is not None and self.open_file(file)

    def open_file(self, file: Path) -> bool:
        """Open a project; what is wrong with the file is told, and the present project stays."""
        try:
            project = open_project(file)
        except Problem as problem:
            self._tell(problem, file)
            return False
        self._start(project, file)
        return True

    def save(self) -> bool:
        return self._save_to(self._session.path) if self._session.path is not None else self.save_as()

    def save_as(self) -> bool:
        present = self._session.path
        suggested = str(present) if present else f"{_file_name(self._session.project, self._say())}{SUFFIX}"
        file = questions.ask_file_to_save(self._window, self._say(), suggested)
        return file is not None and self._save_to(file)

    def export(self) -> bool:
        """Write the documents of the quote into a folder."""
        from desktop.report import export_quote

        session, look = self._session, self._say()
        if session.quote is None or not session.is_current():
            return False
        folder = questions.ask_folder(self._window, look)
        if folder is None:
            return False
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            files = export_quote(session.project, session.quote, folder, session.project.language, date.today())
        except Problem as problem:
            self._tell(problem, folder)
            return False
        finally:
            QGuiApplication.restoreOverrideCursor()
        names = "\n".join(Path(file).name for file in files)
        if questions.tell_exported(self._window, look, look.say("export.done", folder=str(folder)), names):
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
        return True

    def _save_to(self, file: Path) -> bool:
        project = self._session.project
        if self._session.quote is not None:
            project = project.model_copy(update={"catalog_sha256": self._session.quote.catalog.sha256})
        try:
            save_project(project, file)
        except Problem as problem:
            self._tell(problem, file)
            return False
        self._session.mark_saved(file)
        self.saved_at = datetime.now()
        return True

    def _start(self, project: Project, file: Path | None) -> None:
        self._session.start(project, file)
        self.saved_at = None

    def _tell(self, problem: Problem, file: Path) -> None:
        place = problem.field or file.name
        questions.tell(self._window, self._say(), f"{place}: {self._say().problem(problem)}", str(file))

    def _say(self) -> Look:
        assert self.look is not None
        return self.look


def _file_name(project: Project, look: Look) -> str:
    name = project.name or project.number or look.say("top.unnamed")
    return "".join("-" if sign in '<>:"/\\|?*' else sign for sign in name).strip()
