"""Bytes of the weights: of one matrix, of one rank, of the checkpoint on disk."""

import math
from functools import lru_cache

from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import WeightFormat
from desktop.units import round_up

BYTES_16_BIT = 2
BYTES_32_BIT = 4


def matrix_bytes(rows: int, columns: int, storage: WeightFormat) -> float:
    """Stored bytes of one quantised matrix: payload, scales and zero points [B].

    payload + scales = rows·columns·bits/8 + scale_bytes·n_scales, with n_scales = rows (row), ⌈rows/r⌉·⌈columns/c⌉
    (block), rows·⌈columns/group⌉ (group) or rows·columns/group (flat).
    """
    elements = rows * columns
    scales = {
        "none": 0.0,
        "row": float(rows),
        "block": float(math.ceil(rows / storage.block_rows) * math.ceil(columns / storage.block_columns)),
        "group": float(rows * math.ceil(columns / max(1, storage.group))),
        "flat": elements / max(1, storage.group),
    }[storage.scale_over]
    return elements * storage.bits / 8 + storage.scale_bytes * scales + storage.column_bytes * columns


def stage_layers(layers: int, pipeline: int) -> tuple[int, ...]:
    """Layers of each pipeline stage: even, the remainder to the later stages but never to the last one first (vLLM's
    split).

    >>> stage_layers(80, 3), stage_layers(32, 4)
    ((27, 27, 26), (8, 8, 8, 8))
    """
    base, extra = divmod(layers, pipeline)
    counts = [base] * pipeline
    for n in range(extra):
        counts[-(2 + n) % pipeline] += 1
    return tuple(counts)


def layer_bytes(architecture: DenseDecoder, storage: WeightFormat, tensor: int = 1) -> float:
    """Bytes of one layer on one rank [B].

    Query, output and MLP matrices are cut by `tensor`; key and value matrices by min(tensor, kv_heads), since a rank
    keeps at least one KV head; norms are replicated. Biases follow their matrix, the ones behind a reduction are
    replicated.
    """
    wide = BYTES_32_BIT if storage.name == "fp32" else BYTES_16_BIT
    total = 0.0
    for matrix in architecture.matrices():
        shards = tensor if matrix.cut == "heads" else min(tensor, architecture.kv_heads)
        total += matrix_bytes(matrix.rows, matrix.columns, storage) / shards
    return total + wide * (architecture.norm_elements() + architecture.bias_elements() / tensor)


@lru_cache(maxsize=4096)  # a search asks for the same few shapes on every card
def rank_weight_bytes(
    architecture: DenseDecoder,
    storage: WeightFormat,
    tensor: int = 1,
    pipeline: int = 1,
    stage: int = 0,
    vocabulary_padding: int = 64,
    rotary_table: bool = True,
) -> int:
    """Weights on one rank of a pipeline stage [B].

    The vocabulary is padded and cut by `tensor`; the first stage holds the embedding, the last one the output head (a
    tied head on another stage is stored a second time). Engines keep one cos/sin table of max_context x head_dim in 16
    bit.
    """
    wide = BYTES_32_BIT if storage.name == "fp32" else BYTES_16_BIT
    layers = stage_layers(architecture.layers, pipeline)[stage]
    total = layers * layer_bytes(architecture, storage, tensor)
    padded = round_up(round_up(architecture.vocab, vocabulary_padding), tensor) * architecture.hidden * wide / tensor
    if stage == 0:
        total += padded + wide * (architecture.position_width + architecture.embedding_norm_width)
    if stage == pipeline - 1:
        total += wide * architecture.norm_width
        if not (architecture.tied_embeddings and stage == 0):
            total += padded
        if architecture.head_bias:
            total += wide * architecture.vocab / tensor
    if rotary_table and architecture.position_width == 0:
        total += architecture.max_context * architecture.head_dim * BYTES_16_BIT
    return round(total)


@lru_cache(maxsize=1024)
def linear_bytes(architecture: DenseDecoder, storage: WeightFormat) -> float:
    """Bytes of all weight matrices of all layers, before any cut [B]."""
    return architecture.layers * sum(
        matrix_bytes(matrix.rows, matrix.columns, storage) for matrix in architecture.matrices()
    )


@lru_cache(maxsize=1024)
def disk_bytes(architecture: DenseDecoder, storage: WeightFormat) -> int:
    """Bytes of the checkpoint on disk: every tensor once, no padding and no engine tables [B]."""
    wide = BYTES_32_BIT if storage.name == "fp32" else BYTES_16_BIT
    ends = architecture.embedding_parameters() + architecture.head_parameters() + architecture.other_parameters()
    return round(architecture.layers * layer_bytes(architecture, storage) + wide * ends)
