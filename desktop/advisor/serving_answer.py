"""Numbers of the serving formulas become the records of the quote: memory that explains itself, speed with its
range."""

from collections.abc import Mapping

from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import Calibration, EngineEra, WeightFormat
from desktop.catalog.records import Gpu
from desktop.quote import Bound, ByteRange, Component, Memory, Range, RankMemory, ServingSpeed
from desktop.sizing.kv_cache import sequence_bytes
from desktop.sizing.serving_memory import EngineSettings, ServingMemoryPlan, ServingRank
from desktop.sizing.serving_speed import (
    LoopResult,
    SpeedPlan,
    communication_seconds,
    decode_seconds,
    linear_seconds,
    overhead_seconds,
)

SHAPES = "config.json"  # counted from the shapes the model's own file states
FORMULAS = {  # symbols only, the same in every language; a part that is a measured figure has none
    "weights": "Σ rows·columns·bits/8 / shards + scales + 2·norms + 2·V·h/T + 2·context·d",
    "kv_cache": "sequences · ⌈tokens/block⌉·block · layers·max(1, n_kv/T)·d·(b_k+b_v)",
    "activations": "max(2·T_b·(a·f/T + b·h), 4·copies·min(S, T_b)·V)",
    "cuda_graphs": "g·layers",
    "runtime": "",
    "communication": "",
}


def memory_answer(
    plan: ServingMemoryPlan,
    architecture: DenseDecoder,
    storage: WeightFormat,
    engine: EngineSettings,
    era: EngineEra,
    calibration: Calibration,
    card_bytes: int,
    tensor: int,
    sequences: int,
    tokens: int,
    replicas: int,
    disk: int,
) -> Memory:
    """Memory record of a replica's plan. Capacity and concurrency are of the whole line: `replicas` times one
    replica."""
    table = calibration.serving_memory
    worst = plan.worst()
    spread = float(table.spread["vllm"])
    block = table.vllm_blocks.block_tokens
    need = worst.required()
    ranks = tuple(
        RankMemory(
            rank=rank.rank,
            ranks=rank.ranks * replicas,
            components=_components(rank, architecture, storage, engine, era, tensor, sequences, tokens),
        )
        for rank in plan.ranks
    )
    tightest = min(plan.ranks, key=lambda rank: rank.pool / max(1.0, rank.kv_bytes_per_token))
    one = sequence_bytes(engine.max_context, tightest.kv_bytes_per_token, block)
    room = max(0, tightest.pool)
    at_once = max(1, sequences)
    return Memory(
        verdict=plan.verdict,
        card_bytes=card_bytes,
        usable_bytes=plan.usable,
        required_bytes=ByteRange(low=round(need * (1 - spread)), value=need, high=round(need * (1 + spread))),
        reserved_bytes=plan.usable,
        worst_rank=worst.rank,
        per_gpu=ranks,
        kv_bytes_per_token=round(worst.kv_bytes_per_token),
        kv_pool_bytes=tightest.pool,
        kv_capacity_tokens=plan.capacity_tokens * replicas,
        max_concurrency=replicas * room / one if one else 0.0,
        max_context_at_concurrency=plan.capacity_tokens // at_once // block * block,
        disk_bytes=disk,
    )


def _components(
    rank: ServingRank,
    architecture: DenseDecoder,
    storage: WeightFormat,
    engine: EngineSettings,
    era: EngineEra,
    tensor: int,
    sequences: int,
    tokens: int,
) -> tuple[Component, ...]:
    inputs: dict[str, dict[str, float | int | str]] = {
        "weights": {
            "parameters": architecture.parameters(),
            "format": storage.name,
            "layers": rank.layers,
            "T": tensor,
            "h": architecture.hidden,
            "V": architecture.vocab,
        },
        "kv_cache": {
            "sequences": sequences,
            "tokens": tokens,
            "layers": rank.layers,
            "n_kv": architecture.kv_heads,
            "d": architecture.head_dim,
            "T": tensor,
            "bytes_per_token": round(rank.kv_bytes_per_token),
        },
        "activations": {
            "T_b": engine.max_batched_tokens,
            "S": engine.max_sequences,
            "f": architecture.intermediate,
            "h": architecture.hidden,
            "V": architecture.vocab,
            "T": tensor,
            "copies": era.sampler_copies,
            "a": era.mlp_transient.intermediate,
            "b": era.mlp_transient.hidden,
        },
        "cuda_graphs": {
            "layers": rank.layers,
            "g_gib": era.graphs_gib_per_layer[1] if engine.cuda_graphs else 0,
        },
        "runtime": {},
        "communication": {},
    }
    sources = {"weights": SHAPES, "kv_cache": SHAPES}
    return tuple(
        Component(
            component=name,
            bytes=getattr(rank, name),
            formula=FORMULAS[name],
            inputs=inputs[name],
            source=sources.get(name, f"vLLM {era.calibrated}: {era.source}"),
        )
        for name in FORMULAS
    )


def speed_answer(
    plan: SpeedPlan,
    loop: LoopResult,
    calibration: Calibration,
    lows: Mapping[str, tuple[float, float]],
    replicas: float,
    concurrency: float,
    batch: float,
    has_room: bool,
) -> ServingSpeed:
    """Speed record of a whole line of `replicas`; latencies are those of one replica at its share of the load."""
    constants = calibration.serving_speed.vllm
    prompt = plan.input_tokens / loop.ttft_s if concurrency <= 1 else plan.input_tokens / loop.prefill_s
    single = decode_seconds(plan, constants, 1.0, plan.input_tokens + plan.output_tokens / 2)
    requests = float(loop.requests_per_s) * replicas
    output = float(plan.output_tokens)
    total = float(plan.input_tokens) + output
    return ServingSpeed(
        ttft_s=spread(float(loop.ttft_s), lows["ttft"]),
        tpot_s=spread(float(loop.tpot_s), lows["tpot"]),
        output_tokens_per_s=spread(requests * output, lows["throughput"]),
        total_tokens_per_s=spread(requests * total, lows["throughput"]),
        requests_per_s=spread(requests, lows["throughput"]),
        prompt_tokens_per_s_single=spread(float(prompt), _inverse(lows["ttft"])),
        decode_tokens_per_s_single=spread(1 / float(single), _inverse(lows["tpot"])),
        bound_by="kv_capacity" if not has_room else bound_of(plan, calibration, batch),
    )


def ranges_of(calibration: Calibration, gpu: Gpu, era: EngineEra) -> dict[str, tuple[float, float]]:
    """Low and high multipliers of TTFT, TPOT and throughput on this GPU, widened by what unseen pairs showed, and to
    the slow side on GPUs and engine versions that measured runs found slower than the constants say."""
    table = calibration.serving_speed.vllm.range
    power = table.widening_measured if gpu.id in table.measured_gpus else table.widening_other
    slower = table.slower_amd if gpu.vendor == "AMD" else 1.0
    if is_old_engine(calibration, era):
        slower *= table.slower_old_engine
    return {
        "ttft": (table.ttft[0], table.ttft[1] / slower),
        "tpot": (table.tpot[0] ** power, table.tpot[1] ** power / slower),
        "throughput": (table.throughput[0] ** power * slower, table.throughput[1] ** power),
    }


def is_old_engine(calibration: Calibration, era: EngineEra) -> bool:
    """Whether this version is older than those whose speed was fitted."""
    return era.until == calibration.serving_speed.vllm.range.old_engine_until


def bound_of(plan: SpeedPlan, calibration: Calibration, batch: float) -> Bound:
    """What one decode step at this batch spends most of its time on."""
    constants = calibration.serving_speed.vllm
    context = plan.input_tokens + plan.output_tokens / 2
    matrices = float(linear_seconds(plan, constants, batch, batch))
    exchange = float(communication_seconds(plan, constants, batch))
    launch = float(overhead_seconds(plan, constants, batch))
    whole = float(decode_seconds(plan, constants, batch, context))
    reading = float(plan.linear_bytes / plan.tensor / (plan.memory_bytes_per_s * constants.mbu))
    cache = whole - matrices - exchange - launch
    times: dict[Bound, float] = {
        "memory": min(reading, matrices) + cache,
        "compute": max(0.0, matrices - reading),
        "interconnect": exchange,
        "host": launch,
    }
    return max(times, key=lambda bound: times[bound])


def spread(value: float, factors: tuple[float, float]) -> Range:
    return Range(low=value * factors[0], value=value, high=value * factors[1])


def _inverse(factors: tuple[float, float]) -> tuple[float, float]:
    return 1 / factors[1], 1 / factors[0]
