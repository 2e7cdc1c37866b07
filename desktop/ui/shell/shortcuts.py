"""Keys of the window's actions by code, and how this system writes them."""

from PySide6.QtGui import QKeySequence

Key = QKeySequence.StandardKey

KEYS: dict[str, tuple[Key | str, ...]] = {
    "new": (Key.New,),
    "open": (Key.Open,),
    "save": (Key.Save,),
    "save_as": ("Ctrl+Shift+S",),
    "export": ("Ctrl+E",),
    "catalog": ("Ctrl+K",),
    "quit": (Key.Quit,),
    "undo": (Key.Undo,),
    "redo": ("Ctrl+Shift+Z", "Ctrl+Y"),
    "back": ("Alt+Left",),
    "next": ("Alt+Right",),
    "next_region": ("F6",),
    "previous_region": ("Shift+F6",),
    "keys": (Key.HelpContents,),
}


def key_text(code: str) -> str:
    """The first key of an action: Ctrl+Z, or ⌘Z."""
    return QKeySequence(KEYS[code][0]).toString(QKeySequence.SequenceFormat.NativeText)
