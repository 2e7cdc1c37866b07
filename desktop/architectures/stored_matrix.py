"""Bytes of one weight matrix in its layout: payload, and the scales, offsets and indices stored beside it."""

import tomllib
from functools import cache, lru_cache
from typing import Any, NamedTuple

from desktop.architectures.quantization_formats import LayerFormat
from desktop.resources import resource

SCALE_BYTES = {"fp32": 4, "fp16": 2, "bf16": 2, "fp8": 1, "e8m0": 1, "fp8-nested": 1}
WORD_BYTES, WORD_BITS = 4, 32
FLOAT_BYTES = 4
NESTED_GROUP = 256  # absmax values under one scale of double quantisation; QLoRA, arXiv:2305.14314, section 3
CODEBOOK, NESTED_CODEBOOK = 16, 256  # FP32 values bitsandbytes stores for each matrix; functional.py, QuantState
MLX = "mlx"
ONE_BYTE_INTEGERS = ("w8a8", "int8")  # not packed into words
TORCH_NAMES = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}


class Stored(NamedTuple):
    """Payload and what stands beside it [B], and the elements a file counts for both."""

    weight_bytes: int
    scale_bytes: int
    stored_elements: int


@lru_cache(maxsize=4096)
def stored_matrix(
    layout: LayerFormat, rows: int, columns: int, inputs_scaled: bool = False, method: str = ""
) -> Stored:
    """A quantised matrix of `rows` outputs by `columns` inputs.

    payload = rows x columns x bits / 8, packed integers in whole words of 32 bit; scales: one for the matrix, a row, a
    tile or a group; offsets: one for each group and row, packed like the weights; with NVFP4 and `inputs_scaled` one
    FP32 scale more for what goes in. `method` is the quantiser's: MLX stores offsets of 16 bit. Two texts are left out:
    the true shape of compressed-tensors (16 B a matrix), the settings of bitsandbytes (about 170 B).

    Sources: AutoGPTQ and AutoAWQ (qweight, qzeros, scales, g_idx), bitsandbytes functional.py, compressed-tensors
    pack_quantized, modelopt's NVFP4, OCP Microscaling 1.0, DeepSeek-V3's weight_scale_inv.

    >>> stored_matrix(LayerFormat("mxfp4", 4, "float", group_size=32, scale_type="e8m0"), 5760, 2880)[:2]
    (8294400, 518400)
    """
    packed = layout.element == "int" and layout.scheme not in ONE_BYTE_INTEGERS
    if packed:
        payload = rows * WORD_BYTES * -(-columns * layout.bits // WORD_BITS)
    else:
        payload = -(-rows * columns * layout.bits // 8)
    beside = _beside(layout, rows, columns, inputs_scaled, method)
    elements = payload // WORD_BYTES if packed else payload
    return Stored(payload, sum(size * count for size, count in beside), elements + sum(count for _, count in beside))


def _beside(layout: LayerFormat, rows: int, columns: int, inputs_scaled: bool, method: str) -> list[tuple[int, int]]:
    """Bytes of one element and number of elements of each tensor beside the payload."""
    scales = _scales(layout, rows, columns)
    beside = [(SCALE_BYTES[layout.scale_type], scales)]
    if layout.element in ("nf4", "fp4"):
        beside.append((FLOAT_BYTES, CODEBOOK))
    if layout.scale_type == "fp8-nested":
        beside.append((FLOAT_BYTES, -(-scales // NESTED_GROUP) + NESTED_CODEBOOK))
    if layout.zero_points and method == MLX:
        beside.append((SCALE_BYTES[layout.scale_type], scales))
    elif layout.zero_points:
        groups = -(-columns // layout.group_size) if layout.group_size else 1
        beside.append((WORD_BYTES, groups * -(-rows * layout.bits // WORD_BITS)))
    if layout.reordered:
        beside.append((WORD_BYTES, columns))
    if layout.tensor_scale:
        beside.append((FLOAT_BYTES, 1))
    if not layout.weight_only and (layout.tensor_scale or inputs_scaled):
        beside.append((FLOAT_BYTES, 1))
    return beside


def _scales(layout: LayerFormat, rows: int, columns: int) -> int:
    if layout.block:
        return -(-rows // layout.block[0]) * -(-columns // layout.block[1])
    if layout.element in ("nf4", "fp4") and layout.group_size:
        return -(-rows * columns // layout.group_size)  # bitsandbytes groups a matrix as one long row
    if layout.group_size:
        return rows * -(-columns // layout.group_size)
    return rows if layout.per_row else 1


def plain_format(dtype: str) -> str:
    """The contract's word for a type of 16 or 32 bit, which torch may have named.

    Raises KeyError for another.
    """
    word = TORCH_NAMES.get(dtype, dtype)
    _table()["plain"][word]
    return word


def plain_bytes(word: str) -> int:
    """Bytes of one element of a type of 16 or 32 bit [B]. Raises KeyError."""
    size: int = _table()["plain"][word]
    return size


@cache
def layout_of_format(word: str) -> LayerFormat | None:
    """Layout of the matrices under a weight format of the contract; None for one of 16 or 32 bit.

    Source: resources/architectures/weight_layouts.toml. Raises KeyError for a word the contract does not have, and
    for GGUF types, whose files mix several.
    """
    table = _table()
    if word in table["plain"]:
        return None
    facts: dict[str, Any] = dict(table["layout"][word])
    if "block" in facts:
        facts["block"] = tuple(facts["block"])
    return LayerFormat(word, **facts)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(resource("architectures", "weight_layouts.toml").read_text(encoding="utf-8"))
