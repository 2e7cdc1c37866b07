"""Speed under load: limits, order, and agreement of arrays with numbers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.advisor.card import card_of
from desktop.advisor.speed_plan import speed_plan
from desktop.architectures import read_architecture
from desktop.catalog import load_catalog
from desktop.sizing.serving_speed import SpeedPlan, closed_loop, decode_seconds, prefill_seconds

CATALOG = load_catalog()
CONSTANTS = CATALOG.calibration.serving_speed.vllm


def plan(
    gpu: str = "NVIDIA H100 SXM5 80GB",
    model: str = "Llama-3.1-70B",
    weights: str = "fp8",
    tensor: int = 4,
    input_tokens: int = 2000,
    output_tokens: int = 400,
) -> SpeedPlan:
    architecture = read_architecture(model, CATALOG)
    storage = CATALOG.calibration.weight_formats[weights]
    return speed_plan(
        architecture,
        storage,
        storage.compute,
        2,
        2,
        card_of(gpu, CATALOG),
        tensor,
        1,
        input_tokens,
        output_tokens,
        CATALOG.calibration,
    )


def test_a_single_request_is_bound_by_reading_the_weights() -> None:
    """Llama-3.1-70B in fp8 on one H200 (4.8 TB/s): reading 70.6e9 B alone takes 14.7 ms, so 68 tokens/s is out of
    reach."""
    step = float(decode_seconds(plan("NVIDIA H200 SXM 141GB", tensor=1), CONSTANTS, 1.0, 1.0))
    assert 14.7e-3 < step < 2 * 14.7e-3


def test_prefill_is_bound_by_arithmetic() -> None:
    """2·P FLOP a token: 8,192 tokens through 70e9 parameters take at least 1.16e15 FLOP / (4 x 1,979e12 FLOP/s) on 4
    H100."""
    assert float(prefill_seconds(plan(input_tokens=8192), CONSTANTS, 8192.0)) > 2 * 69.5e9 * 8192 / (4 * 1979e12)


def test_pcie_pays_for_tensor_parallel() -> None:
    """Eight L40S over PCIe: the exchange alone (160 all-reduces of 64 x 8192 x 2 B at about 1.4-20 GB/s) passes 50 ms
    a step."""
    on_pcie = float(decode_seconds(plan("NVIDIA L40S", tensor=8), CONSTANTS, 64.0, 1000.0))
    on_nvlink = float(decode_seconds(plan("NVIDIA H100 SXM5 80GB", tensor=8), CONSTANTS, 64.0, 1000.0))
    assert on_pcie > 2 * on_nvlink


def test_arrays_and_numbers_agree() -> None:
    batches = np.array([1.0, 4.0, 32.0, 256.0])
    whole = closed_loop(plan(), CONSTANTS, batches, batches)
    for n, batch in enumerate(batches):
        single = closed_loop(plan(), CONSTANTS, float(batch), float(batch))
        assert float(np.asarray(whole.ttft_s)[n]) == pytest.approx(float(single.ttft_s))
        assert float(np.asarray(whole.tpot_s)[n]) == pytest.approx(float(single.tpot_s))


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 500), st.integers(64, 20_000), st.integers(16, 4000))
def test_more_at_once_is_never_faster_for_one_and_never_slower_for_all(
    batch: int, input_tokens: int, output_tokens: int
) -> None:
    numbers = plan(input_tokens=input_tokens, output_tokens=output_tokens)
    one = closed_loop(numbers, CONSTANTS, float(batch), float(batch))
    two = closed_loop(numbers, CONSTANTS, float(batch + 1), float(batch + 1))
    assert float(two.tpot_s) >= float(one.tpot_s)
    assert float(two.ttft_s) >= float(one.ttft_s)
    assert float(two.requests_per_s) >= 0.999 * float(one.requests_per_s)  # flat where the engine is saturated


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 200))
def test_better_hardware_is_never_slower(batch: int) -> None:
    steps = [
        float(decode_seconds(plan(gpu, tensor=8), CONSTANTS, float(batch), 2000.0))
        for gpu in ("NVIDIA A100 SXM4 80GB", "NVIDIA H100 SXM5 80GB", "NVIDIA H200 SXM 141GB", "NVIDIA B200 SXM")
    ]
    assert steps == sorted(steps, reverse=True)


def test_waiting_requests_pay_in_the_first_token() -> None:
    """Twice as many requests as run: throughput stays, the first token waits."""
    numbers = plan()
    full = closed_loop(numbers, CONSTANTS, 64.0, 64.0)
    queued = closed_loop(numbers, CONSTANTS, 128.0, 64.0)
    assert float(queued.tpot_s) == pytest.approx(float(full.tpot_s))
    assert float(queued.ttft_s) > float(full.ttft_s)
    assert float(queued.requests_per_s) == pytest.approx(float(full.requests_per_s), rel=0.01)


def test_one_gpu_exchanges_nothing() -> None:
    alone = plan("NVIDIA H200 SXM 141GB", tensor=1)
    slow_link = replace(alone, bus_bytes_per_s=1.0)
    assert float(decode_seconds(alone, CONSTANTS, 8.0, 100.0)) == float(
        decode_seconds(slow_link, CONSTANTS, 8.0, 100.0)
    )


def test_stages_do_not_speed_one_stream() -> None:
    """A token of one stream passes every stage in turn (Llama-3.1-70B, 100,000 tokens of context)."""
    alone = plan(input_tokens=100_000)
    times = [float(closed_loop(replace(alone, pipeline=n), CONSTANTS, 1, 1).tpot_s) for n in (1, 2, 4, 8)]
    assert min(times) >= times[0]
