"""Elements of everything that mixes tokens in a decoder: its attention and state-space layers, all of them together."""

from collections.abc import Callable, Mapping
from typing import Any

from desktop.architectures.counting import attention, state_space
from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import linear

Family = Mapping[str, Any]


def token_mixers(row: Dimensions, family: Family) -> int:
    """Elements of the token mixers of all layers of a decoder."""
    return MIXERS[family["mixer"]](row, family)


def _grouped_query(row: Dimensions, family: Family) -> int:
    return row.whole("num_layers") * _full_layer(row, family)


def _full_layer(row: Dimensions, family: Family) -> int:
    """One layer of grouped-query attention with the family's biases, norms, gate and sinks."""
    hidden, heads, kv_heads = row.whole("hidden_size"), row.whole("num_heads"), row.whole("num_kv_heads")
    head_dim = row.whole("head_dim")
    query, key = heads * head_dim, kv_heads * head_dim
    elements = attention.grouped_query(hidden, heads, kv_heads, head_dim)
    elements += query + 2 * key if family["qkv_bias"] else 0
    elements += hidden if family["output_bias"] else 0
    elements += {"none": 0, "head": 2 * head_dim, "width": query + key}[row.text("qk_norm_kind") or family["qk_norm"]]
    elements += {"none": 0, "head": heads, "width": query}[family["output_gate"]] * hidden
    return elements + (heads if family["sinks"] else 0)


def _latent(row: Dimensions, _: Family) -> int:
    indexers = row.whole_or("indexer_layers", 0)
    return row.whole("num_layers") * _latent_layer(row) + (indexers * _indexer(row) if indexers else 0)


def _latent_layer(row: Dimensions) -> int:
    return attention.latent(
        row.whole("hidden_size"),
        row.whole("num_heads"),
        row.whole("kv_lora_rank"),
        row.whole_or("q_lora_rank", 0),
        row.whole("qk_nope_head_dim"),
        row.whole("qk_rope_head_dim"),
        row.whole("v_head_dim"),
    )


def _indexer(row: Dimensions) -> int:
    heads, head_dim = row.whole("index_n_heads"), row.whole("index_head_dim")
    return attention.sparse_indexer(row.whole("hidden_size"), row.whole("q_lora_rank"), heads, head_dim)


def _block_sparse(row: Dimensions, family: Family) -> int:
    indexer = attention.block_indexer(row.whole("hidden_size"), row.whole("index_n_heads"), row.whole("index_head_dim"))
    return _grouped_query(row, family) + row.whole("indexer_layers") * indexer


def _compressed(row: Dimensions, _: Family) -> int:
    """DeepSeek-V4: every layer attends to a window; most add entries compressed 4 to 1, picked by an indexer, or 128
    to 1."""
    hidden, head_dim, query_rank = row.whole("hidden_size"), row.whole("head_dim"), row.whole("q_lora_rank")
    index_heads, index_dim = row.whole("index_n_heads"), row.whole("index_head_dim")
    layer = attention.grouped_output(
        hidden, row.whole("num_heads"), head_dim, query_rank, row.whole("o_groups"), row.whole("o_lora_rank")
    )
    light, heavy = row.whole("light_compression_tokens"), row.whole("heavy_compression_tokens")
    indexer = (
        attention.compressor(hidden, 2 * index_dim, light)
        + index_dim
        + linear(query_rank, index_heads * index_dim, bias=False)
        + linear(hidden, index_heads, bias=False)
    )
    light_layer = attention.compressor(hidden, 2 * head_dim, light) + head_dim + indexer
    heavy_layer = attention.compressor(hidden, head_dim, heavy) + head_dim
    return (
        row.whole("num_layers") * layer
        + row.whole("light_compression_layers") * light_layer
        + row.whole("heavy_compression_layers") * heavy_layer
    )


def _windowed(row: Dimensions, _: Family) -> int:
    """MiMo-V2: layers with a window have their own number of KV heads and a sink for each head; value heads are
    narrower than key heads."""
    hidden, heads, full = row.whole("hidden_size"), row.whole("num_heads"), row.whole("full_attn_layers")
    dims = row.whole("head_dim"), row.whole("v_head_dim")
    windowed = attention.grouped_query(hidden, heads, row.whole("window_kv_heads"), *dims) + heads
    return (row.whole("num_layers") - full) * windowed + full * attention.grouped_query(
        hidden, heads, row.whole("num_kv_heads"), *dims
    )


def _window_heads(row: Dimensions, family: Family) -> int:
    """Step-3.7: layers with a window have their own number of query heads."""
    full = row.whole("full_attn_layers")
    windowed = Dimensions({**row.facts, "num_heads": row.whole("window_heads")})
    return full * _full_layer(row, family) + (row.whole("num_layers") - full) * _full_layer(windowed, family)


def _cross(row: Dimensions, family: Family) -> int:
    """Llama-3.2: layers that look at the picture norm their queries and keys and gate both halves."""
    full, head_dim = row.whole("full_attn_layers"), row.whole("head_dim")
    cross = _full_layer(row, family) + 2 * head_dim + 2
    return full * _full_layer(row, family) + (row.whole("num_layers") - full) * cross


def _shared_key_value(row: Dimensions, family: Family) -> int:
    """Gemma-4: full layers have fewer and wider KV heads, whose keys serve as values too."""
    hidden, heads, full = row.whole("hidden_size"), row.whole("num_heads"), row.whole("full_attn_layers")
    head_dim, kv_heads = row.whole("full_head_dim"), row.whole("full_kv_heads")
    layer = linear(hidden, (2 * heads + kv_heads) * head_dim, bias=False) + 2 * head_dim
    return (row.whole("num_layers") - full) * _full_layer(row, family) + full * layer


def _gated_delta(row: Dimensions, family: Family) -> int:
    linear_part = row.part("ssm_dims")
    layer = state_space.gated_delta(
        row.whole("hidden_size"),
        linear_part.whole("linear_num_key_heads"),
        linear_part.whole("linear_num_value_heads"),
        linear_part.whole("linear_key_head_dim"),
        linear_part.whole("linear_value_head_dim"),
        linear_part.whole("linear_conv_kernel_dim"),
    )
    return _beside_full_layers(row, family, layer)


def _lightning(row: Dimensions, family: Family) -> int:
    part = row.part("ssm_dims")
    layer = state_space.lightning(row.whole("hidden_size"), part.whole("lightning_heads"), part.whole("head_dim"))
    return _beside_full_layers(row, family, layer)


def _jamba(row: Dimensions, family: Family) -> int:
    part = row.part("ssm_dims")
    hidden = row.whole("hidden_size")
    layer = state_space.mamba1(
        hidden,
        part.whole("mamba_expand") * hidden,
        part.whole("mamba_d_state"),
        part.whole("mamba_d_conv"),
        part.whole("mamba_dt_rank"),
        inner_norms=True,
    )
    return _beside_full_layers(row, family, layer)


def _granite(row: Dimensions, family: Family) -> int:
    return _beside_full_layers(row, family, _mamba2_layer(row))


def _falcon_h1(row: Dimensions, family: Family) -> int:
    """Falcon-H1: attention and Mamba-2 side by side in every layer."""
    return row.whole("num_layers") * (_full_layer(row, family) + _mamba2_layer(row))


def _mamba2_layer(row: Dimensions) -> int:
    part = row.part("ssm_dims")
    return state_space.mamba2(
        row.whole("hidden_size"),
        part.whole("mamba_n_heads"),
        part.whole("mamba_d_head"),
        part.whole("mamba_n_groups"),
        part.whole("mamba_d_state"),
        part.whole("mamba_d_conv"),
    )


def _kimi_delta(row: Dimensions, _: Family) -> int:
    """Latent attention in the full layers, gated in Kimi K3, and Kimi delta attention in the others."""
    hidden, full, part = row.whole("hidden_size"), row.whole("full_attn_layers"), row.part("ssm_dims")
    layer = state_space.kimi_delta(
        hidden,
        part.whole("num_heads"),
        part.whole("head_dim"),
        part.whole("short_conv_kernel_size"),
        part.yes("use_full_rank_gate"),
    )
    gate = row.whole("num_heads") * row.whole("v_head_dim") * hidden if row.yes("full_layers_gated") else 0
    return full * (_latent_layer(row) + gate) + (row.whole("num_layers") - full) * layer


def _mamba(row: Dimensions, _: Family) -> int:
    part, hidden = row.part("ssm_dims"), row.whole("hidden_size")
    return row.whole("num_layers") * state_space.mamba1(
        hidden,
        part.whole("expand") * hidden,
        part.whole("state_size"),
        part.whole("conv_kernel"),
        part.whole("time_step_rank"),
    )


def _rwkv(row: Dimensions, _: Family) -> int:
    return row.whole("num_layers") * state_space.rwkv4(row.whole("hidden_size"), row.whole("intermediate_size"))


def _beside_full_layers(row: Dimensions, family: Family, layer: int) -> int:
    full = row.whole("full_attn_layers")
    return full * _full_layer(row, family) + (row.whole("num_layers") - full) * layer


MIXERS: Mapping[str, Callable[[Dimensions, Family], int]] = {
    "grouped_query": _grouped_query,
    "latent": _latent,
    "block_sparse": _block_sparse,
    "compressed": _compressed,
    "windowed": _windowed,
    "window_heads": _window_heads,
    "cross": _cross,
    "shared_key_value": _shared_key_value,
    "gated_delta": _gated_delta,
    "lightning": _lightning,
    "jamba": _jamba,
    "granite": _granite,
    "falcon_h1": _falcon_h1,
    "kimi_delta": _kimi_delta,
    "mamba": _mamba,
    "rwkv": _rwkv,
}
