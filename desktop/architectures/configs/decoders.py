"""A language model's config, its own or a nested one, becomes the facts of a decoder."""

from typing import Any

from desktop.architectures.config_fields import (
    CONTEXT,
    EXPERTS,
    HEAD_DIM,
    HEADS,
    HIDDEN,
    LAYERS,
    VOCABULARY,
    WIDTH,
    Fields,
)
from desktop.architectures.configs.attention import attention_facts
from desktop.architectures.configs.block_patterns import block_counts, searched_layers
from desktop.architectures.configs.experts import feed_forward_facts
from desktop.architectures.configs.family_extras import family_extras
from desktop.architectures.configs.family_habits import Habits
from desktop.architectures.configs.state_space import state_facts

LAYER_COUNT = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
HIDDEN_WIDTH = ("hidden_size", "n_embd", "n_embed", "d_model", "dim")
VOCABULARY_SIZE = ("vocab_size", "padded_vocab_size")
LONGEST_CONTEXT = (
    "max_position_embeddings",
    "n_positions",
    "max_seq_len",
    "seq_length",
    "n_ctx",
    "max_sequence_length",
    "model_max_length",
    "context_length",
)
DRAFT_LAYERS = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_layers", "num_mtp_modules")
WITHOUT_ATTENTION = {"mamba": "none(ssm)", "falcon_mamba": "none(ssm)", "rwkv": "none(rwkv)"}
PARTLY_LINEAR = (
    "qwen3_next",
    "qwen3_5_text",
    "qwen3_5_moe_text",
    "minimax",
    "jamba",
    "granitemoehybrid",
    "kimi_linear",
)


def decoder_facts(fields: Fields, habits: Habits, model_type: str) -> dict[str, Any]:
    """Facts of a decoder whose formula is that of `model_type`. Raises Problem."""
    hidden = fields.need(*HIDDEN_WIDTH, within=HIDDEN)
    facts = {
        "model_type": model_type,
        "hidden_size": hidden,
        "vocab_size": fields.need(*VOCABULARY_SIZE, within=VOCABULARY),
        "max_position": fields.whole(*LONGEST_CONTEXT, within=CONTEXT),
        "tie_embeddings": _tied(fields, habits),
        "biases": _biases(fields, habits),
        "mtp_layers": fields.whole(*DRAFT_LAYERS, within=(0, LAYERS[1])) or None,
    }
    if facts["max_position"] is None:
        fields.doubt("max_context_not_stated")
    if model_type == "nemotron_h":
        return _blocks(fields, facts, hidden)
    layers = fields.need(*LAYER_COUNT, within=LAYERS)
    facts["num_layers"] = layers
    if model_type in WITHOUT_ATTENTION:
        return _without_attention(fields, facts, habits, hidden)
    if model_type == "nemotron-nas":
        heads = fields.need("num_attention_heads", within=HEADS)
        head_dim = fields.whole("head_dim", within=HEAD_DIM) or hidden // heads
        return {**facts, "num_heads": heads, "head_dim": head_dim, **searched_layers(fields, layers, hidden, heads)}
    merged = joined(
        facts,
        attention_facts(fields, habits, layers, hidden),
        feed_forward_facts(fields, habits, layers, hidden),
        state_facts(fields, model_type, hidden),
        family_extras(fields, model_type, layers),
    )
    if model_type in PARTLY_LINEAR and merged["full_attn_layers"] == layers:
        raise fields.missing("layer_types")  # or its linear layers would be counted as attention
    return merged


def joined(*parts: dict[str, Any]) -> dict[str, Any]:
    """Facts of several parts, their `dimensions` put together."""
    facts: dict[str, Any] = {}
    dimensions: dict[str, Any] = {}
    for part in parts:
        dimensions |= part.get("dimensions", {})
        facts |= {name: value for name, value in part.items() if name != "dimensions"}
    return {**facts, "dimensions": dimensions}


def _blocks(fields: Fields, facts: dict[str, Any], hidden: int) -> dict[str, Any]:
    layers, counts = block_counts(fields)
    heads = fields.need("num_attention_heads", within=HEADS)
    blocks: dict[str, Any] = {
        "num_layers": layers,
        "num_heads": heads,
        "num_kv_heads": fields.whole("num_key_value_heads", within=HEADS) or heads,
        "head_dim": fields.whole("head_dim", "attention_head_dim", within=HEAD_DIM) or hidden // heads,
        "intermediate_size": fields.whole("intermediate_size", within=WIDTH),
    }
    if counts["dimensions"].get("moe_layers"):
        blocks["num_experts"] = fields.need("n_routed_experts", within=(1, EXPERTS[1]))
        blocks["experts_per_tok"] = fields.need("num_experts_per_tok", within=(1, blocks["num_experts"]))
        blocks["moe_intermediate_size"] = fields.need("moe_intermediate_size", within=WIDTH)
    return joined(facts, blocks, counts, state_facts(fields, "nemotron_h", hidden))


def _without_attention(fields: Fields, facts: dict[str, Any], habits: Habits, hidden: int) -> dict[str, Any]:
    model_type = facts["model_type"]
    width = fields.whole("intermediate_size", within=WIDTH)
    if width is None and habits.get("four_hidden"):
        width = 4 * hidden
    own = fields.whole("attention_hidden_size", within=HIDDEN)
    if own not in (None, hidden):
        raise fields.bad("attention_hidden_size", own, "layers_differ")
    mixing = {"intermediate_size": width, "attention": WITHOUT_ATTENTION[model_type], "full_attn_layers": 0}
    return joined(facts, mixing, state_facts(fields, model_type, hidden))


def _tied(fields: Fields, habits: Habits) -> bool:
    stated = fields.yes("tie_word_embeddings")
    if stated is None:
        fields.doubt("tie_not_stated")
        return bool(habits.get("tied", False))
    return stated


def _biases(fields: Fields, habits: Habits) -> str:
    """Biases in the words of the catalog: those the family always has, or those the config switches on."""
    if "biases" in habits:
        return str(habits["biases"])
    attention = fields.yes("attention_bias") or fields.yes("add_qkv_bias")
    found = (["qkv"] if attention else []) + (["mlp"] if fields.yes("mlp_bias") else [])
    return "+".join(found) or "none"
