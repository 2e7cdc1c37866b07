"""Workload: who asks, how often, how fast the answer must come; what is to be trained and by when."""

from PySide6.QtWidgets import QWidget

from desktop.request import InferenceNeed, Lora, TrainingNeed
from desktop.ui.limits import limits_of
from desktop.ui.pages.page import GROWTH, MILLISECONDS, PERCENT, Page
from desktop.ui.widgets.buttons import Segmented
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.disclosure import Disclosure
from desktop.ui.widgets.layouts import column, field_grid
from desktop.ui.widgets.number_field import NumberField
from desktop.ui.widgets.text import label
from desktop.words.numerals import NBSP

PERCENTILES = (90, 95, 99)
METHODS = ("full", "lora", "qlora", "pretrain")
OPTIMIZERS = ("adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion", "sgd")
PRECISIONS = ("bf16-mixed", "bf16", "fp16-mixed", "fp32")
TOKENS_PER_PAGE = 650  # a page of 500 words: a hint beside the field, no figure is computed with it
WORDS_PER_TOKEN = {"en": 0.75, "ru": 0.5}
SERVING, TRAINING = ("inference",), ("training",)


class WorkloadPage(Page):
    name = "workload"

    def build(self) -> None:
        say = self.look.say
        self.modes = Segmented(
            [
                (SERVING, say("mode.inference")),
                (TRAINING, say("mode.training")),
                (SERVING + TRAINING, say("mode.both")),
            ],
            say("field.modes"),
        )
        self.modes.setObjectName("modes")
        self.modes.edited.connect(self._change_modes)
        self.aside(self.modes)
        self._serving, self._training = QWidget(), QWidget()
        self._build_serving()
        self._build_training()
        self.add(self._serving)
        self.add(self._training)

    def load(self) -> None:
        super().load()
        modes = self.session.modes()
        self.modes.show_value(tuple(mode for mode in SERVING + TRAINING if mode in modes))
        self._serving.setVisible("inference" in modes)
        self._training.setVisible("training" in modes)
        lora = self.session.value("training.lora") if "training" in modes else None
        self._rank.show_value(lora.rank if isinstance(lora, Lora) else None)

    def stop(self, address: str) -> QWidget | None:
        return self.modes if address == "modes" else super().stop(address)

    def show_answer(self) -> None:
        serving, training = self.session.need("inference"), self.session.need("training")
        if isinstance(serving, InferenceNeed):
            self._hint_serving(serving)
        if isinstance(training, TrainingNeed):
            self._hint_training(training)

    # ------------------------------------------------------------------ serving

    def _build_serving(self) -> None:
        say, term = self.look.say, self.look.term
        layout = column(self._serving, 12)
        self._rate = label("", "strong", "accent")
        users = Card(say("workload.users"), self._rate)
        users.add(
            field_grid(
                [
                    self.number("inference.users", step=10),
                    self.number("inference.requests_per_user_hour", whole=False),
                    self.number("inference.peak_factor", unit="×", step=0.5, width=84, whole=False),
                    self.number("policy.growth", unit="%", scale=GROWTH, step=5, width=84, whole=False),
                ]
            )
        )
        request = Card(say("workload.request"))
        request.add(
            field_grid(
                [
                    self.number("inference.input_tokens", step=100),
                    self.number("inference.output_tokens", step=100),
                    self.number("inference.context", step=1024, optional=True),
                    None,
                ]
            )
        )
        targets = Card(say("workload.targets"), label(say("workload.targets_note"), "caption"))
        targets.add(
            field_grid(
                [
                    self.number("inference.ttft_s", unit=term("unit.s"), step=0.1, width=92, whole=False),
                    self.number(
                        "inference.tpot_s", unit=term("unit.ms"), scale=MILLISECONDS, step=5, width=92, whole=False
                    ),
                    self.choice(
                        "inference.percentile",
                        [(share, self.look.numerals.percent(share / 100)) for share in PERCENTILES],
                        hint=say("workload.percentile_hint"),
                        width=92,
                    ),
                    self.number(
                        "inference.busy_share",
                        unit="%",
                        scale=PERCENT,
                        step=5,
                        width=84,
                        whole=False,
                        hint=say("workload.busy_hint"),
                    ),
                ]
            )
        )
        for card in (users, request, targets):
            layout.addWidget(card)

    def _hint_serving(self, need: InferenceNeed) -> None:
        say, figures = self.look.say, self.look.numerals
        peak = self.session.peak_requests_per_s(need)
        self._rate.setText(
            say("workload.rate", rate=f"{self.look.figure(peak)}{NBSP}{self.look.term('unit.requests_per_s')}")
        )
        whole = need.input_tokens + need.output_tokens
        self.bindings["inference.context"].control.show_default(whole)
        self.hint(
            "inference.input_tokens",
            say("workload.pages", pages=figures.number(max(1, round(need.input_tokens / TOKENS_PER_PAGE)))),
        )
        self.hint(
            "inference.output_tokens",
            say(
                "workload.words",
                words=figures.number(round(need.output_tokens * WORDS_PER_TOKEN[self.look.language], -1)),
            ),
        )
        self.hint("inference.context", say("workload.context_hint" if need.context else "workload.context_default"))
        self.hint("inference.tpot_s", say("workload.reading", rate=self.look.figure(1 / need.tpot_s)))

    # ------------------------------------------------------------------ training

    def _build_training(self) -> None:
        say, term = self.look.say, self.look.term
        layout = column(self._training, 12)
        self._speed = label("", "strong", "accent")
        run = Card(say("workload.run"), self._speed)
        run.add(self.segments("training.method", [(name, say(f"method.{name}")) for name in METHODS]))
        run.add(
            field_grid(
                [
                    self.number("training.tokens", step=10_000_000, width=150),
                    self.number("training.sequence_length", step=1024),
                    self.number("training.global_batch", step=8),
                ],
                [
                    self.number("training.deadline_hours", unit=term("unit.hours"), step=1, width=100, whole=False),
                    self.number("training.runs_per_year", step=1, width=84, whole=False),
                    None,
                ],
                columns=3,
            )
        )
        inside = QWidget()
        lines = column(inside, 14)
        lines.addLayout(
            field_grid(
                [
                    self.choice(
                        "training.optimizer", [(name, say(f"optimizer.{name}")) for name in OPTIMIZERS], width=190
                    ),
                    self.choice(
                        "training.precision", [(name, say(f"precision.{name}")) for name in PRECISIONS], width=190
                    ),
                    self.choice(
                        "training.recompute",
                        [
                            (None, say("recompute.auto")),
                            ("none", say("recompute.none")),
                            ("selective", say("recompute.selective")),
                            ("full", say("recompute.full")),
                        ],
                        width=150,
                    ),
                ],
                [self._rank_field(), None, None],
            )
        )
        self._advanced = Disclosure(self.look, say("workload.advanced"), inside)
        run.add(self._advanced)
        layout.addWidget(run)

    def _rank_field(self) -> QWidget:
        """The rank lives in a record that is absent until somebody asks for another rank than the default."""
        self._rank = NumberField(self.look, limits_of(Lora, "rank"), step=8, width=84, optional=True)
        self._rank.show_default(Lora().rank)
        field = self.bind(
            "training.lora",
            self._rank,
            shown=lambda lora: lora.rank if lora else None,
            stored=lambda rank: None if rank is None else Lora(rank=rank),
        )
        return field

    def _hint_training(self, need: TrainingNeed) -> None:
        say = self.look.say
        rate = need.tokens / (need.deadline_hours * 3600)
        self._speed.setText(
            say("workload.training_rate", rate=f"{self.look.figure(rate)}{NBSP}{self.look.term('unit.tokens_per_s')}")
        )
        self._advanced.say_summary(" · ".join((say(f"optimizer.{need.optimizer}"), say(f"precision.{need.precision}"))))
        lora = need.method in ("lora", "qlora")
        self._rank.setEnabled(lora)
        steps = need.tokens / (need.sequence_length * need.global_batch)
        self.hint("training.tokens", say("workload.steps", steps=self.look.figure(steps)))
        self.hint("training.lora", say("workload.rank_hint" if lora else "workload.rank_off"))

    def _change_modes(self, modes: tuple[str, ...]) -> None:
        self.session.put_modes(modes)
        self.load()
        self.desk.changed()
