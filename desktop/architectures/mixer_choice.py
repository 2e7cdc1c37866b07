"""The mixers of one layer, by the family of the model and the kind of the layer."""

from collections.abc import Callable, Mapping
from typing import Any

from desktop.architectures.counting.dimensions import Dimensions, MissingDimension
from desktop.architectures.latent_attention import CompressedAttention, Compression, LatentAttention, SparseIndexer
from desktop.architectures.layer_pattern import CHUNKED, CROSS, FULL, HEAVY, LIGHT, SLIDING, LayerPlan
from desktop.architectures.mixers import Attention, BlockIndexer, CrossAttention, Mixer
from desktop.architectures.state_mixers import GatedDelta, KimiDelta, Lightning, Mamba1, Mamba2, Rwkv4

Family = Mapping[str, Any]

# words by which a catalog row says in `biases` what a config switches on
SAID_IN_BIASES = {"attention_bias": "qkv", "mlp_bias": "mlp"}


def layer_mixers(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """Mixers of a layer, side by side where there are two. Raises MissingDimension."""
    return MIXERS[family["mixer"]](row, family, plan)


def switched(row: Dimensions, setting: Any) -> bool:
    """Whether a family's setting holds: always, never, or if the model says so under the name given."""
    if not isinstance(setting, str):
        return bool(setting)
    if isinstance(row.facts.get(setting), bool):
        return row.yes(setting)
    if setting == "use_qk_norm":
        return bool(row.facts.get("qk_norm"))
    return setting in SAID_IN_BIASES and SAID_IN_BIASES[setting] in row.text("biases")


def _plain(row: Dimensions, family: Family, plan: LayerPlan, **changes: Any) -> Attention:
    """Attention with the biases, norms, gate and sinks of the family, and the window of the layer's kind."""
    span = _span(row, family) if plan.kind in (SLIDING, CHUNKED) else 0
    biases = ("q", "k", "v") if switched(row, family["qkv_bias"]) else ()
    norm = row.text("qk_norm_kind") or family["qk_norm"]
    if norm not in ("none", "head", "width"):
        norm = "width" if switched(row, norm) else "none"
    made: dict[str, Any] = {
        "hidden": row.whole("hidden_size"),
        "heads": row.whole("num_heads"),
        "kv_heads": row.whole("num_kv_heads"),
        "head_dim": row.whole("head_dim"),
        "span": span,
        "chunked": plan.kind == CHUNKED,
        "biases": (*biases, "o") if switched(row, family["output_bias"]) else biases,
        "head_norm": norm,
        "output_gate": family["output_gate"],
        "sinks": family["sinks"],
    }
    return Attention(**{**made, **changes})


def _span(row: Dimensions, family: Family) -> int:
    """Tokens of a window or a chunk."""
    span = row.whole_or("sliding_window", family["span"])
    if not span:
        raise MissingDimension("sliding_window")
    return span


def _grouped_query(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    return (_plain(row, family, plan),)


def _block_sparse(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    index = BlockIndexer(row.whole("index_n_heads"), row.whole("index_head_dim")) if plan.indexed else None
    return (_plain(row, family, plan, indexer=index),)


def _latent(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    index = SparseIndexer(row.whole("index_n_heads"), row.whole("index_head_dim")) if plan.indexed else None
    return (
        LatentAttention(
            hidden=row.whole("hidden_size"),
            heads=row.whole("num_heads"),
            kv_rank=row.whole("kv_lora_rank"),
            query_rank=row.whole("q_lora_rank") if index else row.whole_or("q_lora_rank", 0),
            nope_dim=row.whole("qk_nope_head_dim"),
            rope_dim=row.whole("qk_rope_head_dim"),
            value_dim=row.whole("v_head_dim"),
            gated=row.yes("full_layers_gated"),
            indexer=index,
        ),
    )


def _compressed(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """DeepSeek-V4: light compression overlaps and has an indexer, heavy compression neither."""
    light, heavy = row.whole("light_compression_tokens"), row.whole("heavy_compression_tokens")
    compression = {LIGHT: Compression(light, overlaps=True), HEAVY: Compression(heavy, overlaps=False)}
    index = SparseIndexer(row.whole("index_n_heads"), row.whole("index_head_dim"))
    return (
        CompressedAttention(
            hidden=row.whole("hidden_size"),
            heads=row.whole("num_heads"),
            head_dim=row.whole("head_dim"),
            query_rank=row.whole("q_lora_rank"),
            output_groups=row.whole("o_groups"),
            output_rank=row.whole("o_lora_rank"),
            span=_span(row, family),
            compression=compression.get(plan.kind),
            indexer=index if plan.kind == LIGHT else None,
        ),
    )


def _windowed(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """MiMo-V2: layers with a window have their own number of KV heads and a sink for each head; value heads are
    narrower than key heads."""
    value = row.whole("v_head_dim")
    if plan.kind == FULL:
        return (_plain(row, family, plan, value_dim=value),)
    return (_plain(row, family, plan, value_dim=value, kv_heads=row.whole("window_kv_heads"), sinks=True),)


def _window_heads(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """Step-3.7: layers with a window have their own number of query heads."""
    if plan.kind == FULL:
        return (_plain(row, family, plan),)
    return (_plain(row, family, plan, heads=row.whole("window_heads")),)


def _cross(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """Llama-3.2: layers that look at the picture norm their queries and keys and gate both halves."""
    if plan.kind != CROSS:
        return (_plain(row, family, plan),)
    heads, kv_heads = row.whole("num_heads"), row.whole("num_kv_heads")
    return (
        CrossAttention(row.whole("hidden_size"), heads, kv_heads, row.whole("head_dim"), head_norm="head", gated=True),
    )


def _shared_key_value(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """Gemma-4: full layers have fewer and wider KV heads, whose keys serve as values too."""
    if plan.kind != FULL:
        return (_plain(row, family, plan),)
    head_dim, kv_heads = row.whole("full_head_dim"), row.whole("full_kv_heads")
    return (_plain(row, family, plan, head_dim=head_dim, kv_heads=kv_heads, shared_key_value=True),)


def _gated_delta(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    if plan.kind == FULL:
        return (_plain(row, family, plan),)
    part = row.part("ssm_dims")
    return (
        GatedDelta(
            row.whole("hidden_size"),
            part.whole("linear_num_key_heads"),
            part.whole("linear_num_value_heads"),
            part.whole("linear_key_head_dim"),
            part.whole("linear_value_head_dim"),
            part.whole("linear_conv_kernel_dim"),
        ),
    )


def _lightning(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    if plan.kind == FULL:
        return (_plain(row, family, plan),)
    part = row.part("ssm_dims")
    return (Lightning(row.whole("hidden_size"), part.whole("lightning_heads"), part.whole("head_dim")),)


def _jamba(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    if plan.kind == FULL:
        return (_plain(row, family, plan),)
    part, hidden = row.part("ssm_dims"), row.whole("hidden_size")
    inner, state = part.whole("mamba_expand") * hidden, part.whole("mamba_d_state")
    return (Mamba1(hidden, inner, state, part.whole("mamba_d_conv"), part.whole("mamba_dt_rank"), inner_norms=True),)


def _granite(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    return (_plain(row, family, plan),) if plan.kind == FULL else (_mamba2(row),)


def _falcon_h1(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """Falcon-H1: attention and Mamba-2 side by side in every layer."""
    return _plain(row, family, plan), _mamba2(row)


def _mamba2(row: Dimensions) -> Mamba2:
    part = row.part("ssm_dims")
    return Mamba2(
        row.whole("hidden_size"),
        part.whole("mamba_n_heads"),
        part.whole("mamba_d_head"),
        part.whole("mamba_n_groups"),
        part.whole("mamba_d_state"),
        part.whole("mamba_d_conv"),
    )


def _kimi_delta(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    """Latent attention in the full layers, gated in Kimi K3, and Kimi delta attention in the others."""
    if plan.kind == FULL:
        return _latent(row, family, plan)
    part = row.part("ssm_dims")
    heads, head_dim, convolution = (
        part.whole("num_heads"),
        part.whole("head_dim"),
        part.whole("short_conv_kernel_size"),
    )
    return (KimiDelta(row.whole("hidden_size"), heads, head_dim, convolution, part.yes("use_full_rank_gate")),)


def _mamba(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    part, hidden = row.part("ssm_dims"), row.whole("hidden_size")
    inner, state = part.whole("expand") * hidden, part.whole("state_size")
    return (Mamba1(hidden, inner, state, part.whole("conv_kernel"), part.whole("time_step_rank")),)


def _rwkv(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[Mixer, ...]:
    return (Rwkv4(row.whole("hidden_size")),)


MIXERS: Mapping[str, Callable[[Dimensions, Family, LayerPlan], tuple[Mixer, ...]]] = {
    "grouped_query": _grouped_query,
    "block_sparse": _block_sparse,
    "latent": _latent,
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
