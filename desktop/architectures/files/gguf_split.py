"""A GGUF file on disk, or all shards of one that was split: the first carries what is said of the model, all of them
carry tensors."""

import time
from dataclasses import replace
from pathlib import Path

from desktop.architectures.files.bounded import BUDGET_S, CAP_BYTES, broken, open_bounded
from desktop.architectures.files.gguf_header import GgufHeader, parse_gguf
from desktop.architectures.files.shards import gguf_shard_name, shard_path
from desktop.architectures.files.tensor_list import TensorList

MAX_SHARDS = 4096


def read_gguf(path: Path, budget_s: float = BUDGET_S) -> GgufHeader:
    """Header of a GGUF file; of a split one the tensors of all shards in its folder, whichever shard is given.

    Doubts: data_absent, tensor_name_too_long, shard_missing, shard_outside_folder, shard_differs (another number of
    shards, or another of tensors than the first promises). Raises Problem: file_missing, file_unreadable,
    broken_model_file.
    """
    header = _read(path, budget_s)
    if header.shards == 1:
        return header
    if header.shards > MAX_SHARDS:
        raise broken(path.name, "too_many", count=MAX_SHARDS)
    if header.shard:
        first = shard_path(path.parent, gguf_shard_name(path.name, 0) or "")
        if first is None or not first.is_file():
            raise broken(path.name, "first_shard_missing", shard=header.shard + 1, count=header.shards)
        path, header = first, _read(first, budget_s)
        if header.shard:
            raise broken(path.name, "first_shard_missing", shard=header.shard + 1, count=header.shards)
    return replace(header, tensors=_joined(path, header, budget_s))


def _read(path: Path, budget_s: float) -> GgufHeader:
    with open_bounded(path, CAP_BYTES, budget_s) as reader:
        return parse_gguf(reader)


def _joined(path: Path, first: GgufHeader, budget_s: float) -> TensorList:
    names, kinds = list(first.tensors.names), list(first.tensors.kinds)
    doubts = list(first.tensors.doubts)
    missing = []
    until = time.monotonic() + budget_s
    for number in range(1, first.shards):
        if time.monotonic() > until:
            raise broken(path.name, "too_slow", limit_s=budget_s)
        name = gguf_shard_name(path.name, number)
        shard = shard_path(path.parent, name) if name else None
        if shard is None or not shard.is_file():
            missing.append(name or str(number + 1))
            doubts.append("shard_outside_folder" if name and shard is None else "shard_missing")
            continue
        header = _read(shard, budget_s)
        if (header.shard, header.shards) != (number, first.shards):
            doubts.append("shard_differs")
        names += header.tensors.names
        kinds += header.tensors.kinds
        doubts += header.tensors.doubts
    promised = first.metadata.get("split.tensors.count")
    if len(set(names)) != len(names) or (not missing and isinstance(promised, int) and promised != len(names)):
        doubts.append("shard_differs")
    complete = not missing and "data_absent" not in doubts
    return TensorList(names, kinds, path.name, complete, tuple(dict.fromkeys(doubts)), tuple(missing))
