"""One entry of a safetensors header, in the two spellings that writers have: a million of them is read without making
objects of their parts."""

import re
from typing import NamedTuple

from desktop.architectures.files.bounded import broken
from desktop.architectures.files.tensor_list import TensorKind

MAX_PRODUCT = 2**62
# safetensors/src/tensor.rs of huggingface/safetensors @24b0b285
BITS = {
    **dict.fromkeys(("F64", "I64", "U64", "C64"), 64),
    **dict.fromkeys(("F32", "I32", "U32"), 32),
    **dict.fromkeys(("F16", "BF16", "I16", "U16"), 16),
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"), 8),
    **dict.fromkeys(("F6_E2M3", "F6_E3M2"), 6),
    "F4": 4,
}
SHAPE = re.compile(rb"(?:(?:0|[1-9][0-9]{0,18})(?:, ?(?:0|[1-9][0-9]{0,18})){0,63})?")


class Spelling(NamedTuple):
    """An entry in one spelling: the pattern of name, type with shape, and place; the signs of it outside of these."""

    gap: bytes
    entry: "re.Pattern[bytes]"
    signs: int
    between: bytes
    place: bytes


def _spelling(gap: bytes) -> Spelling:
    """`gap` is what follows colons and commas, and stands before every entry."""
    between = b'",' + gap + b'"shape":' + gap + b"["
    start, kind, place, end = (
        gap + b'"',
        b'":' + gap + b'{"dtype":' + gap + b'"',
        b"]," + gap + b'"data_offsets":' + gap + b"[",
        b"]},",
    )
    numbers = b"[0-9," + gap + b"]*"
    parts = (
        *(re.escape(start), rb'([^"\\\x00-\x1f]*)', re.escape(kind)),
        *(b"([A-Z0-9_]+", re.escape(between), numbers, b")", re.escape(place)),
        *(b"([0-9]+," + gap + b"[0-9]+)", re.escape(end)),
    )
    signs = len(start + kind + place + end)
    return Spelling(gap, re.compile(b"".join(parts)), signs, between, b"%d," + gap + b"%d")


SPELLINGS = (_spelling(b""), _spelling(b" "))  # of Rust and of Python's json


class Kinds(dict[bytes, TensorKind]):
    """Kinds by type and shape as the header spells them: a million tensors are of a few dozen kinds."""

    def __init__(self, between: bytes, name: str) -> None:
        super().__init__()
        self._between = between
        self._name = name

    def __missing__(self, spelled: bytes) -> TensorKind:
        dtype, shape = spelled.split(self._between)
        if not SHAPE.fullmatch(shape):  # JSON has no 01 and no trailing comma
            raise broken(self._name, "not_json")
        sizes = tuple(map(int, shape.split(b","))) if shape else ()
        kind = self[spelled] = kind_of(dtype.decode(), sizes, self._name)
        return kind


def kind_of(dtype: str, shape: tuple[int, ...], name: str) -> TensorKind:
    """Elements and bytes of a shape. Raises Problem("broken_model_file"): unknown_type, bad_shape."""
    if dtype not in BITS:
        raise broken(name, "unknown_type", type=dtype)
    elements = 1
    for size in shape:
        elements *= size
        if not 0 <= size < MAX_PRODUCT or elements >= MAX_PRODUCT:
            raise broken(name, "bad_shape", shape=str(list(shape)))
    size_bytes = (elements * BITS[dtype] + 7) // 8
    if size_bytes >= MAX_PRODUCT:
        raise broken(name, "bad_shape", shape=str(list(shape)))
    return TensorKind(dtype, shape, elements, size_bytes)
