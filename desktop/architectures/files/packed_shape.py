"""How many bits a packed weight of compressed-tensors takes: its true shape stands in the data, not in the header."""

import struct
from collections.abc import Iterable
from pathlib import Path

from desktop.architectures.files.tensor_list import TensorList

PACKED = ".weight_packed"
SHAPE = ".weight_shape"
WORD_BITS = 32
SHAPES_LOOKED_AT = 64
CODES = {"I64": "<2q", "I32": "<2i"}


def packed_bits(path: Path, tensors: TensorList, starts: Iterable[int]) -> int | None:
    """Bits of the weights packed into words of 32, from one stored shape for each shape of packed words.

    None where nothing is so packed, or the stored shapes do not agree on a number. `starts` are the places of the
    tensors in the file [B]. Source: compressed-tensors, compressors/quantized_compressors/pack_quantized.py.
    """
    packed = {tensor.name: tensor for tensor in tensors if tensor.name.endswith(PACKED) and tensor.dtype == "I32"}
    if not packed:
        return None
    looked_at: dict[tuple[int, ...], tuple[int, str]] = {}
    for tensor, start in zip(tensors, starts, strict=True):
        words = packed.get(tensor.name.removesuffix(SHAPE) + PACKED) if tensor.name.endswith(SHAPE) else None
        if words and len(words.shape) == 2 and tensor.dtype in CODES and tensor.shape == (2,):
            looked_at.setdefault(words.shape, (start, CODES[tensor.dtype]))
    found = set()
    with path.open("rb") as stream:
        for shape, (start, code) in list(looked_at.items())[:SHAPES_LOOKED_AT]:
            stream.seek(start)
            data = stream.read(struct.calcsize(code))
            found.add(_bits(shape, struct.unpack(code, data) if len(data) == struct.calcsize(code) else (0, 0)))
    return found.pop() if len(found) == 1 else None


def _bits(words: tuple[int, ...], true: tuple[int, ...]) -> int | None:
    """Bits of a weight whose rows of `words` hold `true` columns."""
    rows, columns = true
    if rows != words[0] or columns <= 0:
        return None
    return next((bits for bits in (2, 4, 8) if -(-columns // (WORD_BITS // bits)) == words[1]), None)
