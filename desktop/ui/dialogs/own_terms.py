"""The user's own terms beside the catalog: margin, preferred vendors, discounts, and how old a price may be."""

from decimal import Decimal

from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QWidget

from desktop.catalog.ageing import shipped_limits
from desktop.catalog.user_data import MOST_DAYS, UserData
from desktop.request import Problem
from desktop.ui.limits import Limits
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.choices import Choice, TextField
from desktop.ui.widgets.field import Field
from desktop.ui.widgets.layouts import clear, column, field_grid, row
from desktop.ui.widgets.number_field import NumberField
from desktop.ui.widgets.text import label

AGED = ("gpu", "memory", "storage", "boot", "system", "cpu", "network", "chassis", "cloud", "api", "other")
DISCOUNTED = ("", "gpu", "cpu", "memory", "storage", "network", "chassis", "system")
PERCENT = Limits(0, 99)
SIZE = (760, 790)


class OwnTermsDialog(QDialog):
    """Every answer is kept at once when OK is pressed; a discount is kept when it is added or taken out."""

    def __init__(self, parent: QWidget, look: Look, user: UserData) -> None:
        """Raises what reading `user` raises."""
        super().__init__(parent)
        self._look, self._user = look, user
        say = look.say
        self.setWindowTitle(say("own.title"))
        self.resize(*SIZE)
        layout = column(self, 12, (24, 20, 24, 16))
        layout.addWidget(label(say("own.title"), "title"))
        layout.addWidget(label(say("own.lead"), "muted", wrap=True))
        inside = QWidget()
        cards = column(inside, 12)
        for card in (self._selling(), self._discounts(), self._ages()):
            cards.addWidget(card)
        cards.addStretch()
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inside)
        layout.addWidget(scroll, 1)
        self._wrong = label("", "message", "bad", wrap=True)
        self._wrong.hide()
        layout.addWidget(self._wrong)
        line = row(gap=8)
        line.addStretch()
        line.addWidget(button(look, say("ask.cancel_button"), self.reject))
        self.keep = button(look, say("browser.own.keep"), self.accept, "primary")
        line.addWidget(self.keep)
        layout.addLayout(line)

    def accept(self) -> None:
        """Keep margin, vendors and limits, all of them or none."""
        wished = [name.strip() for name in self.vendors.text().split(",") if name.strip()]
        try:
            with self._user.transaction():
                self._user.set_margin(_share(self.margin.value()))
                for name in self._user.preferred_vendors():
                    self._user.prefer_vendor(name, preferred=False)
                for name in dict.fromkeys(wished):
                    self._user.prefer_vendor(name)
                for category, field in self.ages.items():
                    days = int(field.value() or shipped_limits()[category])
                    if days != {**shipped_limits(), **self._user.age_limits()}[category]:
                        self._user.set_age_limit(category, days)
        except Problem as problem:
            self._tell(problem)
            return
        super().accept()

    def _selling(self) -> Card:
        look, say = self._look, self._look.say
        self.margin = NumberField(look, PERCENT, whole=False)
        self.margin.show_value(float(self._user.margin() * 100))
        self.vendors = TextField(330)
        self.vendors.setText(", ".join(self._user.preferred_vendors()))
        card = Card(say("own.selling"))
        margin = Field(say("own.margin"), self.margin, "%", say("own.margin_hint"))
        vendors = Field(say("own.vendors"), self.vendors, hint=say("own.vendors_hint"))
        card.add(field_grid([margin, vendors]))
        return card

    def _discounts(self) -> Card:
        look, say = self._look, self._look.say
        card = Card(say("own.discounts"), note=say("own.discounts_note"))
        self._kept = column(None, 4)
        card.add(self._kept)
        self.supplier = TextField(200)
        self.category = Choice([(code, self._category(code)) for code in DISCOUNTED], 150)
        self.discount = NumberField(look, Limits(0, 99, above=True), whole=False, width=90)
        line = row(gap=12)
        line.addWidget(Field(say("browser.own.supplier"), self.supplier))
        line.addWidget(Field(say("own.category"), self.category))
        line.addWidget(Field(say("own.discount"), self.discount, "%"))
        line.addStretch()
        card.add(line)
        self.add_discount = button(look, say("own.add"), self._add_discount)
        below = row(gap=8)
        below.addWidget(self.add_discount)
        below.addStretch()
        card.add(below)
        self._show_discounts()
        return card

    def _add_discount(self) -> None:
        supplier, share = self.supplier.text().strip(), _share(self.discount.value())
        if not supplier or not share:
            self._wrong.setText(self._look.say("own.whose"))
            self._wrong.show()
            return
        self._set_discount(supplier, self.category.value(), share)

    def _set_discount(self, supplier: str, category: str, share: Decimal) -> None:
        try:
            self._user.set_discount(supplier, category, share)
        except Problem as problem:
            self._tell(problem)
            return
        self._wrong.hide()
        self._show_discounts()

    def _show_discounts(self) -> None:
        look, say = self._look, self._look.say
        clear(self._kept)
        for kept in self._user.discounts():
            words = say(
                "own.one_discount",
                supplier=kept.vendor,
                category=self._category(kept.category),
                share=look.numerals.given_percent(kept.share),
            )
            line = row(gap=8)
            line.addWidget(label(words, "small"))
            line.addStretch()

            def remove(_: bool = False, supplier: str = kept.vendor, category: str = kept.category) -> None:
                self._set_discount(supplier, category, Decimal(0))

            line.addWidget(button(look, say("browser.own.remove"), remove))
            holder = QWidget()
            holder.setLayout(line)
            self._kept.addWidget(holder)

    def _ages(self) -> Card:
        look, say = self._look, self._look.say
        card = Card(say("own.ages"), note=say("own.ages_note"))
        limits = {**shipped_limits(), **self._user.age_limits()}
        self.ages: dict[str, NumberField] = {}
        fields = []
        for category in AGED:
            field = NumberField(look, Limits(1, MOST_DAYS), width=90)
            field.show_value(limits[category])
            self.ages[category] = field
            fields.append(Field(self._category(category), field, say("own.days")))
        card.add(field_grid(*(fields[place : place + 4] for place in range(0, len(fields), 4)), columns=4))
        return card

    def _category(self, code: str) -> str:
        return self._look.say(f"category.{code}") if code else self._look.say("own.everything")

    def _tell(self, problem: Problem) -> None:
        self._wrong.setText(self._look.problem(problem))
        self._wrong.show()


def _share(percent: float | None) -> Decimal:
    return Decimal(str(percent or 0)) / 100
