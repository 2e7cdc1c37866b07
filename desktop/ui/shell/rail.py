"""The step list: where am I, and in one line each what was said on the other pages."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from desktop.project.flow import Step
from desktop.ui.fonts import font
from desktop.ui.icons import pixmap
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import link
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.text import label, picture, restyle, rule

WIDE, NARROW = 228, 56
AROUND_WORDS = 72  # margins, mark and gap of a row
MARKS = {"done": ("check", "ok"), "warn": ("warn", "warn"), "bad": ("bad", "bad")}


class StepRow(QPushButton):
    """One step: mark, name, summary. The whole row is the button."""

    def __init__(self, look: Look, number: int, name: str) -> None:
        super().__init__()
        self._look, self._number, self._name = look, number, name
        self.setProperty("kind", "step")
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        layout = row(self, 10, (10, 7, 10, 7))
        self._mark = QLabel()
        self._mark.setFixedSize(20, 20)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        self._words = QWidget()
        lines = column(self._words, 1)
        self._title = label(look.say(f"step.{name}"), "medium")
        self._summary = label("", "caption")
        lines.addWidget(self._title)
        lines.addWidget(self._summary)
        layout.addWidget(self._words, 1)
        for part in (self._mark, self._words, self._title, self._summary):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(
            lambda on: restyle(self._title, tone="" if on else "text2", role="strong" if on else "medium")
        )
        restyle(self._title, tone="text2")

    def show_step(self, state: str, summary: str) -> None:
        look = self._look
        if state in MARKS:
            icon, tone = MARKS[state]
            self._mark.setPixmap(pixmap(icon, getattr(look.theme, tone)))
        else:
            self._mark.setText(str(self._number))
            restyle(self._mark, role="head", tone="text3")
        metrics = QFontMetrics(font("caption"))
        self._summary.setText(metrics.elidedText(summary, Qt.TextElideMode.ElideRight, WIDE - AROUND_WORDS))
        self.setAccessibleName(
            f"{self._number}. {look.say(f'step.{self._name}')}: {summary}, {look.say(f'state.{state}')}"
        )
        self.setToolTip(f"{look.say(f'step.{self._name}')}: {summary}")

    def narrow(self, on: bool) -> None:
        self._words.setVisible(not on)
        place = Qt.AlignmentFlag.AlignCenter if on else Qt.AlignmentFlag.AlignTop
        self.layout().setAlignment(self._mark, place)


class Rail(QFrame):
    """`browse` opens the catalog, from the day that stands at the foot."""

    def __init__(
        self, look: Look, names: tuple[str, ...], go: Callable[[str], None], browse: Callable[[], object]
    ) -> None:
        super().__init__()
        self._look = look
        self.setProperty("role", "rail")
        self.setAccessibleName(look.say("rail.name"))
        layout = column(self, 2, (10, 14, 10, 12))
        self.rows: dict[str, StepRow] = {}
        for number, name in enumerate(names, 1):
            step = StepRow(look, number, name)
            step.clicked.connect(lambda _=False, name=name: go(name))
            layout.addWidget(step)
            self.rows[name] = step
        layout.addStretch(1)
        self._foot = QWidget()
        foot = column(self._foot, 8)
        foot.addWidget(rule())
        line = row(gap=8, margins=(10, 0, 0, 0))
        line.addWidget(picture(look, "clock", "text3"))
        self._catalog = link(look, "", browse)
        line.addWidget(self._catalog)
        line.addStretch()
        foot.addLayout(line)
        layout.addWidget(self._foot)
        self.narrow(False)

    def show_steps(self, steps: tuple[Step, ...], summaries: Mapping[str, str], current: str, catalog: str) -> None:
        for step in steps:
            self.rows[step.name].show_step(step.state, summaries[step.name])
        self.rows[current].setChecked(True)
        self._catalog.setText(catalog)
        self._catalog.setAccessibleName(catalog)
        self._foot.setVisible(bool(catalog) and self.width() > NARROW)

    def narrow(self, on: bool) -> None:
        """In a small window only the marks stay; the names are tooltips."""
        self.setFixedWidth(NARROW if on else WIDE)
        self.layout().setContentsMargins(*((4, 14, 4, 12) if on else (10, 14, 10, 12)))
        self._foot.setVisible(not on and bool(self._catalog.text()))
        for step in self.rows.values():
            step.narrow(on)
