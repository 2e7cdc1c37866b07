"""Result: every plan that was found, best first, what the chosen one is made of, and why the other GPUs lost."""

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from desktop.quote import Configuration, NeedAnswer, Rejection, Server
from desktop.ui.pages.page import Page
from desktop.ui.pages.result_rows import bill_rows, plan_row, rejected_rows
from desktop.ui.pages.training_facts import training_facts
from desktop.ui.widgets.buttons import Segmented, button, link
from desktop.ui.widgets.card import Card, Facts
from desktop.ui.widgets.layouts import clear, column
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.table import Column, Table
from desktop.ui.widgets.text import TONE_OF_SEVERITY, label
from desktop.ui.wording import at_least, rack_units
from desktop.words.numerals import NBSP

IN_SIGHT = 12  # rejected GPUs shown before the reader asks for all
FIELDS_OF_PLAN = ("gpu", "recompute", "base_weights")  # chosen by the program, asked for nowhere
TONE_OF_RULE = {"passed": "ok", "warning": "warn", "broken": "bad", "note": "accent"}


class ResultPage(Page):
    name = "result"

    def build(self) -> None:
        say = self.look.say
        self._which = Segmented([(0, say("mode.inference")), (1, say("mode.training"))], say("pane.which"))
        self._which.edited.connect(lambda _: self._choose_need())
        self.aside(self._which)
        self._chosen = 0
        self._empty = label("", "muted", wrap=True)
        self.add(self._empty)
        self._only = button(self.look, "", self._fix_gpu, "quiet", "lock")
        self._plans = Card(say("result.plans"), self._only, gap=6)
        self._note = label("", "caption")
        self._plans.add(self._note)
        self.table = Table(
            self.look,
            [
                Column(say("column.configuration"), 240),
                Column(say("column.targets"), 96),
                Column("", 84, right=True),
                Column("", 84, right=True),
                Column(say("column.power"), 54, right=True),
                Column(say("column.purchase"), 92, right=True),
                Column(say("column.month"), 80, right=True),
            ],
            say("result.plans"),
            row_height=44,
        )
        self.table.clicked.connect(self._row_chosen)
        self.table.activated.connect(self._row_chosen)
        self._plans.add(self.table)
        self.add(self._plans)
        self._training = Card(say("result.training"))
        self._job = Facts(4)
        self._training.add(self._job)
        self.add(self._training)
        self._server = Card(say("result.server"))
        self._strip = Facts(5)
        self._server.add(self._strip)
        self.bill = Table(
            self.look,
            [
                Column(say("column.group"), 100),
                Column(say("column.part"), 220),
                Column(say("column.per_server"), 64, right=True),
                Column(say("column.total"), 48, right=True),
                Column(say("column.unit"), 74, right=True),
                Column(say("column.sum"), 80, right=True),
                Column(say("column.price"), 132),
            ],
            say("result.bill"),
            stretch=1,
            row_height=40,
        )
        self._server.add(self.bill)
        self._totals = label("", "strong", right=True)
        self._server.add(self._totals)
        self.add(self._server)
        self._reasons = Card(say("result.why"), gap=6)
        self._why = column(gap=6)
        self._reasons.add(self._why)
        self.add(self._reasons)
        self._lost = Card(say("result.rejected"), label(say("result.rejected_note"), "caption"))
        self.rejected = Table(
            self.look,
            [Column(say("column.gpu"), 220), Column(say("column.reason"), 400)],
            say("result.rejected"),
            stretch=1,
            row_height=32,
        )
        self._lost.add(self.rejected)
        self._all_rejected = False
        self._more = link(self.look, "", self._toggle_rejected)
        self._lost.add(self._more)
        self.add(self._lost)

    def stop(self, address: str) -> QWidget | None:
        """What is said of a plan leads to the plans."""
        return self.table if address in FIELDS_OF_PLAN else super().stop(address)

    def show_answer(self) -> None:
        quote = self.session.quote
        several = quote is not None and len(quote.answers) > 1
        self._which.setVisible(several)
        if several and self._which.value() is None:
            self._which.show_value(0)
        answer = self._answer()
        plans = answer.configurations if answer is not None else ()
        self._chosen = min(self._chosen, max(0, len(plans) - 1))
        for card in (self._plans, self._training, self._server, self._reasons):
            card.setVisible(bool(plans))
        self._lost.setVisible(answer is not None and bool(answer.rejected))
        self._empty.setText(self.look.say("result.waits" if answer is None else "result.none"))
        self._empty.setVisible(not plans)
        if answer is not None:
            self._show_rejected(answer.rejected)
            if plans:
                self._show_plans(answer)
                self._show_plan(plans[self._chosen])

    def _answer(self) -> NeedAnswer | None:
        quote = self.session.quote
        if quote is None:
            return None
        return quote.answers[self._which.value() if len(quote.answers) > 1 else 0]

    def _choose_need(self) -> None:
        self._chosen = 0
        self.show_answer()

    def _row_chosen(self, index: QModelIndex) -> None:
        self._chosen = index.row()
        self.show_answer()

    def _fix_gpu(self) -> None:
        """Ask for the chosen GPU only, or for all again."""
        answer = self._answer()
        if answer is None:
            return
        fixed = self.session.request.policy.gpus_allowed
        self.session.put("policy.gpus_allowed", () if fixed else (answer.configurations[self._chosen].gpu,))
        self._chosen = 0
        self.desk.changed()

    # ------------------------------------------------------------------ the plans

    def _show_plans(self, answer: NeedAnswer) -> None:
        say = self.look.say
        serving = answer.need.mode == "inference"
        model = self.table.model()
        for place, code in ((2, "ttft" if serving else "hours"), (3, "tpot" if serving else "tokens")):
            model.columns[place] = Column(say(f"column.{code}"), 84, right=True)  # type: ignore[attr-defined]
        horizon = self.session.request.economics.horizon_months
        self.table.show_rows([plan_row(self.look, plan, horizon) for plan in answer.configurations], self._chosen)
        names = [answer.model_name]
        if answer.peak_requests_per_s:
            names.append(f"{self.look.figure(answer.peak_requests_per_s)}{NBSP}{self.look.term('unit.requests_per_s')}")
        self._note.setText(" · ".join((*names, say("result.order"))))
        fixed = bool(self.session.request.policy.gpus_allowed)
        plan = answer.configurations[self._chosen]
        self._only.setText(say("result.all_gpus") if fixed else say("result.only", gpu=plan.gpu_short))
        self._only.setAccessibleName(self._only.text())

    # ------------------------------------------------------------------ the chosen plan

    def _show_plan(self, plan: Configuration) -> None:
        self._training.setVisible(plan.training_plan is not None)
        if plan.training_plan is not None:
            self._job.show_facts(training_facts(self.look, plan.training_plan, plan.gpus))
        self._server.setVisible(plan.server is not None)
        if plan.server is not None:
            self._show_server(plan, plan.server)
        clear(self._why)
        for reason in plan.why:
            self._why.addWidget(MessageLine(self.look, TONE_OF_SEVERITY[reason.severity], self.look.sentence(reason)))
        for check in sorted(plan.rules, key=lambda check: ("broken", "warning", "note", "passed").index(check.state)):
            line = MessageLine(self.look, TONE_OF_RULE[check.state], self.look.rule(check))
            line.setToolTip(check.source)
            self._why.addWidget(line)

    def _show_server(self, plan: Configuration, server: Server) -> None:
        look, figures, say = self.look, self.look.numerals, self.look.say
        kw = look.term("unit.kw")
        self._strip.show_facts(
            [
                (say("fact.platform"), server.platform),
                (say("fact.servers"), f"{figures.number(server.servers)} × {rack_units(look, server)}"),
                (say("fact.peak_power"), f"{self.look.figure(plan.power_w / 1000)}{NBSP}{kw}"),
                (say("fact.heat"), f"{figures.number(plan.heat_btu_h)}{NBSP}{say('unit.btu_h')}"),
                (say("fact.memory"), figures.memory(server.ram_bytes, 0) if server.ram_bytes else "—"),
            ]
        )
        self.bill.show_rows(bill_rows(look, server))
        net, quote = at_least(look, server, server.net), self.session.quote
        if quote is None or quote.vat is None:  # an unknown rate is not a rate of zero
            totals = say("result.totals_net", net=net)
        else:
            vat, gross = figures.given_percent(server.vat_rate), at_least(look, server, server.gross)
            totals = say("result.totals", net=net, vat=vat, gross=gross)
        if margin := self.desk.catalog().margin:  # for the seller's eyes: no document says so
            totals = say("price.with_margin", totals=totals, margin=figures.given_percent(margin))
        self._totals.setText(totals)

    def _show_rejected(self, rejected: tuple[Rejection, ...]) -> None:
        rows = rejected_rows(self.look, rejected, self.desk.catalog())
        self.rejected.show_rows(rows if self._all_rejected else rows[:IN_SIGHT])
        self._more.setVisible(len(rows) > IN_SIGHT)
        code = "result.fewer_rejected" if self._all_rejected else "result.all_rejected"
        self._more.setText(self.look.say(code, number=len(rows)))
        self._more.setAccessibleName(self._more.text())

    def _toggle_rejected(self) -> None:
        self._all_rejected = not self._all_rejected
        self.show_answer()
