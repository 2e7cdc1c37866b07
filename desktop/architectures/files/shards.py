"""Where the other files of a model lie: in its own folder, and nowhere else."""

import re
from pathlib import Path

LONGEST_NAME_BYTES = 255  # of a file, on every system there is
GGUF_SHARD = re.compile(r"^(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf$")  # llama_split_path, llama.cpp


def shard_path(folder: Path, name: str) -> Path | None:
    """Where a shard of that name lies; None for a name that leads out of the folder.

    A link may lead to the files of a Hub cache, whose snapshots hold nothing else.
    """
    plain = name.isprintable() and not set(name) & set("/\\:") and name not in ("", ".", "..")
    if not plain or len(name.encode()) > LONGEST_NAME_BYTES:
        return None
    try:
        real, home = (folder / name).resolve(), folder.resolve()
    except (OSError, RuntimeError):  # a link to itself
        return None
    of_cache = home.parent.name == "snapshots" and real.parent == home.parent.parent / "blobs"
    return folder / name if real.parent == home or of_cache else None


def gguf_shard_name(name: str, number: int) -> str | None:
    """Name of another shard of the same split file, counted from 0; None where the name is not a shard's.

    >>> gguf_shard_name("a-00001-of-00003.gguf", 2)
    'a-00003-of-00003.gguf'
    """
    match = GGUF_SHARD.match(name)
    return f"{match['stem']}-{number + 1:05}-of-{match['count']}.gguf" if match else None
