"""A vendor's price list before it is taken: which column means what, what would change, and which rows are refused."""

from collections.abc import Callable
from datetime import date

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QScrollArea, QWidget

from desktop.catalog import Catalog
from desktop.catalog.overlay import with_user_data
from desktop.catalog.price_lists import ColumnMapping, Preview, mapping_of, preview
from desktop.catalog.price_lists import Table as PriceTable
from desktop.catalog.prices import CATALOG_CURRENCY, HardwarePrice
from desktop.catalog.user_data import UserData
from desktop.request import Problem
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import Segmented, button
from desktop.ui.widgets.choices import Choice, TextField
from desktop.ui.widgets.field import Field
from desktop.ui.widgets.layouts import column, field_grid, row
from desktop.ui.widgets.table import Cell, Column, Table
from desktop.ui.widgets.text import label

MAPPED = ("price", "name", "part_number", "currency", "vat", "date")
CURRENCIES = ("", CATALOG_CURRENCY, "RUB", "EUR", "CNY")
STATES = ("new", "changed", "unchanged", "rejected")
MOST_ROWS = 300  # in sight; the counts tell the rest
SIZE = (980, 680)
ANSWER_WIDTH, COLUMN_WIDTH = 200, 270


class PriceListDialog(QDialog):
    """Every change of a column or an answer above shows its effect below; Import takes what is shown, or nothing."""

    def __init__(
        self, parent: QWidget, look: Look, table: PriceTable, catalog: Callable[[], Catalog], user: UserData, on: date
    ) -> None:
        super().__init__(parent)
        self._look, self._table, self._catalog, self._user, self._on = look, table, catalog, user, on
        self.found: Preview | None = None
        whole = with_user_data(catalog(), user)
        named = (whole.gpus, whole.cpus, whole.memory_modules, whole.drives, whole.nics, whole.switches, whole.psus)
        self._names = {part.id: part.name for table in named for part in table}
        self._columns = dict(mapping_of(table, {}, {}).columns)
        say = look.say
        self.setWindowTitle(say("prices.title"))
        self.resize(*SIZE)
        layout = column(self, 10, (24, 20, 24, 16))
        layout.addWidget(label(say("prices.title"), "title"))
        sheet = say("prices.sheet", sheet=table.sheet) if table.sheet else ""
        rows = look.numerals.number(len(table.rows))
        layout.addWidget(label(say("prices.file", file=table.name, sheet=sheet, rows=rows), "muted", wrap=True))
        self._fill_questions()
        layout.addLayout(field_grid([self._supplier_field, self._currency_field, self._vat_field]))
        layout.addLayout(field_grid(self._fields[:3], self._fields[3:]))
        self._said = label("", "message", wrap=True)
        layout.addWidget(self._said)
        self._states = Segmented([(state, say(f"prices.{state}", count="")) for state in STATES], say("prices.title"))
        self._states.show_value(STATES[0])
        self._states.edited.connect(lambda _: self._show_rows())
        layout.addWidget(self._states)
        self.rows = Table(look, self._heads(), say("prices.title"), stretch=0, row_height=40)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setAlignment(Qt.AlignmentFlag.AlignTop)
        scroll.setWidget(self.rows)
        layout.addWidget(scroll, 1)
        line = row(gap=8)
        line.addStretch()
        line.addWidget(button(look, say("ask.cancel_button"), self.reject))
        self.take = button(look, say("prices.import"), self.accept, "primary")
        line.addWidget(self.take)
        layout.addLayout(line)
        self.read()

    def read(self) -> None:
        """Read the list as the answers above say, and show what it would change."""
        self.found, trouble = None, ""
        vat = {"": None, "net": False, "gross": True}[self.vat.value()]
        try:
            self.found = preview(
                self._table,
                ColumnMapping(columns=self._columns),
                self._catalog(),
                self._user,
                self.supplier.text().strip() or self._look.say("prices.unnamed"),
                self._on,
                currency=self.currency.value(),
                vat_included=vat,
            )
        except Problem as problem:
            trouble = self._look.problem(problem)
        if self.found is not None and self.found.assumed:
            trouble = self._look.say("prices.vat_assumed")
        if not self.supplier.text().strip():
            trouble = trouble or self._look.say("prices.whose")
        self._said.setText(trouble)
        self._said.setVisible(bool(trouble))
        changes = len(self.found.new) + len(self.found.changed) + len(self.found.parts) if self.found else 0
        self.take.setEnabled(bool(changes) and bool(self.supplier.text().strip()))
        self._show_rows()

    def _fill_questions(self) -> None:
        look, say = self._look, self._look.say
        self.supplier = TextField(COLUMN_WIDTH)
        self.supplier.setPlaceholderText(say("prices.supplier_hint"))
        self.supplier.editingFinished.connect(self._supplier_said)
        self.currency = Choice([(code, code or say("prices.from_list")) for code in CURRENCIES], ANSWER_WIDTH)
        vat = (("", "prices.from_list"), ("net", "browser.vat_out"), ("gross", "browser.vat_in"))
        self.vat = Choice([(code, say(text)) for code, text in vat], ANSWER_WIDTH)
        for choice in (self.currency, self.vat):
            choice.edited.connect(lambda _: self.read())
        self._supplier_field = Field(say("browser.own.supplier"), self.supplier)
        self._currency_field = Field(say("browser.own.currency"), self.currency)
        self._vat_field = Field(say("browser.own.vat"), self.vat)
        self.choices: dict[str, Choice] = {}
        self._fields = []
        for field in MAPPED:
            choice = Choice(
                [("", say("prices.no_column")), *((head, head) for head in self._table.header if head)], COLUMN_WIDTH
            )
            choice.show_value(self._columns.get(field, ""))
            choice.edited.connect(lambda head, field=field: self._map(field, head))
            self.choices[field] = choice
            self._fields.append(Field(look.say(f"prices.column_{field}"), choice))

    def _supplier_said(self) -> None:
        """The columns of a vendor who has been here before are as they were then."""
        try:
            self._columns = dict(mapping_of(self._table, self._user.mapping(self.supplier.text().strip()), {}).columns)
        except Problem as problem:
            self._said.setText(self._look.problem(problem))
            return
        for field, choice in self.choices.items():
            choice.show_value(self._columns.get(field, ""))
        self.read()

    def _map(self, field: str, head: str) -> None:
        self._columns = {name: said for name, said in self._columns.items() if name != field and said != head}
        if head:
            self._columns[field] = head
        for name, choice in self.choices.items():
            choice.show_value(self._columns.get(name, ""))
        self.read()

    def _heads(self) -> list[Column]:
        say = self._look.say
        return [
            Column(say("prices.part"), 420),
            Column(say("prices.before"), 170, right=True),
            Column(say("prices.after"), 170, right=True),
            Column(say("prices.dated"), 130),
        ]

    def _show_rows(self) -> None:
        found, say, numerals = self.found, self._look.say, self._look.numerals
        counts = dict.fromkeys(STATES, 0)
        if found is not None:
            counts = {state: len(getattr(found, state)) for state in STATES}
        for state in STATES:
            self._states.segment(state).setText(say(f"prices.{state}", count=numerals.number(counts[state])))
        if found is None:
            self.rows.show_rows([])
            return
        state = self._states.value()
        for place in range(1, len(self._heads())):
            self.rows.setColumnHidden(place, state == "rejected")  # a reason needs the whole width
        self.rows.show_rows(self._cells(found, state)[:MOST_ROWS])

    def _cells(self, found: Preview, state: str) -> list[list[Cell]]:
        if state == "rejected":
            told = [self._look.problem(reject.problem(self._table.name)) for reject in found.rejected[:MOST_ROWS]]
            return [[Cell(text, icon="warn", tone="warn", tip=text), Cell(), Cell(), Cell()] for text in told]
        if state == "changed":
            return [self._price(change.after, change.before) for change in found.changed[:MOST_ROWS]]
        return [self._price(price, price if state == "unchanged" else None) for price in getattr(found, state)]

    def _price(self, after: HardwarePrice, before: HardwarePrice | None) -> list[Cell]:
        money, vat = self._look.numerals.money, self._look.say
        name = self._names.get(after.part, after.part)
        inside = vat("browser.vat_in" if after.vat_included else "browser.vat_out")
        return [
            Cell(name, tip=f"{after.part}\n{after.source}"),
            Cell(money(before.low, before.currency, cents=True) if before is not None else "—", tone="text2"),
            Cell(money(after.low, after.currency, cents=True), inside, weight="bold"),
            Cell(self._look.numerals.as_of(after.as_of), tone="text2"),
        ]
