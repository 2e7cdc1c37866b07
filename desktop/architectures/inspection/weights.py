"""The weights that lie in a folder: tensors of one checkpoint, and what stands beside it."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.architectures.files import (
    GgufHeader,
    SafetensorsIndex,
    TensorList,
    read_gguf,
    read_safetensors,
    read_safetensors_index,
    read_sharded_safetensors,
)
from desktop.architectures.files.bounded import broken, printable
from desktop.architectures.inspection.folder import Checkpoint, preferred
from desktop.architectures.inspection.inspection import Doubt, StoredPart
from desktop.request import Problem

MAX_CHECKPOINTS = 64
MAX_SORTED = 300_000  # tensors told apart by their names in a few seconds; DeepSeek-V3 has 92 thousand
NAMES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Weights:
    """Tensors of the one checkpoint that is read; None where there is none, or no telling which. `header` where it is a
    GGUF file. `whole` if all its tensors are listed, whether or not their data is there. `beside` are files of other
    weights."""

    found: TensorList | None = None
    header: GgufHeader | None = None
    index: SafetensorsIndex | None = None
    whole: bool = False
    files: tuple[str, ...] = ()
    beside: tuple[StoredPart, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    @property
    def sortable(self) -> bool:
        """Whether all tensors are listed, and not too many to be told apart."""
        return self.found is not None and self.whole and len(self.found) <= MAX_SORTED


def read_weights(checkpoints: Sequence[Checkpoint], budget_s: float) -> Weights:
    """Weights of a folder, safetensors before GGUF. Raises the Problems of their readers."""
    loose = tuple(checkpoint for checkpoint in checkpoints if checkpoint.format == "safetensors")
    split = tuple(checkpoint for checkpoint in checkpoints if checkpoint.format == "gguf")
    chosen = preferred(loose)
    if chosen is not None:
        return read_checkpoint(chosen, budget_s)
    if loose:
        return _several([(checkpoint, read_checkpoint(checkpoint, budget_s)) for checkpoint in _few(loose)])
    return _of_gguf(split, budget_s) if split else Weights()


def read_checkpoint(checkpoint: Checkpoint, budget_s: float) -> Weights:
    """Tensors of one checkpoint of safetensors."""
    if checkpoint.index is None:
        return _of_shards(checkpoint, budget_s)
    index = read_safetensors_index(checkpoint.index, budget_s)
    found = read_sharded_safetensors(checkpoint.index, budget_s)
    shards = tuple(shard for shard in index.shards() if printable(shard) not in found.missing)
    whole = not found.missing and not set(found.doubts) & {"shard_not_named", "index_differs"}
    doubts = _doubts(found, {"total_size_bytes": index.total_size_bytes, "stored_bytes": found.bytes})
    return Weights(found if len(found) else None, None, index, whole, (checkpoint.name, *shards), (), doubts)


def _of_shards(checkpoint: Checkpoint, budget_s: float) -> Weights:
    """Shards without an index, or a single file."""
    until = time.monotonic() + budget_s
    lists = []
    for path in checkpoint.files:
        if time.monotonic() > until:
            raise broken(path.name, "too_slow", limit_s=budget_s)
        lists.append(read_safetensors(path, budget_s))
    found = lists[0] if len(lists) == 1 else _joined(lists, checkpoint.name)
    doubts = _doubts(found, {})
    if not checkpoint.whole:
        doubts += (Doubt("shards_missing", {"present": len(lists)}),)
    return Weights(found, None, None, checkpoint.whole, tuple(path.name for path in checkpoint.files), (), doubts)


def _joined(lists: Sequence[TensorList], name: str) -> TensorList:
    names = [name for one in lists for name in one.names]
    if len(set(names)) != len(names):
        raise broken(name, "doubled_name", tensor=next(name for name in names if names.count(name) > 1))
    doubts = tuple(dict.fromkeys(doubt for one in lists for doubt in one.doubts))
    kinds = [kind for one in lists for kind in one.kinds]
    complete = all(one.complete for one in lists)
    found = {one.packed_bits for one in lists} - {None}
    bits = found.pop() if len(found) == 1 else None
    return TensorList(names, kinds, name, complete, doubts, packed_bits=bits)


def _of_gguf(split: tuple[Checkpoint, ...], budget_s: float) -> Weights:
    """The model among GGUF files; towers and adapters lie beside it."""
    read = [(checkpoint, _gguf(checkpoint, budget_s)) for checkpoint in _few(split)]
    models = [pair for pair in read if pair[1].header is not None and pair[1].header.kind == "model"]
    if len(models) > 1:
        return _several(models)
    chosen = models[0] if models else read[0]
    beside = tuple(
        StoredPart(checkpoint.name, weights.header.kind if weights.header else "", *_sizes(weights))
        for checkpoint, weights in read
        if checkpoint is not chosen[0]
    )
    return replace(chosen[1], beside=beside)


def _gguf(checkpoint: Checkpoint, budget_s: float) -> Weights:
    header = read_gguf(checkpoint.files[0], budget_s)
    names = tuple(printable(path.name) for path in checkpoint.files)
    return Weights(header.tensors, header, None, header.all_listed, names, (), _doubts(header.tensors, {}))


def _several(read: Sequence[tuple[Checkpoint, Weights]]) -> Weights:
    """Several checkpoints: the same model in several types, or different ones, which nothing tells. Their sizes are
    told; what is said of the model is taken from the first."""
    beside = tuple(StoredPart(checkpoint.name, "", *_sizes(weights)) for checkpoint, weights in read)
    shown = tuple(checkpoint.name for checkpoint, _ in read[:NAMES_SHOWN])
    first = read[0][1]
    doubt = Doubt("several_checkpoints", {"count": len(read), "names": shown})
    return Weights(None, first.header, None, False, tuple(part.name for part in beside), beside, (doubt,))


def _sizes(weights: Weights) -> tuple[int | None, int | None]:
    if weights.found is None or not weights.whole:
        return None, None
    return weights.found.elements, weights.found.bytes


def _few(checkpoints: tuple[Checkpoint, ...]) -> tuple[Checkpoint, ...]:
    if len(checkpoints) > MAX_CHECKPOINTS:
        raise Problem("too_many_checkpoints", field=printable(checkpoints[0].name), count=len(checkpoints))
    return checkpoints


def _doubts(found: TensorList, sizes: dict[str, object]) -> tuple[Doubt, ...]:
    values: dict[str, object] = {"names": found.missing[:NAMES_SHOWN], "count": len(found.missing)}
    known = {name: value for name, value in sizes.items() if value is not None}
    many = (Doubt("too_many_tensors", {"count": len(found)}),) if len(found) > MAX_SORTED else ()
    return many + tuple(
        Doubt(code, known if code.startswith("total_size") else values if code.startswith("shard_") else {})
        for code in found.doubts
    )
