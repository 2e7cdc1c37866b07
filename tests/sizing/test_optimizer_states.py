"""Bytes of trained states, adapters, checkpoints and host memory."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.catalog.training_calibration import StateRegime, load_training_calibration
from desktop.sizing.optimizer_states import (
    StatesPerParameter,
    adapter_parameters,
    host_ram_bytes,
    prompt_adapter_parameters,
    resumable_checkpoint_bytes,
    sharded_state_bytes,
    states_per_parameter,
    weights_checkpoint_bytes,
)

MEMORY = load_training_calibration().memory
BILLION = 10**9


@pytest.mark.parametrize(
    ("regime", "precision", "optimizer", "total"),
    [
        ("pytorch", "bf16-mixed", "adamw", 16),  # ZeRO paper, Hugging Face performance guide: 4 + 4 + 8
        ("pytorch", "fp32", "adamw", 16),  # 4 + 4 + 8
        ("pytorch", "bf16", "adamw", 8),  # peft full fine-tune: 25.7 GB for 3.21 B parameters
        ("megatron", "bf16-mixed", "adamw", 18),  # Megatron-LM dist_optimizer.md: 6 + 12/d
        ("megatron", "fp16-mixed", "adamw", 20),  # 4 + 16/d
        ("megatron", "fp32", "adamw", 16),  # 8 + 8/d
        ("deepspeed", "bf16-mixed", "adamw", 20),  # DeepSpeed estimate: 2 + 18/d
        ("pytorch", "bf16-mixed", "adamw-8bit", 10),  # bitsandbytes: one byte a moment
        ("pytorch", "bf16-mixed", "lion", 12),  # one moment
        ("pytorch", "bf16-mixed", "sgd", 12),
        ("pytorch", "bf16-mixed", "muon", 12),
    ],
)
def test_bytes_per_parameter(regime: StateRegime, precision: str, optimizer: str, total: float) -> None:
    states = states_per_parameter(MEMORY.state_bytes(regime, precision), MEMORY.optimizers[optimizer])
    assert states.total() == total


@pytest.mark.parametrize(
    ("regime", "shards", "whole", "spread"),
    [("megatron", (1, 1, 64), 6, 12), ("deepspeed", (1, 64, 64), 2, 18), ("pytorch", (64, 64, 64), 0, 16)],
)
def test_what_sharding_spreads(regime: StateRegime, shards: tuple[int, int, int], whole: int, spread: int) -> None:
    """Distributed optimizer 6 + 12/d, ZeRO-2 2 + 18/d, FSDP 16/d bytes a parameter."""
    states = states_per_parameter(MEMORY.state_bytes(regime, "bf16-mixed"), MEMORY.optimizers["adamw"])
    assert sharded_state_bytes(1, states, *shards) == pytest.approx(whole + spread / 64)


def test_the_7b_example_of_the_article() -> None:
    """Weights, gradients and Adam of 7 B parameters: 84 GB in the article's own terms, 112 GB in mixed precision."""
    article = StatesPerParameter(weights=2, gradients=2, optimizer=8, end_optimizer=8)
    mixed = states_per_parameter(MEMORY.state_bytes("pytorch", "bf16-mixed"), MEMORY.optimizers["adamw"])
    assert sharded_state_bytes(7 * BILLION, article, 1, 1, 1) == 84 * BILLION
    assert sharded_state_bytes(7 * BILLION, mixed, 1, 1, 1) == 112 * BILLION


def test_sharding_over_more_gpus_frees_what_torchtitan_measured() -> None:
    """Llama-3.1-8B, FSDP from 8 to 128 GPUs: torchtitan's tables (December 2024) fall by 15.0 GiB."""
    states = states_per_parameter(MEMORY.state_bytes("pytorch", "bf16-mixed"), MEMORY.optimizers["adamw"])
    few, many = (sharded_state_bytes(8_030_261_248, states, d, d, d) / 2**30 for d in (8, 128))
    assert few - many == pytest.approx(15.0, rel=0.08)


def test_embedding_keeps_wide_moments_under_the_hugging_face_trainer() -> None:
    eight_bit = MEMORY.optimizers["adamw-8bit"]
    plain = states_per_parameter(MEMORY.state_bytes("pytorch", "bf16-mixed"), eight_bit)
    trainer = states_per_parameter(MEMORY.state_bytes("pytorch", "bf16-mixed"), eight_bit, wide_share=1.0)
    assert (plain.end_optimizer, trainer.end_optimizer, trainer.optimizer) == (2, 8, 2)


def test_muon_keeps_two_moments_for_embedding_and_head() -> None:
    states = states_per_parameter(MEMORY.state_bytes("pytorch", "bf16-mixed"), MEMORY.optimizers["muon"])
    assert (states.optimizer, states.end_optimizer) == (4, 8)


@pytest.mark.parametrize(
    ("layers", "rank", "shapes", "published"),
    [
        # Lightning-AI/litgpt tutorials/resource-tables.md: Llama-2-7B, query and value
        (32, 8, [(4096, 4096), (4096, 4096)], 4_194_304),
        # huggingface/peft method_comparison: Llama-3.2-3B, query and value, ranks 32 and 64; rank 10 on the MLP
        (28, 32, [(3072, 3072), (3072, 1024)], 9_175_040),
        (28, 64, [(3072, 3072), (3072, 1024)], 18_350_080),
        (28, 10, [(3072, 8192), (3072, 8192), (8192, 3072)], 9_461_760),
    ],
)
def test_adapter_parameters(layers: int, rank: int, shapes: list[tuple[int, int]], published: int) -> None:
    assert adapter_parameters(layers, rank, shapes) == published


def test_prompt_adapter_parameters() -> None:
    """litgpt tutorials/resource-tables.md: Llama-2-7B, 1,229,760 trained."""
    constants = MEMORY.adapters
    count = prompt_adapter_parameters(32, 4096, 32, constants.prompt_tokens, constants.first_adapted_layer)
    assert count == 1_229_760


@pytest.mark.parametrize(("name", "bits"), [("nf4", 4.5), ("nf4-dq", 4.127), ("bf16", 16), ("gptq-int4", 4.156)])
def test_bits_of_a_frozen_base(name: str, bits: float) -> None:
    """QLoRA (arXiv:2305.14314): 4 + 32/64, and 4 + 8/64 + 32/(64·256) with double quantisation."""
    assert MEMORY.base_bytes[name] * 8 == pytest.approx(bits, abs=0.001)


def test_weights_checkpoint_is_the_file_peft_wrote() -> None:
    """huggingface/peft method_comparison, full fine-tune of Llama-3.2-3B: 6,425,499,648 bytes."""
    assert weights_checkpoint_bytes(3_212_749_824, fp32=False) == 6_425_499_648


@pytest.mark.parametrize(
    ("regime", "precision", "per_parameter"),
    [
        ("megatron", "bf16-mixed", 14),  # 2 + 4 + 8
        ("megatron", "fp16-mixed", 14),
        ("deepspeed", "bf16-mixed", 14),
        ("pytorch", "bf16-mixed", 12),  # 4 + 8
        ("pytorch", "bf16", 6),  # 2 + 4
    ],
)
def test_resumable_checkpoint(regime: StateRegime, precision: str, per_parameter: int) -> None:
    states = MEMORY.state_bytes(regime, precision)
    assert resumable_checkpoint_bytes(900, 100, states, MEMORY.optimizers["adamw"]) == 1000 * per_parameter


@pytest.mark.parametrize(
    ("parameters", "offloaded", "measured_gb"),
    [(2.85e9, False, 2.96), (2.85e9, True, 17.8), (12e9, False, 3.0), (12e9, True, 52.0)],
)
def test_host_memory_against_peft(parameters: float, offloaded: bool, measured_gb: float) -> None:
    """huggingface/peft README: CPU memory of T0-3B and mt0-xxl, on the GPU and with offload; read within 35 %."""
    moved = 2 * parameters if offloaded else 0.0
    assert host_ram_bytes(1, moved, 0.0, MEMORY.host) / 1e9 == pytest.approx(measured_gb, rel=0.35)


@given(
    parameters=st.floats(1e6, 1e12),
    degree=st.integers(1, 4096),
    regime=st.sampled_from(["pytorch", "megatron", "deepspeed"]),
    precision=st.sampled_from(["fp32", "bf16-mixed", "bf16"]),
    optimizer=st.sampled_from(sorted(MEMORY.optimizers)),
)
def test_spreading_more_states_never_takes_more(
    parameters: float, degree: int, regime: StateRegime, precision: str, optimizer: str
) -> None:
    states = states_per_parameter(MEMORY.state_bytes(regime, precision), MEMORY.optimizers[optimizer])
    d = degree
    ladder = [sharded_state_bytes(parameters, states, *s) for s in ((1, 1, 1), (1, 1, d), (1, d, d), (d, d, d))]
    assert all(0 <= less <= more for more, less in pairwise(ladder))
