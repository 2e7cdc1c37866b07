"""Packed weights are counted as the weights they are: one layer of 4096 inputs and 1024 outputs in every packing."""

import struct
from pathlib import Path

import pytest

from desktop.architectures.files import TensorList, read_safetensors, stored_weights
from tests.architectures.files.written import header_of, read, safetensors

INPUTS, OUTPUTS = 4096, 1024
WEIGHTS = INPUTS * OUTPUTS
BYTES = {"I32": 4, "U32": 4, "F16": 2, "BF16": 2, "F32": 4, "U8": 1, "I8": 1, "F8_E4M3": 1, "I64": 8}
Shapes = dict[str, tuple[str, tuple[int, ...]]]

# shapes as reference checkpoints of each scheme have them: GPTQ and AWQ with groups of 128, MXFP4 of 32, NVFP4 of 16
PACKINGS: dict[str, tuple[str, Shapes]] = {
    "GPTQ": (
        "gptq",
        {
            "a.qweight": ("I32", (INPUTS // 8, OUTPUTS)),
            "a.qzeros": ("I32", (INPUTS // 128, OUTPUTS // 8)),
            "a.scales": ("F16", (INPUTS // 128, OUTPUTS)),
            "a.g_idx": ("I32", (INPUTS,)),
        },
    ),
    "GPTQ of 8 bits": (
        "gptq",
        {
            "a.qweight": ("I32", (INPUTS // 4, OUTPUTS)),
            "a.qzeros": ("I32", (INPUTS // 128, OUTPUTS // 4)),
            "a.scales": ("F16", (INPUTS // 128, OUTPUTS)),
        },
    ),
    "GPTQ of 3 bits": (
        "gptq",
        {
            "a.qweight": ("I32", (INPUTS // 32 * 3, OUTPUTS)),
            "a.qzeros": ("I32", (INPUTS // 128, OUTPUTS // 32 * 3)),
            "a.scales": ("F16", (INPUTS // 128, OUTPUTS)),
        },
    ),
    "AWQ": (
        "awq",
        {
            "a.qweight": ("I32", (INPUTS, OUTPUTS // 8)),
            "a.qzeros": ("I32", (INPUTS // 128, OUTPUTS // 8)),
            "a.scales": ("F16", (INPUTS // 128, OUTPUTS)),
        },
    ),
    "bitsandbytes of 4 bits": (
        "nf4",
        {
            "a.weight": ("U8", (WEIGHTS // 2, 1)),
            "a.weight.absmax": ("U8", (WEIGHTS // 64,)),
            "a.weight.quant_map": ("F32", (16,)),
            "a.weight.nested_absmax": ("F32", (WEIGHTS // 64 // 256,)),
            "a.weight.nested_quant_map": ("F32", (256,)),
            "a.weight.quant_state.bitsandbytes__nf4": ("U8", (98,)),
        },
    ),
    "bitsandbytes of 8 bits": ("int8", {"a.weight": ("I8", (OUTPUTS, INPUTS)), "a.SCB": ("F32", (OUTPUTS,))}),
    "FP8 in blocks": (
        "fp8-block",
        {
            "a.weight": ("F8_E4M3", (OUTPUTS, INPUTS)),
            "a.weight_scale_inv": ("F32", (OUTPUTS // 128, INPUTS // 128)),
        },
    ),
    "FP8": (
        "fp8",
        {
            "a.weight": ("F8_E4M3", (OUTPUTS, INPUTS)),
            "a.weight_scale": ("F32", ()),
            "a.input_scale": ("F32", ()),
            "a.k_scale": ("F32", ()),
        },
    ),
    "NVFP4 of modelopt": (
        "nvfp4",
        {
            "a.weight": ("U8", (OUTPUTS, INPUTS // 2)),
            "a.weight_scale": ("F8_E4M3", (OUTPUTS, INPUTS // 16)),
            "a.weight_scale_2": ("F32", ()),
            "a.input_scale": ("F32", ()),
        },
    ),
    "NVFP4 of compressed-tensors": (
        "nvfp4",
        {
            "a.weight_packed": ("U8", (OUTPUTS, INPUTS // 2)),
            "a.weight_scale": ("F8_E4M3", (OUTPUTS, INPUTS // 16)),
            "a.weight_global_scale": ("F32", (1,)),
            "a.input_global_scale": ("F32", (1,)),
        },
    ),
    "MXFP4 of gpt-oss": (
        "mxfp4",
        {
            "mlp.experts.up_proj_blocks": ("U8", (4, OUTPUTS // 4, INPUTS // 32, 16)),
            "mlp.experts.up_proj_scales": ("U8", (4, OUTPUTS // 4, INPUTS // 32)),
        },
    ),
    "MXFP4 of compressed-tensors": (
        "mxfp4",
        {
            "a.weight_packed": ("U8", (OUTPUTS, INPUTS // 2)),
            "a.weight_scale": ("U8", (OUTPUTS, INPUTS // 32)),
        },
    ),
}


def listed(shapes: Shapes) -> TensorList:
    tensors = {name: (dtype, shape, _size(dtype, shape)) for name, (dtype, shape) in shapes.items()}
    return read(safetensors(header_of(tensors)))


def _size(dtype: str, shape: tuple[int, ...]) -> int:
    size = BYTES[dtype]
    for number in shape:
        size *= number
    return size


@pytest.mark.parametrize("packing", PACKINGS)
def test_packed_weights(packing: str) -> None:
    scheme, shapes = PACKINGS[packing]
    found = listed({**shapes, "a.bias": ("F16", (OUTPUTS,)), "norm.weight": ("F16", (INPUTS,))})
    counted = stored_weights(found)
    assert counted.elements == WEIGHTS + OUTPUTS + INPUTS
    assert counted.schemes == {scheme: WEIGHTS} and counted.doubts == ()
    weight = next(iter(shapes))
    assert counted.scales == found.elements - OUTPUTS - INPUTS - next(t.elements for t in found if t.name == weight)


def test_words_whose_bits_only_the_config_tells() -> None:
    """A header of compressed-tensors or MLX fits 4 bits with groups of 128 as well as 8 with groups of 64."""
    packed: Shapes = {
        "a.weight_packed": ("I32", (OUTPUTS, INPUTS // 8)),
        "a.weight_scale": ("BF16", (OUTPUTS, INPUTS // 128)),
        "a.weight_shape": ("I64", (2,)),
    }
    mlx: Shapes = {
        "a.weight": ("U32", (OUTPUTS, INPUTS // 8)),
        "a.scales": ("F16", (OUTPUTS, INPUTS // 64)),
        "a.biases": ("F16", (OUTPUTS, INPUTS // 64)),
    }
    for shapes in (packed, mlx):
        unknown = stored_weights(listed(shapes))
        assert unknown.elements is None and unknown.doubts == ("packed_bits_unknown",)
        assert stored_weights(listed(shapes), packed_bits=4).elements == WEIGHTS


@pytest.mark.parametrize("bits", [2, 4, 8])
def test_bits_of_packed_words_from_the_data(tmp_path: Path, bits: int) -> None:
    """The data of `weight_shape` holds the true columns."""
    words = INPUTS * bits // 32
    sizes = {"a.weight_packed": ("I32", (4, words), 16 * words), "a.weight_shape": ("I64", (2,), 16)}
    path = tmp_path / "model.safetensors"
    path.write_bytes(safetensors(header_of(sizes), b"\0" * 16 * words + struct.pack("<2q", 4, INPUTS)))
    found = read_safetensors(path)
    assert found.packed_bits == bits and stored_weights(found).elements == 4 * INPUTS


def test_a_shape_that_does_not_fit_tells_nothing(tmp_path: Path) -> None:
    sizes = {"a.weight_packed": ("I32", (4, 512), 8192), "a.weight_shape": ("I64", (2,), 16)}
    path = tmp_path / "model.safetensors"
    path.write_bytes(safetensors(header_of(sizes), b"\0" * 8192 + struct.pack("<2q", 5, 2**62)))
    assert read_safetensors(path).packed_bits is None


def test_buffers_are_no_weights() -> None:
    """Llama-2 stores inv_freq, GPT-2 its causal mask (1,048,576 a layer): the Hub counts them."""
    found = listed(
        {
            "h.0.attn.bias": ("F32", (1, 1, 1024, 1024)),
            "h.0.attn.c_attn.bias": ("F32", (2304,)),
            "model.layers.0.self_attn.rotary_emb.inv_freq": ("F32", (64,)),
            "h.0.attn.masked_bias": ("F32", ()),
        }
    )
    counted = stored_weights(found)
    assert (counted.elements, counted.buffers, counted.scales) == (2304, 1_048_576 + 64 + 1, 0)


def test_scales_that_are_weights() -> None:
    """A learned scale of a layer is a weight where no packed matrix stands beside it."""
    counted = stored_weights(listed({"a.scales": ("F32", (8,)), "router.scale": ("BF16", (16,))}))
    assert (counted.elements, counted.scales) == (24, 0)
