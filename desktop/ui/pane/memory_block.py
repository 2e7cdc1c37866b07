"""Memory per GPU: the bar, and the legend with a number for every part."""

from PySide6.QtWidgets import QLabel

from desktop.quote import Memory
from desktop.ui.charts.patterns import Swatch
from desktop.ui.look import Look
from desktop.ui.pane.blocks import Block
from desktop.ui.widgets.layouts import clear, column, grid, row
from desktop.ui.widgets.text import label


class MemoryBlock(Block):
    """The bar is made with the first answer, so that the shell is on screen before the plotting library is read."""

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        line = row(gap=6)
        line.addWidget(label(look.say("memory.title", unit=look.numerals.gib_unit()), "head"))
        line.addStretch()
        self._ranks = label("", "caption")
        line.addWidget(self._ranks)
        self.body.addLayout(line)
        self._place = column(gap=0)
        self.body.addLayout(self._place)
        self._legend = grid(gap=(6, 4))
        self._legend.setColumnStretch(1, 1)
        self._legend.setColumnStretch(5, 1)
        self._legend.setColumnMinimumWidth(3, 14)
        self.body.addLayout(self._legend)
        self._note = label("", "caption", wrap=True)
        self.body.addWidget(self._note)
        self._figures: dict[str, QLabel] = {}
        self.bar = None

    def show_memory(self, memory: Memory, gpu: str) -> None:
        from desktop.ui.charts.memory_bar import MemoryBar, parts_of, spare_bytes

        if self.bar is None:
            self.bar = MemoryBar(self.look)
            self._place.addWidget(self.bar)
        self.bar.show_memory(memory)
        figures, say = self.look.numerals, self.look.say
        kinds = len(memory.per_gpu)
        self._ranks.setText(say("memory.worst_rank", rank=memory.worst_rank) if kinds > 1 else "")
        sizes = {part: figures.gib(size) for part, size in parts_of(memory).items()}
        if memory.verdict != "does_not_fit" and spare_bytes(memory):
            sizes["spare"] = figures.gib(spare_bytes(memory))
        self._show_legend(sizes)
        share = memory.usable_bytes / memory.card_bytes if memory.card_bytes else 0
        self._note.setText(
            say(
                "memory.card_note",
                gpu=gpu,
                card=figures.memory(memory.card_bytes),
                share=figures.percent(share),
                usable=figures.gib(memory.usable_bytes),
            )
        )
        self._note.setVisible(memory.verdict == "does_not_fit")

    def legend(self) -> dict[str, str]:
        """What the legend says, by part."""
        return {part: figure.text() for part, figure in self._figures.items()}

    def _show_legend(self, sizes: dict[str, str]) -> None:
        if list(sizes) != list(self._figures):
            clear(self._legend)
            self._figures = {}
            for place, part in enumerate(sizes):
                line, left = place // 2, place % 2 * 4
                self._legend.addWidget(Swatch(self.look, part), line, left)
                self._legend.addWidget(label(self.look.part(part), "small"), line, left + 1)
                self._figures[part] = label("", "small", right=True)
                self._legend.addWidget(self._figures[part], line, left + 2)
        for part, text in sizes.items():
            self._figures[part].setText(text)
