"""Bytes of the key-value cache."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.sizing.kv_cache import capacity_tokens, kv_bytes_per_token, sequence_bytes
from desktop.units import GIB, MIB


def test_llama_70b_at_2048_tokens_is_640_mib() -> None:
    """Llama-3.1-70B, 16 bit, 2,048 tokens: 80 layers x 8 heads x 128 x 4 B x 2,048 = 640 MiB."""
    assert sequence_bytes(2048, kv_bytes_per_token(80, 8, 128, 2, 2), 16) == 640 * MIB


def test_llama_2_7b_without_grouped_queries() -> None:
    """Llama-2-7B (32 layers, 32 heads x 128) at 32k tokens: 16 GiB, more than its weights (12.6 GiB)."""
    assert sequence_bytes(32_768, kv_bytes_per_token(32, 32, 128, 2, 2), 16) == 16 * GIB


def test_cache_of_qwen3_32b() -> None:
    """Qwen3-32B: 256 KiB a token (64 layers x 8 heads x 128 x 4 B)."""
    assert kv_bytes_per_token(64, 8, 128, 2, 2) == 256 * 1024


def test_heads_are_replicated_not_split_below_one() -> None:
    assert kv_bytes_per_token(80, 8, 128, 2, 2, tensor=8) == kv_bytes_per_token(80, 8, 128, 2, 2, tensor=16) == 40_960


def test_fp8_halves_and_separate_formats_add() -> None:
    assert kv_bytes_per_token(80, 8, 128, 1, 1) == 163_840
    assert kv_bytes_per_token(80, 8, 128, 1, 2) == 245_760


@pytest.mark.parametrize(("tokens", "blocks"), [(1, 1), (16, 1), (17, 2), (2_001, 126)])
def test_sequences_take_whole_blocks(tokens: int, blocks: int) -> None:
    assert sequence_bytes(tokens, 1.0, 16) == blocks * 16


@given(st.floats(-1e12, 1e12), st.floats(1, 1e7), st.sampled_from([1, 16, 32]))
def test_capacity_never_exceeds_the_pool(pool: float, per_token: float, block: int) -> None:
    tokens = capacity_tokens(pool, per_token, block)
    assert tokens >= 0
    assert tokens * per_token <= max(pool, 0) * (1 + 1e-9)
    assert tokens % block == 0
