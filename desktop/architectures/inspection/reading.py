"""A path of any kind is read: all that lies together, held against each other."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from desktop.architectures.architecture import Architecture
from desktop.architectures.build import architecture_of
from desktop.architectures.configs import facts_of_config
from desktop.architectures.dense import DenseDecoder
from desktop.architectures.files import facts_of_gguf, stored_weights
from desktop.architectures.files.bounded import BUDGET_S, printable
from desktop.architectures.hugging_face import model_name
from desktop.architectures.inspection.comparison import index_doubts, name_doubts, tensor_doubts
from desktop.architectures.inspection.figures import cache_figures, weight_figures
from desktop.architectures.inspection.folder import Brought, brought_by, read_document
from desktop.architectures.inspection.inspection import Doubt, Inspection, Kind, once
from desktop.architectures.inspection.licence import licence_of_card
from desktop.architectures.inspection.other_kinds import adapter_inspection, pipeline_inspection
from desktop.architectures.inspection.sizable import dense_of_config, dense_of_facts
from desktop.architectures.inspection.weights import Weights, read_weights
from desktop.architectures.quantization import Quantization, read_hf_quant_config
from desktop.catalog.records import ModelRecord
from desktop.request import Problem

HUB_CACHE = "models--"  # models--maker--name/snapshots/revision


class Models(Protocol):
    """Where catalog models are looked up by name."""

    def model(self, name: str) -> ModelRecord: ...


@dataclass(frozen=True, slots=True)
class _Described:
    """What a config or a GGUF header says; `config` where it is a config.json, `problem` where it says what cannot be
    described."""

    facts: dict[str, Any]
    architecture: Architecture | None
    quantization: Quantization | None
    config: Mapping[str, Any] | None
    doubts: tuple[Doubt, ...]
    files: tuple[str, ...]
    problem: Problem | None = None


def inspect_path(path: Path, models: Models | None = None, budget_s: float = BUDGET_S) -> Inspection:
    """What a file or a folder of a model says of it. `budget_s` is the time for each file, and for all shards of one
    checkpoint; `models` may know the licence.

    Raises Problem: file_missing, file_unreadable, file_too_large, bad_json, no_model_files, pickled_weights,
    not_a_model_config, unsupported_file, unsupported_model, broken_model_file, missing_model_field, bad_model_field.
    """
    brought = brought_by(path, budget_s)
    name = name_of(path)
    for part, read in (("pipeline", _pipeline), ("adapter", _adapter)):
        if part in brought.parts and "model" not in brought.parts:
            return _with_licence(read(path, name, brought, budget_s), brought, {}, models, budget_s)
    weights = read_weights(brought.checkpoints, budget_s)
    header = weights.header
    if header is not None and header.kind not in ("model", "vocabulary") and "model" not in brought.parts:
        return _other_gguf(path, name, weights)
    described = _described(brought, weights, name, budget_s)
    found = _inspection(path, described, weights, _beside(brought))
    return _with_licence(found, brought, described.facts, models, budget_s)


def name_of(path: Path) -> str:
    """What a folder or file is called: the model of a folder in the Hub's cache, the folder of a config.json.

    >>> name_of(Path("models--Qwen--Qwen3-8B/snapshots/0f3c"))
    'Qwen3-8B'
    """
    for part in path.parts:
        if part.startswith(HUB_CACHE):
            return part.rpartition("--")[2]
    real = path.resolve()
    if not path.suffix or path.is_dir():
        return printable(real.name)
    return printable(real.parent.name if path.suffix == ".json" else path.stem)


def _pipeline(path: Path, name: str, brought: Brought, budget_s: float) -> Inspection:
    file = brought.parts["pipeline"]
    document, _ = read_document(file, budget_s)
    return pipeline_inspection(path, name, file.name, document, budget_s)


def _adapter(path: Path, name: str, brought: Brought, budget_s: float) -> Inspection:
    file = brought.parts["adapter"]
    document, _ = read_document(file, budget_s)
    return adapter_inspection(path, name, file.name, document, read_weights(brought.checkpoints, budget_s))


def _other_gguf(path: Path, name: str, weights: Weights) -> Inspection:
    header = weights.header
    assert header is not None and header.kind != "model"
    found = header.tensors if weights.whole else None
    return Inspection(
        path=str(path),
        kind=header.kind,
        name=name,
        files=weights.files,
        stored_elements=found.elements if found else None,
        weight_bytes=found.bytes if found else None,
        bytes_by_type=found.bytes_by_dtype() if found else {},
        parts=weights.beside,
        doubts=weights.doubts,
    )


def _described(brought: Brought, weights: Weights, name: str, budget_s: float) -> _Described:
    """Raises a Problem only where there are no weights that could be told without a description."""
    try:
        file = brought.parts.get("model") or brought.parts.get("params")
        if file is not None:
            return _of_config(file, brought, name, budget_s)
        if weights.header is not None:
            facts = facts_of_gguf(weights.header)
            facts["name"] = facts.get("name") or name
            field = weights.header.tensors.source
            made = architecture_of(facts, facts["name"], field)
            untold = () if facts.get("tie_embeddings") is not None else (Doubt("tie_not_stated"),)
            return _Described(facts, made, None, None, (*untold, *_unstated(facts)), ())
    except Problem as problem:
        if weights.found is None:
            raise
        return _Described({}, None, None, None, (), (), problem)
    return _Described({}, None, None, None, (Doubt("no_config"),), ())


def _of_config(file: Path, brought: Brought, name: str, budget_s: float) -> _Described:
    document, noted = read_document(file, budget_s)
    name = model_name(document) or name
    said = facts_of_config(document, name, file.name)
    quantization, doubts = said.quantization, [Doubt(code) for code in (*noted, *said.doubts)]
    files = [file.name]
    apart = brought.parts.get("quantization")
    if apart is not None:
        files.append(apart.name)
        told = read_hf_quant_config(read_document(apart, budget_s)[0], apart.name)
        if quantization is None:
            quantization = told
            doubts += [Doubt(code) for code in told.doubts]
        elif told.checkpoint_format != quantization.checkpoint_format:
            doubts.append(Doubt("quantization_differs", {"name": apart.name}))
    made = architecture_of(said.facts, name, file.name)
    doubts += [doubt for doubt in _unstated(said.facts) if doubt not in doubts]
    config = document if "model" in brought.parts else None
    return _Described(said.facts, made, quantization, config, tuple(doubts), tuple(files))


def _unstated(facts: Mapping[str, Any]) -> tuple[Doubt, ...]:
    return () if facts.get("max_position") or not facts.get("num_layers") else (Doubt("max_context_not_stated"),)


def _beside(brought: Brought) -> tuple[Doubt, ...]:
    """Files that were not opened."""
    doubts = []
    if brought.outside:
        doubts.append(Doubt("link_outside_folder", {"names": tuple(printable(name) for name in brought.outside[:3])}))
    if brought.pickles and not brought.checkpoints:
        doubts.append(Doubt("pickles_not_opened", {"names": tuple(printable(name) for name in brought.pickles[:3])}))
    return tuple(doubts)


def _inspection(path: Path, described: _Described, weights: Weights, beside: tuple[Doubt, ...]) -> Inspection:
    made = described.architecture
    name = made.name if made else name_of(path)
    dtype = str(described.facts.get("torch_dtype") or "bfloat16")
    doubts = [*beside, *described.doubts, *weights.doubts]
    inspection = Inspection(
        path=str(path),
        kind=_kind(described, weights),
        name=name,
        files=tuple(dict.fromkeys((*described.files, *weights.files))),
        architecture=made,
        parts=weights.beside,
        problem=described.problem,
        **weight_figures(made, dtype, described.quantization, weights),
    )
    if made is None:
        return replace(inspection, **_of_tensors(weights), doubts=once(doubts))
    if weights.found is not None and weights.sortable:
        doubts += tensor_doubts(weights.found, made, described.quantization)
    elif weights.index is not None:
        doubts += index_doubts(weights.index, made, dtype, described.quantization)
    if inspection.kind == "vocabulary":  # neither tie nor biases are known, so neither is the count
        return replace(inspection, doubts=once(doubts), **cache_figures(made))
    doubts += name_doubts(name, made.parameters(), made.active_parameters())
    return replace(
        inspection,
        dense=_dense(described, inspection),
        parameters=made.parameters(),
        active_parameters=made.active_parameters(),
        doubts=once(doubts),
        **cache_figures(made),
    )


def _dense(described: _Described, found: Inspection) -> DenseDecoder | None:
    if described.architecture is None:
        return None
    if described.config is not None:
        return dense_of_config(described.config, found.name, described.files[0])
    return dense_of_facts(described.architecture, described.facts)


def _kind(described: _Described, weights: Weights) -> Kind:
    if weights.header is not None and weights.header.kind == "vocabulary" and not described.files:
        return "vocabulary"
    return "weights" if described.architecture is None else "model"


def _of_tensors(weights: Weights) -> dict[str, Any]:
    """Elements of weights nothing describes: all that are stored, unless they are packed in a way nothing tells."""
    if weights.found is None or not weights.sortable:
        return {}
    return {"parameters": stored_weights(weights.found).elements}


def _with_licence(
    found: Inspection, brought: Brought, facts: Mapping[str, Any], models: Models | None, budget_s: float
) -> Inspection:
    """From the model's card, the GGUF header, or the catalog's row of that name and size."""
    card = brought.parts.get("readme")
    stated = licence_of_card(card, budget_s) if card is not None else ""
    if card is not None and stated:
        return replace(found, licence=stated, licence_source=card.name)
    if facts.get("licence"):
        return replace(found, licence=printable(str(facts["licence"])), licence_source=found.files[0])
    if models is None or found.parameters is None:
        return found
    try:
        record = models.model(found.name)
    except Problem:
        return found
    same = record.params_total == found.parameters and record.licence
    return replace(found, licence=record.licence, licence_source="catalog") if same else found
