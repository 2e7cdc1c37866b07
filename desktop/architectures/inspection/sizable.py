"""Which decoder of an inspected model can be sized, and what keeps the others from it."""

from collections.abc import Mapping
from typing import Any

from desktop.architectures.architecture import Architecture
from desktop.architectures.dense import DenseDecoder
from desktop.architectures.feed_forward import Experts
from desktop.architectures.hugging_face import STORED_AS, read_config
from desktop.request import Problem

GGUF = "gguf:"


def dense_of_config(document: Mapping[str, Any], name: str, field: str) -> DenseDecoder | None:
    """The decoder of a config.json, by the same reader that requests use; None where it says no."""
    try:
        return read_config(document, name, field)
    except Problem:
        return None


def dense_of_facts(made: Architecture, facts: Mapping[str, Any]) -> DenseDecoder | None:
    """The decoder of a params.json or a GGUF header."""
    scheme = facts.get("quantization_config")
    if isinstance(scheme, Mapping):
        return made.dense(f"{GGUF}{scheme.get('file_type')}")
    return made.dense(STORED_AS[str(facts.get("torch_dtype") or "auto")])


def unsized_part(made: Architecture) -> str:
    """Code of the first part of a model that cannot be sized yet, as `unsupported_model` names it."""
    mixers = [mixer for group in made.layers for mixer in group.mixers]
    kinds = {type(mixer).__name__ for mixer in mixers}
    reaches = {mixer.reach for mixer in mixers}
    if any(part.name == "vision" for part in made.towers) or ("CrossAttention" in kinds and not _reads(made)):
        return "vision_language"
    if not made.layers:
        return "diffusion" if len(made.towers) > 1 else "vision"
    if _reads(made):
        return "encoder_decoder"
    if "state" in reaches:
        return "state_space"
    if kinds & {"LatentAttention", "CompressedAttention"}:
        return "latent_attention"
    if any(isinstance(part, Experts) for group in made.layers for part in group.feed_forwards):
        return "mixture_of_experts"
    if "window" in reaches:
        return "sliding_window"
    return "chunked_attention" if "chunk" in reaches else "uneven_layers"


def _reads(made: Architecture) -> bool:
    return any(group.stack == "encoder" for group in made.layers)
