"""`model.safetensors.index.json`: which shard holds which tensor; and all shards of a folder read as one."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from desktop.architectures.files.bounded import BUDGET_S, BoundedReader, broken, open_bounded, printable
from desktop.architectures.files.safetensors_header import read_safetensors
from desktop.architectures.files.shards import shard_path
from desktop.architectures.files.tensor_list import TensorKind, TensorList, expert_count, has_head, layer_count
from desktop.request import Problem
from desktop.request.strict_json import parse_strict

MAX_INDEX_BYTES = 64 * 2**20
MAX_SHARDS = 4096
MAX_TOTAL = 2**62


@dataclass(frozen=True, slots=True)
class SafetensorsIndex:
    """Names of tensors by shard. It has no shapes: `total_size_bytes` is what its writer says, a hint and no figure."""

    shard_of: Mapping[str, str]
    total_size_bytes: int | None
    total_parameters: int | None
    source: str
    doubts: tuple[str, ...] = ()

    def shards(self) -> tuple[str, ...]:
        return tuple(sorted(set(self.shard_of.values())))

    def layers(self) -> int:
        return layer_count(self.shard_of)

    def experts(self) -> int:
        return expert_count(self.shard_of)

    def has_lm_head(self) -> bool:
        return has_head(self.shard_of)


def read_safetensors_index(path: Path, budget_s: float = BUDGET_S) -> SafetensorsIndex:
    """Index at `path`. Raises Problem: file_missing, file_unreadable, file_too_large, bad_json, broken_model_file."""
    with open_bounded(path, MAX_INDEX_BYTES, budget_s) as reader:
        return parse_safetensors_index(reader)


def parse_safetensors_index(reader: BoundedReader) -> SafetensorsIndex:
    """Index a reader stands at the beginning of."""
    if reader.size_bytes > MAX_INDEX_BYTES:
        raise Problem("file_too_large", field=reader.name, limit_mib=MAX_INDEX_BYTES // 2**20)
    content = parse_strict(reader.take(reader.size_bytes), reader.name)
    reader.check_time()
    listed = content.get("weight_map") if isinstance(content, dict) else None
    if not isinstance(listed, dict) or not listed:
        raise broken(reader.name, "no_weight_map")
    metadata = content.get("metadata")
    shard_of = {name: shard for name, shard in listed.items() if isinstance(shard, str)}
    total = _whole(metadata, "total_size")
    odd = len(shard_of) < len(listed)
    doubts = (*(("total_size_absent",) if total is None else ()), *(("shard_not_named",) if odd else ()))
    return SafetensorsIndex(shard_of, total, _whole(metadata, "total_parameters"), reader.name, doubts)


def read_sharded_safetensors(index_path: Path, budget_s: float = BUDGET_S) -> TensorList:
    """Tensors of all shards an index names, read from its own folder and from nowhere else.

    `missing` are the shards that are not there. Doubts: shard_missing, shard_outside_folder, data_absent,
    index_differs (tensors of shards and of the index are not the same), total_size_absent, total_size_differs,
    total_size_counts_files, total_size_without_head. Raises Problem as the readers of index and shards do.
    """
    index = read_safetensors_index(index_path, budget_s)
    if len(index.shards()) > MAX_SHARDS:
        raise broken(index.source, "too_many", count=MAX_SHARDS)
    names: list[str] = []
    kinds: list[TensorKind] = []
    missing: list[str] = []
    doubts = list(index.doubts)
    bits = set()
    file_bytes = 0
    until = time.monotonic() + budget_s
    for shard in index.shards():
        if time.monotonic() > until:
            raise broken(index.source, "too_slow", limit_s=budget_s)
        path = shard_path(index_path.parent, shard)
        if path is None or not path.is_file():
            missing.append(printable(shard))
            doubts.append("shard_outside_folder" if path is None else "shard_missing")
            continue
        found = read_safetensors(path, budget_s)
        names += found.names
        kinds += found.kinds
        doubts += found.doubts
        file_bytes += path.stat().st_size
        bits |= {found.packed_bits} - {None}
    joined = TensorList(names, kinds, index.source, not missing and "data_absent" not in doubts, (), tuple(missing))
    doubts += _differences(index, joined, file_bytes) if not missing else ()
    return replace(joined, doubts=tuple(dict.fromkeys(doubts)), packed_bits=bits.pop() if len(bits) == 1 else None)


def _differences(index: SafetensorsIndex, found: TensorList, file_bytes: int) -> tuple[str, ...]:
    same = len(found) == len(index.shard_of) and set(found.names) == set(index.shard_of)
    differs = () if same else ("index_differs",)
    stored, said = found.bytes, index.total_size_bytes
    if said is None or said == stored:
        return differs
    heads = [tensor.bytes for tensor in found if has_head([tensor.name])]
    if said == file_bytes:
        return (*differs, "total_size_counts_files")
    return (*differs, "total_size_without_head" if stored - said in heads else "total_size_differs")


def _whole(metadata: Any, name: str) -> int | None:
    value = metadata.get(name) if isinstance(metadata, dict) else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 < value < MAX_TOTAL else None
