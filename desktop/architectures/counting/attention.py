"""Elements of one attention layer by its kind, without the norms before and after it."""

from desktop.architectures.counting.layers import layer_norm, linear


def grouped_query(hidden: int, heads: int, kv_heads: int, head_dim: int, value_dim: int | None = None) -> int:
    """Query, key, value and output matrices; multi-head has as many KV heads as heads, multi-query one.

    `value_dim` is the width of a value head where it differs from a query head (MiMo-V2).

    >>> grouped_query(4096, 32, 8, 128)  # Llama-3.1-8B
    41943040
    """
    value = head_dim if value_dim is None else value_dim
    query_and_key = linear(hidden, (heads + kv_heads) * head_dim, bias=False)
    return query_and_key + linear(hidden, kv_heads * value, bias=False) + linear(heads * value, hidden, bias=False)


def latent(hidden: int, heads: int, kv_rank: int, query_rank: int, nope_dim: int, rope_dim: int, value_dim: int) -> int:
    """Multi-head latent attention: keys and values from one latent of `kv_rank`, queries from one of `query_rank`,
    or straight from the hidden state where that is 0. The norm of each latent is counted.

    Source: DeepSeek-V2, arXiv:2405.04434, section 2.1; transformers modelling code of deepseek_v3.
    """
    query_width = heads * (nope_dim + rope_dim)
    if query_rank:
        query = linear(hidden, query_rank, bias=False) + query_rank + linear(query_rank, query_width, bias=False)
    else:
        query = linear(hidden, query_width, bias=False)
    down = linear(hidden, kv_rank + rope_dim, bias=False) + kv_rank
    up = linear(kv_rank, heads * (nope_dim + value_dim), bias=False)
    return query + down + up + linear(heads * value_dim, hidden, bias=False)


def sparse_indexer(hidden: int, query_rank: int, heads: int, head_dim: int) -> int:
    """The indexer that picks the tokens DeepSeek sparse attention looks at: queries from the latent, one key with a
    LayerNorm, a weight for each head. Source: transformers modelling code of deepseek_v32."""
    return (
        linear(query_rank, heads * head_dim, bias=False)
        + linear(hidden, head_dim, bias=False)
        + layer_norm(head_dim)
        + linear(hidden, heads, bias=False)
    )


def block_indexer(hidden: int, heads: int, head_dim: int) -> int:
    """The indexer of block-sparse attention: its own queries and one key, each with an RMSNorm. Source: transformers
    modelling code of minimax_m3_vl."""
    return linear(hidden, (heads + 1) * head_dim, bias=False) + 2 * head_dim


def grouped_output(
    hidden: int, heads: int, head_dim: int, query_rank: int, output_groups: int, output_rank: int
) -> int:
    """Attention with one KV head, low-rank queries and a low-rank output in groups, a sink for each head. Source:
    transformers modelling code of deepseek_v4."""
    query = linear(hidden, query_rank, bias=False) + query_rank + linear(query_rank, heads * head_dim, bias=False)
    shared_key = linear(hidden, head_dim, bias=False) + head_dim
    output = linear(heads * head_dim // output_groups, output_groups * output_rank, bias=False)
    return query + shared_key + output + linear(output_groups * output_rank, hidden, bias=False) + heads


def compressor(hidden: int, width: int, tokens: int) -> int:
    """What folds `tokens` tokens into one cached entry of `width`: key and gate matrices, a bias for each position,
    an RMSNorm of the entry's head. `width` is twice the head where windows overlap."""
    return 2 * linear(hidden, width, bias=False) + tokens * width
