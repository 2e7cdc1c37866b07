"""What a reader may write into the catalog: a confirmation of a recalled value, and an own price. Nothing shipped
changes; every entry is one line of user.db."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import QDateEdit, QFrame, QWidget

from desktop.catalog import Catalog
from desktop.catalog.browsing import Row
from desktop.catalog.overlay import CONFIRMABLE, confirm_fact
from desktop.catalog.prices import CATALOG_CURRENCY, HardwarePrice
from desktop.catalog.records import Platform
from desktop.catalog.user_data import UserData
from desktop.request import Problem
from desktop.ui.limits import Limits
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.choices import Choice, TextField
from desktop.ui.widgets.field import Field
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.no_wheel import guard
from desktop.ui.widgets.number_field import NumberField
from desktop.ui.widgets.text import label
from desktop.words import problem_sentence

CATEGORIES = {
    "gpus": "gpu",
    "cpus": "cpu",
    "memory_modules": "memory",
    "drives": "storage",
    "nics": "network",
    "switches": "network",
    "platforms": "system",
    "server_models": "system",
}
KINDS = ("quote", "contract", "list", "street", "used", "estimate")
CURRENCIES = (CATALOG_CURRENCY, "RUB", "EUR", "CNY")
FIRST_CURRENCY = {"en": CATALOG_CURRENCY, "ru": "RUB"}
LARGEST_PRICE = 1e9
SUPPLIER_WIDTH = 240


class OwnEntries:
    """Writes into `user` and says so by `changed`. Every method raises Problem where the file cannot be written."""

    def __init__(self, user: UserData, shipped: Callable[[], Catalog], on: date, changed: Callable[[], object]) -> None:
        self._user, self._shipped, self.on, self._changed = user, shipped, on, changed
        self._confirmations = self._known()

    def may_confirm(self, shown: Row) -> bool:
        return shown.table in CONFIRMABLE

    def may_price(self, shown: Row) -> bool:
        return shown.table in CATEGORIES

    def is_confirmed(self, shown: Row, field: str) -> bool:
        """Whether a confirmation of that field, or where none is named of the whole record, is kept."""
        return (shown.table, shown.key, field) in self._confirmations

    def last_name(self) -> str:
        """The name of the newest confirmation, so that it is asked only once."""
        try:
            kept = self._user.confirmations()
        except Problem:
            return ""
        return max(kept, key=lambda said: said.on).by if kept else ""

    def confirm(self, shown: Row, field: str, by: str) -> None:
        confirm_fact(self._shipped(), self._user, shown.table, shown.key, field, by, self.on)
        self._changed()

    def withdraw(self, shown: Row, field: str) -> None:
        self._user.withdraw(shown.table, shown.key, field)
        self._changed()

    def keep_price(self, price: HardwarePrice) -> None:
        self._user.put_price(price)
        self._changed()

    def remove_price(self, price: HardwarePrice) -> None:
        self._user.remove_price(price)
        self._changed()

    def _known(self) -> frozenset[tuple[str, str, str]]:
        try:
            return frozenset((said.table, said.id, said.field) for said in self._user.confirmations())
        except Problem:  # an unreadable file is told by the browser; the shipped facts are shown without it
            return frozenset()


class EntryForm(QFrame):
    """A form in the pane: fields, one sentence where something is wrong, Keep and Cancel."""

    closed = Signal()

    def __init__(self, look: Look, act: Callable[[], str]) -> None:
        """`act` keeps the entry and returns what is wrong with it, or nothing."""
        super().__init__()
        self._look, self._act = look, act
        self.setProperty("role", "option")
        self.lines = column(self, 8, (12, 10, 12, 10))
        self._wrong = label("", "message", "bad", wrap=True)
        self._wrong.hide()

    def end(self) -> None:
        """What stands below the fields."""
        say = self._look.say
        self.lines.addWidget(self._wrong)
        line = row(gap=8)
        self.keep = button(self._look, say("browser.own.keep"), self.submit, "primary")
        line.addWidget(self.keep)
        line.addWidget(button(self._look, say("browser.own.cancel"), self.closed.emit))
        line.addStretch()
        self.lines.addLayout(line)

    def submit(self) -> None:
        """Keep the entry, or say what is wrong with it; nothing half is kept."""
        try:
            wrong = self._act()
        except Problem as problem:
            wrong = problem_sentence(problem, self._look.language)
        if wrong:
            self._wrong.setText(wrong)
            self._wrong.show()

    def wrong(self) -> str:
        return self._wrong.text()


class ConfirmForm(EntryForm):
    """Who vouches for a recalled value."""

    def __init__(self, look: Look, own: OwnEntries, shown: Row, field: str, what: str) -> None:
        super().__init__(look, self._keep)
        self._own, self._shown, self._field = own, shown, field
        day = look.numerals.date(own.on)
        self.lines.addWidget(label(look.say("browser.own.confirm_what", what=what, date=day), "small", wrap=True))
        self.by = TextField(longest=100)
        self.by.setText(own.last_name())
        self.by.returnPressed.connect(self.submit)
        self.lines.addWidget(label(look.say("browser.own.by"), "label"))
        self.by.setAccessibleName(look.say("browser.own.by"))
        self.lines.addWidget(self.by)
        self.end()
        self.setFocusProxy(self.keep if self.by.text() else self.by)

    def _keep(self) -> str:
        if not self.by.text().strip():
            return self._look.say("browser.own.missing_name")
        self._own.confirm(self._shown, self._field, self.by.text().strip())
        return ""


class PriceForm(EntryForm):
    """A dated price of one part by one supplier."""

    def __init__(self, look: Look, own: OwnEntries, shown: Row) -> None:
        super().__init__(look, self._keep)
        self._own, self._shown, say = own, shown, look.say
        self.lines.addWidget(label(say("browser.own.price_title"), "head"))
        self.amount = NumberField(look, Limits(0, LARGEST_PRICE, above=True), whole=False, width=130)
        self.currency = Choice([(code, code) for code in CURRENCIES], 92)
        self.currency.show_value(FIRST_CURRENCY[look.language])
        self.vat = Choice([(False, say("browser.vat_out")), (True, say("browser.vat_in"))], 130)
        self.kind = Choice([(kind, look.term(f"price_kind.{kind}")) for kind in KINDS], 130)
        self.supplier = TextField(SUPPLIER_WIDTH, longest=100)
        self.day = QDateEdit(QDate(own.on.year, own.on.month, own.on.day))
        self.day.setDisplayFormat("yyyy-MM-dd" if look.language == "en" else "dd.MM.yyyy")
        self.day.setMaximumDate(self.day.date())
        self.day.setFixedWidth(118)
        guard(self.day)
        self._line((say("browser.own.amount"), self.amount), (say("browser.own.currency"), self.currency))
        self._line((say("browser.own.kind"), self.kind), (say("browser.own.vat"), self.vat))
        self._line((say("browser.own.day"), self.day))
        self._line((say("browser.own.supplier"), self.supplier))
        for field in (self.amount.lineEdit(), self.supplier):
            field.returnPressed.connect(self.submit)
        self.end()
        self.setFocusProxy(self.amount)

    def _line(self, *fields: tuple[str, QWidget]) -> None:
        line = row(gap=12)
        for text, control in fields:
            line.addWidget(Field(text, control))
        if len(fields) > 1:
            line.addStretch()
        self.lines.addLayout(line)

    def _keep(self) -> str:
        amount, supplier = self.amount.value(), self.supplier.text().strip()
        if amount is None or self.amount.property("state") == "bad":
            return self._look.say("browser.own.missing_amount")
        if not supplier:
            return self._look.say("browser.own.missing_supplier")
        day, value = self.day.date(), Decimal(str(amount))
        self._own.keep_price(
            HardwarePrice(
                part=self._shown.key,
                category=self._category(),
                low=value,
                high=value,
                currency=self.currency.value(),
                kind=self.kind.value(),
                vat_included=self.vat.value(),
                supplier=supplier,
                source=supplier,
                as_of=date(day.year(), day.month(), day.day()).isoformat(),
            )
        )
        return ""

    def _category(self) -> str:
        record = self._shown.record
        barebone = isinstance(record, Platform) and record.pricing == "barebone"
        return "chassis" if barebone else CATEGORIES[self._shown.table]
