"""The layers of a decoder from its facts and the habits of its family, alike ones put together."""

from collections.abc import Iterable, Mapping
from typing import Any

from desktop.architectures.counting.dimensions import Dimensions, MissingDimension
from desktop.architectures.feed_forward import ChannelMixing, Experts, FeedForward, Mlp
from desktop.architectures.layer_pattern import LINEAR, LayerPlan, block_kinds, layer_plans
from desktop.architectures.layers import LayerGroup
from desktop.architectures.mixer_choice import layer_mixers, switched
from desktop.architectures.mixers import Attention, Mixer
from desktop.architectures.state_mixers import Mamba2

Family = Mapping[str, Any]
Made = tuple[tuple[Mixer, ...], tuple[FeedForward, ...], int]  # mixers, feed-forward parts, norm elements

LISTED_BY_LAYER = ("num_heads", "num_kv_heads", "head_dim", "intermediate_size")


def decoder_layers(row: Dimensions, family: Family) -> tuple[LayerGroup, ...]:
    """Groups of the layers of a decoder. Raises MissingDimension."""
    if family["mixer"] == "blocks":
        return _blocks(row, family)
    if family["mixer"] == "uneven" and not any(isinstance(row.facts.get(name), list) for name in LISTED_BY_LAYER):
        return _uneven(row, family)
    plans, ordered = layer_plans(row, family)
    streams = _stream_elements(row)
    made: dict[Any, Made] = {}
    makes = []
    for place, plan in enumerate(plans):
        own = _own_widths(row, place)
        key = (plan, *own.values())
        if key not in made:
            made[key] = _layer(row.changed(**own) if own else row, family, plan)
        makes.append(made[key])
    return tuple(
        LayerGroup(len(places), tuple(places) if ordered else (), *make, stream_elements=streams)
        for make, places in _alike(makes)
    )


def norm_width(hidden: int, family: Family) -> int:
    """Elements of one norm over the hidden state: weight and bias in a LayerNorm."""
    return 2 * hidden if family["norm"] == "layer" else hidden


def _alike(makes: Iterable[Made]) -> Iterable[tuple[Made, list[int]]]:
    """Each make with the places it stands at, in the order of first appearance."""
    places: dict[Made, list[int]] = {}
    for place, make in enumerate(makes):
        places.setdefault(make, []).append(place)
    return places.items()


def _own_widths(row: Dimensions, place: int) -> dict[str, Any]:
    """Widths that the model lists layer by layer, of one layer."""
    own = {}
    for name in LISTED_BY_LAYER:
        listed = row.facts.get(name)
        if isinstance(listed, list):
            if len(listed) != row.whole("num_layers"):
                raise MissingDimension(name)
            own[name] = listed[place]
    return own


def _layer(row: Dimensions, family: Family, plan: LayerPlan) -> Made:
    """A layer; a part whose heads or width are 0 is left out and takes its norm with it (Nemotron-NAS)."""
    attends = plan.kind == LINEAR or row.facts.get("num_kv_heads") != 0
    uneven = {**family, "mixer": "grouped_query"} if family["mixer"] == "uneven" else family
    mixers = layer_mixers(row, uneven, plan) if attends else ()
    parts = _feed_forwards(row, family, plan) if plan.sparse or row.facts.get("intermediate_size") != 0 else ()
    left_out = (0 if mixers else 1) + (0 if parts or not _has_mlp(family) else 1)
    norms = _norms(row, family) - left_out + (family["norms_beside_experts"] if plan.sparse else 0)
    return mixers, parts, norms * norm_width(row.whole("hidden_size"), family)


def _norms(row: Dimensions, family: Family) -> int:
    """Norms of one layer: two in the large Falcons, one in the first."""
    if row.text("model_type") != "falcon":
        return int(family["norms"])
    stated = row.facts.get("new_decoder_architecture")
    return 2 if (row.whole("num_kv_heads") > 1 if stated is None else stated) else int(family["norms"])


def _has_mlp(family: Family) -> bool:
    return bool(family["mlp"]) or family["mixer"] == "rwkv"


def _feed_forwards(row: Dimensions, family: Family, plan: LayerPlan) -> tuple[FeedForward, ...]:
    hidden = row.whole("hidden_size")
    if family["mixer"] == "rwkv":
        return (ChannelMixing(hidden, row.whole("intermediate_size")),)
    if not family["mlp"]:
        return ()
    parts: list[FeedForward] = []
    if not plan.sparse or family["dense_beside_experts"]:
        width = row.facts.get("dense_intermediate_size") or row.facts.get("intermediate_size")
        if not isinstance(width, int):
            raise MissingDimension("intermediate_size")
        parts.append(Mlp(hidden, width, family["gated"], switched(row, family["mlp_bias"])))
    if plan.sparse:
        parts.append(_experts(row, family, plan.balanced))
    return tuple(parts)


def _experts(row: Dimensions, family: Family, balanced: bool) -> Experts:
    narrow = row.whole_or("routed_expert_hidden_size", 0)
    return Experts(
        hidden=row.whole("hidden_size"),
        experts=row.whole("num_experts"),
        experts_per_token=row.whole("experts_per_tok"),
        width=row.whole("moe_intermediate_size"),
        gated=family["gated"],
        bias=family["expert_bias"],
        router_bias=family["router_bias"] and balanced,
        router_scale=family["router_scale"],
        shared_width=_shared_width(row),
        shared_gate=family["shared_gate"],
        narrow=narrow,
        narrow_norm=narrow > 0,
    )


def _shared_width(row: Dimensions) -> int:
    """Width of all shared experts together: `2` are two of an expert's width, `1x5632` is one of 5632."""
    shared = row.facts.get("shared_experts") or 0
    if isinstance(shared, str):
        number, _, width = shared.partition("x")
        return int(number) * int(width)
    return int(shared) * row.whole("moe_intermediate_size") if shared else 0


def _stream_elements(row: Dimensions) -> int:
    """DeepSeek-V4 keeps several residual streams; each half of a layer mixes them in and out.

    Source: transformers modelling code of deepseek_v4.
    """
    streams, hidden = row.whole_or("hyper_connections", 0), row.whole("hidden_size")
    mixing = (2 + streams) * streams
    return 2 * (mixing * (streams * hidden + 1) + 3) if streams else 0


def _uneven(row: Dimensions, family: Family) -> tuple[LayerGroup, ...]:
    """Nemotron-NAS known by counts: how many layers have attention, how many an MLP of which width, not which of them
    both. A half that is left out takes its norm with it. Source: arXiv:2411.19146."""
    hidden = row.whole("hidden_size")
    attention = Attention(hidden, row.whole("num_heads"), row.whole("num_kv_heads"), row.whole("head_dim"))
    groups = [LayerGroup(row.whole("full_attn_layers"), (), (attention,), (), hidden)]
    widths = row.parts("mlp_layers_by_width")
    if not widths:
        raise MissingDimension("mlp_layers_by_width")
    for group in widths:
        mlp = Mlp(hidden, group.whole("width"), family["gated"])
        groups.append(LayerGroup(group.whole("layers"), (), (), (mlp,), hidden))
    return tuple(groups)


def _blocks(row: Dimensions, family: Family) -> tuple[LayerGroup, ...]:
    """Nemotron-H: every layer is one block with one norm, a mixer, an MLP or experts.

    Source: transformers modelling code of nemotron_h.
    """
    kinds = block_kinds(row)
    counts = {
        "mamba": row.whole("mamba_layers") if kinds is None else kinds.count("mamba"),
        "attention": row.whole("full_attn_layers") if kinds is None else kinds.count("attention"),
        "mlp": row.whole_or("mlp_layers", 0) if kinds is None else kinds.count("mlp"),
        "moe": row.whole_or("moe_layers", 0) if kinds is None else kinds.count("moe"),
    }
    if sum(counts.values()) != row.whole("num_layers"):
        raise MissingDimension("num_layers")
    places = {kind: tuple(i for i, word in enumerate(kinds or ()) if word == kind) for kind in counts}
    return tuple(
        LayerGroup(count, places[kind], *_block(row, family, kind), row.whole("hidden_size"))
        for kind, count in counts.items()
        if count
    )


def _block(row: Dimensions, family: Family, kind: str) -> tuple[tuple[Mixer, ...], tuple[FeedForward, ...]]:
    hidden, part = row.whole("hidden_size"), row.part("ssm_dims")
    if kind == "attention":
        heads, kv_heads = row.whole("num_heads"), row.whole("num_kv_heads")
        return (Attention(hidden, heads, kv_heads, row.whole("head_dim")),), ()
    if kind == "mlp":
        return (), (Mlp(hidden, row.whole("intermediate_size"), family["gated"]),)
    if kind == "moe":
        return (), (_narrow_experts(row, family, part.whole_or("moe_latent_size", 0)),)
    heads, head_dim = part.whole("mamba_num_heads"), part.whole("mamba_head_dim")
    groups, state = part.whole("n_groups"), part.whole("ssm_state_size")
    return (Mamba2(hidden, heads, head_dim, groups, state, part.whole("conv_kernel")),), ()


def _narrow_experts(row: Dimensions, family: Family, narrow: int) -> Experts:
    """The experts of Nemotron-3, narrower than the hidden state in the larger models."""
    return Experts(
        hidden=row.whole("hidden_size"),
        experts=row.whole("num_experts"),
        experts_per_token=row.whole("experts_per_tok"),
        width=row.whole("moe_intermediate_size"),
        gated=family["gated"],
        router_bias=family["router_bias"],
        shared_width=row.whole("shared_intermediate_size"),
        narrow=narrow,
    )
