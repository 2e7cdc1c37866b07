"""Facts of an order that nobody has read in a document: no document prints them, and each says that it is left out."""

from desktop.quote import Server
from desktop.report.wording import Wording


def is_recalled(server: Server | None, fact: str) -> bool:
    """Whether that fact of the order (`platform.rack_units`) is nobody's word."""
    return server is not None and fact in server.recalled


def recalled_words(wording: Wording, names: list[str]) -> str:
    """`platform.rack_units` as height of the server; empty for none."""
    return ", ".join(dict.fromkeys(wording.label(f"recalled.{name}") for name in names))
