"""What to check before the quote leaves: the three gravest remarks in sight, the others behind one click."""

from collections.abc import Callable, Sequence

from desktop.quote import Message
from desktop.ui.look import Look
from desktop.ui.pane.blocks import Block
from desktop.ui.widgets.buttons import link
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.text import TONE_OF_SEVERITY

IN_SIGHT = 3
GRAVITY = ("error", "warning", "info")


class WarningsBlock(Block):
    def __init__(self, look: Look, go: Callable[[str], None]) -> None:
        super().__init__(look)
        self._go = go
        self._messages: list[Message] = []
        self._all = False

    def show_messages(self, messages: Sequence[Message]) -> None:
        unique: dict[str, Message] = {}
        for message in messages:
            unique.setdefault(self.look.sentence(message), message)
        self._messages = sorted(unique.values(), key=lambda message: GRAVITY.index(message.severity))
        self.setVisible(bool(self._messages))
        self._fill()

    def _fill(self) -> None:
        say = self.look.say
        aside = []
        if len(self._messages) > IN_SIGHT:
            text = say("warnings.fewer") if self._all else say("warnings.all", number=len(self._messages))
            aside.append(link(self.look, text, self._toggle))
        self.restart(say("warnings.title"), *aside)
        for message in self._messages if self._all else self._messages[:IN_SIGHT]:
            act = (lambda field=message.field: self._go(field)) if message.field else None
            self.body.addWidget(
                MessageLine(
                    self.look,
                    TONE_OF_SEVERITY[message.severity],
                    self.look.sentence(message),
                    act,
                    say("warnings.open"),
                )
            )

    def _toggle(self) -> None:
        self._all = not self._all
        self._fill()
