"""`inspect`: what the files of a model say of it, one JSON object a path."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop.architectures import Architecture, DenseDecoder, Doubt, Inspection, inspect_path, layer_kinds
from desktop.catalog import load_catalog
from desktop.cli.json_lines import defect, error_content, write_json
from desktop.request import Problem
from desktop.words import Language, doubt_sentence


def inspect(paths: Sequence[Path], language: Language) -> int:
    """Exit status 1 when a path could not be read."""
    status = 0
    for path in paths:
        content, failed = _inspected(path, language)
        write_json(content)
        status = 1 if failed else status
    return status


def _inspected(path: Path, language: Language) -> tuple[dict[str, Any], bool]:
    try:
        return inspection_content(inspect_path(path, load_catalog()), language), False
    except Problem as problem:
        return {"path": str(path), "error": error_content(problem, language)}, True
    except Exception as error:  # one path must never stop the others
        return {"path": str(path), "error": error_content(defect(error), language)}, True


def inspection_content(found: Inspection, language: Language) -> dict[str, Any]:
    """An inspection as plain JSON content; what is not known is null."""
    made = found.architecture
    return {
        "path": found.path,
        "kind": found.kind,
        "name": found.name,
        "files": list(found.files),
        "architecture": None if made is None else _architecture(made, found.dense),
        "sizable": found.dense is not None,
        "parameters": found.parameters,
        "active_parameters": found.active_parameters,
        "stored_elements": found.stored_elements,
        "weight_bytes": found.weight_bytes,
        "weight_bytes_by_type": dict(found.bytes_by_type),
        "weight_classes": [
            {
                "class": part.name,
                "format": part.format,
                "elements": part.elements,
                "weight_bytes": part.weight_bytes,
                "scale_bytes": part.scale_bytes,
            }
            for part in found.classes
        ],
        "kv_bytes_per_token": found.kv_bytes_per_token,
        "kv_context_tokens": found.kv_context_tokens,
        "state_bytes": found.state_bytes,
        "licence": found.licence or None,
        "licence_source": found.licence_source or None,
        "adapter": None if found.adapter is None else asdict(found.adapter),
        "parts": [asdict(part) for part in found.parts],
        "problem": None if found.problem is None else error_content(found.problem, language),
        "doubts": [_doubt(doubt, language) for doubt in found.doubts],
    }


def _architecture(made: Architecture, dense: DenseDecoder | None) -> dict[str, Any]:
    """What every model has, the kinds of its layers, and of a dense decoder all its widths."""
    return {
        "name": made.name,
        "model_type": made.model_type,
        "layers": made.depth,
        "hidden": made.hidden,
        "vocab": made.vocab,
        "max_context": made.max_context,
        **({} if dense is None else asdict(dense)),
        "layer_kinds": [asdict(kind) for kind in layer_kinds(made)],
        "embedding_elements": made.embedding_elements,
        "head_elements": made.head_elements,
        "others": [asdict(part) for part in made.others],
        "towers": [asdict(part) for part in made.towers],
        "draft_layers": made.draft_layers,
        "draft_elements": None if made.draft is None else made.draft.elements(),
    }


def _doubt(doubt: Doubt, language: Language) -> dict[str, Any]:
    return {"code": doubt.code, "message": doubt_sentence(doubt, language), "values": dict(doubt.values)}
