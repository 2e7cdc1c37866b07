"""Which files a path brings, by the part each plays. Nothing outside of the folder is looked at."""

import os
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from desktop.architectures.configs import kind_of_config
from desktop.architectures.files import file_kind
from desktop.architectures.files.bounded import open_bounded, printable
from desktop.architectures.files.recognise import FIRST_BYTES, PICKLES
from desktop.architectures.files.shards import shard_path
from desktop.architectures.hugging_face import MAX_CONFIG_BYTES
from desktop.request import Problem
from desktop.request.strict_json import parse_noting

MAX_NAMES = 20_000  # of files in a folder; a Hub folder has a few hundred
INDEX = ".index.json"
SAFETENSORS, GGUF = ".safetensors", ".gguf"
NUMBERED = re.compile(r"-(?P<number>\d{5})-of-(?P<count>\d{5})$")
# of several checkpoints of the same weights in one folder the first of these is read
PREFERRED = ("model", "diffusion_pytorch_model", "adapter_model", "consolidated")
PARTS = {
    "config.json": "model",
    "params.json": "params",
    "hf_quant_config.json": "quantization",
    "adapter_config.json": "adapter",
    "model_index.json": "pipeline",
    "README.md": "readme",
}
PART_OF_KIND = {
    "model": "model",
    "mistral_params": "params",
    "meta_params": "params",
    "adapter_config": "adapter",
    "diffusion": "pipeline",
}
Format = Literal["safetensors", "gguf"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Files of one set of weights: the index where there is one, the shards in the order of their numbers."""

    stem: str
    format: Format
    files: tuple[Path, ...]
    index: Path | None = None

    @property
    def name(self) -> str:
        return self.index.name if self.index else self.files[0].name

    @property
    def whole(self) -> bool:
        """Whether the names of the files promise nothing that is not there."""
        match = NUMBERED.search(self.files[0].stem) if self.files else None
        return self.index is not None or match is None or len(self.files) == int(match["count"])


@dataclass(frozen=True, slots=True)
class Brought:
    """Files by their part (values of PARTS), checkpoints, and names of files that are not opened: pickles, and links
    that lead out of the folder."""

    parts: dict[str, Path]
    checkpoints: tuple[Checkpoint, ...] = ()
    pickles: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    def nothing(self) -> bool:
        described = set(self.parts) - {"readme", "quantization"}
        return not described and not self.checkpoints


def brought_by(path: Path, budget_s: float) -> Brought:
    """Files of a folder; of a file, itself: weights with the config.json beside them.

    Raises Problem: file_missing, file_unreadable, pickled_weights, no_model_files, not_a_model_config, bad_json.
    """
    try:
        folder = path.is_dir()
    except (OSError, ValueError):  # a path too long for the system, or with a null byte in it
        raise Problem("file_unreadable", field=printable(path.name), reason="other") from None
    return _of_folder(path) if folder else _of_file(path, budget_s)


def read_document(path: Path, budget_s: float) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A JSON object and what is odd about its spelling. Raises Problem: file_missing, file_unreadable, file_too_large,
    bad_json, not_a_model_config."""
    with open_bounded(path, MAX_CONFIG_BYTES + 1, budget_s) as reader:
        if reader.size_bytes > MAX_CONFIG_BYTES:
            raise Problem("file_too_large", field=reader.name, limit_mib=MAX_CONFIG_BYTES // 2**20)
        content, noted = parse_noting(reader.take(reader.size_bytes), reader.name)
    if not isinstance(content, dict):
        raise Problem("not_a_model_config", field=printable(path.name))
    return content, noted


def checkpoints_in(folder: Path, names: list[str]) -> tuple[Checkpoint, ...]:
    """Sets of weights among the names: shards of one stem together, an index with what it lists."""
    groups: dict[tuple[str, Format], list[str]] = {}
    indices: dict[str, str] = {}
    for name in sorted(names):
        if name.endswith(SAFETENSORS + INDEX):
            stem = name.removesuffix(SAFETENSORS + INDEX)
            indices[stem] = name
            groups.setdefault((stem, "safetensors"), [])
        elif name.endswith((SAFETENSORS, GGUF)):
            kind: Format = "gguf" if name.endswith(GGUF) else "safetensors"
            groups.setdefault((NUMBERED.sub("", name.removesuffix(f".{kind}")), kind), []).append(name)
    return tuple(
        Checkpoint(
            stem,
            kind,
            tuple(folder / name for name in listed),
            folder / indices[stem] if kind == "safetensors" and stem in indices else None,
        )
        for (stem, kind), listed in groups.items()
    )


def names_in(folder: Path) -> tuple[list[str], list[str]]:
    """Names of the files of a folder, and of links that lead out of it. Raises Problem("file_unreadable")."""
    try:
        with os.scandir(folder) as entries:
            listed = [entry.name for entry in islice(entries, MAX_NAMES)]
    except OSError as error:
        denied = isinstance(error, PermissionError)
        reason = "permission" if denied else "other"
        raise Problem("file_unreadable", field=printable(folder.name), reason=reason) from None
    inside = [name for name in listed if shard_path(folder, name) is not None]
    return inside, sorted(set(listed) - set(inside))


def preferred(checkpoints: tuple[Checkpoint, ...]) -> Checkpoint | None:
    """The one that is read where the others are the same weights again; None where they may be different ones."""
    if len(checkpoints) == 1:
        return checkpoints[0]
    for stem in PREFERRED:
        for checkpoint in checkpoints:
            if checkpoint.stem == stem:
                return checkpoint
    return None


def _of_folder(folder: Path) -> Brought:
    names, outside = names_in(folder)
    parts = {part: folder / name for name, part in PARTS.items() if name in names}
    pickles = tuple(name for name in sorted(names) if name.lower().endswith(PICKLES))
    weights = checkpoints_in(folder, names)
    told = tuple(name for name in outside if name in PARTS or name.endswith((SAFETENSORS, GGUF, INDEX)))
    found = Brought(parts, weights, pickles, told)
    if not found.nothing():
        return found
    if pickles:
        raise Problem("pickled_weights", field=printable(pickles[0]), suffix=Path(pickles[0]).suffix.lower())
    raise Problem("no_model_files", field=printable(folder.name or folder.resolve().name))


def _of_file(path: Path, budget_s: float) -> Brought:
    kind = file_kind(path)
    if kind == "gguf":
        return Brought({}, (Checkpoint(NUMBERED.sub("", path.stem), "gguf", (path,)),))
    if kind is None:
        return Brought({_part_of(path, budget_s): path})
    config = shard_path(path.parent, "config.json")
    beside = {"model": config} if config is not None and config.is_file() else {}
    if kind == "safetensors_index":
        stem = path.name.removesuffix(SAFETENSORS + INDEX)
        return Brought(beside, (Checkpoint(stem, "safetensors", (), path),))
    return Brought(beside, (Checkpoint(NUMBERED.sub("", path.stem), "safetensors", (path,)),))


def _part_of(path: Path, budget_s: float) -> str:
    """Part of a JSON file, whatever it is called. Raises Problem: unsupported_file for what is no JSON, those of
    `read_document`, and unsupported_model for a JSON file of another kind."""
    if path.suffix.lower() != ".json" and not _opens_an_object(path, budget_s):
        raise Problem("unsupported_file", field=printable(path.name), suffix=printable(path.suffix) or "?")
    document, _ = read_document(path, budget_s)
    kind = kind_of_config(document)
    if not kind:
        raise Problem("not_a_model_config", field=printable(path.name))
    if kind not in PART_OF_KIND:
        raise Problem("unsupported_model", field=printable(path.name), what=kind, model_type="")
    return PART_OF_KIND[kind]


def _opens_an_object(path: Path, budget_s: float) -> bool:
    with open_bounded(path, FIRST_BYTES, budget_s) as reader:
        return reader.peek(FIRST_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
