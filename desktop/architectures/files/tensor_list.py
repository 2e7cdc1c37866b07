"""The tensors a file of weights holds, by name, type and shape; and what their names alone tell."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

LAYER = re.compile(r"(?:^|\.)(?:layers|layer|h|blocks|block|blk|resblocks)\.(\d+)\.")
EXPERT = re.compile(r"\.experts\.(\d+)\.")
BESIDE_TEXT = re.compile(r"(?:^|[._])(?:vision|visual|vit|audio|image|mtp|nextn|projector|dec\.blk|v\.blk)")
HEADS = re.compile(r"(?:^|\.)(?:lm_head|embed_out|output|output_layer)\.(?:weight|qweight|weight_packed)$")
FUSED_EXPERTS = re.compile(r"\.experts\.[a-z]|_exps\.")


class TensorKind(NamedTuple):
    """What many tensors of a file share: the type as the file names it, the shape with the rows first, and the bytes
    they take [B]."""

    dtype: str
    shape: tuple[int, ...]
    elements: int
    bytes: int


class Tensor(NamedTuple):
    name: str
    kind: TensorKind

    @property
    def dtype(self) -> str:
        return self.kind.dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return self.kind.shape

    @property
    def elements(self) -> int:
        """Elements as stored: two weights of four bits in one byte are one element."""
        return self.kind.elements

    @property
    def bytes(self) -> int:
        return self.kind.bytes


@dataclass(frozen=True, slots=True)
class TensorList:
    """Tensors of one file or of all shards of a model; `names` and `kinds` in the same order.

    `complete` is false where a shard is missing or a file ends before its data does; `doubts` say so by code, and
    `missing` names the shards. `packed_bits` are those of weights packed into words, where the data tells.
    """

    names: Sequence[str]
    kinds: Sequence[TensorKind]
    source: str
    complete: bool = True
    doubts: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    packed_bits: int | None = None

    @classmethod
    def of(cls, tensors: Iterable[Tensor], source: str) -> "TensorList":
        """A complete list."""
        listed = tuple(tensors)
        return cls(tuple(tensor.name for tensor in listed), tuple(tensor.kind for tensor in listed), source)

    def __iter__(self) -> Iterator[Tensor]:
        return map(Tensor._make, zip(self.names, self.kinds, strict=True))

    def __len__(self) -> int:
        return len(self.names)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return tuple(self)

    @property
    def elements(self) -> int:
        """Elements as stored."""
        return sum(kind.elements for kind in self.kinds)

    @property
    def bytes(self) -> int:
        """Bytes of all tensors, headers and padding not among them [B]."""
        return sum(kind.bytes for kind in self.kinds)

    def elements_by_dtype(self) -> dict[str, int]:
        counted: Counter[str] = Counter()
        for kind in self.kinds:
            counted[kind.dtype] += kind.elements
        return dict(counted)

    def bytes_by_dtype(self) -> dict[str, int]:
        counted: Counter[str] = Counter()
        for kind in self.kinds:
            counted[kind.dtype] += kind.bytes
        return dict(counted)

    def layers(self) -> int:
        """Layers of the language part, a draft layer that continues their numbering among them; 0 where none is
        numbered."""
        return layer_count(self.names)

    def experts(self) -> int:
        """Routed experts of a layer; 0 where there are none."""
        fused = (t.kind.shape[0] for t in self if len(t.kind.shape) >= 3 and FUSED_EXPERTS.search(t.name))
        return expert_count(self.names) or max(fused, default=0)

    def has_lm_head(self) -> bool:
        """Whether the output head is stored: where it is not, it is the embedding."""
        return has_head(self.names)


def layer_count(names: Iterable[str]) -> int:
    """Highest layer number of the longest stack of the language part, and one.

    >>> layer_count(["model.layers.0.a", "model.layers.31.a", "vision_tower.blocks.47.a"])
    32
    """
    text = beside = 0
    for name in names:
        match = LAYER.search(name)
        if match and len(match[1]) <= 6:
            number = int(match[1]) + 1
            if BESIDE_TEXT.search(name[: match.start() + 1]):
                beside = max(beside, number)
            else:
                text = max(text, number)
    return text or beside


def expert_count(names: Iterable[str]) -> int:
    """Highest expert number, and one; 0 where none is numbered."""
    numbers = (match[1] for match in map(EXPERT.search, names) if match)
    return max((int(number) + 1 for number in numbers if len(number) <= 6), default=0)


def has_head(names: Iterable[str]) -> bool:
    """Whether an output head is among the names.

    >>> has_head(["model.layers.0.attention.output.weight"]), has_head(["lm_head.weight"])
    (False, True)
    """
    return any(HEADS.search(name) and not LAYER.search(name) for name in names)
