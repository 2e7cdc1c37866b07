"""Bytes of an inspected model: its weights, its cache, its state."""

from typing import Any

from desktop.architectures.architecture import Architecture
from desktop.architectures.inspection.weights import Weights
from desktop.architectures.quantization import Quantization
from desktop.architectures.tensor_classes import classes_of_tensors
from desktop.architectures.weight_bytes import DRAFT_CLASSES, classes_of_architecture

BYTES_16_BIT = 2  # of a cached element: what an engine keeps unless told otherwise
LONGEST_TOLD = 32_768  # tokens of the text a windowed cache is told for, unless the model takes fewer


def weight_figures(
    made: Architecture | None, dtype: str, quantization: Quantization | None, weights: Weights
) -> dict[str, Any]:
    """Bytes and stored elements of the files, by type; where they are not all there, of the model as its config says
    it is stored, draft layers left out. Nothing where neither tells."""
    found = weights.found if weights.whole else None
    if found is not None:
        depth = made.depth if made is not None and _counts_on(made) else None
        bits = quantization.weights.bits if quantization and quantization.weights else None
        return {
            "stored_elements": found.elements,
            "weight_bytes": found.bytes,
            "bytes_by_type": found.bytes_by_dtype(),
            "classes": classes_of_tensors(found, depth, bits) if weights.sortable else (),
        }
    if made is None or weights.header is not None or (weights.beside and weights.found is None):
        return {}
    classes = classes_of_architecture(made, dtype, quantization)
    own = [part for part in classes if part.name not in DRAFT_CLASSES]
    by_type: dict[str, int] = {}
    for part in own:
        by_type[part.format] = by_type.get(part.format, 0) + part.bytes
    return {
        "stored_elements": sum(part.stored_elements for part in own),
        "weight_bytes": sum(part.bytes for part in own),
        "bytes_by_type": by_type,
        "classes": classes,
    }


def _counts_on(made: Architecture) -> bool:
    """Whether a layer behind the last one is a draft: not where an encoder has numbers of its own."""
    return made.depth > 0 and all(group.stack == "decoder" for group in made.layers)


def cache_figures(made: Architecture) -> dict[str, Any]:
    """Cache of one token and state of one text, in 16 bit [B]; nothing for a model that has no layers."""
    if not made.layers:
        return {}
    windowed = any(mixer.window for group in made.layers for mixer in group.mixers)
    context = min(LONGEST_TOLD, made.max_context or LONGEST_TOLD) if windowed else 1
    return {
        "kv_bytes_per_token": round(made.kv_elements(context) * BYTES_16_BIT / context),
        "kv_context_tokens": context if windowed else None,
        "state_bytes": made.state_elements() * BYTES_16_BIT,
    }
