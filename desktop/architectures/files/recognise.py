"""Which kind of weights file a path is, from its name and its first bytes."""

from pathlib import Path
from typing import Literal

from desktop.architectures.files.bounded import open_bounded, printable
from desktop.request import Problem

FileKind = Literal["safetensors", "safetensors_index", "gguf"]

PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
PICKLE_START = b"\x80"  # PROTO of every pickle since protocol 2
ZIP_START = b"PK\x03\x04"  # torch.save wraps its pickle into an archive
FIRST_BYTES = 16
GGUF_START = b"GGUF"


def file_kind(path: Path) -> FileKind | None:
    """Kind of a file of weights; None for anything else.

    No more than the first 16 bytes are read. Raises Problem: pickled_weights for files that would have to be
    executed to be read; file_missing, file_unreadable.
    """
    suffix = path.suffix.lower()
    if path.name.lower().endswith(".safetensors.index.json"):
        return "safetensors_index"
    with open_bounded(path, FIRST_BYTES) as reader:
        start = reader.peek(FIRST_BYTES)
    if start.startswith(GGUF_START):
        return "gguf"
    if suffix in PICKLES or (suffix not in (".safetensors", ".json") and start.startswith((PICKLE_START, ZIP_START))):
        raise Problem("pickled_weights", field=printable(path.name), suffix=printable(suffix) or "?")
    if suffix == ".gguf":
        return "gguf"
    return "safetensors" if suffix == ".safetensors" else None
