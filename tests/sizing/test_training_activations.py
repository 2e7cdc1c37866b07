"""Saved activations and logits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.catalog.training_calibration import load_training_calibration
from desktop.sizing.training_activations import (
    LayerActivations,
    activation_bytes,
    gpt_layer_bytes,
    layer_activations,
    logit_bytes,
)

CONSTANTS = load_training_calibration().memory.activation
GIB = 2**30


def gpt_layer(hidden: int, heads: int, sequence: int, tensor: int = 1, residual: int = 1) -> LayerActivations:
    return layer_activations(
        hidden,
        4 * hidden,
        heads,
        heads,
        hidden // heads,
        False,
        sequence,
        tensor,
        residual,
        1,
        factor=1.0,
        attention_bytes=5,
        fused_attention=False,
        dropout_masks=True,
    )


@pytest.mark.parametrize(("hidden", "heads"), [(6144, 64), (12288, 96), (20480, 128), (25600, 160)])
def test_korthikanti(hidden: int, heads: int) -> None:
    """arXiv:2205.05198: s·b·h·(34 + 5·a·s/h) for the models of table 3, sequence 2,048."""
    layer = gpt_layer(hidden, heads, 2048)
    assert layer.linear == pytest.approx(34 * hidden)
    assert layer.all() * 2048 == pytest.approx(gpt_layer_bytes(2048, 1, hidden, heads))


def test_korthikanti_under_tensor_parallelism() -> None:
    """arXiv:2205.05198 table 2: s·b·h·(10 + 24/t) without sequence parallelism, 34/t with it."""
    assert gpt_layer(12288, 96, 2048, tensor=8).linear == pytest.approx(12288 * (10 + 24 / 8))
    assert gpt_layer(12288, 96, 2048, tensor=8, residual=8).linear == pytest.approx(12288 * 34 / 8)


def test_quadratic_term_against_ms_swift() -> None:
    """Qwen-7B, sequence 2,048 (ms-swift Benchmark.md): 19.97 GiB less with FlashAttention, 4.99 bytes a pair."""
    layer = gpt_layer(4096, 32, 2048)
    assert 32 * 2048 * layer.quadratic / GIB == pytest.approx(19.97, rel=0.01)


@pytest.mark.parametrize(
    ("shape", "in_hidden"),
    [
        ((4096, 14336, 32, 8, 128), 41.0),  # Llama-3-8B
        ((4096, 11008, 32, 32, 128), 37.5),  # Llama-2-7B
        ((8192, 28672, 64, 8, 128), 40.5),  # Llama-3-70B
    ],
)
def test_llama_layers(shape: tuple[int, int, int, int, int], in_hidden: float) -> None:
    """8h + 4aD + 4kD + 8f, told in hidden widths."""
    layer = layer_activations(*shape, True, 4096, 1, 1, 1, factor=1.0, attention_bytes=5)
    assert layer.linear / shape[0] == pytest.approx(in_hidden)
    assert layer.quadratic == 0


def test_adapters_off_the_mlp_keep_less() -> None:
    """A frozen matrix needs no input for a weight gradient: 2f of the MLP and 2h of its norm."""
    shape = (4096, 11008, 32, 32, 128, True, 2048, 1, 1, 1)
    trained = layer_activations(*shape, factor=1.0, attention_bytes=5)
    frozen = layer_activations(*shape, factor=1.0, attention_bytes=5, frozen_mlp=True)
    assert trained.linear - frozen.linear == 2 * 11008 + 2 * 4096


def test_full_recompute_keeps_two_bytes_a_hidden_value() -> None:
    """arXiv:2205.05198: 2·s·b·h a layer, and one live layer."""
    layer = gpt_layer(12288, 96, 2048)
    kept = activation_bytes(layer, 2048, 96, 1, "full", "attention", CONSTANTS)
    assert kept == pytest.approx(2048 * (96 * 2 * 12288 + CONSTANTS.live_layers * layer.all()))


def test_logits_against_torchtune() -> None:
    """torchtune's ladder, Llama-3.2-3B, 8,192 tokens: the chunked loss freed 8.1 GiB, fp32 logits and gradient 7.83."""
    whole = logit_bytes(8192, 128_256, 8)
    assert whole / GIB == pytest.approx(7.83, abs=0.01)
    chunked = logit_bytes(8192, 128_256, 8, chunks=CONSTANTS.loss_chunks)
    assert (whole - chunked) / GIB == pytest.approx(8.1, rel=0.2)


LAYERS = st.builds(
    LayerActivations,
    linear=st.floats(1e3, 1e6),
    quadratic=st.floats(0, 1e6),
    input=st.floats(1, 1e4),
    operators=st.floats(1, 1e6),
)


@given(
    layer=LAYERS,
    tokens=st.integers(1, 10**6),
    layers=st.integers(1, 200),
    held=st.floats(1, 64),
    selective=st.sampled_from(["attention", "operators"]),
)
def test_more_recomputation_never_keeps_more(
    layer: LayerActivations, tokens: int, layers: int, held: float, selective: str
) -> None:
    none, some, modules, full = (
        float(activation_bytes(layer, tokens, layers, held, word, selective, CONSTANTS))
        for word in ("none", "selective", "modules", "full")
    )
    assert 0 <= full <= some <= none
    assert full <= modules <= none


@given(
    hidden=st.integers(1, 256),
    sequence=st.integers(1, 10**6),
    tensor=st.sampled_from([1, 2, 4, 8]),
    gated=st.booleans(),
    fused=st.booleans(),
    scale=st.sampled_from([1.0, 2.0]),
)
def test_layer_is_positive_and_broadcasts(
    hidden: int, sequence: int, tensor: int, gated: bool, fused: bool, scale: float
) -> None:
    def layer(tokens: object) -> LayerActivations:
        return layer_activations(
            64 * hidden,
            256 * hidden,
            hidden,
            hidden,
            64,
            gated,
            tokens,
            tensor,
            1,
            1,
            factor=1.0,
            attention_bytes=5,  # type: ignore[arg-type]
            fused_attention=fused,
            element_scale=scale,
        )

    one, many = layer(float(sequence)), layer(np.array([sequence, 2 * sequence], dtype=float))
    assert one.linear > 0
    assert one.all() == pytest.approx(np.broadcast_to(many.all(), 2)[0])
    assert np.broadcast_to(many.all(), 2)[1] >= one.all()
