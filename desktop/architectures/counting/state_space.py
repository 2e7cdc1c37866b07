"""Elements of one layer that keeps a fixed state instead of a KV cache, without the norms before and after it."""

from desktop.architectures.counting.layers import linear


def mamba1(hidden: int, inner: int, state: int, convolution: int, step_rank: int, inner_norms: bool = False) -> int:
    """A Mamba-1 mixer; `inner_norms` are the RMSNorms of step, B and C that Jamba adds.

    Source: Mamba, arXiv:2312.00752; transformers modelling code of mamba and jamba.
    """
    selection = linear(inner, step_rank + 2 * state, bias=False) + linear(step_rank, inner)
    states = inner * state + inner  # A and D
    projections = linear(hidden, 2 * inner, bias=False) + linear(inner, hidden, bias=False)
    norms = step_rank + 2 * state if inner_norms else 0
    return projections + inner * (convolution + 1) + selection + states + norms


def mamba2(hidden: int, heads: int, head_dim: int, groups: int, state: int, convolution: int) -> int:
    """A Mamba-2 mixer with a gated RMSNorm before its output.

    Source: Mamba-2, arXiv:2405.21060; transformers modelling code of nemotron_h and granitemoehybrid.
    """
    inner = heads * head_dim
    mixed = inner + 2 * groups * state
    projections = linear(hidden, inner + mixed + heads, bias=False) + linear(inner, hidden, bias=False)
    return projections + mixed * (convolution + 1) + 3 * heads + inner


def gated_delta(hidden: int, key_heads: int, value_heads: int, key_dim: int, value_dim: int, convolution: int) -> int:
    """A gated DeltaNet layer: queries, keys, values and output gate, two gates for each value head, a short
    convolution, an RMSNorm of the value head.

    Source: Gated Delta Networks, arXiv:2412.06464; transformers modelling code of qwen3_next.
    """
    keys, values = key_heads * key_dim, value_heads * value_dim
    projections = linear(hidden, 2 * keys + 2 * values + 2 * value_heads, bias=False)
    gates = 2 * value_heads  # step bias and A
    return projections + (2 * keys + values) * convolution + gates + value_dim + linear(values, hidden, bias=False)


def kimi_delta(hidden: int, heads: int, head_dim: int, convolution: int, full_rank_gate: bool = False) -> int:
    """A Kimi delta attention layer: the forget gate goes through a bottleneck of one head, the output gate too unless
    it is of full rank.

    Source: Kimi Linear, arXiv:2510.26692; transformers modelling code of kimi_linear.
    """
    width = heads * head_dim
    bottleneck = linear(hidden, head_dim, bias=False) + linear(head_dim, width, bias=False)
    forget = bottleneck + width + heads  # step bias and A
    output_gate = linear(hidden, width, bias=False) if full_rank_gate else bottleneck
    projections = linear(hidden, 3 * width + heads, bias=False) + linear(width, hidden, bias=False)
    return projections + 3 * width * convolution + forget + output_gate + head_dim


def lightning(hidden: int, heads: int, head_dim: int) -> int:
    """A lightning attention layer: queries, keys and values, an output gate, an RMSNorm. Source: transformers
    modelling code of minimax."""
    width = heads * head_dim
    return linear(hidden, 4 * width, bias=False) + width + linear(width, hidden, bias=False)


def rwkv4(hidden: int, width: int) -> int:
    """Time mixing and channel mixing of an RWKV-4 layer. Source: RWKV, arXiv:2305.13048; transformers modelling code
    of rwkv."""
    time_mixing = 4 * linear(hidden, hidden, bias=False) + 5 * hidden
    channel_mixing = linear(hidden, width, bias=False) + linear(width, hidden, bias=False) + hidden * hidden
    return time_mixing + channel_mixing + 2 * hidden
