"""What would make it possible: changes that were tried and work, each with one click."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame

from desktop.request import RecommendRequest
from desktop.ui.desk import Desk
from desktop.ui.pane.blocks import Block
from desktop.ui.ways_out import WayOut, ways_out
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.text import label
from desktop.ui.wording import format_name, headline

PAUSE_MS = 250  # several plans are computed: not while somebody is typing


class WaysBlock(Block):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.look)
        self._desk = desk
        self._tried: RecommendRequest | None = None
        self.found: list[WayOut] = []
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self.try_changes)
        self._fill()

    def look_for_ways(self) -> None:
        """Start looking once the fields rest."""
        if self._desk.session.request != self._tried:
            self.found = []
            self._fill()
            self._timer.start()

    def try_changes(self) -> None:
        if not self.isVisibleTo(self.parentWidget()):
            return
        self._tried = self._desk.session.request
        self.found = ways_out(self._tried, self._desk.session.recommend)
        self._fill()

    def _fill(self) -> None:
        say = self.look.say
        self.restart(say("ways.title"))
        if not self.found:
            tried = self._tried == self._desk.session.request
            self.body.addWidget(label(say("ways.none" if tried else "ways.looking"), "caption", wrap=True))
        for way in self.found:
            option = QFrame()
            option.setProperty("role", "option")
            line = row(option, 8, (12, 6, 8, 6))
            words = column(gap=0)
            title = say(f"way.{way.code}", format=format_name(self.look, way.code.removeprefix("format_")))
            words.addWidget(label(title, "medium", wrap=True))
            words.addWidget(label(say("ways.leads_to", plan=headline(way.plan)), "caption", wrap=True))
            line.addLayout(words, 1)
            line.addWidget(
                button(
                    self.look,
                    say("ways.apply"),
                    lambda way=way: self._apply(way),
                    "quiet",
                    name=f"{say('ways.apply')}: {title}",
                )
            )
            self.body.addWidget(option)

    def _apply(self, way: WayOut) -> None:
        session = self._desk.session
        session.become(session.project.model_copy(update={"request": way.request}), f"way.{way.code}")
        self._desk.changed()
