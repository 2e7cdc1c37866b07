"""Back and next, by name. Not filled: the order is a help, not a gate."""

from PySide6.QtWidgets import QFrame

from desktop.project.flow import next_step, previous_step
from desktop.ui.look import Look
from desktop.ui.shell.actions import Actions
from desktop.ui.shell.shortcuts import key_text
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import row
from desktop.ui.widgets.text import label

HEIGHT = 52


class Footer(QFrame):
    def __init__(self, look: Look, actions: Actions) -> None:
        super().__init__()
        self._look = look
        self.setProperty("role", "footer")
        self.setFixedHeight(HEIGHT)
        layout = row(self, 8, (28, 0, 28, 0))
        self.back = button(look, "", actions.go_back)
        self.next = button(look, "", actions.go_next)
        layout.addWidget(self.back)
        layout.addStretch()
        self._key = label(key_text("next"), "caption")
        layout.addWidget(self._key)
        layout.addWidget(self.next)

    def show_page(self, name: str) -> None:
        for widget, other, text in ((self.back, previous_step(name), "‹  {}"), (self.next, next_step(name), "{}  ›")):
            widget.setVisible(other is not None)
            if other is not None:
                title = self._look.say(f"step.{other}")
                widget.setText(text.format(title))
                widget.setAccessibleName(title)
        self._key.setVisible(next_step(name) is not None)
