"""Catalog updates and price lists: what the File menu does with them. Shown before it is done; every failure is one
sentence, and nothing is done in part."""

from collections.abc import Callable
from datetime import date

from PySide6.QtWidgets import QWidget

from desktop.catalog.reader import catalog_state
from desktop.request import Problem
from desktop.ui.catalog_on_hand import CatalogOnHand
from desktop.ui.dialogs import questions
from desktop.ui.look import Look

MOST_CONFLICTS = 8  # in a message box; `catalog conflicts` lists them all


class CatalogFiles:
    """`changed` is called after another catalog is in force or the user's own prices are others."""

    def __init__(self, window: QWidget, catalog: CatalogOnHand, changed: Callable[[], object]) -> None:
        self._window, self._catalog, self._changed = window, catalog, changed
        self.look: Look | None = None

    def install(self) -> bool:
        """Install a signed update after showing what it changes."""
        from desktop.catalog.signatures import release_keys
        from desktop.catalog.updates import inspect_update, install
        from desktop.ui.dialogs.catalog_update import UpdateDialog

        look = self._say()
        file = questions.ask_update_to_open(self._window, look)
        if file is None:
            return False
        try:
            present = catalog_state().catalog
            update = inspect_update(file, present, release_keys())
            dialog = UpdateDialog(self._window, look, update, present.stamp.version)
            agreed = bool(dialog.exec())
            dialog.deleteLater()
            if not agreed:
                return False
            state = install(update)
        except Problem as problem:
            return self._tell(problem, file.name)
        return self._in_force(state.catalog.stamp.version)

    def roll_back(self) -> bool:
        """Return to the catalog before the last update."""
        from desktop.catalog.updates import rollback

        try:
            state = rollback()
        except Problem as problem:
            return self._tell(problem, "")
        return self._in_force(state.catalog.stamp.version)

    def import_prices(self) -> bool:
        """Take a vendor's price list into the user's own prices after showing what it changes."""
        from desktop.catalog.price_lists import apply, read_table
        from desktop.ui.dialogs.price_list import PriceListDialog

        look, user = self._say(), self._catalog.user
        file = questions.ask_price_list_to_open(self._window, look)
        if file is None:
            return False
        try:
            table = read_table(file)
            dialog = PriceListDialog(self._window, look, table, self._catalog.shipped, user, date.today())
            agreed, found = bool(dialog.exec()), dialog.found
            dialog.deleteLater()
            if not agreed or found is None:
                return False
            taken = apply(found, user)
        except Problem as problem:
            return self._tell(problem, file.name)
        self._changed()
        questions.inform(self._window, look, look.say("prices.taken", taken=look.numerals.number(taken)))
        return True

    def export_prices(self) -> bool:
        """Write the user's own prices and parts into a file that can be imported again."""
        from desktop.catalog.price_lists import export_user_data

        look = self._say()
        file = questions.ask_price_list_to_save(self._window, look)
        if file is None:
            return False
        try:
            rows = export_user_data(self._catalog.user, file)
        except Problem as problem:
            return self._tell(problem, file.name)
        questions.inform(
            self._window, look, look.say("prices.exported", rows=look.numerals.number(rows), file=file.name)
        )
        return True

    def show_own_terms(self) -> bool:
        """Margin, discounts, preferred vendors and price ages."""
        from desktop.ui.dialogs.own_terms import OwnTermsDialog

        try:
            dialog = OwnTermsDialog(self._window, self._say(), self._catalog.user)
        except Problem as problem:
            return self._tell(problem, "")
        kept = bool(dialog.exec())
        dialog.deleteLater()
        self._changed()  # a discount is kept even where the rest is given up
        return kept

    def _in_force(self, version: str) -> bool:
        self._catalog.reload()
        self._changed()
        look = self._say()
        text = look.say("update.in_force", day=look.numerals.as_of(version))
        if lines := self._conflicts():
            text = "\n".join((text, "", look.say("update.conflicts"), *lines))
        questions.inform(self._window, look, text)
        return True

    def _conflicts(self) -> list[str]:
        """Where the user's own data and the catalog now in force disagree, a line each."""
        from desktop.catalog.overlay import conflicts

        look = self._say()
        try:
            found = conflicts(self._catalog.shipped(), self._catalog.user)
        except Problem as problem:
            return [look.problem(problem)]
        lines = [
            look.say(f"conflict.{one.kind}", what=".".join(part for part in (one.table, one.id, one.field) if part))
            for one in found[:MOST_CONFLICTS]
        ]
        more = len(found) - MOST_CONFLICTS
        return [*lines, look.say("update.more", more=look.numerals.number(more))] if more > 0 else lines

    def _tell(self, problem: Problem, name: str) -> bool:
        look = self._say()
        place = problem.field or name
        questions.tell(self._window, look, f"{place}: {look.problem(problem)}" if place else look.problem(problem))
        return False

    def _say(self) -> Look:
        assert self.look is not None
        return self.look
