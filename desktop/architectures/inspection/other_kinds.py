"""What is no language model: a pipeline of parts, an adapter."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop.architectures.configs import read_adapter, read_pipeline
from desktop.architectures.files.bounded import printable
from desktop.architectures.files.shards import shard_path
from desktop.architectures.inspection.folder import Checkpoint, checkpoints_in, names_in, preferred
from desktop.architectures.inspection.inspection import Adapter, Doubt, Inspection, StoredPart, once
from desktop.architectures.inspection.weights import Weights, read_checkpoint

VARIANT = "."  # unet/diffusion_pytorch_model.fp16.safetensors is the same part in another type


def adapter_inspection(path: Path, name: str, field: str, document: Mapping[str, Any], weights: Weights) -> Inspection:
    """An adapter with the elements of its own matrices, where its weights are there."""
    said = read_adapter(document, field)
    found = weights.found if weights.whole else None
    return Inspection(
        path=str(path),
        kind="adapter",
        name=name,
        files=(field, *weights.files),
        stored_elements=found.elements if found else None,
        weight_bytes=found.bytes if found else None,
        bytes_by_type=found.bytes_by_dtype() if found else {},
        adapter=Adapter(said.method, printable(said.base_model), said.rank, said.modules),
        doubts=weights.doubts,
    )


def pipeline_inspection(path: Path, name: str, field: str, document: Mapping[str, Any], budget_s: float) -> Inspection:
    """A diffusion pipeline with the parts its model_index.json names, each counted from its own folder."""
    home = path if path.is_dir() else path.parent
    made = read_pipeline(document, field)
    parts, lists = [], []
    doubts: list[Doubt] = []
    for part, kind in made.items():
        weights = _weights(home, part, budget_s)
        found = weights.found if weights.whole else None
        doubts += weights.doubts
        if found is not None:
            lists.append(found)
        parts.append(
            StoredPart(
                printable(part),
                printable(kind),
                found.elements if found else None,
                found.bytes if found else None,
            )
        )
    missing = tuple(part.name for part in parts if part.elements is None and _has_weights(part.made))
    if missing:
        doubts.append(Doubt("parts_without_weights", {"names": missing, "count": len(missing)}))
    whole = bool(lists) and not missing
    by_type: dict[str, int] = {}
    for found in lists:
        for dtype, size in found.bytes_by_dtype().items():
            by_type[dtype] = by_type.get(dtype, 0) + size
    elements = sum(part.elements or 0 for part in parts)
    return Inspection(
        path=str(path),
        kind="pipeline",
        name=name,
        files=(field,),
        parameters=elements if whole else None,
        stored_elements=elements if whole else None,
        weight_bytes=sum(part.bytes or 0 for part in parts) if whole else None,
        bytes_by_type=by_type if whole else {},
        parts=tuple(parts),
        doubts=once(doubts),
    )


def _has_weights(kind: str) -> bool:
    """Whether a part of that class is a network: schedulers, tokenizers and processors are none."""
    return not any(word in kind for word in ("Scheduler", "Tokenizer", "Processor", "Extractor"))


def _weights(home: Path, part: str, budget_s: float) -> Weights:
    folder = shard_path(home, part)
    if folder is None or not folder.is_dir():
        return Weights()
    names, _ = names_in(folder)
    sets = tuple(one for one in checkpoints_in(folder, names) if one.format == "safetensors")
    chosen = _plain(sets)
    return read_checkpoint(chosen, budget_s) if chosen else Weights()


def _plain(sets: tuple[Checkpoint, ...]) -> Checkpoint | None:
    plain = tuple(one for one in sets if VARIANT not in one.stem)
    return preferred(plain or sets)
