"""Facts of a model, wherever they were read, become its Architecture: the only way there is.

Facts carry the keys of resources/catalog/models.jsonl, those under `dimensions` included. Readers of model files that
know more than a row of the catalog may add, one entry a layer: `layer_kinds` (full, sliding, chunked, linear, cross,
light, heavy), `sparse_layers` (true where there are experts), `indexer_kinds` (full, shared), `layer_blocks` (mamba,
attention, mlp, moe), and lists for num_heads, num_kv_heads, head_dim and intermediate_size.
"""

from collections.abc import Mapping
from typing import Any

from desktop.architectures.architecture import Architecture, Draft, Part
from desktop.architectures.counting.dimensions import Dimensions, MissingDimension
from desktop.architectures.counting.picture import picture_model
from desktop.architectures.counting.vision_tower import vision_tower
from desktop.architectures.decoder_layers import decoder_layers, norm_width
from desktop.architectures.encoders import ENCODERS, encoder_fields
from desktop.architectures.family_table import known_families
from desktop.architectures.layer_pattern import UnfitLayers
from desktop.architectures.layers import LayerGroup
from desktop.architectures.speech import SPEECH, speech_fields
from desktop.request import Problem

PUBLISHED_KINDS = ("cv", "diffusion", "speech")  # stand on a published count where no formula is known
# mixers of families whose draft layers are known; proved by what checkpoints hold beyond the model
DRAFTED_MIXERS = ("grouped_query", "latent", "gated_delta", "window_heads")


def architecture_of(facts: Mapping[str, Any], name: str, field: str = "model") -> Architecture:
    """Architecture of the model that `facts` describe; `field` prefixes the field names of problems.

    Raises Problem: missing_model_field naming the fact that is missing, bad_model_field, unsupported_model for a
    family that is not known or layers it does not have.
    """
    row = Dimensions(facts)
    try:
        return Architecture(
            name=name, model_type=row.text("model_type"), source=row.text("source"), **_fields(row, field)
        )
    except MissingDimension as missing:
        raise Problem("missing_model_field", field=f"{field}.{missing}", name=str(missing)) from None
    except UnfitLayers:
        raise Problem(
            "unsupported_model", field=field, what="uneven_layers", model_type=row.text("model_type")
        ) from None


def _fields(row: Dimensions, field: str) -> dict[str, Any]:
    model_type = row.text("model_type")
    if "components" in row.facts:
        return {"towers": tuple(Part(key, elements) for key, elements in row.facts["components"].items())}
    if row.facts.get("picture"):
        picture = row.part("picture")
        return {"towers": (Part(picture.text("design"), picture_model(picture)),)}
    if model_type in ENCODERS:
        return _sizes(row) | encoder_fields(row)
    if model_type in SPEECH:
        return _sizes(row) | speech_fields(row)
    if row.text("kind") in PUBLISHED_KINDS:
        return {"towers": (Part(row.text("kind"), row.whole("params_total")),), "published": True}
    if not model_type:
        raise MissingDimension("model_type")
    if model_type not in known_families():
        raise Problem("unsupported_model", field=field, what="unknown_family", model_type=model_type)
    return _sizes(row) | _decoder(row, known_families()[model_type], field)


def _sizes(row: Dimensions) -> dict[str, Any]:
    return {
        "hidden": row.whole("hidden_size"),
        "vocab": row.whole("vocab_size"),
        "max_context": row.whole_or("max_position", 0),
        "depth": row.whole("num_layers"),
    }


def _decoder(row: Dimensions, family: Mapping[str, Any], field: str) -> dict[str, Any]:
    _check_heads(row, field)
    hidden, vocab = row.whole("hidden_size"), row.whole("vocab_size")
    tied = row.facts.get("tie_embeddings")
    layers = decoder_layers(row, family)
    head = 0 if (family["tied"] if tied is None else tied) else vocab * hidden
    towers: tuple[Part, ...] = ()
    if row.text("kind") == "vlm" or row.facts.get("vision"):
        towers = (Part("vision", vision_tower(row.part("vision"), hidden)),)
    return {
        "layers": layers,
        # tokens of pictures are read, never written
        "embedding_elements": (vocab + row.whole_or("extra_tokens", 0)) * hidden,
        "head_elements": head,
        "others": _others(row, family),
        "towers": towers,
        "draft_layers": row.whole_or("mtp_layers", 0),
        "draft": _draft(row, family, layers),
    }


def _others(row: Dimensions, family: Mapping[str, Any]) -> tuple[Part, ...]:
    """What stands beside the layers, embedding and head."""
    hidden, vocab, streams = row.whole("hidden_size"), row.whole("vocab_size"), row.whole_or("hyper_connections", 0)
    norm = norm_width(hidden, family)
    parts = [Part("final_norm", norm)]
    if family["embedding_norm"]:
        parts.append(Part("embedding_norm", norm))
    if family["positions"] == "learned":
        parts.append(Part("positions", row.whole("max_position") * hidden))
    if family["head_bias"]:
        parts.append(Part("head_bias", vocab))
    if streams:  # the head joins the residual streams of DeepSeek-V4
        parts.append(Part("stream_joint", streams * (streams * hidden + 1) + 1))
    return tuple(parts)


def _draft(row: Dimensions, family: Mapping[str, Any], layers: tuple[LayerGroup, ...]) -> Draft | None:
    """Draft layers; None where there are none, or their make is not known. They are like the largest full layer, with
    experts and an indexer of their own; those of Step-3.7 like its dense layer with a window, each with a head."""
    count, hidden, vocab = row.whole_or("mtp_layers", 0), row.whole("hidden_size"), row.whole("vocab_size")
    windowed = family["mixer"] == "window_heads"
    made = [group for group in layers if group.reaches("window" if windowed else "full")]
    if not count or not made or family["mixer"] not in DRAFTED_MIXERS:
        return None
    layer = min(made, key=LayerGroup.elements) if windowed else max(made, key=LayerGroup.elements)
    return Draft(count, layer, hidden, (1 if windowed else 2) * vocab * hidden)


def _check_heads(row: Dimensions, field: str) -> None:
    heads, kv_heads = row.facts.get("num_heads"), row.facts.get("num_kv_heads")
    if isinstance(heads, int) and isinstance(kv_heads, int) and kv_heads > 0 and heads % kv_heads:
        raise Problem(
            "bad_model_field",
            field=f"{field}.num_kv_heads",
            value=kv_heads,
            reason="heads_not_divisible",
            heads=heads,
        )
