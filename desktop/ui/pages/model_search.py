"""Which model: a search over the catalog, or the model's own files."""

from pathlib import Path

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QFileDialog, QLineEdit, QWidget

from desktop.request import InlineModel, Problem
from desktop.ui.desk import Desk
from desktop.ui.icons import icon
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.text import label, restyle
from desktop.ui.wording import model_name

POPULAR = ("Llama-3.1-8B", "Llama-3.1-70B", "Qwen2.5-72B", "Qwen3-32B", "Qwen3-8B", "Mistral-7B-v0.3")
SHOWN_MATCHES = 12


class ModelSearch(QWidget):
    """A known name is taken at once; an unknown one is said under the field with the closest names."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk, look = desk, desk.look
        layout = column(self, 6)
        line = row(gap=8)
        self.edit = QLineEdit()
        self.edit.setObjectName("model")
        self.edit.setPlaceholderText(look.say("model.search"))
        self.edit.setAccessibleName(look.say("field.model"))
        self.edit.setClearButtonEnabled(False)
        self.edit.addAction(icon("search", look.theme.text3), QLineEdit.ActionPosition.LeadingPosition)
        self._completer = QCompleter(self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._completer.setMaxVisibleItems(SHOWN_MATCHES)
        self._completer.popup().setProperty("role", "choices")
        self.edit.setCompleter(self._completer)
        self._completer.activated.connect(self._take)
        self.edit.textEdited.connect(self._typed)
        self.edit.editingFinished.connect(self._finished)
        line.addWidget(self.edit, 1)
        self.open = button(look, look.say("model.open"), self._open, "", "folder")
        line.addWidget(self.open)
        layout.addLayout(line)
        self._below = label("", "caption", "bad", wrap=True)
        layout.addWidget(self._below)
        self._popular = QWidget()
        popular = row(self._popular, 4)
        popular.addWidget(label(look.say("model.popular"), "caption"))
        for name in self._known(POPULAR):
            popular.addWidget(button(look, name, lambda name=name: self._take(name), "quiet"))
        popular.addStretch()
        layout.addWidget(self._popular)
        catalog = desk.catalog()
        names = [model.name for model in catalog.models]
        hub = [model.hf_id for model in catalog.models if model.hf_id and model.hf_id not in names]
        self._completer.setModel(QStringListModel(names + hub, self))
        self.say_problem("")

    def show_model(self, model: object) -> None:
        if not self.edit.hasFocus():
            self.edit.setText(model_name(model))
        self._popular.setVisible(model is None)

    def say_problem(self, sentence: str) -> None:
        self._below.setText(sentence)
        self._below.setVisible(bool(sentence))
        self.edit.setAccessibleDescription(sentence)
        restyle(self.edit, state="bad" if sentence else "")

    def take_file(self, file: Path) -> None:
        """Use a file or folder of a model; what is wrong with it is said under the field."""
        self._desk.session.put_model(InlineModel(file=file))
        self.say_problem("")
        self.edit.setText(model_name(self._desk.session.model()))
        self._desk.changed()

    def _known(self, names: tuple[str, ...]) -> list[str]:
        catalog = {model.name for model in self._desk.catalog().models}
        return [name for name in names if name in catalog]

    def _typed(self, text: str) -> None:
        try:
            name = self._desk.catalog().model(text.strip()).name if text.strip() else None
        except Problem:
            return  # half a name; it is judged when the field is left
        self._put(name)

    def _finished(self) -> None:
        text = self.edit.text().strip()
        if not text or text == model_name(self._desk.session.model()):
            return
        try:
            self._put(self._desk.catalog().model(text).name)
        except Problem as problem:
            self.say_problem(self._desk.look.problem(problem))

    def _take(self, name: str) -> None:
        self.edit.setText(name)
        self._finished()

    def _put(self, name: str | None) -> None:
        self.say_problem("")
        if name != self._desk.session.model():
            self._desk.session.put_model(name)
            self._desk.changed()

    def _open(self) -> None:
        look = self._desk.look
        file, _ = QFileDialog.getOpenFileName(self.window(), look.say("model.open_title"), "", look.say("model.filter"))
        if file:
            self.take_file(Path(file))
