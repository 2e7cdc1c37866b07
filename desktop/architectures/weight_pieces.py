"""A model taken apart for counting bytes: its matrices with their layouts, and what is no matrix."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, filterfalse, islice
from typing import Literal

from desktop.architectures.architecture import Architecture
from desktop.architectures.feed_forward import Experts, FeedForward
from desktop.architectures.layers import LayerGroup
from desktop.architectures.matrix import Matrix
from desktop.architectures.mixers import Attention, CrossAttention, Mixer
from desktop.architectures.module_names import ModuleNames, Names, module_names
from desktop.architectures.quantization import Quantization
from desktop.architectures.quantization_formats import LayerFormat
from desktop.architectures.stored_matrix import MLX

ClassName = Literal[
    "embedding",
    "head",
    "attention",
    "mlp",
    "experts",
    "shared_experts",
    "router",
    "state_space",
    "norms",
    "vision",
    "draft",
    "draft_copy",
    "other",
]
# a bias that balances experts is FP32 in the checkpoints of DeepSeek-V3 and those that follow it; elsewhere the router
# has a plain bias. Source: Hub counts by type, F32 41,555,600 = 41,540,496 scales + 59 x 256 biases
PLAIN_ROUTER_BIAS = ("gpt_oss",)
NUMBERED_EXPERT = re.compile(r"\.experts\.\d")


@dataclass(frozen=True, slots=True)
class MatrixPiece:
    """`count` equal matrices of one layout; None keeps the type of the checkpoint. `kv_heads` limit how finely it can
    be cut."""

    part: ClassName
    matrix: Matrix
    layout: LayerFormat | None
    count: int
    kv_heads: int = 0


@dataclass(frozen=True, slots=True)
class PlainPiece:
    """Elements that are never quantised; `cut` if tensor parallel splits them, `wide` if they are FP32 whatever the
    checkpoint."""

    part: ClassName
    elements: int
    cut: bool = False
    wide: bool = False


Piece = MatrixPiece | PlainPiece


def weight_pieces(architecture: Architecture, quantization: Quantization | None) -> Iterator[Piece]:
    """Everything the model's checkpoint holds, draft layers and their copies of embedding and head included.

    Embedding, head, norms, routers and towers keep their type unless the quantisation names them; the modules of a
    tower are not told apart. Where the order of layers is not known they are taken to stand group after group.
    """
    beside_tower = any(part.name == "vision" for part in architecture.towers)
    reader = _Layouts(module_names(architecture.model_type, beside_tower), quantization)
    yield from _ends(architecture, reader)
    for group, places in _placed(architecture.layers):
        yield from _layer_pieces(group, places, reader, architecture.model_type)
    for part in architecture.others:
        yield PlainPiece(_part_of_other(part.name), part.elements, cut=part.name == "head_bias")
    for part in architecture.towers:
        yield PlainPiece("vision" if part.name == "vision" else "other", part.elements, cut=part.name == "vision")
    yield from _draft_pieces(architecture, reader)


class _Layouts:
    """Layouts of the modules of one model."""

    def __init__(self, names: ModuleNames, quantization: Quantization | None) -> None:
        self.names = names
        self._quantization = quantization
        told = () if quantization is None else (*(name for name, _ in quantization.layers), *quantization.ignored)
        self.by_expert = any(NUMBERED_EXPERT.search(pattern) for pattern in told)

    def of(self, names: Names, kept: bool = False) -> LayerFormat | None:
        """Layout of a module: what is said of one of its names wins over what holds for all; `kept` modules take
        nothing but what is said of themselves."""
        if self._quantization is None:
            return None
        whole = self._quantization.weights
        found = [self._quantization.format_of(name) for name in names]
        own = next((layout for layout in found if layout != whole), whole)
        return None if kept and own == whole and self._quantization.method != MLX else own

    def counted(
        self, role: str, experts: int, places: Sequence[int], draft: int | None, cross: bool
    ) -> Counter[LayerFormat | None]:
        """How many matrices of a role have which layout, over layers and, where they are told apart, experts."""
        kept = role in self.names.kept
        one_by_one = self.by_expert and experts > 1
        counts: Counter[LayerFormat | None] = Counter()
        for place in places:
            for expert in range(experts if one_by_one else 1):
                if draft is None:
                    names = self.names.of_layer(role, place, expert, cross)
                else:
                    names = self.names.of_draft(role, draft, place - draft, expert)
                counts[self.of(names, kept)] += 1 if one_by_one else experts
        return counts


def _ends(architecture: Architecture, reader: _Layouts) -> Iterator[Piece]:
    """Embedding and head, as matrices of the vocabulary by the hidden width."""
    hidden = architecture.hidden
    made: tuple[tuple[ClassName, int, Names], ...] = (
        ("embedding", architecture.embedding_elements, reader.names.embedding),
        ("head", architecture.head_elements, reader.names.head),
    )
    for part, elements, names in made:
        if elements:
            matrix = Matrix(part, elements // hidden, hidden, "heads")
            yield MatrixPiece(part, matrix, reader.of(names, kept=True), 1)


def _placed(layers: Sequence[LayerGroup]) -> Iterator[tuple[LayerGroup, Sequence[int]]]:
    """Each group with the places of its layers in the stack."""
    taken = {(group.stack, place) for group in layers for place in group.indices}
    free: dict[str, Iterator[int]] = {}
    for group in layers:
        stack = group.stack
        if stack not in free:
            free[stack] = filterfalse({place for name, place in taken if name == stack}.__contains__, count())
        yield group, group.indices or tuple(islice(free[stack], group.count))


def _layer_pieces(
    group: LayerGroup,
    places: Sequence[int],
    reader: _Layouts,
    model_type: str,
    draft: int | None = None,
) -> Iterator[Piece]:
    """The layers of a group; those of a draft stand behind `draft` others."""
    for mixer in group.mixers:
        part: ClassName = "state_space" if mixer.reach == "state" else "attention"
        cross = isinstance(mixer, CrossAttention)
        yield from _matrix_pieces(part, mixer, places, reader, model_type, draft, cross)
        yield from _loose_elements(mixer, group.count)
    for feed in group.feed_forwards:
        yield from _matrix_pieces("mlp", feed, places, reader, model_type, draft, False)
        yield PlainPiece("router" if isinstance(feed, Experts) else "mlp", feed.other_elements() * group.count)
    yield PlainPiece("norms", group.norm_elements * group.count)
    yield PlainPiece("other", group.stream_elements * group.count)


def _matrix_pieces(
    part: ClassName,
    holder: Mixer | FeedForward,
    places: Sequence[int],
    reader: _Layouts,
    model_type: str,
    draft: int | None,
    cross: bool,
) -> Iterator[Piece]:
    kv_heads = getattr(holder, "kv_heads", 1)  # one head of keys and values in DeepSeek-V4
    for matrix in holder.matrices():
        own = _part_of_role(part, matrix.role) if isinstance(holder, Experts) else part
        single = replace(matrix, copies=1, bias=False)
        for layout, number in reader.counted(matrix.role, matrix.copies, places, draft, cross).items():
            yield MatrixPiece(own, single, layout, number, kv_heads)
        if matrix.bias:
            wide = matrix.role == "router" and model_type not in PLAIN_ROUTER_BIAS
            cut = matrix.cut != "replicated" and not cut_by_columns(matrix.role)
            yield PlainPiece(own, matrix.bias_elements * len(places), cut, wide)


def cut_by_columns(role: str) -> bool:
    """Whether tensor parallel cuts a matrix by its inputs, as the one before it is cut by its outputs; its bias and the
    scales of its rows then stand on every rank. Source: Megatron-LM, arXiv:1909.08053, section 3.

    >>> [cut_by_columns(role) for role in ("q", "o", "expert_down", "up")]
    [False, True, True, False]
    """
    return role in ("o", "o_up", "out", "down", "shared_down", "expert_down", "selection")


def _loose_elements(mixer: Mixer, layers: int) -> Iterator[Piece]:
    """Norms inside a mixer; sinks, convolutions and what keeps a state, which are cut with its heads."""
    if mixer.reach == "state":
        yield PlainPiece("state_space", mixer.other_elements() * layers, cut=True)
        return
    sinks = mixer.heads if isinstance(mixer, Attention) and mixer.sinks else 0
    yield PlainPiece("norms", (mixer.other_elements() - sinks) * layers)
    yield PlainPiece("attention", sinks * layers, cut=True)


def _draft_pieces(architecture: Architecture, reader: _Layouts) -> Iterator[Piece]:
    draft = architecture.draft
    if draft is None:
        return
    places = range(architecture.depth, architecture.depth + draft.count)
    group = replace(draft.layer, count=draft.count, indices=tuple(places))
    for piece in _layer_pieces(group, places, reader, architecture.model_type, architecture.depth):
        yield replace(piece, part="draft")
    # DeepSeek-V3 stores no scale for it: its count of scales above leaves no room for one
    joint = Matrix("draft_joint", draft.hidden, 2 * draft.hidden, "replicated")
    yield MatrixPiece("draft", joint, None, draft.count)
    yield PlainPiece("draft", 3 * draft.hidden * draft.count)
    yield PlainPiece("draft_copy", draft.copied_elements * draft.count, cut=True)


def _part_of_role(part: ClassName, role: str) -> ClassName:
    if role in ("router", "shared_weight"):
        return "router"
    if role.startswith("shared_"):
        return "shared_experts"
    return "experts"


def _part_of_other(name: str) -> ClassName:
    if name == "head_bias":
        return "head"
    return "norms" if name.endswith("norm") else "other"
