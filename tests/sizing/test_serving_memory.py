"""Memory of serving plans: verdicts, ranks and the pool."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.architectures import DenseDecoder, read_architecture
from desktop.catalog import load_catalog
from desktop.catalog.calibration import load_calibration
from desktop.sizing.serving_memory import EngineSettings, ServingMemoryPlan, serving_memory, visible_bytes
from desktop.units import GIB

CALIBRATION = load_calibration()
TABLE = CALIBRATION.serving_memory
ERA = TABLE.vllm[2]  # vLLM 0.19
ENGINE = EngineSettings(fraction=0.9, max_context=32_768, max_sequences=256, max_batched_tokens=8192, cuda_graphs=True)
LLAMA_8B = read_architecture("Llama-3.1-8B", load_catalog())


def plan(
    architecture: DenseDecoder,
    weights: str = "bf16",
    tensor: int = 1,
    pipeline: int = 1,
    visible_gib: float = 79.15,
    sequences: int = 1,
    tokens: int = 2400,
    engine: EngineSettings = ENGINE,
) -> ServingMemoryPlan:
    return serving_memory(
        architecture,
        CALIBRATION.weight_formats[weights],
        2,
        2,
        tensor,
        pipeline,
        round(visible_gib * GIB),
        False,
        engine,
        ERA,
        TABLE,
        sequences,
        tokens,
    )


def test_visible_memory_of_logged_and_unlogged_cards() -> None:
    """H100 SXM5: 79.15 GiB in vLLM's log of a card whose driver shows 81,559 MiB; L40S 44.39 of 46,068 MiB."""
    assert visible_bytes("nvidia-h100-sxm5-80gb", 80, 81_559, False, TABLE) == round(79.15 * GIB)
    unlogged = visible_bytes("", 80, 81_559, False, TABLE) / GIB
    assert unlogged == pytest.approx(79.15, rel=0.002)
    assert visible_bytes("", 48, 46_068, False, TABLE) / GIB == pytest.approx(44.39, rel=0.004)
    assert visible_bytes("", 192, None, True, TABLE) == 192 * GIB


def test_70b_in_16_bit_does_not_fit_one_h100(llama_70b: DenseDecoder) -> None:
    """141 GB of weights against 80 GB."""
    found = plan(llama_70b)
    assert found.verdict == "does_not_fit"
    assert found.capacity_tokens == 0
    assert found.worst().pool < 0


def test_70b_in_16_bit_on_one_h200_does_not_start_at_the_default_fraction(llama_70b: DenseDecoder) -> None:
    """141.1e9 B of weights in 139.8 GiB at 0.90: fits on paper, starts nowhere."""
    assert plan(llama_70b, visible_gib=139.81).verdict == "does_not_fit"


def test_70b_in_fp8_on_four_h100(llama_70b: DenseDecoder) -> None:
    found = plan(llama_70b, "fp8", tensor=4, sequences=64)
    assert found.verdict == "fits"
    assert found.worst().ranks == 4
    assert found.worst().kv_cache == 64 * 2400 * 81_920


def test_more_sequences_than_the_pool_holds_are_queued_not_refused(llama_70b: DenseDecoder) -> None:
    """An engine with a pool runs what fits and lets the others wait: required passes usable, the plan still starts."""
    found = plan(llama_70b, "fp8", tensor=4, sequences=5000)
    assert found.worst().required() > found.usable
    assert found.verdict == "tight"


def test_pipeline_stages_that_hold_the_same_are_told_once(llama_70b: DenseDecoder) -> None:
    found = plan(llama_70b, tensor=2, pipeline=4)
    assert sum(rank.ranks for rank in found.ranks) == 8
    assert [rank.rank for rank in found.ranks] == [0, 2, 6]  # first, the two middle ones, last
    assert found.worst() in found.ranks


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 300), st.integers(1, 30_000), st.sampled_from([1, 2, 4, 8]))
def test_required_grows_with_sequences_and_tokens(sequences: int, tokens: int, tensor: int) -> None:
    small = plan(LLAMA_8B, tensor=tensor, sequences=sequences, tokens=tokens).worst()
    longer = plan(LLAMA_8B, tensor=tensor, sequences=sequences, tokens=tokens + 16).worst()
    more = plan(LLAMA_8B, tensor=tensor, sequences=sequences + 1, tokens=tokens).worst()
    assert small.required() < longer.required()
    assert small.required() < more.required()
    assert small.required() == small.fixed() + small.kv_cache


@settings(max_examples=60, deadline=None)
@given(st.floats(0.3, 0.98), st.floats(20, 180))
def test_the_pool_never_exceeds_what_the_fraction_leaves(fraction: float, visible_gib: float) -> None:
    engine = EngineSettings(
        fraction=fraction, max_context=8192, max_sequences=256, max_batched_tokens=8192, cuda_graphs=True
    )
    rank = plan(LLAMA_8B, visible_gib=visible_gib, engine=engine).worst()
    assert rank.pool <= fraction * visible_gib * GIB - rank.weights - rank.activations + 1


@pytest.mark.parametrize("tensor", [2, 4, 8])
def test_more_ranks_never_need_more_each(tensor: int) -> None:
    one, many = plan(LLAMA_8B, tensor=1).worst(), plan(LLAMA_8B, tensor=tensor).worst()
    assert many.weights <= one.weights
    assert many.kv_cache <= one.kv_cache
