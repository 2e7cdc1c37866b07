"""What a file or folder of a model holds: shown where it cannot be sized, or leaves something in doubt."""

from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout

from desktop.architectures import Inspection, LayerKind, inspect_path, layer_kinds
from desktop.request import Problem
from desktop.ui.desk import Desk
from desktop.ui.widgets.card import Card, Facts
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.text import label
from desktop.units import KIB
from desktop.words import doubt_sentence
from desktop.words.numerals import NBSP

BUDGET_S = 2.0  # for each file: the window waits for it
DOUBTS_SHOWN = 8
VISION = "vision"
MODEL_KINDS = ("model", "vocabulary")


class ModelFileCard(Card):
    """Kind, count, layers, bytes and doubts of a path. A path that cannot be read at all shows nothing: its problem
    stands under the search field."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.look.say("model.file"))
        self._desk, self._look = desk, desk.look
        self._read: tuple[object, Inspection | None] = (None, None)
        self.facts = Facts()
        self.add(self.facts)
        self._lines: QVBoxLayout = column(gap=4)
        self.add(self._lines)
        self.hide()

    def show_path(self, path: Path | None, sized: bool) -> None:
        """A model that is sized shows its figures elsewhere, and here what is doubtful about it."""
        found = None if path is None else self._inspected(path)
        self.setVisible(found is not None and not (sized and not found.doubts))
        if found is None:
            return
        self.facts.setVisible(not sized)
        self.facts.show_facts([] if sized else self._facts(found))
        while self._lines.count():
            widget = self._lines.takeAt(0).widget()
            widget.hide()
            widget.deleteLater()
        if not sized:
            self._show_layers(found)
        self._show_doubts(found)

    def licence(self, path: Path) -> str:
        """Licence the files state, empty where they do not."""
        found = self._inspected(path)
        return found.licence if found is not None else ""

    def _inspected(self, path: Path) -> Inspection | None:
        """Read once, and again when the file or the folder has changed."""
        try:
            changed = path.stat().st_mtime_ns
        except (OSError, ValueError):
            return None
        if self._read[0] != (path, changed):
            try:
                found = inspect_path(path, self._desk.catalog(), BUDGET_S)
            except Problem:
                found = None
            self._read = ((path, changed), found)
        return self._read[1]

    def _facts(self, found: Inspection) -> list[tuple[str, str]]:
        say, figures = self._look.say, self._look.numerals
        made = found.architecture
        kind = say(f"file_kind.{found.kind}")
        facts = [(say("fact.name"), found.name), (say("fact.kind"), kind)]
        if made is not None:
            facts.append((say("fact.family"), made.model_type))
        if found.adapter is not None:
            facts.append((say("fact.base_model"), found.adapter.base_model or "—"))
        if found.kind in MODEL_KINDS or found.parameters is not None:
            facts.append((say("fact.parameters"), _count(self._desk, found.parameters)))
        if found.active_parameters is not None and found.active_parameters != found.parameters:
            facts.append((say("fact.active_parameters"), figures.number(found.active_parameters)))
        weights = figures.memory(found.weight_bytes) if found.weight_bytes is not None else "—"
        facts.append((say("fact.weights"), weights))
        if found.kv_bytes_per_token:
            name = say("fact.kv_per_token")
            if found.kv_context_tokens:
                name = say("fact.kv_per_token_at", tokens=figures.number(found.kv_context_tokens))
            facts.append((name, f"{self._look.figure(found.kv_bytes_per_token / KIB)}{NBSP}{say('unit.kib')}"))
        if found.state_bytes:
            facts.append((say("fact.state"), f"{self._look.figure(found.state_bytes / KIB)}{NBSP}{say('unit.kib')}"))
        if made is not None and made.max_context:
            facts.append((say("fact.context"), figures.number(made.max_context)))
        return [*facts, (say("fact.licence"), found.licence or "—")]

    def _show_layers(self, found: Inspection) -> None:
        say, figures = self._look.say, self._look.numerals
        lines = [self._layer(kind) for kind in layer_kinds(found.architecture)] if found.architecture else []
        if found.architecture is not None:
            made = found.architecture
            lines += [say("layer.draft", layers=figures.number(made.draft_layers))] if made.draft_layers else []
            for part in made.towers:
                name = say("layer.vision") if part.name == VISION else part.name  # a component of a pipeline
                lines.append(f"{name}: {figures.number(part.elements)}")
        lines += [f"{part.name}: {part.made} {_count(self._desk, part.elements)}" for part in found.parts]
        if lines:
            self._lines.addWidget(label(say("fact.made_of"), "caption"))
        for line in lines:
            self._lines.addWidget(label(line, wrap=True))

    def _layer(self, kind: LayerKind) -> str:
        """36 × attention, 64 / 8 heads, window of 128; 128 experts, 4 for a token."""
        say, figures = self._look.say, self._look.numerals
        parts = [say(f"mixer.{code}") for code in kind.mixers]
        if kind.kv_heads:
            parts.append(say("layer.heads", heads=figures.number(kind.heads), kv_heads=figures.number(kind.kv_heads)))
        if kind.window_tokens:
            parts.append(say("layer.window", tokens=figures.number(kind.window_tokens)))
        if kind.experts:
            experts, used = figures.number(kind.experts), figures.number(kind.experts_per_token)
            parts.append(say("layer.experts", experts=experts, used=used))
        elif kind.feed_forward:
            parts.append(say("layer.mlp"))
        return f"{figures.number(kind.layers)}{NBSP}×{NBSP}{', '.join(parts)}"

    def _show_doubts(self, found: Inspection) -> None:
        if found.problem is not None:
            self._lines.addWidget(MessageLine(self._look, "warn", self._look.problem(found.problem)))
        for doubt in found.doubts[:DOUBTS_SHOWN]:
            sentence = doubt_sentence(doubt, self._look.language, self._look.numerals)
            self._lines.addWidget(MessageLine(self._look, "warn", sentence))


def _count(desk: Desk, elements: int | None) -> str:
    return "—" if elements is None else desk.look.numerals.number(elements)
