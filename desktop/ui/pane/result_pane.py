"""The answer that never leaves the screen: the same blocks in the same place on every page.

Four forms: a plan; nothing fits or nothing meets the limits (no price, and no speed for what does not fit); the request
lacks something; the request is wrong, and the last good answer stays, dimmed.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from desktop.project.flow import Step
from desktop.quote import Configuration, Message, NeedAnswer, Quote
from desktop.request import InferenceNeed
from desktop.ui.desk import Desk
from desktop.ui.pane.blocks import Block, figure_rows
from desktop.ui.pane.cost_block import CostBlock
from desktop.ui.pane.memory_block import MemoryBlock
from desktop.ui.pane.speed_block import SpeedBlock
from desktop.ui.pane.warnings_block import WarningsBlock
from desktop.ui.pane.ways_block import WaysBlock
from desktop.ui.widgets.buttons import Segmented, link
from desktop.ui.widgets.layouts import clear, column, row
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.text import label, pill, restyle
from desktop.ui.wording import decomposition, headline
from desktop.words.numerals import NBSP

TONE_OF_VERDICT = {"fits": "ok", "tight": "warn", "does_not_fit": "bad"}
TONE_OF_MEETS = {"meets": "ok", "crosses": "warn", "misses": "bad"}
WIDE, NARROW = 396, 340


class ResultPane(QFrame):
    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk, self.look = desk, desk.look
        self.setProperty("role", "pane")
        self.setAccessibleName(self.look.say("pane.name"))
        outer = column(self, 0)
        scroll = QScrollArea()
        scroll.setProperty("role", "pane")
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._content = QWidget()
        self._content.setProperty("role", "pane-content")
        scroll.setWidget(self._content)
        outer.addWidget(scroll)
        layout = column(self._content, 0, (20, 14, 20, 14))
        self._notice = Block(self.look, lined=False)
        self._which = Segmented(
            [(0, self.look.say("mode.inference")), (1, self.look.say("mode.training"))], self.look.say("pane.which")
        )
        self._which.edited.connect(lambda _: self.show_answer(self._steps))
        self._pills = row(gap=8)
        self.headline = label("", "verdict", wrap=True)
        self.decomposition = label("", "small", wrap=True)
        self.missing = Block(self.look, lined=False)
        self.memory = MemoryBlock(self.look)
        self.ways = WaysBlock(desk)
        self.speed = SpeedBlock(self.look)
        self.cost = CostBlock(self.look)
        self.not_given = Block(self.look)
        self.warnings = WarningsBlock(self.look, desk.go)
        self.extra = column(gap=0)
        layout.addWidget(self._notice)
        layout.addWidget(self._which)
        layout.addSpacing(8)
        layout.addLayout(self._pills)
        layout.addSpacing(4)
        layout.addWidget(self.headline)
        layout.addSpacing(1)
        layout.addWidget(self.decomposition)
        for block in (self.missing, self.memory, self.ways, self.speed, self.cost, self.not_given, self.warnings):
            layout.addWidget(block)
        layout.addLayout(self.extra)
        layout.addStretch(1)
        self._veil = _Veil(self.look.theme.surface, self._content)
        self._steps: tuple[Step, ...] = ()
        self.compact = False
        self._said = ""
        self._which.hide()
        self._show_blocks()

    def show_answer(self, steps: tuple[Step, ...]) -> None:
        """Show what the session knows now; `steps` say what is still missing."""
        self._steps = steps
        session = self.desk.session
        quote = session.quote
        self._show_notice()
        self._veil.cover(quote is not None and not session.is_current(), self._notice)
        several = quote is not None and len(quote.answers) > 1
        self._which.setVisible(several)
        if several and self._which.value() is None:
            self._which.show_value(0)
        answer = quote.answers[self._which.value() if several else 0] if quote is not None else None
        plan = answer.configurations[0] if answer is not None and answer.configurations else None
        if quote is None or answer is None:
            self._show_missing(steps)
        elif plan is not None:
            self._show_plan(quote, answer, plan)
        else:
            self._show_nearest(quote, answer)

    def narrow(self, on: bool) -> None:
        """In a small window the pane is slimmer, and limits stand under their figures."""
        self.setFixedWidth(NARROW if on else WIDE)
        if self.speed.narrow != on:
            self.speed.narrow = on
            self.show_answer(self._steps)

    def verdicts(self) -> list[str]:
        """Texts of the pills."""
        return [
            self._pills.itemAt(place).widget().text()
            for place in range(self._pills.count())
            if self._pills.itemAt(place).widget() is not None
        ]

    def notice(self) -> str:
        """The sentence about what is wrong, empty while nothing is."""
        return self._said

    # ------------------------------------------------------------------ the four forms

    def _show_plan(self, quote: Quote, answer: NeedAnswer, plan: Configuration) -> None:
        self._show_pills(plan)
        self._head(headline(plan), decomposition(self.look, plan))
        self._show_blocks(memory=True, speed=not self.compact, cost=True, warnings=not self.compact)
        self.memory.show_memory(plan.memory, plan.gpu_short)
        self.speed.show_plan(plan, answer)
        self.cost.show_quote(quote, plan, main=answer is quote.main())
        if not self.compact:
            self.warnings.show_messages(_messages(quote, plan))

    def _show_nearest(self, quote: Quote, answer: NeedAnswer) -> None:
        """Nothing is proposed: how far the nearest plan is from possible, and what would help."""
        look = self.look
        plan = next((lost.nearest for lost in answer.rejected if lost.nearest is not None), None)
        reasons = [lost.reason for lost in answer.rejected if lost.nearest is plan]
        why = look.sentence(reasons[0]) if reasons else look.say("pane.no_gpu")
        if plan is None:
            self._pills_of((look.say("pane.no_plan"), "bad"))
            self._head(look.say("pane.nothing_sized"), why, "bad")
            self._show_blocks(ways=True, not_given=True, warnings=True)
        else:
            fits = plan.memory.verdict != "does_not_fit"
            self._show_pills(plan)
            if fits:
                self._head(look.say("pane.no_plan_meets"), f"{headline(plan)}: {why}", "bad")
            else:
                short = plan.memory.required_bytes.value - plan.memory.usable_bytes
                self._head(
                    look.say("pane.short", size=look.numerals.memory(max(0, short))),
                    f"{look.say('pane.nearest', plan=headline(plan))}; {why}",
                    "bad",
                )
            self._show_blocks(
                memory=True, ways=True, speed=fits and plan.speed is not None, not_given=True, warnings=True
            )
            self.memory.show_memory(plan.memory, plan.gpu_short)
            if fits and plan.speed is not None:
                self.speed.show_plan(plan, answer)
        self.ways.look_for_ways()
        self._say_not_given(speed=plan is None or plan.memory.verdict == "does_not_fit" or plan.speed is None)
        self.warnings.show_messages(quote.warnings)

    def _show_missing(self, steps: tuple[Step, ...]) -> None:
        """The request is incomplete: what is missing, as links, and what can be known already."""
        look, request = self.look, self.desk.session.request
        self._pills_of((look.say("pane.incomplete"), "text2"))
        self._head(look.say("pane.not_yet"), "")
        self._show_blocks(missing=True)
        self.missing.restart()
        reasons = {
            reason.code: reason
            for step in steps
            for reason in step.reasons
            if step.name in ("model", "workload", "site")
        }
        for reason in reasons.values():
            self.missing.body.addWidget(
                link(look, look.say(f"missing.{reason.code}"), lambda field=reason.field: self.desk.go(field))
            )
        known = []
        for need in request.needs:
            if isinstance(need, InferenceNeed):
                peak = self.desk.session.peak_requests_per_s(need)
                unit = look.term("unit.requests_per_s")
                tokens = look.term("unit.tokens_per_s")
                known += [
                    (look.say("known.peak"), f"{look.figure(peak)}{NBSP}{unit}", ""),
                    (look.say("known.answer_tokens"), f"{look.figure(peak * need.output_tokens)}{NBSP}{tokens}", ""),
                ]
            else:
                rate = need.tokens / (need.deadline_hours * 3600)
                known.append(
                    (look.say("known.training_rate"), f"{look.figure(rate)}{NBSP}{look.term('unit.tokens_per_s')}", "")
                )
        self.missing.body.addSpacing(10)
        self.missing.body.addWidget(label(look.say("known.title"), "head"))
        self.missing.body.addLayout(figure_rows(known))

    def _show_notice(self) -> None:
        """What is wrong with the request, above the dimmed last good answer."""
        session, look = self.desk.session, self.look
        self._said = ""
        clear(self._notice.body)
        field = ""
        if session.problem is not None:
            self._said, field = look.problem(session.problem), session.address_of(session.problem.field)
        elif session.refused:
            field, self._said = next(iter(session.refused.items()))
        self._notice.setVisible(bool(self._said))
        if not self._said:
            return
        act = (lambda: self.desk.go(field)) if field else None
        self._notice.body.addWidget(MessageLine(look, "bad", self._said, act, look.say("warnings.open"), boxed=True))
        if session.quote is not None:
            self._notice.body.addWidget(label(look.say("pane.last_valid"), "caption", wrap=True))
        self._notice.body.addSpacing(8)

    # ------------------------------------------------------------------ pieces

    def _show_blocks(self, **shown: bool) -> None:
        for name in ("missing", "memory", "ways", "speed", "cost", "not_given", "warnings"):
            getattr(self, name).setVisible(shown.get(name, False))

    def _head(self, text: str, under: str, tone: str = "") -> None:
        self.headline.setText(text)
        restyle(self.headline, tone=tone)
        self.decomposition.setText(under)
        self.decomposition.setVisible(bool(under))

    def _show_pills(self, plan: Configuration) -> None:
        pills = [(self.look.term(f"verdict.{plan.memory.verdict}"), TONE_OF_VERDICT[plan.memory.verdict])]
        if plan.memory.verdict != "does_not_fit" and plan.meets in TONE_OF_MEETS:
            pills.append((self.look.term(f"meets.{plan.meets}"), TONE_OF_MEETS[plan.meets]))
        if any(rule.state == "broken" for rule in plan.rules):
            pills.append((self.look.say("pane.breaks_rule"), "warn"))
        self._pills_of(*pills)

    def _pills_of(self, *pills: tuple[str, str]) -> None:
        clear(self._pills)
        for text, tone in pills:
            self._pills.addWidget(pill(text, tone))
        self._pills.addStretch()

    def _say_not_given(self, speed: bool) -> None:
        """Where there is no plan there is no price, and where it does not fit no speed either."""
        self.not_given.restart()
        for code in (("speed",) if speed else ()) + ("cost",):
            line = row()
            line.addWidget(label(self.look.say(f"not_given.{code}"), "head"))
            line.addStretch()
            line.addWidget(label(self.look.say("not_given.why" if speed else "not_given.why_misses"), "caption"))
            self.not_given.body.addLayout(line)


def _messages(quote: Quote, plan: Configuration) -> list[Message]:
    costs = quote.schemes.warnings if quote.schemes is not None else ()
    return [*plan.warnings, *quote.warnings, *costs]


class _Veil(QWidget):
    """Dims the last good answer to 60 % while the fields say something that cannot be answered."""

    def __init__(self, colour: str, content: QWidget) -> None:
        super().__init__(content)
        self._colour = QColor(colour)
        self._colour.setAlphaF(0.4)
        self._below: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def cover(self, on: bool, below: QWidget) -> None:
        """Cover everything below a widget."""
        self._below = below
        self.setVisible(on)
        if on:
            self.resize(self.parentWidget().size())
            self.raise_()

    def paintEvent(self, _event: object) -> None:
        self.resize(self.parentWidget().size())
        top = self._below.geometry().bottom() if self._below is not None and self._below.isVisible() else 0
        QPainter(self).fillRect(0, top, self.width(), self.height() - top, self._colour)
