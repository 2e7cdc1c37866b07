"""Files of weights written byte by byte, right ones and wrong ones."""

import json
import math
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from desktop.architectures.files import GgufHeader, TensorList, parse_gguf, parse_safetensors
from desktop.architectures.files.bounded import BoundedReader
from desktop.architectures.files.gguf_types import TENSOR_TYPES

U32, I32, F32, BOOL, TEXT, ARRAY, U64 = 4, 5, 6, 7, 8, 9, 10
CODES = {U32: "I", I32: "i", F32: "f", BOOL: "?", U64: "Q"}


def safetensors(header: Any, data: bytes = b"") -> bytes:
    """A file with that header, given as an object or as its bytes."""
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype: str, shape: Sequence[int], begin: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def header_of(tensors: Mapping[str, tuple[str, Sequence[int], int]]) -> dict[str, Any]:
    """A header of tensors given as type, shape and bytes, one behind the other."""
    header, at = {}, 0
    for name, (dtype, shape, size) in tensors.items():
        header[name] = entry(dtype, shape, at, at + size)
        at += size
    return header


def read(data: bytes, name: str = "model.safetensors") -> TensorList:
    return parse_safetensors(BoundedReader.of(data, name))


def text(value: str | bytes, order: str = "<") -> bytes:
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack(f"{order}Q", len(data)) + data


def pair(key: str | bytes, kind: int, value: Any, order: str = "<") -> bytes:
    """One key and its value; a list is an array of `kind`."""
    start = text(key, order)
    if isinstance(value, list):
        items = b"".join(
            text(item, order) if kind == TEXT else struct.pack(order + CODES[kind], item) for item in value
        )
        return start + struct.pack(f"{order}IIQ", ARRAY, kind, len(value)) + items
    body = text(value, order) if kind == TEXT else struct.pack(order + CODES[kind], value)
    return start + struct.pack(f"{order}I", kind) + body


def tensor_info(name: str | bytes, dims: Sequence[int], kind: int, offset: int, order: str = "<") -> bytes:
    start = text(name, order) + struct.pack(f"{order}I", len(dims))
    return start + struct.pack(f"{order}{len(dims)}QIQ", *dims, kind, offset)


def gguf(
    pairs: Sequence[bytes] = (),
    infos: Sequence[bytes] = (),
    version: int = 3,
    counts: tuple[int, int] | None = None,
    order: str = "<",
    data: bytes = b"",
) -> bytes:
    """A GGUF file; `counts` of tensors and of pairs, where it is to lie about them."""
    tensors, keys = counts or (len(infos), len(pairs))
    body = b"GGUF" + struct.pack(f"{order}IQQ", version, tensors, keys) + b"".join(pairs) + b"".join(infos)
    return body + b"\0" * (-len(body) % 32) + data if data else body


def facts_pairs(architecture: str, facts: Mapping[str, Any], order: str = "<") -> list[bytes]:
    """Pairs of an architecture: whole numbers, texts, lists of numbers or of switches."""
    pairs = [pair("general.architecture", TEXT, architecture, order)]
    for key, value in facts.items():
        name = key if key.startswith(("general.", "tokenizer.", "split.")) else f"{architecture}.{key}"
        first = value[0] if isinstance(value, list) else value
        kind = TEXT if isinstance(first, str) else BOOL if isinstance(first, bool) else U32
        pairs.append(pair(name, kind, value, order))
    return pairs


def header(data: bytes, name: str = "model.gguf") -> GgufHeader:
    return parse_gguf(BoundedReader.of(data, name))


def model(
    architecture: str,
    facts: Mapping[str, Any],
    shapes: Mapping[str, tuple[Sequence[int], int]] | None = None,
    with_data: bool = False,
) -> GgufHeader:
    """Header of a model; `shapes` are rows first and the id of the type."""
    infos, at = [], 0
    for name, (shape, kind) in (shapes or {}).items():
        infos.append(tensor_info(name, list(reversed(shape)), kind, at))
        stored = TENSOR_TYPES[kind]
        size = math.prod(shape) // stored.block_elements * stored.block_bytes
        at += -(-size // 32) * 32
    return header(gguf(facts_pairs(architecture, facts), infos, data=b"\0" * at if with_data else b""))
