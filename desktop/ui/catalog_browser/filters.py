"""Filters that fit the shelf: makers or kinds, how its rows were verified, whether only stale prices are wanted."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from desktop.catalog.browsing import Shelf
from desktop.catalog.facts import CONFIRMED, OWN, VERIFICATIONS
from desktop.ui.catalog_browser.figures import field_name, verification_name
from desktop.ui.look import Look
from desktop.ui.widgets.choices import Choice
from desktop.ui.widgets.layouts import clear, row

WIDE, NARROW = 200, 180
NAMED_GROUPS = ("category", "role")  # fields whose values are codes with names


class Filters(QWidget):
    """`edited` tells which filter took which value: group, verification or stale."""

    edited = Signal(str, object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._line = row(self, 10)
        self.only_stale: QCheckBox | None = None

    def show_shelf(self, shelf: Shelf, group: str, verification: str, stale: bool) -> None:
        """Take the filters of another shelf, with the values they have."""
        look, field = self._look, shelf.layout.group
        clear(self._line)
        if shelf.groups:
            name = field_name(look, field)
            options = [("", look.say("browser.all_groups", field=name))]
            options += [(code, self._group_name(field, code)) for code in shelf.groups]
            self._add(Choice(options, WIDE), name, group, "group")
        options = [("", look.say("browser.all_verified"))]
        known = (code for code in (*VERIFICATIONS, CONFIRMED, OWN) if code in shelf.verifications)
        options += [(code, verification_name(look, code)) for code in known]
        self._add(Choice(options, NARROW), look.say("browser.status"), verification, "verification")
        self.only_stale = self._stale_box(stale) if shelf.has_stale else None
        self._line.addStretch()

    def _add(self, choice: Choice, name: str, value: str, field: str) -> None:
        choice.setObjectName(f"filter.{field}")
        choice.setAccessibleName(name)
        choice.setMaxVisibleItems(16)
        if value:
            choice.show_value(value)
        choice.edited.connect(lambda value: self.edited.emit(field, value))
        self._line.addWidget(choice)

    def _stale_box(self, on: bool) -> QCheckBox:
        box = QCheckBox(self._look.say("browser.only_stale"))
        box.setAccessibleName(box.text())
        box.setChecked(on)
        box.toggled.connect(lambda on: self.edited.emit("stale", on))
        self._line.addWidget(box)
        return box

    def _group_name(self, field: str, code: str) -> str:
        return self._look.known(f"{field}.{code}", code) if field in NAMED_GROUPS else code
