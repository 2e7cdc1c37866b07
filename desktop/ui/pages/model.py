"""Model: what will run, read from the model's own files, and in which formats it may be stored."""

from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from desktop.architectures import DenseDecoder, read_architecture
from desktop.request import InferenceNeed, InlineModel, Problem
from desktop.sizing.weights import disk_bytes
from desktop.ui.pages.model_file import ModelFileCard
from desktop.ui.pages.model_search import ModelSearch
from desktop.ui.pages.page import PERCENT, Page
from desktop.ui.widgets.card import Card, Facts
from desktop.ui.widgets.layouts import column, field_grid, grid
from desktop.ui.widgets.size_bar import SizeBar
from desktop.ui.widgets.text import label
from desktop.ui.wording import format_name, gpus_of_replica
from desktop.units import KIB
from desktop.words.numerals import NBSP

FORMATS = ("fp8", "bf16", "awq-int4")  # in the order in which a tie between plans is decided
BYTES_16_BIT = 2


class ModelPage(Page):
    name = "model"

    def build(self) -> None:
        say = self.look.say
        card = Card(say("model.which"))
        self.search = ModelSearch(self.desk)
        card.add(self.search)
        self.facts = Facts()
        card.add(self.facts)
        self.add(card)
        self.file = ModelFileCard(self.desk)
        self.add(self.file)
        self._formats_card = Card(say("model.formats"), label(say("model.formats_note"), "caption"))
        self.formats = _Formats(self)
        self._formats_card.add(self.formats)
        self.add(self._formats_card)
        self._engine_card = Card(say("model.engine"))
        versions = [era.calibrated for era in self.desk.catalog().calibration.serving_memory.vllm]
        options = [("", say("model.newest", version=versions[-1]))] + [
            (version, version) for version in reversed(versions[:-1])
        ]
        self._engine_card.add(
            field_grid(
                [
                    self.segments(
                        "inference.kv_cache",
                        [("auto", say("kv.auto")), ("bf16", "BF16"), ("fp8", "FP8")],
                        say("model.kv_hint"),
                    ),
                    self.choice("inference.engine.version", options, width=180, hint=say("model.version_hint")),
                    self.number(
                        "inference.engine.memory_fraction",
                        unit="%",
                        scale=PERCENT,
                        step=1,
                        width=84,
                        optional=True,
                        whole=False,
                        hint=say("model.fraction_hint"),
                    ),
                ]
            )
        )
        self.add(self._engine_card)

    def load(self) -> None:
        super().load()
        serving = "inference" in self.session.modes()
        self._formats_card.setVisible(serving)
        self._engine_card.setVisible(serving)
        self.search.show_model(self.session.model())

    def show_answer(self) -> None:
        model = self.session.model()
        self.search.show_model(model)
        architecture: DenseDecoder | None = None
        if model is not None:
            try:
                architecture = read_architecture(model, self.desk.catalog())  # type: ignore[arg-type]
                self.search.say_problem("")
            except Problem as problem:
                self.search.say_problem(self.look.problem(problem))
        file = model.file if isinstance(model, InlineModel) else None
        self.file.show_path(file, sized=architecture is not None)
        self.facts.setVisible(architecture is not None)
        if architecture is not None:
            self.facts.show_facts(self._facts_of(architecture, model))
        need = self.session.need("inference")
        if isinstance(need, InferenceNeed):
            self.formats.show_formats(need.weights, architecture)
            eras = self.desk.catalog().calibration.serving_memory.vllm
            era = next((era for era in eras if era.calibrated == need.engine.version), eras[-1])
            self.bindings["inference.engine.memory_fraction"].control.show_default(era.memory_fraction * 100)

    def stop(self, address: str) -> QWidget | None:
        """The model and its formats are asked for by controls of their own."""
        record, _, name = address.partition(".")
        if "model" in (record, name.partition(".")[0]):
            return self.search.edit
        return self.formats.first() if address.startswith("inference.weights") else super().stop(address)

    def show_problem(self, address: str, sentence: str) -> None:
        super().show_problem(address, sentence)
        if address.endswith("model") or ".model." in address:
            self.search.say_problem(sentence)

    def _facts_of(self, made: DenseDecoder, model: object) -> list[tuple[str, str]]:
        say, figures = self.look.say, self.look.numerals
        if made.kv_heads == made.heads:
            attention = say("fact.mha", heads=made.heads, width=made.head_dim)
        else:
            kind = "MQA" if made.kv_heads == 1 else "GQA"
            attention = say("fact.grouped", kind=kind, heads=made.heads, kv_heads=made.kv_heads, width=made.head_dim)
        cache = 2 * made.layers * made.kv_heads * made.head_dim * BYTES_16_BIT
        facts = [
            (say("fact.parameters"), figures.number(made.parameters())),
            (say("fact.layers"), f"{figures.number(made.layers)} × {figures.number(made.hidden)}"),
            (say("fact.attention"), attention),
            (say("fact.kv_per_token"), f"{self.look.figure(cache / KIB)}{NBSP}{say('unit.kib')}"),
            (say("fact.vocabulary"), figures.number(made.vocab)),
            (say("fact.context"), figures.number(made.max_context) if made.max_context else "—"),
        ]
        licence = ""
        if isinstance(model, str):
            record = self.desk.catalog().model(model)
            licence = record.licence
        elif isinstance(model, InlineModel) and model.file is not None:
            licence = self.file.licence(model.file)
        facts.append((say("fact.licence"), licence or "—"))
        source = model.file.name if isinstance(model, InlineModel) and model.file else say("fact.catalog")
        facts.append((say("fact.source"), source))
        return facts


class _Formats(QWidget):
    """Which weight formats may be used, with the size of the weights in each against the memory of the proposed GPU."""

    def __init__(self, page: ModelPage) -> None:
        super().__init__()
        self._page, self._look = page, page.look
        self._boxes: dict[str, QCheckBox] = {}
        self._sizes: dict[str, QLabel] = {}
        self._bars: dict[str, SizeBar] = {}
        layout = column(self, 6)
        table = grid(gap=(16, 4))
        say = self._look.say
        for place, code in enumerate(FORMATS):
            box = QCheckBox(format_name(self._look, code))
            box.setObjectName(f"inference.weights.{code}")
            quality = page.desk.catalog().calibration.weight_formats[code].quality
            note = self._look.known(f"quality.{quality}", quality)
            box.setAccessibleName(f"{say('field.inference.weights')}: {box.text()}")
            box.setAccessibleDescription(note)
            box.clicked.connect(self._clicked)
            self._boxes[code], self._sizes[code], self._bars[code] = box, label("", right=True), SizeBar(self._look)
            table.addWidget(box, place, 0)
            table.addWidget(label(note, "small", wrap=True), place, 1)
            table.addWidget(self._sizes[code], place, 2)
            table.addWidget(self._bars[code], place, 3)
        table.setColumnStretch(1, 1)
        table.setColumnMinimumWidth(2, 80)
        layout.addLayout(table)
        self._note = label("", "caption", wrap=True)
        layout.addWidget(self._note)

    def show_formats(self, allowed: tuple[str, ...], architecture: DenseDecoder | None) -> None:
        quote = self._page.session.quote
        best = quote.best() if quote is not None else None
        usable = best.memory.usable_bytes * gpus_of_replica(best) if best is not None else 0
        formats = self._page.desk.catalog().calibration.weight_formats
        sizes = {code: disk_bytes(architecture, formats[code]) if architecture else 0 for code in FORMATS}
        span = max(*sizes.values(), usable) * 1.02
        for code, box in self._boxes.items():
            box.setChecked(code in allowed)
            self._sizes[code].setText(self._look.numerals.memory(sizes[code]) if architecture else "—")
            self._bars[code].setVisible(architecture is not None)
            self._bars[code].show_size(sizes[code], usable, span)
        if best is None:
            self._note.setText(self._look.say("model.sizes_note"))
        else:
            self._note.setText(
                self._look.say(
                    "model.tick_note",
                    gpus=f"{gpus_of_replica(best)} × {best.gpu_short}",
                    usable=self._look.numerals.memory(usable),
                    format=format_name(self._look, best.weights),
                )
            )

    def first(self) -> QCheckBox:
        return next(iter(self._boxes.values()))

    def _clicked(self) -> None:
        others = tuple(code for code in self._page.session.value("inference.weights") if code not in FORMATS)
        chosen = tuple(code for code in FORMATS if self._boxes[code].isChecked()) + others
        if not chosen:
            self.sender().setChecked(True)  # type: ignore[union-attr]
            return
        self._page.session.put("inference.weights", chosen)
        self._page.desk.changed()
