"""Bytes of a model's weights by class of module: as a checkpoint stores them, and as a GPU holds its share."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from desktop.architectures.architecture import Architecture
from desktop.architectures.module_names import module_names
from desktop.architectures.quantization import Quantization
from desktop.architectures.quantization_formats import LayerFormat
from desktop.architectures.stored_matrix import (
    Stored,
    layout_of_format,
    plain_bytes,
    plain_format,
    stored_matrix,
)
from desktop.architectures.weight_pieces import ClassName, MatrixPiece, Piece, cut_by_columns, weight_pieces

WIDE = "fp32"
NUMBERED_LAYER = re.compile(r"\.\d+(?:\.|$)")
DRAFT_CLASSES = ("draft", "draft_copy")


@dataclass(frozen=True, slots=True)
class ModuleClass:
    """What the modules of one class hold in one format.

    `format` is the contract's word, or the type a file states where the contract has none. `elements` are weights,
    `stored_elements` what files count for them: two weights of 4 bit in one byte, scales among them. `weight_bytes`
    are the weights, `scale_bytes` what a quantiser stores beside them [B].
    """

    name: ClassName
    format: str
    elements: int
    weight_bytes: int
    scale_bytes: int
    stored_elements: int

    @property
    def bytes(self) -> int:
        """Weights and scales [B]."""
        return self.weight_bytes + self.scale_bytes


def classes_of_architecture(
    architecture: Architecture, dtype: str, quantization: Quantization | None = None
) -> tuple[ModuleClass, ...]:
    """Bytes of the checkpoint by class and format, the whole of it: draft layers are of class `draft`, the copies of
    embedding and head that some checkpoints store with them `draft_copy`.

    `dtype` is the type of what is not quantised, as the contract or torch names it. Embedding, head, norms, routers and
    ignored modules keep it; a bias that balances experts is FP32. Sum of bytes: payload + scales of each matrix
    (`stored_matrix`) + elements x 2 or 4 B of the rest. Raises KeyError for an unknown type.
    """
    kept = plain_format(dtype)
    return _summed(
        (
            piece.part,
            _format(piece, kept),
            (piece.matrix.elements * piece.count if isinstance(piece, MatrixPiece) else piece.elements),
            _stored(piece, kept, quantization, 1, 1),
        )
        for piece in weight_pieces(architecture, quantization)
    )


def bytes_per_gpu(
    architecture: Architecture,
    dtype: str,
    quantization: Quantization | None = None,
    tensor_parallel: int = 1,
    vocabulary_multiple: int = 1,
    draft: bool = False,
) -> int:
    """Weights on the fullest rank of one pipeline stage that holds the whole model [B].

    A matrix is cut by its outputs or its inputs into `tensor_parallel` parts, keys and values no finer than one KV
    head, the vocabulary once it is filled up to `vocabulary_multiple`; routers, norms and what leads to a latent stand
    on every rank. A vision tower is cut evenly, as vLLM's default does; pipelines and picture models are not cut.
    `draft` adds draft layers; their copies of embedding and head are shared. Source: Megatron-LM, arXiv:1909.08053,
    section 3; vLLM, model_executor/layers/linear.py. Raises KeyError for an unknown type.
    """
    kept = plain_format(dtype)
    left_out = DRAFT_CLASSES[1:] if draft else DRAFT_CLASSES
    held = (
        _stored(piece, kept, quantization, tensor_parallel, vocabulary_multiple)
        for piece in weight_pieces(architecture, quantization)
        if piece.part not in left_out
    )
    return sum(stored.weight_bytes + stored.scale_bytes for stored in held)


def weight_doubts(architecture: Architecture, quantization: Quantization | None) -> tuple[str, ...]:
    """Codes of what the config leaves open, so that the bytes may differ from the files: `tower_format_unknown` where a
    quantiser leaves out no vision tower, `layer_order_unknown` where it names layers whose order is not known."""
    if quantization is None or (quantization.weights is None and not quantization.layers):
        return ()
    names = (f"{stem}{tower}.blocks.0.attn.qkv" for stem in ("", "model.") for tower in module_names("").tower)
    seen = any(part.name == "vision" for part in architecture.towers)
    unknown_tower = seen and all(quantization.format_of(name) is not None for name in names)
    told = (*quantization.ignored, *(name for name, _ in quantization.layers))
    by_layer = not architecture.order_known() and any(NUMBERED_LAYER.search(name) for name in told)
    return (("tower_format_unknown",) if unknown_tower else ()) + (("layer_order_unknown",) if by_layer else ())


def quantized_on_load(word: str) -> Quantization | None:
    """What an engine or a quantiser makes of a plain checkpoint that is to run in a weight format of the contract;
    None for one of 16 or 32 bit. Raises KeyError for other words, GGUF types among them."""
    layout = layout_of_format(word)
    return None if layout is None else Quantization(word, layout)


def _format(piece: Piece, kept: str) -> str:
    if isinstance(piece, MatrixPiece):
        return kept if piece.layout is None else layout_name(piece.layout)
    return WIDE if piece.wide else kept


def layout_name(layout: LayerFormat) -> str:
    """The contract's word, or one of the same make where it has none.

    >>> layout_name(LayerFormat(None, 3, "int", group_size=128)), layout_name(LayerFormat(None, 4, "fp4"))
    ('int3', 'fp4')
    """
    if layout.scheme is not None:
        return layout.scheme
    word = layout.element.rstrip("0123456789")
    if word == "float":
        word = "mxfp" if layout.scale_type == "e8m0" else "fp"
    return f"{word}{layout.bits}"


def _stored(piece: Piece, kept: str, quantization: Quantization | None, tensor: int, multiple: int) -> Stored:
    if not isinstance(piece, MatrixPiece):
        elements = -(-piece.elements // tensor) if piece.cut else piece.elements
        return Stored(elements * plain_bytes(WIDE if piece.wide else kept), 0, elements)
    rows, columns = _share(piece, tensor, multiple)
    if piece.layout is None or quantization is None:
        one = Stored(rows * columns * plain_bytes(kept), 0, rows * columns)
    else:
        static = quantization.activations == "static"
        one = stored_matrix(piece.layout, rows, columns, static, quantization.method)
    number = piece.count * piece.matrix.copies
    return Stored(one.weight_bytes * number, one.scale_bytes * number, one.stored_elements * number)


def _share(piece: MatrixPiece, tensor: int, multiple: int) -> tuple[int, int]:
    """Rows and columns one rank holds of a matrix."""
    matrix = piece.matrix
    ways = {"heads": tensor, "kv_heads": min(tensor, max(1, piece.kv_heads)), "replicated": 1}[matrix.cut]
    rows = matrix.rows
    if piece.part in ("embedding", "head"):
        rows = -(-rows // multiple) * multiple
    if cut_by_columns(matrix.role):
        return rows, -(-matrix.columns // ways)
    return -(-rows // ways), matrix.columns


def _summed(parts: Iterable[tuple[ClassName, str, int, Stored]]) -> tuple[ModuleClass, ...]:
    """One entry for each class and format, in the order of first appearance."""
    sums: dict[tuple[ClassName, str], list[int]] = {}
    for name, word, elements, stored in parts:
        if elements:
            total = sums.setdefault((name, word), [0, 0, 0, 0])
            for index, value in enumerate((elements, *stored)):
                total[index] += value
    return tuple(ModuleClass(name, word, *total) for (name, word), total in sums.items())
