"""What it costs to buy and to run, and when it pays back against the cloud."""

from datetime import date
from decimal import Decimal

from desktop.quote import Configuration, Quote
from desktop.ui.look import Look
from desktop.ui.pane.blocks import Block, figure_rows
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.text import label
from desktop.ui.wording import at_least, break_even, break_even_span, money_span


class CostBlock(Block):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.texts: dict[str, str] = {}

    def show_quote(self, quote: Quote, plan: Configuration, main: bool) -> None:
        """The schemes are compared for the `main` need; another one has its purchase and its month."""
        figures, say = self.look.numerals, self.look.say
        horizon = quote.economics.horizon_months
        aside = []
        if (rate := quote.economics.exchange_rate) is not None and plan.currency != "USD":
            aside.append(
                label(
                    say(
                        "cost.rate",
                        rate=figures.number(rate.per_usd, 2),
                        currency=plan.currency,
                        date=figures.date_short(rate.date),
                    ),
                    "caption",
                )
            )
        self.restart(say("cost.title", months=figures.months(horizon)), *aside)
        rows = []
        if plan.capex is not None:
            span = ""
            if plan.server is not None and plan.server.net_low < plan.server.net_high:
                span = money_span(self.look, plan.server.net_low, plan.server.net_high, plan.currency)
            capex = figures.money(plan.capex, plan.currency)
            if plan.server is not None:
                capex = at_least(self.look, plan.server, plan.capex)
            rows.append((say("cost.purchase"), capex, span))
        if plan.total_cost is not None:
            running = figures.money(plan.opex_month or Decimal(0), plan.currency)
            rows.append(
                (
                    say("cost.month"),
                    figures.money(plan.total_cost / horizon, plan.currency),
                    say("cost.running", running=running),
                )
            )
        if main and quote.schemes is not None:
            answer = quote.schemes.break_even
            name = say("cost.break_even_hybrid" if answer.own == "hybrid" else "cost.break_even")
            rows.append((name, break_even(self.look, answer, horizon), break_even_span(self.look, answer)))
        self.texts = {name: value for name, value, _ in rows}
        self.body.addLayout(figure_rows(rows))
        stale = len(plan.server.stale(date.today())) if plan.server is not None else 0
        if stale:
            self.texts["stale"] = say("cost.stale", stale=figures.number(stale))
            self.body.addWidget(MessageLine(self.look, "warn", self.texts["stale"]))
