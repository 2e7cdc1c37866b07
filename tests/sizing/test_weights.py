"""Bytes of the weights."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.architectures import DenseDecoder, read_architecture
from desktop.catalog import Catalog
from desktop.catalog.calibration import load_calibration
from desktop.sizing.weights import disk_bytes, layer_bytes, matrix_bytes, rank_weight_bytes, stage_layers
from desktop.units import GIB

FORMATS = load_calibration().weight_formats


@pytest.mark.parametrize(
    ("storage", "bits"),
    [
        ("bf16", 16.0),
        ("nf4", 4.5),  # QLoRA: 4 + 32/64
        ("nf4-dq", 4.127),  # QLoRA: 4 + 8/64 + 32/(64·256)
        ("mxfp4", 4.25),  # 4 + 8/32
        ("nvfp4", 4.5),  # 4 + 8/16
        ("awq-int4", 4.156),  # 4 + 16/128 + 4/128
        ("fp8-block", 8.002),  # 8 + 32/(128·128)
    ],
)
def test_bits_per_weight(storage: str, bits: float) -> None:
    assert matrix_bytes(8192, 8192, FORMATS[storage]) * 8 / 8192**2 == pytest.approx(bits, abs=0.0006)


def test_16_bit_checkpoint_is_two_bytes_a_parameter(llama_70b: DenseDecoder) -> None:
    assert disk_bytes(llama_70b, FORMATS["bf16"]) == 2 * 70_553_706_496


def test_weights_of_a_start_up_log(catalog: Catalog) -> None:
    """Qwen3-8B in 16 bit: vLLM 0.9 logs 15.2683 GiB, its cos/sin table of 40,960 positions among them."""
    architecture = read_architecture("Qwen3-8B", catalog)
    assert rank_weight_bytes(architecture, FORMATS["bf16"]) / GIB == pytest.approx(15.2683, rel=0.0005)


def test_key_and_value_matrices_are_replicated_beyond_the_kv_heads(llama_70b: DenseDecoder) -> None:
    """8 KV heads: at 16 ranks every head lies on two of them, so k and v shrink no further."""
    eight, sixteen = layer_bytes(llama_70b, FORMATS["bf16"], 8), layer_bytes(llama_70b, FORMATS["bf16"], 16)
    kv = 2 * 2 * 1024 * 8192 / 8
    norms = 2 * 2 * 8192
    assert sixteen - kv - norms == pytest.approx((eight - kv - norms) / 2)


def test_vocabulary_is_padded_to_64(qwen3_32b: DenseDecoder) -> None:
    """151,936 is a multiple of 64, 128,257 is not: it grows to 128,320."""
    odd = replace(qwen3_32b, vocab=128_257)
    even = replace(qwen3_32b, vocab=128_320)
    assert rank_weight_bytes(odd, FORMATS["bf16"]) == rank_weight_bytes(even, FORMATS["bf16"])


def test_pipeline_ends_hold_embedding_and_head(llama_70b: DenseDecoder) -> None:
    stages = [rank_weight_bytes(llama_70b, FORMATS["bf16"], 1, 4, stage) for stage in range(4)]
    embedding = 2 * 128_256 * 8192
    assert stages[0] - stages[1] == embedding
    assert stages[3] - stages[2] == pytest.approx(embedding + 2 * 8192)


@given(st.integers(1, 200), st.integers(1, 32))
def test_stages_hold_every_layer_once(layers: int, pipeline: int) -> None:
    counts = stage_layers(layers, pipeline)
    assert sum(counts) == layers
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("storage", sorted(FORMATS))
@pytest.mark.parametrize("tensor", [1, 2, 4, 8])
@pytest.mark.parametrize("pipeline", [1, 2, 3])
def test_ranks_hold_at_least_the_whole_model(llama_70b: DenseDecoder, storage: str, tensor: int, pipeline: int) -> None:
    """Nothing is lost by cutting: the ranks together hold at least the checkpoint."""
    ranks = [rank_weight_bytes(llama_70b, FORMATS[storage], tensor, pipeline, stage) for stage in range(pipeline)]
    assert tensor * sum(ranks) >= disk_bytes(llama_70b, FORMATS[storage])
