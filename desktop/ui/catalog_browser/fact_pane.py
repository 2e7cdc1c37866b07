"""All facts of one record, each under its source and age; what was only recalled stands first and says so."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop.catalog.ageing import age_days
from desktop.catalog.browsing import ComparedField, Library, Row, by_origin
from desktop.catalog.facts import CONFIRMED, OWN, RECALLED, Origin
from desktop.catalog.prices import HardwarePrice
from desktop.request import Problem
from desktop.ui.catalog_browser.figures import (
    DASH,
    dated,
    field_name,
    origin_lines,
    price_written,
    verification_name,
    verification_tone,
    written,
)
from desktop.ui.catalog_browser.own_entries import ConfirmForm, OwnEntries, PriceForm
from desktop.ui.dialogs.questions import tell
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import link
from desktop.ui.widgets.layouts import clear, column, row
from desktop.ui.widgets.text import label, pill, rule
from desktop.words import known_phrase, problem_sentence

WIDE, NARROW = 380, 340
TOP = Qt.AlignmentFlag.AlignTop


class FactPane(QScrollArea):
    """Shows a record, or one property of several; edits only what is the user's own."""

    def __init__(self, look: Look, library: Library, own: OwnEntries) -> None:
        super().__init__()
        self._look, self._library, self._own = look, library, own
        self._row: Row | None = None
        self.setProperty("role", "pane")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._begin(None)

    def show_nothing(self, text: str) -> None:
        self._begin(None)
        self._lines.addWidget(label(text, "muted", wrap=True))
        self._end()

    def show_row(self, shown: Row) -> None:
        """Every fact of a record under its source, then what it costs, then the notes."""
        self._begin(shown)
        self._head(shown)
        if self._own.may_price(shown):
            self._prices(shown)
        for origin, facts in by_origin(shown.record):
            self._origin(shown, origin, facts)
        if shown.record.notes:
            self._lines.addWidget(rule())
            self._lines.addWidget(label(self._look.say("browser.notes"), "head"))
            self._lines.addWidget(_source(shown.record.notes))
        self._end()

    def show_property(self, compared: ComparedField, rows: Sequence[Row]) -> None:
        """One property of the compared GPUs: value, source and age of each."""
        self._begin(None)
        look = self._look
        self._lines.addWidget(label(field_name(look, compared.field), "verdict", wrap=True))
        for place, of in enumerate(rows):
            value, origin = compared.values[place], compared.origins[place]
            self._lines.addWidget(rule())
            self._lines.addWidget(label(of.title, "small", wrap=True))
            if value is None:
                self._lines.addWidget(label(look.say("browser.unknown"), "muted"))
                continue
            text = written(look, compared.field, value, of.record, self._library.name)
            self._lines.addWidget(label(text, "strong", wrap=True))
            self._stamp(self._lines, origin)
            self._lines.addWidget(_source(origin.source or look.say("browser.no_source")))
        self._end()

    # ------------------------------------------------------------------ parts of the pane

    def _begin(self, shown: Row | None) -> None:
        known, self._row = self._row, shown
        same = shown is not None and known is not None and (shown.table, shown.key) == (known.table, known.key)
        scrolled = self.verticalScrollBar().value() if same else 0
        content = QWidget()  # a new one: Qt measures wrapped lines anew only for a widget it is given
        content.setProperty("role", "pane-content")
        self._lines = column(content, 8, (20, 16, 20, 16))
        if (old := self.takeWidget()) is not None:
            old.hide()
            old.deleteLater()
        self._content, self._scrolled = content, scrolled

    def _end(self) -> None:
        self._lines.addStretch()
        self.setWidget(self._content)
        self.verticalScrollBar().setValue(self._scrolled)

    def _head(self, shown: Row) -> None:
        look, record = self._look, shown.record
        self._lines.addWidget(label(shown.title, "verdict", wrap=True))
        line = row(gap=6)
        line.addWidget(pill(verification_name(look, record.verification), verification_tone(record.verification)))
        if shown.stale:
            line.addWidget(pill(look.say("browser.stale"), "warn"))
        line.addStretch()
        self._lines.addLayout(line)
        if self._own.may_confirm(shown) and RECALLED in shown.verifications:
            self._offer(self._lines, shown, "", look.say("browser.own.confirm_record"), shown.title)
        if self._own.is_confirmed(shown, ""):
            self._lines.addWidget(self._withdraw(shown, "", shown.title))

    def _prices(self, shown: Row) -> None:
        look, own = self._look, self._own
        self._lines.addWidget(rule())
        head = row(gap=8)
        head.addWidget(label(look.say("browser.prices"), "head"))
        head.addStretch()
        place = column(gap=8)
        head.addWidget(
            link(look, look.say("browser.own.price"), lambda: self._open(place, PriceForm(look, own, shown)))
        )
        self._lines.addLayout(head)
        self._lines.addLayout(place)
        prices = self._library.prices_of(shown.key)
        if not prices:
            self._lines.addWidget(label(look.say("browser.no_price"), "caption"))
        for price in prices:
            self._price(price)

    def _price(self, price: HardwarePrice) -> None:
        look = self._look
        line = row(gap=6)
        line.addWidget(label(price_written(look, price), "strong"))
        kind = known_phrase("terms", f"price_kind.{price.kind}", look.language, price.kind)
        vat = look.say("browser.vat_in" if price.vat_included else "browser.vat_out")
        line.addWidget(label(f"{kind} · {vat}", "small", wrap=True), 1)
        self._lines.addLayout(line)
        about = row(gap=6)
        origin = price.origin("low")
        where = " · ".join(filter(None, (price.supplier, look.known(f"region.{price.region}", price.region))))
        self._stamp(about, origin, where, self._library.is_stale("hardware_prices", price))
        if origin.verification == OWN:
            text = look.say("browser.own.remove")
            remove = partial(self._try, partial(self._own.remove_price, price))
            about.addWidget(link(look, text, remove, name=f"{text}: {price_written(look, price)}"))
        self._lines.addLayout(about)
        if price.source and origin.verification != OWN:
            self._lines.addWidget(_source(price.source))

    def _origin(self, shown: Row, origin: Origin, facts: Sequence[tuple[str, Any]]) -> None:
        look = self._look
        self._lines.addWidget(rule())
        self._stamp(self._lines, origin)
        self._lines.addWidget(_source(origin.source or look.say("browser.no_source")))
        for field, value in facts:
            text = written(look, field, value, shown.record, self._library.name)
            self._fact(shown, field, text, origin)

    def _fact(self, shown: Row, field: str, text: str, origin: Origin) -> None:
        look, name = self._look, field_name(self._look, field, shown.table)
        tip = origin_lines(look, origin, age_days(origin.as_of, self._library.on))
        cell = QWidget()
        line = row(cell, 12)
        line.addWidget(label(name, "small", wrap=True), 4, TOP)
        lines = column(gap=1)
        line.addLayout(lines, 5)
        value = label(text or DASH, "message", wrap=True)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        lines.addWidget(value)
        cell.setToolTip(tip)
        cell.setAccessibleName(f"{name}: {text}, {verification_name(look, origin.verification)}")
        cell.setAccessibleDescription(tip)
        self._lines.addWidget(cell)
        confirmable = self._own.may_confirm(shown) and field in type(shown.record).model_fields
        if origin.verification == RECALLED:
            about = row(gap=8)
            about.addWidget(label(verification_name(look, RECALLED), "caption", "warn"))
            lines.addLayout(about)
            if confirmable:
                self._offer(about, shown, field, look.say("browser.own.confirm"), f"{name}: {text}")
            about.addStretch()
        elif origin.verification == CONFIRMED and self._own.is_confirmed(shown, field):
            lines.addWidget(self._withdraw(shown, field, name))

    def _offer(self, line: QBoxLayout, shown: Row, field: str, text: str, what: str) -> None:
        """A link that opens the form under the line it stands in."""
        place = column(gap=8)

        def open_form() -> None:
            self._open(place, ConfirmForm(self._look, self._own, shown, field, what))

        line.addWidget(link(self._look, text, open_form, name=f"{text} {what}"))
        self._lines.addLayout(place)

    def _withdraw(self, shown: Row, field: str, what: str) -> QWidget:
        text = self._look.say("browser.own.withdraw")
        withdraw = partial(self._try, partial(self._own.withdraw, shown, field))
        return link(self._look, text, withdraw, name=f"{text}: {what}")

    def _try(self, act: Callable[[], object]) -> None:
        """Do what writes into the user's file; a file that cannot be written is told."""
        try:
            act()
        except Problem as problem:
            tell(self.window(), self._look, problem_sentence(problem, self._look.language))

    def _open(self, place: QVBoxLayout, form: ConfirmForm | PriceForm) -> None:
        clear(place)
        place.addWidget(form)
        form.closed.connect(lambda: clear(place))
        form.setFocus()

    def _stamp(self, layout: QBoxLayout, origin: Origin, more: str = "", stale: bool = False) -> None:
        """Verification and date in one line."""
        look = self._look
        line = row(gap=6)
        line.addWidget(pill(verification_name(look, origin.verification), verification_tone(origin.verification)))
        if stale:
            line.addWidget(pill(look.say("browser.stale"), "warn"))
        text = dated(look, origin.as_of, age_days(origin.as_of, self._library.on))
        line.addWidget(label(f"{text} · {more}" if more else text, "caption", wrap=True), 1)
        layout.addLayout(line)


def _source(text: str) -> QLabel:
    widget = label(text, "caption", wrap=True)
    widget.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return widget
