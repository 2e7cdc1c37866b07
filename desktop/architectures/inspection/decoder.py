"""The decoder that sizing takes, from the files of a model that are no plain config.json."""

from dataclasses import replace
from pathlib import Path

from desktop.architectures.dense import DenseDecoder
from desktop.architectures.files.bounded import BUDGET_S, printable
from desktop.architectures.files.shards import shard_path
from desktop.architectures.inspection.folder import INDEX, brought_by
from desktop.architectures.inspection.reading import inspect_path
from desktop.architectures.inspection.sizable import unsized_part
from desktop.request import Problem

CONFIG = "config.json"


def decoder_of(path: Path, name: str | None = None) -> DenseDecoder:
    """The decoder of a file or folder that is no plain config.json: GGUF, params.json, weights with a config beside.

    Raises the Problems of `inspect_path`; unsupported_model, not_a_whole_model and weights_without_config for what
    cannot be sized.
    """
    found = inspect_path(path)
    if found.dense is not None:
        return replace(found.dense, name=name) if name else found.dense
    if found.problem is not None:
        raise found.problem
    field = printable(path.name)
    if found.kind == "adapter" and found.adapter is not None:
        raise Problem("unsupported_model", field=field, what="adapter_config", model_type="")
    if found.kind == "weights":
        raise Problem("weights_without_config", field=field)
    if found.architecture is None or found.kind == "vocabulary":
        if found.kind == "pipeline":
            raise Problem("unsupported_model", field=field, what="diffusion", model_type=found.name)
        raise Problem("not_a_whole_model", field=field, what=found.kind)
    what = unsized_part(found.architecture)
    raise Problem("unsupported_model", field=field, what=what, model_type=found.architecture.model_type)


def is_config(path: Path) -> bool:
    """Whether `read_config_file` is the one to read a path: a config.json under any name, or a folder with one."""
    try:
        if path.is_dir():
            inside = shard_path(path, CONFIG)
            return inside is not None and inside.is_file()
    except (OSError, ValueError):
        return True
    if path.suffix.lower() != ".json" or path.name.endswith(INDEX):
        return False
    try:
        return "params" not in brought_by(path, BUDGET_S).parts
    except Problem:
        return True  # the reader of configs says what is wrong
