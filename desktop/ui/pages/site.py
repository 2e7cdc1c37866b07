"""Site and policy: what the place, the house rules and the money allow."""

from datetime import date
from decimal import Decimal

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import QDateEdit, QWidget

from desktop.request import ExchangeRate, Vat
from desktop.ui.limits import Limits
from desktop.ui.look import Look
from desktop.ui.pages import money_fields
from desktop.ui.pages.page import Page
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.chips import Chips
from desktop.ui.widgets.layouts import field_grid, row
from desktop.ui.widgets.no_wheel import guard
from desktop.ui.widgets.number_field import NumberField
from desktop.ui.widgets.text import label
from desktop.ui.wording import region_name

REDUNDANCIES = ("none", "n+1", "n+1-server", "n+2")
STAGES = ("rnd", "pilot", "production")


class SitePage(Page):
    name = "site"

    def build(self) -> None:
        say, term = self.look.say, self.look.term
        catalog = self.desk.catalog()
        rules = Card(say("site.rules"), label(say("site.rules_note"), "caption"))
        rules.add(
            field_grid(
                [
                    self.segments(
                        "policy.data_must_stay_on_site",
                        [(False, say("data.anywhere")), (True, say("data.on_site"))],
                        say("site.data_hint"),
                    ),
                    self.segments("policy.stage", [(stage, say(f"stage.{stage}")) for stage in STAGES]),
                ],
                [
                    self.segments("policy.redundancy", [(code, say(f"redundancy.{code}")) for code in REDUNDANCIES]),
                    self.segments("policy.cooling", [("air", say("cooling.air")), ("liquid", say("cooling.liquid"))]),
                ],
            )
        )
        self.add(rules)
        gpus = [(gpu.id, gpu.name) for gpu in catalog.gpus]
        hardware = Card(say("site.hardware"))
        hardware.add(
            field_grid(
                [
                    self.bind("policy.gpus_allowed", Chips(self.look, gpus, say("site.all_gpus"))),
                    self.bind("policy.gpus_banned", Chips(self.look, gpus, say("site.no_gpus"))),
                ]
            )
        )
        self.add(hardware)
        self._used = label("", "strong", "accent")
        room = Card(say("site.room"), self._used)
        regions = [(region.name, region_name(self.look, region.name)) for region in catalog.regions]
        room.add(
            field_grid(
                [
                    self.number("policy.max_rack_kw", unit=term("unit.kw"), step=1, width=92, whole=False),
                    self.number("policy.max_rack_units", unit="U", width=84),
                    self.number("economics.pue", step=0.05, width=92, whole=False),
                ],
                [
                    self.choice("economics.region", regions),
                    self.number(
                        "economics.electricity_per_kwh", step=0.01, width=100, whole=False, optional=True, decimal=True
                    ),
                    None,
                ],
            )
        )
        self.add(room)
        self.add(self._money())

    def show_answer(self) -> None:
        say, session = self.look.say, self.session
        quote = session.quote
        best = quote.best() if quote is not None and session.is_current() else None
        server = best.server if best is not None else None
        policy = session.request.policy
        self._used.setText(
            ""
            if best is None or server is None
            else say(
                "site.used",
                power=self.look.figure(server.peak_power_w / 1000),
                limit=self.look.figure(policy.max_rack_kw),
                units=server.rack_units,
                all_units=policy.max_rack_units,
            )
        )
        self.bindings["economics.exchange_rate"].control.setEnabled(session.request.economics.currency != "USD")
        money_fields.hint_electricity(self)
        money_fields.hint_vat(self)
        money_fields.hint_cloud_price(self)

    def _money(self) -> Card:
        say = self.look.say
        money = Card(say("site.money"))
        currencies = [(code, code) for code in ("USD", "EUR", "RUB")]
        vat = NumberField(self.look, Limits(0, 100), whole=False, width=84, optional=True)
        money.add(
            field_grid(
                [
                    self.choice("economics.currency", currencies, width=92),
                    self.bind("economics.exchange_rate", RateField(self.look)),
                    money_fields.horizon(self),
                ],
                [
                    money_fields.utilization(self),
                    self.percent("economics.discount_rate"),
                    self.percent("economics.residual_rate", 5, say("site.residual_hint")),
                ],
                [
                    self.percent("economics.support_rate_year", hint=say("site.support_hint")),
                    self.number("economics.staff_fte", unit=say("unit.fte"), step=0.25, width=92, whole=False),
                    self.number("economics.fte_cost_year", unit="$", step=1000, whole=False, decimal=True),
                ],
                [
                    self.bind(
                        "economics.vat",
                        vat,
                        unit="%",
                        shown=lambda vat: None if vat is None else float(vat.rate * 100),
                        stored=lambda rate: None if rate is None else Vat(rate=Decimal(str(rate)) / 100),
                    ),
                    money_fields.cloud_price(self),
                    None,
                ],
            )
        )
        return money


class RateField(QWidget):
    """Units of the project's currency for one dollar, and the day of the rate."""

    edited = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        layout = row(self, 6)
        self.rate = NumberField(look, Limits(0, 1_000_000, above=True), whole=False, width=84, optional=True)
        self.day = QDateEdit()
        self.day.setDisplayFormat("yyyy-MM-dd" if look.language == "en" else "dd.MM.yyyy")
        self.day.setFixedWidth(118)
        guard(self.day)
        self.day.setDate(QDate.currentDate())
        self._look = look
        layout.addWidget(self.rate)
        self.setFocusProxy(self.rate)
        layout.addWidget(self.day)
        self.rate.edited.connect(lambda _: self._changed())
        self.day.userDateChanged.connect(lambda _: self._changed())

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.rate.setAccessibleName(name)
        self.day.setAccessibleName(f"{name}: {self._look.say('field.rate_day')}")

    def value(self) -> ExchangeRate | None:
        rate, day = self.rate.value(), self.day.date()
        return (
            None
            if rate is None
            else ExchangeRate(per_usd=Decimal(str(rate)), date=date(day.year(), day.month(), day.day()))
        )

    def show_value(self, value: ExchangeRate | None) -> None:
        self.rate.show_value(None if value is None else float(value.per_usd))
        if value is not None:
            self.day.blockSignals(True)
            self.day.setDate(QDate(value.date.year, value.date.month, value.date.day))
            self.day.blockSignals(False)

    def _changed(self) -> None:
        if self.rate.value() is not None or not self.rate.lineEdit().text():
            self.edited.emit(self.value())
