"""Bytes of the key-value cache."""

from desktop.units import round_up


def kv_bytes_per_token(
    layers: int, kv_heads: int, head_dim: int, key_bytes: float, value_bytes: float, tensor: int = 1
) -> float:
    """Cache bytes of one token on one rank [B].

    layers · max(1, kv_heads/tensor) · head_dim · (b_k + b_v): a rank keeps at least one KV head, so beyond kv_heads
    ranks the heads are replicated and the cache shrinks no more.

    Llama-3.1-70B in 16 bit: 80 · 8 · 128 · 4 = 327,680 B.

    >>> kv_bytes_per_token(80, 8, 128, 2, 2)
    327680
    """
    return layers * max(1, kv_heads // tensor) * head_dim * (key_bytes + value_bytes)


def sequence_bytes(tokens: int, bytes_per_token: float, block_tokens: int) -> float:
    """Cache bytes of one sequence, in whole blocks [B]."""
    return round_up(tokens, block_tokens) * bytes_per_token


def capacity_tokens(pool_bytes: float, bytes_per_token: float, block_tokens: int) -> int:
    """Tokens that a pool holds, in whole blocks; zero when the pool is negative."""
    if pool_bytes <= 0 or bytes_per_token <= 0:
        return 0
    return int(pool_bytes / (bytes_per_token * block_tokens)) * block_tokens
