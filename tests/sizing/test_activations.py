"""Activation peak of a serving engine, against published profiles."""

import pytest

from desktop.catalog.calibration import MlpTransient, load_calibration
from desktop.sizing.activations import activation_peak_bytes, mlp_transient_bytes, sampler_bytes
from desktop.units import GIB

TRANSIENT = MlpTransient(intermediate=3, hidden=4)


@pytest.mark.parametrize(
    ("vocab", "logged_gib"),
    [(128_256, 1.89), (151_936, 2.21), (152_064, 2.25), (256_000, 3.65), (262_208, 3.94)],
)
def test_sampler_of_vllm_019_on_h100(vocab: int, logged_gib: float) -> None:
    """llm-d-planner, H100, vLLM 0.19, 1,024 sequences: Llama 1.89, Qwen3 2.21, Qwen2 2.25, Gemma-2 3.65, Gemma-3 3.94
    GiB."""
    era = load_calibration().serving_memory.vllm[2]
    assert era.until == "0.20"
    assert sampler_bytes(1024, 8192, vocab, era.sampler_copies) / GIB == pytest.approx(logged_gib, rel=0.04)


def test_sampler_of_old_vllm_on_b200() -> None:
    """gemma-3-4b on B200, vLLM before 0.17: 9.96 GiB for 1,024 sequences and 262,208 entries."""
    era = load_calibration().serving_memory.vllm[1]
    assert sampler_bytes(1024, 16384, 262_208, era.sampler_copies) / GIB == pytest.approx(9.96, rel=0.03)


def test_the_larger_of_two_that_never_meet() -> None:
    mlp = mlp_transient_bytes(8192, 8192, 28672, 1, TRANSIENT)
    assert mlp == 2 * 8192 * (3 * 28672 + 4 * 8192)
    sampler = sampler_bytes(256, 8192, 128_256, 3.85)
    assert activation_peak_bytes(8192, 28672, 128_256, 8192, 256, 1, 3.85, TRANSIENT) == max(mlp, sampler)


def test_fewer_batched_tokens_than_sequences_bound_the_sampler() -> None:
    assert sampler_bytes(1024, 512, 1000, 1.0) == 4 * 512 * 1000
