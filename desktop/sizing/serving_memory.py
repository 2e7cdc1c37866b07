"""Memory of a serving plan on each kind of rank, and the KV pool that the engine's rule leaves."""

from dataclasses import dataclass, replace
from typing import Literal

from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import EngineEra, ServingMemory, WeightFormat
from desktop.sizing.activations import activation_peak_bytes
from desktop.sizing.kv_cache import capacity_tokens, kv_bytes_per_token, sequence_bytes
from desktop.sizing.weights import rank_weight_bytes, stage_layers
from desktop.units import GIB

Verdict = Literal["fits", "tight", "does_not_fit"]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What the engine runs with, every default filled in. `fraction` is the share of the visible card it may take."""

    fraction: float
    max_context: int
    max_sequences: int
    max_batched_tokens: int
    cuda_graphs: bool


@dataclass(frozen=True, slots=True)
class ServingRank:
    """One kind of rank. All figures in bytes; `pool` is what the engine keeps for the cache, negative when nothing is
    left."""

    rank: int
    ranks: int
    layers: int
    weights: int
    kv_cache: int
    activations: int
    cuda_graphs: int
    runtime: int
    communication: int
    pool: int
    kv_bytes_per_token: float

    def required(self) -> int:
        return self.fixed() + self.kv_cache

    def fixed(self) -> int:
        """What is needed before the first token is cached."""
        return self.weights + self.activations + self.cuda_graphs + self.runtime + self.communication


@dataclass(frozen=True, slots=True)
class ServingMemoryPlan:
    ranks: tuple[ServingRank, ...]
    usable: int
    capacity_tokens: int
    verdict: Verdict

    def worst(self) -> ServingRank:
        return max(self.ranks, key=lambda rank: rank.required())


def visible_bytes(gpu_id: str, memory_gb: float, usable_mib: float | None, is_amd: bool, table: ServingMemory) -> int:
    """What a process sees of a card before any allocation [B].

    From an engine's log where one states it; else the driver's size less a fixed and a proportional part
    (0.40 GiB + 0.15 %); ROCm shows the nominal size. A nominal "80 GB" is read as 80 GiB, as vendors mean it.
    """
    logged = table.visible.gib.get(gpu_id)
    if logged is not None:
        return round(logged * GIB)
    shown_gib = usable_mib / 1024 if usable_mib else memory_gb
    kept = 0.0 if is_amd else table.visible.fixed_gib + table.visible.share * shown_gib
    return round((shown_gib - kept) * GIB)


def serving_memory(
    architecture: DenseDecoder,
    storage: WeightFormat,
    key_bytes: float,
    value_bytes: float,
    tensor: int,
    pipeline: int,
    card_visible_bytes: int,
    is_amd: bool,
    engine: EngineSettings,
    era: EngineEra,
    table: ServingMemory,
    sequences: int,
    tokens_per_sequence: int,
) -> ServingMemoryPlan:
    """Memory of one replica that holds `sequences` of `tokens_per_sequence` tokens each.

    pool = fraction·visible − weights − activations − non_torch [− estimated graphs where the engine counts them].
    Graphs captured after the pool was taken lie beyond the fraction, so they widen what may be used.
    The plan does not fit when the fixed parts and one sequence pass what is usable (an engine with a pool queues the
    others); it is tight when less than the house's margin stays free.
    """
    blocks = table.vllm_blocks
    counts = stage_layers(architecture.layers, pipeline)
    many = tensor * pipeline > 1
    non_torch = GIB * (
        era.non_torch_gib.rocm if is_amd and not many else era.non_torch_gib.many if many else era.non_torch_gib.one
    )
    runtime = min(non_torch, blocks.runtime_part_gib * GIB) if many else non_torch
    activations = activation_peak_bytes(
        architecture.hidden,
        architecture.intermediate,
        architecture.vocab,
        engine.max_batched_tokens,
        engine.max_sequences,
        tensor,
        era.sampler_copies,
        era.mlp_transient,
    )
    ranks: list[ServingRank] = []
    for stage, layers in enumerate(counts):
        graphs = era.graphs_gib_per_layer[1] * layers * GIB if engine.cuda_graphs else 0.0
        weights = rank_weight_bytes(architecture, storage, tensor, pipeline, stage, blocks.vocabulary_padding)
        per_token = kv_bytes_per_token(
            layers, architecture.kv_heads, architecture.head_dim, key_bytes, value_bytes, tensor
        )
        counted_graphs = graphs * era.graphs_estimate_ratio if era.graphs_in_pool else 0.0
        pool = engine.fraction * card_visible_bytes - weights - activations - non_torch - counted_graphs
        ranks.append(
            ServingRank(
                rank=stage * tensor,
                ranks=tensor,
                layers=layers,
                weights=weights,
                kv_cache=round(sequences * sequence_bytes(tokens_per_sequence, per_token, blocks.block_tokens)),
                activations=round(activations),
                cuda_graphs=round(graphs),
                runtime=round(runtime),
                communication=round(non_torch - runtime),
                pool=round(pool),
                kv_bytes_per_token=per_token,
            )
        )
    alike = _merged(ranks)
    worst = max(alike, key=lambda rank: rank.required())
    # graphs the engine captures outside its share come on top; what it sets aside for them beyond their size is lost
    most = max(rank.cuda_graphs for rank in alike)
    outside = -round(most * (era.graphs_estimate_ratio - 1)) if era.graphs_in_pool else most
    usable = min(card_visible_bytes, round(engine.fraction * card_visible_bytes) + outside)
    one_sequence = sequence_bytes(tokens_per_sequence, worst.kv_bytes_per_token, blocks.block_tokens)
    least = worst.fixed() + min(worst.kv_cache, round(one_sequence))
    tight = worst.required() > (1 - table.verdict.tight_margin) * usable
    return ServingMemoryPlan(
        ranks=alike,
        usable=usable,
        capacity_tokens=min(capacity_tokens(rank.pool, rank.kv_bytes_per_token, blocks.block_tokens) for rank in alike),
        verdict="does_not_fit" if least > usable else "tight" if tight else "fits",
    )


def _merged(ranks: list[ServingRank]) -> tuple[ServingRank, ...]:
    """Stages that hold the same, counted together under the first of them."""
    merged: list[ServingRank] = []
    for rank in ranks:
        for n, known in enumerate(merged):
            if (known.layers, known.weights, known.kv_cache) == (rank.layers, rank.weights, rank.kv_cache):
                merged[n] = replace(known, ranks=known.ranks + rank.ranks)
                break
        else:
            merged.append(rank)
    return tuple(merged)
