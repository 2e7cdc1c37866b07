"""Speed at the peak: every figure with its range, its limit and a gauge."""

from collections.abc import Callable

from desktop.quote import Configuration, NeedAnswer, Range, ServingSpeed, TrainingSpeed
from desktop.request import InferenceNeed, TrainingNeed
from desktop.ui.charts.gauge import Gauge
from desktop.ui.look import Look
from desktop.ui.pane.blocks import Block
from desktop.ui.widgets.layouts import grid
from desktop.ui.widgets.text import RIGHT, label
from desktop.words.numerals import NBSP

Write = Callable[[float], str]


class SpeedBlock(Block):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.narrow = False
        self.texts: dict[str, tuple[str, str, str]] = {}
        self.gauges: dict[str, Gauge] = {}

    def show_plan(self, plan: Configuration, answer: NeedAnswer) -> None:
        self.texts, self.gauges = {}, {}
        if isinstance(plan.speed, ServingSpeed) and isinstance(answer.need, InferenceNeed):
            head = {0: "speed.at_peak", 1: "speed.one_down"}.get(plan.spare_replicas, "speed.with_spare")
            self.restart(self.look.say(head), label(self.look.say("speed.mean"), "caption"))
            self._serving(plan, plan.speed, answer.need, answer.peak_requests_per_s)
        elif isinstance(plan.speed, TrainingSpeed) and isinstance(answer.need, TrainingNeed):
            self.restart(self.look.say("speed.training"))
            self._training(plan.speed, answer.need, plan.hours_total or plan.speed.hours_total)

    def _serving(self, plan: Configuration, speed: ServingSpeed, need: InferenceNeed, peak: float | None) -> None:
        figures, say = self.look.numerals, self.look.say

        def seconds(value: float) -> str:
            return figures.number(value, 2)

        def milliseconds(value: float) -> str:
            return self.look.figure(value * 1000)

        self._metric(
            "ttft",
            speed.ttft_s,
            seconds,
            "unit.s",
            need.ttft_s,
            say("speed.limit", limit=f"{self.look.figure(need.ttft_s)}{NBSP}{self.look.term('unit.s')}"),
        )
        self._metric(
            "tpot",
            speed.tpot_s,
            milliseconds,
            "unit.ms",
            need.tpot_s,
            say("speed.limit", limit=figures.seconds(need.tpot_s, milliseconds=True)),
        )
        capacity = plan.capacity_requests_per_s or speed.requests_per_s
        wanted = say("speed.need", need=self.look.figure(peak)) if peak else ""
        self._metric("capacity", capacity, self.look.figure, "unit.requests_per_s", peak, wanted, lower_is_better=False)

    def _training(self, speed: TrainingSpeed, need: TrainingNeed, hours: Range | None) -> None:
        figures, say = self.look.numerals, self.look.say
        if hours is not None:
            self._metric(
                "hours",
                hours,
                self.look.figure,
                "unit.hours",
                need.deadline_hours,
                say("speed.deadline", limit=self.look.figure(need.deadline_hours)),
            )
        self._metric("step", speed.step_s, self.look.figure, "unit.s", None, "")
        self._metric("tokens", speed.tokens_per_s_per_gpu, self.look.figure, "unit.tokens_per_s", None, "")
        if speed.exposed_communication_share:
            share = figures.percent(speed.exposed_communication_share)
            self.body.addWidget(label(say("speed.exchange", share=share), "caption", wrap=True))

    def _metric(
        self,
        name: str,
        figure: Range,
        write: Write,
        unit: str,
        limit: float | None,
        target: str,
        lower_is_better: bool = True,
    ) -> None:
        title = self.look.say(f"speed.{name}")
        value = f"{write(figure.value)}{NBSP}{self.look.term(unit)}"
        span = self.look.numerals.span(write(figure.low), write(figure.high))
        gauge = Gauge(self.look, figure, limit, lower_is_better)
        gauge.setAccessibleName(title)
        gauge.setAccessibleDescription(f"{value}, {span}" + (f", {target}" if target else ""))
        layout = grid(gap=(10, 0))
        layout.addWidget(label(title, "small", wrap=True), 0, 0)
        layout.addWidget(label(value, "strong", right=True), 0, 1)
        layout.addWidget(gauge, 1, 0)
        if self.narrow:  # the limit goes under the value
            span_label = label(" · ".join(text for text in (span, target) if text), "caption")
        else:
            layout.addWidget(label(target, "caption"), 0, 2)
            span_label = label(span, "caption")
            layout.setColumnMinimumWidth(2, 88)
        span_label.setAlignment(RIGHT)
        layout.addWidget(span_label, 1, 1)
        layout.setColumnMinimumWidth(1, 128 if self.narrow else 82)
        layout.setColumnStretch(0, 1)
        self.body.addLayout(layout)
        self.texts[name] = (value, span, target)
        self.gauges[name] = gauge
