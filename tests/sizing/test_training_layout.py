"""How GPUs are cut and what a pipeline holds."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from desktop.sizing.training_layout import bubble_share, held_micro_batches, stage_layers, training_layout

WORDS = ["none", "zero1", "zero2", "zero3", "fsdp", "hsdp", "megatron-distributed-optimizer"]


@pytest.mark.parametrize(
    ("sharding", "shards"),
    [
        ("none", (1, 1, 1)),
        ("zero1", (1, 1, 16)),
        ("zero2", (1, 16, 16)),
        ("zero3", (16, 16, 16)),
        ("fsdp", (16, 16, 16)),
        ("hsdp", (4, 4, 4)),
        ("megatron-distributed-optimizer", (1, 1, 16)),
    ],
)
def test_shards(sharding: str, shards: tuple[int, int, int]) -> None:
    """64 GPUs as tensor 2 x pipeline 2 x context 2 x data 8: spread over data x context, hsdp within a server."""
    layout = training_layout(64.0, sharding, tensor=2, pipeline=2, context=2, node_gpus=16)
    assert layout.data() == 8
    assert (layout.weight_shards, layout.gradient_shards, layout.optimizer_shards) == shards


def test_only_gathered_shardings_gather() -> None:
    gathers = [float(np.max(training_layout(8.0, word).gathers)) for word in WORDS]
    assert gathers == [0, 0, 0, 1, 1, 1, 0]
    assert float(np.max(training_layout(1.0, "fsdp").gathers)) == 0


def test_interleaved_pipeline_holds_what_megatron_measured() -> None:
    """gpt3_7b_tp1_pp4 of Megatron-LM's functional tests, 8 chunks: the first stage holds 4.375 micro batches."""
    assert float(held_micro_batches(4, 8, 0, 64)) == pytest.approx((2 * 3 + 7 * 4 + 1) / 8)


def test_one_forward_one_backward() -> None:
    """arXiv:2104.04473 section 2.2: stage r of p holds p - r micro batches, never more than a step has."""
    assert [float(held_micro_batches(4, 1, stage, 64)) for stage in range(4)] == [4, 3, 2, 1]
    assert float(held_micro_batches(4, 1, 0, 2)) == 2
    assert float(held_micro_batches(1, 1, 0, 64)) == 1


def test_bubble() -> None:
    """arXiv:2104.04473: (p - 1)/m, divided by the chunks of a stage when interleaved."""
    assert bubble_share(8, 1, 32) == pytest.approx(7 / 32)
    assert bubble_share(8, 4, 32) == pytest.approx(7 / 128)


def test_fullest_stage() -> None:
    assert [float(stage_layers(126, p)) for p in (1, 8, 16)] == [126, 16, 8]


@given(sharding=st.sampled_from(WORDS), gpus=st.sampled_from([1, 2, 8, 64, 512]), tensor=st.sampled_from([1, 2, 4]))
def test_shards_never_exceed_the_group(sharding: str, gpus: int, tensor: int) -> None:
    assume(gpus >= tensor)
    layout = training_layout(float(gpus), sharding, tensor=tensor)
    group = gpus / tensor
    for shards in (layout.weight_shards, layout.gradient_shards, layout.optimizer_shards):
        assert 1 <= float(np.max(shards)) <= group
