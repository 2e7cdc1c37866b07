"""Dimensions that one family alone has."""

from collections.abc import Callable
from typing import Any

from desktop.architectures.config_fields import COUNT, HEAD_DIM, HEADS, HIDDEN, VOCABULARY, Fields
from desktop.request import Problem

MLLAMA_EXTRA_TOKENS = 8  # rows of the embedding beyond the head; transformers 5.24.0, modeling_mllama.py


def family_extras(fields: Fields, model_type: str, layers: int) -> dict[str, Any]:
    """Facts only this family has, under the names of the catalog; empty for most. Raises Problem."""
    return EXTRAS[model_type](fields, layers) if model_type in EXTRAS else {}


def _falcon(fields: Fields, _: int) -> dict[str, Any]:
    """Says how many norms a layer has."""
    return {"new_decoder_architecture": bool(fields.yes("new_decoder_architecture"))}


def _cohere(fields: Fields, _: int) -> dict[str, Any]:
    return {"qk_norm": True} if fields.yes("use_qk_norm") else {}


def _glm4_moe(fields: Fields, _: int) -> dict[str, Any]:
    return {"dimensions": {"qk_norm_kind": "head"}} if fields.yes("use_qk_norm") else {}


def _mllama(_: Fields, __: int) -> dict[str, Any]:
    return {"dimensions": {"extra_tokens": MLLAMA_EXTRA_TOKENS}}


def _gemma4(fields: Fields, _: int) -> dict[str, Any]:
    """Full layers have heads of their own width. The small models embed every token once more for each layer, which
    no formula counts."""
    for name in ("hidden_size_per_layer_input", "num_kv_shared_layers"):
        if fields.whole(name, within=(0, VOCABULARY[1])):
            raise Problem(
                "unsupported_model",
                field=f"{fields.field}.{name}",
                what="layer_embeddings",
                model_type=fields.text("model_type"),
            )
    return {
        "dimensions": {
            "full_head_dim": fields.need("global_head_dim", within=HEAD_DIM),
            "full_kv_heads": fields.need("num_global_key_value_heads", within=HEADS),
        }
    }


def _mimo_v2(fields: Fields, _: int) -> dict[str, Any]:
    """Only the number of KV heads may differ between its layers with a window and those without."""
    for own, other in (
        ("swa_num_attention_heads", "num_attention_heads"),
        ("swa_head_dim", "head_dim"),
        ("swa_v_head_dim", "v_head_dim"),
    ):
        if fields.has(own) and fields.whole(own) != fields.whole(other):
            raise fields.bad(own, fields.whole(own), "layers_differ")
    return {
        "v_head_dim": fields.need("v_head_dim", within=HEAD_DIM),
        "dimensions": {"window_kv_heads": fields.need("swa_num_key_value_heads", within=HEADS)},
    }


def _step(fields: Fields, _: int) -> dict[str, Any]:
    other = fields.part("attention_other_setting")
    if other is not None:
        return {"dimensions": {"window_heads": other.need("num_attention_heads", within=HEADS)}}
    return {"dimensions": {"window_heads": fields.need("num_sliding_attention_heads", within=HEADS)}}


def _kimi_linear(fields: Fields, _: int) -> dict[str, Any]:
    narrow = fields.whole("routed_expert_hidden_size", within=HIDDEN)
    dimensions: dict[str, Any] = {"routed_expert_hidden_size": narrow} if narrow else {}
    if fields.yes("mla_use_output_gate"):
        dimensions["full_layers_gated"] = True
    return {"dimensions": dimensions}


def _deepseek_v4(fields: Fields, layers: int) -> dict[str, Any]:
    """Compression of each layer's cache: none, light or heavy; entries behind the layers belong to the draft part."""
    ratios = fields.wholes("compress_ratios", (0, 65_536))
    if ratios is None:
        raise fields.missing("compress_ratios")
    if len(ratios) < layers:
        raise fields.bad("compress_ratios", len(ratios), "wrong_length", layers=layers)
    own = [ratio for ratio in ratios[:layers] if ratio]
    light, heavy = min(own, default=0), max(own, default=0)
    if set(own) - {light, heavy} or light == heavy:
        raise fields.bad("compress_ratios", str(sorted(set(own))), "layers_differ")
    return {
        "attention": "csa/hca compressed + swa",
        "full_attn_layers": layers,
        "q_lora_rank": fields.need("q_lora_rank", within=HIDDEN),
        "qk_rope_head_dim": fields.need("qk_rope_head_dim", within=HEAD_DIM),
        "sliding_window": fields.need("sliding_window", within=(1, 100_000_000)),
        "dimensions": {
            "index_n_heads": fields.need("index_n_heads", within=HEADS),
            "index_head_dim": fields.need("index_head_dim", within=HEAD_DIM),
            "indexer_layers": own.count(light),
            "o_groups": fields.need("o_groups", within=HEADS),
            "o_lora_rank": fields.need("o_lora_rank", within=HIDDEN),
            "layer_kinds": [{0: "sliding", light: "light"}.get(ratio, "heavy") for ratio in ratios[:layers]],
            "light_compression_tokens": light,
            "heavy_compression_tokens": heavy,
            "light_compression_layers": own.count(light),
            "heavy_compression_layers": own.count(heavy),
            "hyper_connections": fields.need("hc_mult", within=COUNT),
            "hash_layers": fields.whole("num_hash_layers", within=(0, layers)) or 0,
        },
    }


EXTRAS: dict[str, Callable[[Fields, int], dict[str, Any]]] = {
    "falcon": _falcon,
    "cohere": _cohere,
    "glm4_moe": _glm4_moe,
    "mllama": _mllama,
    "gemma4_text": _gemma4,
    "mimo_v2_flash": _mimo_v2,
    "step3p7": _step,
    "kimi_linear": _kimi_linear,
    "deepseek_v4": _deepseek_v4,
}
