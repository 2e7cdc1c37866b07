"""Every serving plan over a catalog of cards at once: which fit, which keep the limits, how many replicas carry the
load.

Arrays have one row a candidate (card x format x cut) and one column a batch size.
"""

from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from desktop.advisor.card import Card
from desktop.advisor.engine_defaults import settings_of
from desktop.advisor.serving_formats import arithmetic_on, cache_runs_on, kv_bytes, plan_problem
from desktop.advisor.speed_plan import speed_plan
from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import Arithmetic, Calibration, EngineEra, WeightFormat
from desktop.request import InferenceNeed
from desktop.sizing.kv_cache import sequence_bytes
from desktop.sizing.serving_memory import EngineSettings, ServingMemoryPlan, serving_memory
from desktop.sizing.serving_speed import SpeedPlan, closed_loop

Array = npt.NDArray[np.float64]
TENSOR = (1, 2, 4, 8)
# batch sizes looked at: every one up to 16, then steps of about 9 %
BATCHES = np.unique(np.concatenate([np.arange(1, 17), np.round(np.geomspace(16, 1024, 48))])).astype(float)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to build a replica, before its speed is known. `required_bytes` is that of the worst GPU with one request
    in flight, the longest one where the pool does not hold it."""

    card: Card
    storage: WeightFormat
    arithmetic: Arithmetic
    tensor: int
    engine: EngineSettings
    memory: ServingMemoryPlan
    sequences: int
    speed: SpeedPlan
    required_bytes: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a candidate does under the load. `replicas` is 0 where it cannot keep the limits; times are those at the
    best batch inside the limits, or of a single request where none is."""

    candidate: Candidate
    replicas: int
    batch: int
    ttft_s: float
    tpot_s: float
    capacity_requests_per_s: float


def candidates_of(
    card: Card,
    architecture: DenseDecoder,
    need: InferenceNeed,
    formats: tuple[WeightFormat, ...],
    era: EngineEra,
    calibration: Calibration,
    max_tensor: int,
) -> tuple[Candidate, ...]:
    """All formats and cuts of one card that the rules allow, whether or not they fit."""
    found: list[Candidate] = []
    table = calibration.serving_memory
    context = need.context or need.input_tokens + need.output_tokens
    engine = settings_of(
        need.engine.model_copy(update={"max_context": need.engine.max_context or context}),
        era,
        architecture,
        card.visible_bytes,
        card.gpu.name,
        table,
    )
    tokens = min(engine.max_context, need.input_tokens + need.output_tokens)
    for storage in formats:
        arithmetic, _ = arithmetic_on(storage, card.gpu)
        if arithmetic is None or not cache_runs_on(need.kv_cache, card.gpu):
            continue
        key, value = kv_bytes(need.kv_cache, storage, calibration)
        for tensor in TENSOR:
            if tensor > max_tensor or plan_problem(architecture, storage, tensor, 1) is not None:
                continue
            memory = serving_memory(
                architecture,
                storage,
                key,
                value,
                tensor,
                1,
                card.visible_bytes,
                card.is_amd,
                engine,
                era,
                table,
                1,
                tokens,
            )
            rank = memory.worst()
            per_sequence = sequence_bytes(tokens, rank.kv_bytes_per_token, table.vllm_blocks.block_tokens)
            longest = sequence_bytes(context, rank.kv_bytes_per_token, table.vllm_blocks.block_tokens)
            # an engine refuses to start when its pool does not hold one request of the context it was told
            room = int(rank.pool // per_sequence) if rank.pool >= longest else 0
            speed = speed_plan(
                architecture,
                storage,
                arithmetic,
                key,
                value,
                card,
                tensor,
                1,
                need.input_tokens,
                need.output_tokens,
                calibration,
                engine.cuda_graphs,
            )
            found.append(
                Candidate(
                    card=card,
                    storage=storage,
                    arithmetic=arithmetic,
                    tensor=tensor,
                    engine=engine,
                    memory=memory,
                    sequences=max(0, min(room, engine.max_sequences)),
                    speed=speed,
                    required_bytes=rank.required() if room else rank.fixed() + round(longest),
                )
            )
    return tuple(found)


def outcomes_of(
    candidates: tuple[Candidate, ...], need: InferenceNeed, requests_per_s: float, calibration: Calibration
) -> tuple[Outcome, ...]:
    """Replicas and operating point of every candidate that fits, in one pass over all of them.

    capacity = requests/s at the largest batch inside both limits and inside the pool; replicas = ⌈λ/(capacity·busy)⌉;
    the operating point is the smallest batch that carries one replica's share of the load.
    """
    if not candidates:
        return ()
    plan = SpeedPlan(
        **{
            field.name: np.array([[getattr(one.speed, field.name)] for one in candidates], dtype=float)
            for field in fields(SpeedPlan)
        }
    )
    batch = BATCHES[np.newaxis, :]
    loop = closed_loop(plan, calibration.serving_speed.vllm, batch, batch)
    room = np.array([[one.sequences] for one in candidates])
    inside = (loop.ttft_s <= need.ttft_s) & (loop.tpot_s <= need.tpot_s) & (batch <= room)
    rate = np.where(inside, loop.requests_per_s, 0.0)
    capacity = rate.max(axis=1)
    with np.errstate(divide="ignore"):
        replicas = np.where(capacity > 0, np.ceil(requests_per_s / (capacity * need.busy_share) - 1e-9), 0)
    share = np.where(replicas > 0, requests_per_s / np.maximum(replicas, 1), 0.0)
    carries = inside & (loop.requests_per_s >= share[:, np.newaxis])
    point = np.where(carries.any(axis=1), carries.argmax(axis=1), 0)
    rows = np.arange(len(candidates))
    ttft, tpot = np.asarray(loop.ttft_s)[rows, point], np.asarray(loop.tpot_s)[rows, point]
    return tuple(
        Outcome(
            candidate=one,
            replicas=int(replicas[n]),
            batch=int(BATCHES[point[n]]),
            ttft_s=float(ttft[n]),
            tpot_s=float(tpot[n]),
            capacity_requests_per_s=float(capacity[n]),
        )
        for n, one in enumerate(candidates)
    )
