"""The bar on top: whose project this is and whether it is saved; undo, units, language, theme, export."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton

from desktop.ui.look import Look
from desktop.ui.shell.actions import Actions
from desktop.ui.shell.shortcuts import key_text
from desktop.ui.widgets.buttons import Segmented, button
from desktop.ui.widgets.choices import TextField
from desktop.ui.widgets.layouts import row
from desktop.ui.widgets.text import label, picture

HEIGHT = 48
NAME_WIDTHS, NAME_MARGINS = (96, 280), 36  # room for a cursor, the padding and the weight of the letters
THEME_ICONS = {"system": "auto", "light": "sun", "dark": "moon"}


class TopBar(QFrame):
    def __init__(self, look: Look, actions: Actions, theme_choice: str) -> None:
        super().__init__()
        self._look = look
        say = look.say
        self.setProperty("role", "bar")
        self.setFixedHeight(HEIGHT)
        layout = row(self, 8, (16, 0, 14, 0))
        layout.addWidget(picture(look, "app", "accent", 20))
        self.name = TextField()
        self.name.setProperty("role", "name")
        self.name.setPlaceholderText(say("top.unnamed"))
        self.name.setAccessibleName(say("field.name"))
        self.name.setToolTip(say("field.name"))
        self.name.edited.connect(actions.rename)
        self.name.textChanged.connect(lambda _: self._fit_name())
        self._fit_name()
        layout.addWidget(self.name)
        self._number = label("", "caption")
        layout.addWidget(self._number)
        self._saved = label("", "caption")
        layout.addWidget(self._saved)
        layout.addStretch()
        self.undo = self._icon("undo", actions.undo, say("action.undo"), key_text("undo"))
        self.redo = self._icon("redo", actions.redo, say("action.redo"), key_text("redo"))
        layout.addWidget(self.undo)
        layout.addWidget(self.redo)
        layout.addSpacing(4)
        self.units = Segmented([(False, look.term("unit.gib")), (True, look.term("unit.gb"))], say("top.units"))
        self.units.show_value(look.decimal_memory)
        self.units.edited.connect(actions.set_units)
        self.language = Segmented([("en", "EN"), ("ru", "RU")], say("top.language"))
        self.language.show_value(look.language)
        self.language.edited.connect(actions.set_language)
        layout.addWidget(self.units)
        layout.addWidget(self.language)
        following = {"system": "light", "light": "dark", "dark": "system"}[theme_choice]
        text = say("top.theme", theme=say(f"theme.{theme_choice}"))
        self.theme = self._icon(THEME_ICONS[theme_choice], lambda: actions.set_theme(following), text)
        layout.addWidget(self.theme)
        layout.addSpacing(4)
        self.export = button(look, say("action.export"), actions.export, "primary", "export")
        self.export.setToolTip(key_text("export"))
        layout.addWidget(self.export)

    def show_project(self, name: str, number: str, revision: int, saved: str) -> None:
        self.name.show_value(name)
        parts = [number, self._look.say("top.revision", revision=revision)]
        self._number.setText(" · ".join(part for part in parts if part))
        self._saved.setText(saved)

    def _fit_name(self) -> None:
        """As wide as the name, so that what follows stands beside it."""
        text = self.name.text() or self.name.placeholderText()
        needed = self.name.fontMetrics().horizontalAdvance(text) + NAME_MARGINS
        self.name.setFixedWidth(min(max(needed, NAME_WIDTHS[0]), NAME_WIDTHS[1]))

    def enable(self, undo: bool, redo: bool, export: bool) -> None:
        self.undo.setEnabled(undo)
        self.redo.setEnabled(redo)
        self.export.setEnabled(export)

    def narrow(self, on: bool) -> None:
        self._number.setVisible(not on)

    def _icon(self, picture_name: str, act: object, name: str, keys: str = "") -> QPushButton:
        widget = button(self._look, "", act, "icon", picture_name, name=name)  # type: ignore[arg-type]
        widget.setToolTip(f"{name} ({keys})" if keys else name)
        widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return widget
