"""Costs: buy, rent or mix, month by month, and what moves the answer."""

from decimal import Decimal

from desktop.quote import CostResult, SchemeTotal
from desktop.ui.pages import money_fields
from desktop.ui.pages.page import Page
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.layouts import clear, column, field_grid
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.table import Cell, Column, Table
from desktop.ui.widgets.text import label
from desktop.ui.wording import break_even, break_even_span, money_span
from desktop.words import input_figure, input_name

SCHEMES = ("hybrid", "on_premise", "cloud", "api")


class CostsPage(Page):
    name = "costs"

    def build(self) -> None:
        say = self.look.say
        self._empty = label("", "muted", wrap=True)
        self.add(self._empty)
        self._chart_card = Card(
            say("costs.cumulative"), label(say("costs.band"), "caption"), note=say("costs.net"), gap=4
        )
        self._chart_place = column(gap=0)
        self._chart_card.add(self._chart_place)
        self._article = column(gap=4)
        self._chart_card.add(self._article)
        self.add(self._chart_card)
        self.chart = None
        self._schemes_card = Card(gap=4, margins=(20, 4, 20, 8))
        self.schemes = Table(
            self.look,
            [
                Column(say("column.scheme"), 184),
                Column(say("column.purchase"), 88, right=True),
                Column(say("column.running"), 108, right=True),
                Column("", 116, right=True),
                Column(say("column.per_million"), 100, right=True),
                Column("", 108, right=True),
            ],
            say("costs.schemes"),
            row_height=40,
        )
        self._schemes_card.add(self.schemes)
        self.add(self._schemes_card)
        self._inputs = Card(say("costs.inputs"))
        self._inputs.add(
            field_grid(
                [
                    money_fields.horizon(self),
                    money_fields.utilization(self),
                    money_fields.cloud_price(self),
                    self.percent("economics.discount_rate"),
                ]
            )
        )
        self.add(self._inputs)
        self._moves = Card(say("costs.sensitivity"), label(say("costs.sensitivity_note"), "caption"))
        self.sensitivity = Table(
            self.look,
            [
                Column(say("column.input"), 220),
                Column(say("column.from_to"), 190),
                Column(say("column.months_at_low"), 150, right=True),
                Column(say("column.months_at_high"), 150, right=True),
            ],
            say("costs.sensitivity"),
            row_height=40,
        )
        self._moves.add(self.sensitivity)
        self._threshold = label("", "caption", wrap=True)
        self._moves.add(self._threshold)
        self.add(self._moves)

    def show_answer(self) -> None:
        quote = self.session.quote
        costs = quote.schemes if quote is not None and quote.best() is not None else None
        for card in (self._chart_card, self._schemes_card, self._moves):
            card.setVisible(costs is not None)
        self._empty.setVisible(costs is None)
        self._empty.setText(self.look.say("costs.waits" if quote is None or quote.best() is None else "costs.no_cloud"))
        money_fields.hint_cloud_price(self)
        if costs is not None:
            self._show_chart(costs)
            self._show_article(costs)
            self._show_schemes(costs)
            self._show_sensitivity(costs)

    def _show_chart(self, costs: CostResult) -> None:
        from desktop.ui.charts.break_even import BreakEvenChart

        if self.chart is None:
            self.chart = BreakEvenChart(self.look)
            self._chart_place.addWidget(self.chart)
        self.chart.show_costs(costs)

    def _show_article(self, costs: CostResult) -> None:
        say, rule = self.look.say, costs.article_rule
        clear(self._article)
        span = break_even_span(self.look, costs.break_even)
        answer = break_even(self.look, costs.break_even, costs.horizon_months)
        computed = f"{answer} ({span})" if span else answer
        agrees = {True: "agrees", False: "differs", None: "unknown"}[rule.payback_12_18_months]
        tone = "ok" if rule.payback_12_18_months else "accent"
        self._article.addWidget(MessageLine(self.look, tone, say(f"costs.article_{agrees}", computed=computed)))
        if rule.fifty_percent_says_buy is not None:
            verdict = say("costs.fifty_buy" if rule.fifty_percent_says_buy else "costs.fifty_rent")
            self._article.addWidget(MessageLine(self.look, "accent", say("costs.fifty", verdict=verdict)))
        if costs.break_even.reason is not None:
            self._article.addWidget(MessageLine(self.look, "accent", self.look.sentence(costs.break_even.reason)))

    def _show_schemes(self, costs: CostResult) -> None:
        figures, look = self.look.numerals, self.look
        horizon = Decimal(costs.horizon_months)
        allowed = {scheme: total for scheme, total in costs.totals.items() if total.allowed}
        lowest = min(allowed, key=lambda scheme: allowed[scheme].total, default=None)
        rows, chosen = [], -1
        for scheme in (name for name in SCHEMES if name in costs.totals):
            total = costs.totals[scheme]
            tone = "text" if total.allowed else "text3"
            if scheme == lowest:
                chosen = len(rows)
                last = Cell(look.say("costs.lowest"), pill="ok")
            elif not total.allowed:
                last = Cell(look.say("costs.not_allowed"), pill="text2")
            else:
                base = costs.totals[lowest].total if lowest else Decimal(0)
                last = Cell("+" + figures.percent((total.total - base) / base) if base else "—", tone="text2")
            why = look.sentence(total.reason) if total.reason is not None else look.say(f"costs.about_{scheme}")
            rows.append(
                [
                    Cell(look.term(f"scheme.{scheme}"), why, weight="bold", size="body", tone=tone, tip=why),
                    Cell(figures.money(total.capex, costs.currency), tone=tone),
                    Cell(figures.money(total.opex / horizon, costs.currency), tone=tone),
                    Cell(figures.money(total.total, costs.currency), self._range(total, costs.currency), tone, "bold"),
                    Cell(
                        "—"
                        if total.per_million_tokens is None
                        else figures.money(total.per_million_tokens, costs.currency, cents=True),
                        tone=tone,
                    ),
                    last,
                ]
            )
        model = self.schemes.model()
        head = self.look.say("column.horizon", months=figures.months(costs.horizon_months))
        model.columns[3] = Column(head, 116, right=True)  # type: ignore[attr-defined]
        self.schemes.show_rows(rows, chosen)

    def _show_sensitivity(self, costs: CostResult) -> None:
        rows = []
        for entry in costs.sensitivity:
            low, high = (
                input_figure(entry.input, value, costs.currency, self.look.numerals)
                for value in (entry.low, entry.high)
            )
            rows.append(
                [
                    Cell(input_name(entry.input, self.look.language), weight="medium"),
                    Cell(f"{low} … {high}", tone="text2"),
                    Cell(self._months(entry.months_at_low), self._gap(entry.total_gap_at_low, costs.currency)),
                    Cell(self._months(entry.months_at_high), self._gap(entry.total_gap_at_high, costs.currency)),
                ]
            )
        self.sensitivity.show_rows(rows)
        threshold = costs.break_even.utilization_threshold
        self._threshold.setText(
            ""
            if threshold is None or threshold > 1
            else self.look.say("costs.threshold", share=self.look.numerals.percent(threshold))
        )

    def _range(self, total: SchemeTotal, currency: str) -> str:
        if total.low is None or total.high is None:
            return ""
        return money_span(self.look, total.low, total.high, currency)

    def _gap(self, gap: Decimal | None, currency: str) -> str:
        """By how much renting costs more than owning, or less."""
        if gap is None:
            return ""
        code = "costs.own_cheaper" if gap >= 0 else "costs.own_dearer"
        return self.look.say(code, money=self.look.numerals.money_short(abs(gap), currency))

    def _months(self, value: float | None) -> str:
        return self.look.say("break_even.never") if value is None else self.look.numerals.months(value)
