"""Header of a GGUF file: what it says of the model, and which tensors it holds. The data behind it is not read and
need not be there.

Format: ggml-org/ggml @d99724f2 docs/gguf.md and src/gguf.cpp. Versions 2 and 3, either byte order.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from desktop.architectures.files.bounded import BoundedReader, broken
from desktop.architectures.files.gguf_types import ARRAY, NUMBERS, TENSOR_TYPES, TEXT
from desktop.architectures.files.tensor_list import TensorKind, TensorList

MAX_PAIRS = 100_000
MAX_TENSORS = 1_000_000
LONGEST_KEY = 65_535
LONGEST_KEPT_TEXT = 65_536
LONGEST_NAME = 4096
LONGEST_NAME_OF_LLAMA_CPP = 64
NUMBERS_KEPT = 4096  # of an array: figures by layer are kept, scores of a vocabulary are not
TEXTS_KEPT = 64
MAX_DIMS = 4
MAX_PRODUCT = 2**62
MAX_ALIGNMENT = 2**20
VERSIONS = (2, 3)
PAIR_BYTES = 13  # of the shortest: an empty key, a type, a byte
TENSOR_BYTES = 24  # of the shortest: an empty name, no dimension, a type, an offset
TOWERS = ("clip", "mmproj")

ContentKind = Literal["model", "vocabulary", "vision_tower", "adapter", "importance_matrix"]


class LongArray(NamedTuple):
    """An array that was passed over: the type of its items and their number."""

    type: int
    length: int


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """`metadata` by key; `header_bytes` end where the padding before the data begins [B]. Of a split file `shard` is
    its number from 0 and `shards` how many there are."""

    version: int
    byte_order: Literal["little", "big"]
    metadata: Mapping[str, Any]
    tensors: TensorList
    header_bytes: int
    alignment: int

    @property
    def architecture(self) -> str:
        value = self.metadata.get("general.architecture")
        return value if isinstance(value, str) else ""

    @property
    def kind(self) -> ContentKind:
        """What the file holds: not every GGUF file is a model."""
        said = self.metadata.get("general.type")
        if said == "adapter":
            return "adapter"
        if said == "imatrix" or self.architecture == "imatrix":
            return "importance_matrix"
        if said == "mmproj" or self.architecture in TOWERS:
            return "vision_tower"
        return "model" if len(self.tensors) else "vocabulary"

    @property
    def all_listed(self) -> bool:
        """Whether the tensors are all that the model has, whether or not their data is there."""
        promised = self.metadata.get("split.tensors.count")
        whole = promised == len(self.tensors) if self.shards > 1 else True
        return whole and len(self.tensors) > 0 and not self.tensors.missing

    @property
    def shards(self) -> int:
        return self._count("split.count") or 1

    @property
    def shard(self) -> int:
        return self._count("split.no")

    def about(self, key: str) -> Any:
        """Value of a key of this architecture, None where it is not given."""
        return self.metadata.get(f"{self.architecture}.{key}")

    def _count(self, key: str) -> int:
        value = self.metadata.get(key)
        return value if type(value) is int and value >= 0 else 0


def parse_gguf(reader: BoundedReader) -> GgufHeader:
    """Header a reader stands at the beginning of. Raises Problem("broken_model_file")."""
    version = _version(reader)
    tensor_count, pair_count = reader.numbers("Q", 2)
    if pair_count > MAX_PAIRS or tensor_count > MAX_TENSORS:
        raise broken(reader.name, "too_many", count=MAX_PAIRS if pair_count > MAX_PAIRS else MAX_TENSORS)
    reader.need(pair_count * PAIR_BYTES + tensor_count * TENSOR_BYTES)
    metadata = _pairs(reader, pair_count)
    alignment = metadata.get("general.alignment", 32)
    if type(alignment) is not int or not 0 < alignment <= MAX_ALIGNMENT or alignment & (alignment - 1):
        raise broken(reader.name, "bad_alignment", value=str(alignment))
    names, kinds, data_bytes, doubts = _tensors(reader, tensor_count, alignment)
    header_bytes = reader.position
    complete = not names or _aligned(header_bytes, alignment) + data_bytes <= reader.size_bytes
    doubts += () if complete else ("data_absent",)
    found = TensorList(names, kinds, reader.name, complete, doubts)
    order: Literal["little", "big"] = "little" if reader.byte_order == "<" else "big"
    return GgufHeader(version, order, metadata, found, header_bytes, alignment)


def _version(reader: BoundedReader) -> int:
    if reader.take(4) != b"GGUF":
        raise broken(reader.name, "not_gguf")
    version = int(reader.number("I"))
    if version and version & 0xFFFF == 0:  # a big-endian file read from its wrong end
        version = int.from_bytes(version.to_bytes(4, "little"), "big")
        reader.byte_order = ">"
    if version not in VERSIONS:
        raise broken(reader.name, "version", version=version)
    return version


def _pairs(reader: BoundedReader, count: int) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    for _ in range(count):
        key = reader.text(LONGEST_KEY)
        if key in metadata:
            raise broken(reader.name, "doubled_name", tensor=key)
        metadata[key] = _value(reader, reader.number("I"))
    return metadata


def _value(reader: BoundedReader, kind: int) -> Any:
    if kind in NUMBERS:
        return _finite(reader.number(NUMBERS[kind]))
    if kind == TEXT:
        length = int.from_bytes(reader.peek(8), "little" if reader.byte_order == "<" else "big")
        if length <= LONGEST_KEPT_TEXT:
            return reader.text(LONGEST_KEPT_TEXT, strict=False)
        reader.skip_texts(1)
        return LongArray(TEXT, length)
    if kind != ARRAY:
        raise broken(reader.name, "unknown_value_type", type=kind)
    item, length = reader.number("I"), reader.number("Q")
    if item == TEXT:
        return _texts(reader, length)
    if item == ARRAY:
        raise broken(reader.name, "nested_array")
    if item not in NUMBERS:
        raise broken(reader.name, "unknown_value_type", type=item)
    if length <= NUMBERS_KEPT:
        return [_finite(number) for number in reader.numbers(NUMBERS[item], length)]
    reader.skip(length * _size(NUMBERS[item]))
    return LongArray(item, length)


def _texts(reader: BoundedReader, length: int) -> list[str] | LongArray:
    reader.need(8 * length)
    if length > TEXTS_KEPT:
        reader.skip_texts(length)
        return LongArray(TEXT, length)
    return [reader.text(LONGEST_KEPT_TEXT, strict=False) for _ in range(length)]


def _finite(number: Any) -> Any:
    """The number; None for NaN and infinity, of which no figure can be made."""
    return number if not isinstance(number, float) or math.isfinite(number) else None


def _size(code: str) -> int:
    return {"B": 1, "b": 1, "?": 1, "H": 2, "h": 2, "I": 4, "i": 4, "f": 4, "Q": 8, "q": 8, "d": 8}[code]


def _tensors(
    reader: BoundedReader, count: int, alignment: int
) -> tuple[list[str], list[TensorKind], int, tuple[str, ...]]:
    """Names and kinds in the order of the file, the bytes of their data, and doubts. Data must lie without hole or
    overlap, as gguf.cpp wants it."""
    names: dict[str, TensorKind] = {}
    known: dict[tuple[tuple[int, ...], int], TensorKind] = {}
    end = longest = 0
    for _ in range(count):
        name = reader.text(LONGEST_NAME)
        longest = max(longest, len(name.encode()))
        if name in names:
            raise broken(reader.name, "doubled_name", tensor=name)
        dims = reader.number("I")
        if dims > MAX_DIMS:
            raise broken(reader.name, "bad_shape", shape=f"[{dims}]")
        sizes = reader.numbers("Q", dims)
        kind_id, offset = reader.number("I"), reader.number("Q")
        if (sizes, kind_id) not in known:
            known[sizes, kind_id] = _kind(reader, sizes, kind_id)
        kind = names[name] = known[sizes, kind_id]
        if offset % alignment:
            raise broken(reader.name, "unaligned", tensor=name)
        if offset != _aligned(end, alignment):
            raise broken(reader.name, "holes_or_overlaps")
        end = offset + kind.bytes
        if end >= MAX_PRODUCT:
            raise broken(reader.name, "bad_shape", shape=str(list(kind.shape)))
    doubts = ("tensor_name_too_long",) if longest > LONGEST_NAME_OF_LLAMA_CPP else ()
    return list(names), list(names.values()), end, doubts


def _kind(reader: BoundedReader, sizes: tuple[int, ...], kind_id: int) -> TensorKind:
    """Shape with the rows first, as a Hugging Face checkpoint has it: GGUF begins with the length of a row."""
    if kind_id not in TENSOR_TYPES:
        raise broken(reader.name, "unknown_type", type=kind_id)
    stored = TENSOR_TYPES[kind_id]
    elements = math.prod(sizes)
    if not all(0 < size < MAX_PRODUCT for size in sizes) or elements >= MAX_PRODUCT:
        raise broken(reader.name, "bad_shape", shape=str(list(reversed(sizes))))
    if (sizes[0] if sizes else 1) % stored.block_elements:
        raise broken(reader.name, "row_not_of_blocks", shape=str(list(reversed(sizes))), block=stored.block_elements)
    size_bytes = elements // stored.block_elements * stored.block_bytes
    return TensorKind(stored.name, tuple(reversed(sizes)), elements, size_bytes)


def _aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment
