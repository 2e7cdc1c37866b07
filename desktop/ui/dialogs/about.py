"""What the program is, and the list of its keys."""

from PySide6.QtCore import qVersion
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QWidget

from desktop import __version__
from desktop.catalog import Catalog
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import column, grid, row
from desktop.ui.widgets.text import label


class AboutDialog(QDialog):
    def __init__(self, parent: QWidget, look: Look, catalog: Catalog) -> None:
        super().__init__(parent)
        self.setWindowTitle(look.say("about.title"))
        layout = column(self, 8, (24, 20, 24, 16))
        layout.addWidget(label(look.say("app.name"), "title"))
        layout.addWidget(label(look.say("about.purpose"), "muted", wrap=True))
        layout.addWidget(label(look.say("about.versions", version=__version__, qt=qVersion()), "small"))
        stamp = catalog.stamp
        layout.addWidget(
            label(
                look.say(
                    "about.catalog", version=stamp.version, date=look.numerals.date(stamp.built), hash=stamp.sha256[:16]
                ),
                "small",
                wrap=True,
            )
        )
        layout.addWidget(label(look.say("about.offline"), "small", wrap=True))
        layout.addWidget(label(look.say("about.licences"), "caption", wrap=True))
        _closing(self, look, layout)
        self.setMinimumWidth(460)


class KeysDialog(QDialog):
    """The keys as the menus have them."""

    def __init__(self, parent: QWidget, look: Look, actions: dict[str, QAction]) -> None:
        super().__init__(parent)
        self.setWindowTitle(look.say("keys.title"))
        layout = column(self, 12, (24, 20, 24, 16))
        layout.addWidget(label(look.say("keys.title"), "title"))
        table = grid(gap=(24, 4))
        shown = [
            (action.text().replace("&", ""), action.shortcuts()) for action in actions.values() if action.shortcuts()
        ]
        half = -(-len(shown) // 2)
        for place, (text, keys) in enumerate(shown):
            left = place // half * 2
            written = ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in keys)
            table.addWidget(label(written, "strong"), place % half, left)
            table.addWidget(label(text, "small"), place % half, left + 1)
        layout.addLayout(table)
        layout.addWidget(label(look.say("keys.numbers"), "caption", wrap=True))
        _closing(self, look, layout)
        self.setMinimumWidth(560)


def _closing(dialog: QDialog, look: Look, layout: object) -> None:
    line = row()
    line.addStretch()
    line.addWidget(button(look, look.say("ask.ok_button"), dialog.accept, "primary"))
    layout.addLayout(line)  # type: ignore[attr-defined]
