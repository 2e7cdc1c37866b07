"""Elements of a language model: all of them, and those one token touches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop.architectures.counting import attention, state_space
from desktop.architectures.counting.dimensions import Dimensions, MissingDimension
from desktop.architectures.counting.layers import linear, mlp
from desktop.architectures.counting.mixers import token_mixers

Family = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ParameterCount:
    """`active` counts the embedding, the head and everything else a token touches, of the experts those it is sent
    to."""

    total: int
    active: int

    def __add__(self, elements: int) -> "ParameterCount":
        return ParameterCount(self.total + elements, self.active + elements)


def decoder(row: Dimensions, family: Family) -> ParameterCount:
    """Elements of a decoder whose layers each mix tokens and then pass a feed-forward part, dense or of experts.

    Raises MissingDimension.
    """
    if family["mixer"] == "blocks":
        return _blocks(row, family)
    if family["mixer"] == "uneven":
        return _uneven(row, family)
    layers, hidden = row.whole("num_layers"), row.whole("hidden_size")
    norm = norm_elements(hidden, family)
    norms = layers * int(family["norms"]) + (2 if family["embedding_norm"] else 1)
    rest = token_mixers(row, family) + embeddings(row, family) + norms * norm + _hyper_connections(row)
    return _feed_forward(row, family) + rest


def embeddings(row: Dimensions, family: Family) -> int:
    """Token embedding, the output head where it is a matrix of its own, and its bias."""
    hidden, vocab = row.whole("hidden_size"), row.whole("vocab_size")
    tied = row.facts.get("tie_embeddings")
    tied = family["tied"] if tied is None else tied
    tokens = vocab + row.whole_or("extra_tokens", 0)  # of pictures: they are read, never written
    return tokens * hidden + (0 if tied else vocab * hidden) + (vocab if family["head_bias"] else 0)


def norm_elements(hidden: int, family: Family) -> int:
    """Elements of one norm over the hidden state."""
    return 2 * hidden if family["norm"] == "layer" else hidden


def sparse_layers(row: Dimensions) -> int:
    """Layers with experts: all but the first dense ones, or every `moe_layer_step`-th."""
    if row.facts.get("num_experts") is None:
        return 0
    return (row.whole("num_layers") - row.whole_or("first_dense_layers", 0)) // row.whole_or("moe_layer_step", 1)


def shared_width(row: Dimensions) -> int:
    """Width of all shared experts together: `2` are two of an expert's width, `1x5632` is one of 5632."""
    shared = row.facts.get("shared_experts") or 0
    if isinstance(shared, str):
        number, _, width = shared.partition("x")
        return int(number) * int(width)
    return int(shared) * row.whole("moe_intermediate_size") if shared else 0


def _feed_forward(row: Dimensions, family: Family) -> ParameterCount:
    hidden, layers, sparse = row.whole("hidden_size"), row.whole("num_layers"), sparse_layers(row)
    dense = layers if family["dense_beside_experts"] else layers - sparse
    always = 0
    if dense and family["mlp"]:
        width = row.facts.get("dense_intermediate_size") or row.facts.get("intermediate_size")
        if not isinstance(width, int):
            raise MissingDimension("intermediate_size")
        always = dense * mlp(hidden, width, family["gated"], family["mlp_bias"])
    if not sparse:
        return ParameterCount(always, always)
    experts, used = row.whole("num_experts"), row.whole("experts_per_tok")
    narrow = row.whole_or("routed_expert_hidden_size", 0)
    expert = mlp(narrow or hidden, row.whole("moe_intermediate_size"), family["gated"], family["expert_bias"])
    always += sparse * (2 * hidden + 1) * narrow  # down to the width of the experts, normed, and up again
    always += sparse * (_router(hidden, experts, family) + _shared_experts(row, family))
    always -= row.whole_or("hash_layers", 0) * experts  # a fixed table routes there: nothing to balance
    always += sparse * family["norms_beside_experts"] * norm_elements(hidden, family)
    return ParameterCount(always + sparse * experts * expert, always + sparse * used * expert)


def _router(hidden: int, experts: int, family: Family) -> int:
    """Scores of the experts, the bias that balances them, and Gemma-4's scales."""
    scale = hidden + experts if family["router_scale"] else 0
    return linear(hidden, experts, bias=family["router_bias"]) + scale


def _shared_experts(row: Dimensions, family: Family) -> int:
    hidden, width = row.whole("hidden_size"), shared_width(row)
    return mlp(hidden, width, family["gated"]) + (hidden if family["shared_gate"] else 0) if width else 0


def _hyper_connections(row: Dimensions) -> int:
    """DeepSeek-V4 keeps several residual streams; each half of a layer mixes them in and out, the head joins them.

    Source: transformers modelling code of deepseek_v4.
    """
    streams, hidden = row.whole_or("hyper_connections", 0), row.whole("hidden_size")
    if not streams:
        return 0
    mixing = (2 + streams) * streams
    half_layer = mixing * (streams * hidden + 1) + 3
    return 2 * row.whole("num_layers") * half_layer + streams * (streams * hidden + 1) + 1


def _uneven(row: Dimensions, family: Family) -> ParameterCount:
    """Nemotron-NAS: some layers have no attention, and MLPs are of several widths. A part that is left out takes its
    norm with it. Source: arXiv:2411.19146."""
    hidden, full = row.whole("hidden_size"), row.whole("full_attn_layers")
    layer = attention.grouped_query(hidden, row.whole("num_heads"), row.whole("num_kv_heads"), row.whole("head_dim"))
    count = full * (layer + hidden) + hidden + embeddings(row, family)
    widths = row.parts("mlp_layers_by_width")
    if not widths:
        raise MissingDimension("mlp_layers_by_width")
    for group in widths:
        count += group.whole("layers") * (mlp(hidden, group.whole("width")) + hidden)
    return ParameterCount(count, count)


def _blocks(row: Dimensions, family: Family) -> ParameterCount:
    """Nemotron-H: every layer is one block with one norm, either a mixer, an MLP or experts.

    Source: transformers modelling code of nemotron_h.
    """
    hidden, part = row.whole("hidden_size"), row.part("ssm_dims")
    mamba = state_space.mamba2(
        hidden,
        part.whole("mamba_num_heads"),
        part.whole("mamba_head_dim"),
        part.whole("n_groups"),
        part.whole("ssm_state_size"),
        part.whole("conv_kernel"),
    )
    full = attention.grouped_query(hidden, row.whole("num_heads"), row.whole("num_kv_heads"), row.whole("head_dim"))
    always = (
        row.whole("mamba_layers") * mamba
        + row.whole("full_attn_layers") * full
        + row.whole_or("mlp_layers", 0) * mlp(hidden, row.whole("intermediate_size"), family["gated"])
        + (row.whole("num_layers") + 1) * hidden
        + embeddings(row, family)
    )
    sparse = row.whole_or("moe_layers", 0)
    if not sparse:
        return ParameterCount(always, always)
    narrow = part.whole_or("moe_latent_size", 0)
    experts, used = row.whole("num_experts"), row.whole("experts_per_tok")
    expert = mlp(narrow or hidden, row.whole("moe_intermediate_size"), family["gated"])
    shared = mlp(hidden, row.whole("shared_intermediate_size"), family["gated"])
    always += sparse * (linear(hidden, experts, family["router_bias"]) + shared + 2 * hidden * narrow)
    return ParameterCount(always + sparse * experts * expert, always + sparse * used * expert)
