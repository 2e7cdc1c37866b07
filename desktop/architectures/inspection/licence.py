"""The licence a model's card states in its front matter."""

import re
from pathlib import Path

from desktop.architectures.files.bounded import open_bounded

MAX_CARD_BYTES = 65_536  # the front matter stands at its beginning
LONGEST_LICENCE = 80
LINE = re.compile(r"^(?P<key>license|license_name):[ \t]*(?P<value>\S.*?)[ \t]*$", re.MULTILINE)
OTHER = "other"


def licence_of_card(path: Path, budget_s: float) -> str:
    """Licence of a README.md as the Hub writes it, the name where the licence is `other`; empty where none is stated.

    Source: huggingface.co, docs of model cards, fields `license` and `license_name`. Raises Problem: file_unreadable.
    """
    with open_bounded(path, MAX_CARD_BYTES, budget_s) as reader:
        text = reader.peek(MAX_CARD_BYTES).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if not text.startswith("---\n"):
        return ""
    front = text[4:].partition("\n---")[0]
    found = {match["key"]: _plain(match["value"]) for match in reversed(list(LINE.finditer(front)))}
    licence = found.get("license", "")
    return found.get("license_name", licence) if licence in ("", OTHER) else licence


def _plain(value: str) -> str:
    return "".join(sign for sign in value.strip("\"'")[:LONGEST_LICENCE] if sign.isprintable())
