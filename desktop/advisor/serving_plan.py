"""A fixed serving plan answered: memory of the worst GPU and, where it fits, speed at the stated traffic."""

from dataclasses import dataclass

import numpy as np

from desktop.advisor.card import Card, card_of
from desktop.advisor.engine_defaults import context_beyond_model, era_of, settings_of
from desktop.advisor.serving_answer import is_old_engine, memory_answer, ranges_of, speed_answer
from desktop.advisor.serving_formats import arithmetic_on, cache_runs_on, kv_bytes, plan_problem, weight_format
from desktop.advisor.serving_losses import engine_refuses
from desktop.advisor.serving_reasons import not_measured
from desktop.advisor.speed_plan import speed_plan
from desktop.advisor.unused_fields import unused_in_serving
from desktop.advisor.unverified import doubts_of_gpu
from desktop.architectures import DenseDecoder, read_architecture
from desktop.catalog import Catalog
from desktop.catalog.calibration import Arithmetic, Calibration, EngineEra, WeightFormat
from desktop.quote import EstimateResult, Memory, Message, ServingSpeed
from desktop.request import InferencePlan, Problem, ServingParallel
from desktop.sizing.kv_cache import sequence_bytes
from desktop.sizing.serving_memory import EngineSettings, ServingMemoryPlan, serving_memory
from desktop.sizing.serving_speed import SpeedPlan, closed_loop
from desktop.sizing.weights import disk_bytes


@dataclass(frozen=True, slots=True)
class ResolvedPlan:
    """A serving plan whose every name was looked up and every default filled in."""

    architecture: DenseDecoder
    card: Card
    storage: WeightFormat
    arithmetic: Arithmetic
    key_bytes: float
    value_bytes: float
    engine: EngineSettings
    era: EngineEra
    parallel: ServingParallel
    input_tokens: int
    output_tokens: int

    @property
    def tokens(self) -> int:
        """Longest a sequence gets, within the engine's context."""
        return min(self.engine.max_context, self.input_tokens + self.output_tokens)


def estimate_serving(plan: InferencePlan, catalog: Catalog) -> EstimateResult:
    """Answer of a fixed serving plan.

    Raises Problem: invalid_plan (with the rule), unknown_gpu, unknown_model, unsupported, … Concurrency is shared
    evenly by the `data` replicas; the memory is that of the replica with the larger share.
    """
    resolved, warnings = resolve(plan, catalog)
    replicas = plan.parallel.data
    concurrency = _concurrency(plan, resolved, catalog)
    share = max(1, -(-concurrency // replicas))
    memory, numbers = serving_memory_of(resolved, catalog, share, replicas)
    warnings += _context_warnings(resolved, memory)
    speed = None
    if memory.verdict != "does_not_fit":
        batch = min(share, sequences_that_fit(resolved, numbers, catalog), resolved.engine.max_sequences)
        # Little's law over the line: its rate is what is in flight by the latency of the fuller replica
        speed = serving_speed_of(resolved, catalog, share, batch, concurrency / share)
        warnings += _rate_warnings(plan, speed) + not_measured(resolved.card, catalog.calibration)
        if is_old_engine(catalog.calibration, resolved.era):
            older = catalog.calibration.serving_speed.vllm.range.old_engine_until
            warnings += (Message(code="speed_of_newer_engine", field="engine.version", values={"version": older}),)
    return EstimateResult(id=plan.id, memory=memory, speed=speed, warnings=warnings + unused_in_serving(plan))


def resolve(plan: InferencePlan, catalog: Catalog) -> tuple[ResolvedPlan, tuple[Message, ...]]:
    """Every name looked up, every default filled in, every rule of the cut checked."""
    if plan.disaggregated is not None:
        raise Problem("unsupported", field="disaggregated", what="disaggregated")
    if plan.traffic.image or plan.traffic.audio_seconds:
        raise Problem("unsupported", field="traffic", what="vision")
    parallel = plan.parallel
    if plan.gpus != parallel.tensor * parallel.pipeline * parallel.data:
        raise Problem(
            "invalid_plan",
            field="gpus",
            rule="gpus_product",
            gpus=plan.gpus,
            product=parallel.tensor * parallel.pipeline * parallel.data,
        )
    architecture = read_architecture(plan.model, catalog)
    if parallel.expert > 1:
        raise Problem("invalid_plan", field="parallel.expert", rule="dense_has_no_experts")
    card = card_of(plan.gpu, catalog)
    calibration = catalog.calibration
    storage = weight_format(plan.weights, architecture, calibration)
    arithmetic, warnings = arithmetic_on(storage, card.gpu)
    if arithmetic is None:
        raise Problem("unsupported_weights_on_gpu", field="weights", name=storage.name, gpu=card.gpu.name)
    problem = plan_problem(architecture, storage, parallel.tensor, parallel.pipeline)
    if problem is not None:
        raise problem
    era, remarks = era_of(plan.engine, calibration.serving_memory)
    engine = settings_of(plan.engine, era, architecture, card.visible_bytes, card.gpu.name, calibration.serving_memory)
    warnings += context_beyond_model(engine.max_context, architecture, "engine.max_context")
    _check_context(plan, engine.max_context)
    if engine_refuses(card.gpu, era) is not None:
        raise Problem("engine_refuses_gpu", field="gpu", gpu=card.gpu.name, engine=plan.engine.name)
    if engine.max_batched_tokens < engine.max_sequences:
        raise Problem(
            "invalid_plan",
            field="engine.max_batched_tokens",
            rule="batched_below_sequences",
            tokens=engine.max_batched_tokens,
            sequences=engine.max_sequences,
        )
    key, value = kv_bytes(plan.kv_cache, storage, calibration)
    if not cache_runs_on(plan.kv_cache, card.gpu):
        raise Problem("unsupported_cache_on_gpu", field="kv_cache", name=plan.kv_cache, gpu=card.gpu.name)
    resolved = ResolvedPlan(
        architecture=architecture,
        card=card,
        storage=storage,
        arithmetic=arithmetic,
        key_bytes=key,
        value_bytes=value,
        engine=engine,
        era=era,
        parallel=parallel,
        input_tokens=plan.traffic.input_tokens,
        output_tokens=plan.traffic.output_tokens,
    )
    return resolved, warnings + remarks


def _check_context(plan: InferencePlan, max_context: int) -> None:
    """A stated request that is longer than the engine's context is refused by the engine."""
    traffic = plan.traffic
    needed = traffic.input_tokens + traffic.output_tokens
    if "input_tokens" in traffic.model_fields_set and needed > max_context:
        raise Problem("context_too_short", field="traffic.input_tokens", context=max_context, needed=needed)


def serving_memory_of(
    resolved: ResolvedPlan, catalog: Catalog, sequences: int, replicas: int
) -> tuple[Memory, ServingMemoryPlan]:
    """Memory of one replica with `sequences` in flight, told for a line of `replicas`."""
    calibration, parallel = catalog.calibration, resolved.parallel
    numbers = serving_memory(
        resolved.architecture,
        resolved.storage,
        resolved.key_bytes,
        resolved.value_bytes,
        parallel.tensor,
        parallel.pipeline,
        resolved.card.visible_bytes,
        resolved.card.is_amd,
        resolved.engine,
        resolved.era,
        calibration.serving_memory,
        sequences,
        resolved.tokens,
    )
    disk = disk_bytes(resolved.architecture, resolved.storage)
    memory = memory_answer(
        numbers,
        resolved.architecture,
        resolved.storage,
        resolved.engine,
        resolved.era,
        calibration,
        resolved.card.card_bytes,
        parallel.tensor,
        sequences,
        resolved.tokens,
        replicas,
        disk,
    )
    return memory, numbers


def serving_speed_of(
    resolved: ResolvedPlan, catalog: Catalog, concurrency: int, batch: int, replicas: float
) -> ServingSpeed:
    """Speed of a line of `replicas`, each with `concurrency` in flight of which `batch` run. A line that is not filled
    evenly counts as the fraction that the requests in flight fill.
    """
    calibration = catalog.calibration
    numbers = _speed_plan(resolved, calibration)
    loop = closed_loop(numbers, calibration.serving_speed.vllm, concurrency, max(1, batch))
    return speed_answer(
        numbers,
        loop,
        calibration,
        ranges_of(calibration, resolved.card.gpu, resolved.era),
        replicas,
        concurrency,
        max(1, batch),
        has_room=batch >= concurrency,
    )


def sequences_that_fit(resolved: ResolvedPlan, numbers: ServingMemoryPlan, catalog: Catalog) -> int:
    """Sequences of full length that the pool of one replica holds at once."""
    block = catalog.calibration.serving_memory.vllm_blocks.block_tokens
    rank = min(numbers.ranks, key=lambda one: one.pool / one.kv_bytes_per_token)
    return max(0, int(rank.pool // sequence_bytes(resolved.tokens, rank.kv_bytes_per_token, block)))


def _concurrency(plan: InferencePlan, resolved: ResolvedPlan, catalog: Catalog) -> int:
    """Requests in flight over the whole line."""
    traffic, replicas = plan.traffic, plan.parallel.data
    if traffic.batch is not None:
        return traffic.batch * replicas
    if isinstance(traffic.concurrency, int):
        return traffic.concurrency
    if traffic.concurrency is None and traffic.requests_per_s is None:
        return replicas
    _, numbers = serving_memory_of(resolved, catalog, 1, replicas)
    most = min(sequences_that_fit(resolved, numbers, catalog), resolved.engine.max_sequences)
    if traffic.concurrency == "max" or traffic.requests_per_s is None:
        return max(1, most) * replicas
    grid = np.unique(np.round(np.geomspace(1, max(1, most), 200)))
    speed = _speed_plan(resolved, catalog.calibration)
    rates = closed_loop(speed, catalog.calibration.serving_speed.vllm, grid, grid).requests_per_s
    enough = np.nonzero(np.asarray(rates) >= traffic.requests_per_s / replicas)[0]
    return int(grid[enough[0]] if enough.size else grid[-1]) * replicas


def _rate_warnings(plan: InferencePlan, speed: ServingSpeed) -> tuple[Message, ...]:
    """A rate that the line cannot carry at any concurrency its pool holds: requests would queue without end."""
    asked, reached = plan.traffic.requests_per_s, speed.requests_per_s.value
    if asked is None or plan.traffic.concurrency is not None or plan.traffic.batch is not None or reached >= asked:
        return ()
    values = {"asked": asked, "reached": reached}
    return (Message(code="rate_not_reached", severity="error", field="traffic.requests_per_s", values=values),)


def _context_warnings(resolved: ResolvedPlan, memory: Memory) -> tuple[Message, ...]:
    warnings: tuple[Message, ...] = ()
    capacity = memory.kv_capacity_tokens // max(1, resolved.parallel.data)
    if 0 < capacity < resolved.engine.max_context:
        warnings += (
            Message(
                code="context_beyond_pool",
                severity="warning",
                field="engine.max_context",
                values={"asked": resolved.engine.max_context, "capacity": capacity},
            ),
        )
    weights, cache = memory.part_bytes("weights"), memory.part_bytes("kv_cache")
    if cache > weights:
        warnings += (
            Message(
                code="kv_exceeds_weights",
                severity="info",
                rule="article_15",
                values={"kv_bytes": cache, "weight_bytes": weights},
            ),
        )
    if "GeForce" in resolved.card.gpu.name:
        warnings += (
            Message(code="geforce_licence", rule="article_11", field="gpu", values={"gpu": resolved.card.gpu.name}),
        )
    if doubts_of_gpu(resolved.card.gpu):
        warnings += (Message(code="gpu_unverified", field="gpu", values={"gpu": resolved.card.gpu.name}),)
    return warnings


def _speed_plan(resolved: ResolvedPlan, calibration: Calibration) -> SpeedPlan:
    return speed_plan(
        resolved.architecture,
        resolved.storage,
        resolved.arithmetic,
        resolved.key_bytes,
        resolved.value_bytes,
        resolved.card,
        resolved.parallel.tensor,
        resolved.parallel.pipeline,
        resolved.input_tokens,
        resolved.output_tokens,
        calibration,
        resolved.engine.cuda_graphs,
    )
