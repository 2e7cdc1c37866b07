"""The attention of a decoder: heads, latents, indexers, windows."""

import math
from typing import Any

from desktop.architectures.config_fields import HEAD_DIM, HEADS, HIDDEN, Fields
from desktop.architectures.configs.family_habits import Habits
from desktop.architectures.configs.layer_kinds import CHUNKED, FULL, LINEAR, SLIDING, layer_kinds, window_of

LATENT_RANKS = ("kv_lora_rank", "q_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")


def attention_facts(fields: Fields, habits: Habits, layers: int, hidden: int) -> dict[str, Any]:
    """Heads of the attention layers, their latents and indexers, and which layers attend to what.

    Raises Problem for a figure that is missing, out of range or at odds with another.
    """
    kinds = layer_kinds(fields, habits, layers)
    facts = {**_heads(fields, hidden), **_latents(fields, layers)}
    facts["full_attn_layers"] = kinds.count(FULL)
    if SLIDING in kinds or CHUNKED in kinds:
        facts["sliding_window"] = fields.whole("attention_chunk_size") if CHUNKED in kinds else window_of(fields)
    facts["attention"] = _word(facts, kinds)
    if len(set(kinds)) > 1:
        facts["dimensions"]["layer_kinds"] = kinds
    return facts


def _heads(fields: Fields, hidden: int) -> dict[str, Any]:
    heads = fields.need("num_attention_heads", "n_head", "n_heads", "num_heads", within=HEADS)
    latent = fields.has("kv_lora_rank")
    kv_heads = heads if latent else _kv_heads(fields, heads)
    if heads % kv_heads:
        raise fields.bad("num_key_value_heads", kv_heads, "heads_not_divisible", heads=heads)
    facts: dict[str, Any] = {"num_heads": heads, "num_kv_heads": kv_heads}
    head_dim = fields.whole("head_dim", "kv_channels", "attention_head_dim", within=HEAD_DIM)
    if latent:
        return facts  # the ranks say how wide its heads are
    if head_dim is None and hidden % heads:
        raise fields.bad("num_attention_heads", heads, "hidden_not_divisible", hidden=hidden)
    return {**facts, "head_dim": head_dim or hidden // heads}


def _kv_heads(fields: Fields, heads: int) -> int:
    """KV heads by the habits of Falcon, GPT-BigCode, ChatGLM, DBRX and MPT; as many as heads when nothing is said."""
    model_type = fields.text("model_type")
    if model_type == "falcon":
        if fields.yes("new_decoder_architecture"):
            return fields.whole("num_kv_heads", "n_head_kv", within=HEADS) or heads
        return heads if fields.yes("multi_query") is False else 1
    if model_type == "gpt_bigcode":
        return heads if fields.yes("multi_query") is False else 1
    if model_type == "chatglm":
        return (fields.yes("multi_query_attention") and fields.whole("multi_query_group_num", within=HEADS)) or heads
    nested = fields.part("attn_config")
    if nested is not None:
        return nested.whole("kv_n_heads", within=HEADS) or heads
    if isinstance(fields.values.get("num_key_value_heads"), list):
        return _same(fields, "num_key_value_heads")
    return fields.whole("num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", within=HEADS) or heads


def _same(fields: Fields, name: str) -> int:
    """The one value of a list per layer. Raises Problem where layers differ: no formula counts them."""
    values = fields.wholes(name, HEADS) or []
    if len(set(values)) != 1:
        raise fields.bad(name, str(values), "layers_differ")
    return values[0]


def _latents(fields: Fields, layers: int) -> dict[str, Any]:
    facts: dict[str, Any] = {name: fields.whole(name, within=HIDDEN) for name in LATENT_RANKS if fields.has(name)}
    dimensions: dict[str, Any] = {}
    facts["dimensions"] = dimensions
    if "kv_lora_rank" in facts:
        facts["head_dim"] = facts.get("qk_nope_head_dim", 0) + facts.get("qk_rope_head_dim", 0)
        if math.prod(facts.get(name) or 0 for name in LATENT_RANKS if name != "q_lora_rank") == 0:
            raise fields.missing(next(name for name in LATENT_RANKS if not facts.get(name)))
    if fields.has("index_n_heads"):
        dimensions["index_n_heads"] = fields.need("index_n_heads", within=HEADS)
        dimensions["index_head_dim"] = fields.need("index_head_dim", within=HEAD_DIM)
        owners = fields.listed("indexer_types", layers)
        dimensions["indexer_layers"] = layers if owners is None else owners.count("full")
        if owners is not None:
            dimensions["indexer_kinds"] = [_indexer_kind(fields, word) for word in owners]
    sparse = fields.part("sparse_attention_config")
    if sparse is not None:  # MiniMax-M3
        dimensions["index_n_heads"] = sparse.need("sparse_num_index_heads", within=HEADS)
        dimensions["index_head_dim"] = sparse.need("sparse_index_dim", within=HEAD_DIM)
        dimensions["indexer_layers"] = sum(sparse.wholes("sparse_attention_freq", (0, 1), layers) or [])
    return facts


def _indexer_kind(fields: Fields, word: object) -> str:
    if word not in ("full", "shared"):
        raise fields.bad("indexer_types", word, "unknown_layer_kind")
    return str(word)


def _word(facts: dict[str, Any], kinds: list[str]) -> str:
    """The kind of attention in the words of the catalog."""
    if LINEAR in kinds:
        return "hybrid" if FULL in kinds else "none(ssm)"
    if "kv_lora_rank" in facts:
        return "mla + dsa sparse indexer" if facts["dimensions"].get("index_n_heads") else "mla"
    if CHUNKED in kinds:
        return "chunked+full"
    if SLIDING in kinds:
        return "swa+full" if FULL in kinds else "swa (all layers)"
    return {facts["num_heads"]: "mha", 1: "mqa"}.get(facts["num_kv_heads"], "gqa")
