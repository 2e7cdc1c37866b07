"""Every training plan over a catalog of cards at once: which fit, and how long each number of GPUs takes.

Arrays have three axes: cards, numbers of GPUs, and the ways to run (micro batch x cut). Memory does not depend on the
card. Words (recomputation, sharding) are taken one after another and joined on the last axis.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from desktop.advisor.card import Card
from desktop.advisor.training_job import check_plan, training_job
from desktop.advisor.training_rates import has_precision, matrix_precision, training_rates
from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import Link
from desktop.catalog.training_calibration import FrameworkMemory, TrainingCalibration
from desktop.request import ModelReference, TrainingNeed, TrainingParallel, TrainingPlan
from desktop.sizing.training_layout import TrainingLayout, training_layout
from desktop.sizing.training_memory import TrainingJob, worst_parts
from desktop.sizing.training_speed import TrainingRates, token_cost

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
GPU_COUNTS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
MICRO_BATCHES = (1, 2, 4, 8, 16)
TENSOR = (1, 2, 4, 8)
PIPELINE = (1, 2, 4, 8, 16)
SECONDS_PER_HOUR = 3600
Picked = TypeVar("Picked", TrainingJob, TrainingLayout, TrainingRates)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to run: the words and numbers a plan is made of beside the card and the number of GPUs."""

    sharding: str
    recompute: str
    micro_batch: int
    tensor: int
    pipeline: int


@dataclass(frozen=True, slots=True)
class TrainingOutcomes:
    """The best way of every card and number of GPUs; arrays of shape (cards, counts).

    `fits` holds where the whole range of the required bytes lies within the card, `runs` where their middle does within
    the verdict's margin. `hours` is infinite where nothing runs; `required_bytes` is then the least any way needs,
    infinite where no way is allowed. `way` indexes `ways`; `span` has low and high multipliers of the rate.
    """

    cards: tuple[Card, ...]
    counts: tuple[int, ...]
    ways: tuple[Way, ...]
    way: npt.NDArray[np.int64]
    fits: Mask
    runs: Mask
    hours: Array
    required_bytes: Array
    tokens_per_s_per_gpu: Array
    span: Array

    def plan(self, need: TrainingNeed, model: ModelReference, card: int, count: int) -> TrainingPlan:
        """The fixed plan of one element, ready to be estimated in full."""
        way, gpus = self.ways[int(self.way[card, count])], self.counts[count]
        return _plan(need, model, self.cards[card].gpu.id, gpus, way)


def training_outcomes(
    need: TrainingNeed,
    architecture: DenseDecoder,
    cards: Sequence[Card],
    link: Link,
    calibration: TrainingCalibration,
    counts: tuple[int, ...] = GPU_COUNTS,
) -> TrainingOutcomes:
    """Memory and hours of every card and number of GPUs, each at its fastest way that fits, else that runs.

    Replicas must share the global batch evenly, so a number of GPUs that cannot is never allowed.
    Raises Problem: invalid_plan or unsupported where the need itself cannot be planned.
    """
    memory, speed = calibration.memory, calibration.speed
    framework = memory.frameworks[need.framework.name]
    check_plan(
        _plan(need, "", "", 1, Way("none", "full", 1, 1, 1)).model_copy(update={"global_batch": None}), architecture
    )
    precision = matrix_precision(need.precision)
    able = np.array([has_precision(need.precision, card.gpu) for card in cards])[:, None, None]
    usable = np.array([float(card.visible_bytes) for card in cards])[:, None, None]
    _, high = memory.ranges[framework.range]
    words = tuple(product(_shardings(framework), _recomputations(need)))
    first = training_job(_plan(need, "", "", 1, Way("none", "full", 1, 1, 1)), architecture, calibration, "full")
    options = tuple(product(MICRO_BATCHES, _cuts(framework, architecture, first.quantised())))
    family = speed.family_of(framework.name, first.compiled)
    figures = _stacked([training_rates(card, precision, framework.name, family, link, speed) for card in cards])
    required, rates = [], []
    for sharding, recompute in words:
        base = training_job(
            _plan(need, "", "", 1, Way(sharding, recompute, 1, 1, 1)), architecture, calibration, recompute
        )
        job, layout, allowed = _grid(base, need, framework, sharding, counts, options)
        parts = worst_parts(job, layout, memory)
        total = np.where(allowed, parts.total(), np.inf)
        if memory.optimizers[need.optimizer.removesuffix("+in-backward")].paged:
            total = np.where(allowed, np.maximum(total - parts.optimizer, np.minimum(total, usable)), np.inf)
        total = np.broadcast_to(total, (len(cards), *total.shape[1:]))
        rate = np.zeros(total.shape)
        here = np.nonzero(able & (total <= memory.verdict.does_not_fit_above * usable))
        if here[0].size:
            cost = token_cost(
                _picked(job, here, total.shape),
                _picked(layout, here, total.shape),
                _picked(figures, here, total.shape),
                speed.family[family],
                speed,
            )
            rate[here] = cost.tokens_per_s_per_gpu()
        required.append(total)
        rates.append(rate)
    need_bytes, rate = np.concatenate(required, axis=2), np.concatenate(rates, axis=2)
    runs: Mask = np.greater(rate, 0.0)
    fits: Mask = np.logical_and(runs, need_bytes * high <= usable)
    span = np.array([speed.range_of(family, card.gpu.id) for card in cards])
    return _best(need, tuple(cards), counts, words, options, need_bytes, rate, runs, fits, span)


def _best(
    need: TrainingNeed,
    cards: tuple[Card, ...],
    counts: tuple[int, ...],
    words: tuple[tuple[str, str], ...],
    options: tuple[tuple[int, tuple[int, int]], ...],
    need_bytes: Array,
    rate: Array,
    runs: Mask,
    fits: Mask,
    span: Array,
) -> TrainingOutcomes:
    any_fits: Mask = np.asarray(fits.any(axis=2))
    any_runs: Mask = np.asarray(runs.any(axis=2))
    pool = np.where(any_fits[:, :, None], fits, runs)
    fastest = np.where(pool, rate, -1.0).argmax(axis=2)
    chosen = np.where(any_runs, fastest, need_bytes.argmin(axis=2))
    at = (np.arange(len(cards))[:, None], np.arange(len(counts))[None, :], chosen)
    tokens_per_s = np.where(any_runs, rate[at], 1.0) * np.array(counts, dtype=float)
    hours = np.where(any_runs, need.tokens / tokens_per_s / SECONDS_PER_HOUR, np.inf)
    ways = tuple(
        Way(sharding, recompute, micro, tensor, pipeline)
        for (sharding, recompute), (micro, (tensor, pipeline)) in product(words, options)
    )
    return TrainingOutcomes(
        cards=cards,
        counts=counts,
        ways=ways,
        way=chosen,
        fits=any_fits,
        runs=any_runs,
        hours=hours,
        required_bytes=need_bytes[at],
        tokens_per_s_per_gpu=np.where(any_runs, rate[at], 0.0),
        span=span,
    )


def _grid(
    job: TrainingJob,
    need: TrainingNeed,
    framework: FrameworkMemory,
    sharding: str,
    counts: tuple[int, ...],
    options: tuple[tuple[int, tuple[int, int]], ...],
) -> tuple[TrainingJob, TrainingLayout, Mask]:
    """Job and layout of shape (1, counts, options), and which of them share the batch evenly."""
    gpus = np.array(counts, dtype=float)[None, :, None]
    micro, tensor, pipeline = (
        np.array(column, dtype=float)[None, None, :]
        for column in zip(*((micro, *cut) for micro, cut in options), strict=True)
    )
    layout = training_layout(gpus, sharding, tensor, pipeline, sequence_parallel=framework.sequence_parallel)
    data = gpus / (tensor * pipeline)
    micro_batches = need.global_batch / (micro * np.maximum(data, 1))
    allowed = (data >= 1) & (micro_batches >= 1) & (micro_batches == np.floor(micro_batches))
    if sharding != "none":
        allowed = allowed & (data > 1)
    if job.in_backward:
        allowed = allowed & (micro_batches == 1)
    safe = np.where(allowed, np.maximum(micro_batches, 1), 1.0)
    return replace(job, micro_batch=micro, micro_batches=safe), layout, allowed


def _shardings(framework: FrameworkMemory) -> tuple[str, ...]:
    return ("none", framework.default_sharding)


def _recomputations(need: TrainingNeed) -> tuple[str, ...]:
    return (need.recompute,) if need.recompute else ("none", "selective", "full")


def _cuts(framework: FrameworkMemory, architecture: DenseDecoder, quantised: bool) -> tuple[tuple[int, int], ...]:
    """(tensor, pipeline) that the model allows; only frameworks built on such cuts are given them."""
    if framework.states != "megatron" or quantised:
        return ((1, 1),)
    tensors = tuple(
        t
        for t in TENSOR
        if architecture.heads % t == 0
        and architecture.intermediate % t == 0
        and (architecture.kv_heads % t == 0 or t % architecture.kv_heads == 0)
    )
    return tuple(product(tensors, (p for p in PIPELINE if architecture.layers % p == 0)))


def _stacked(rates: Sequence[TrainingRates]) -> TrainingRates:
    """Rates of all cards on the first of three axes."""
    names = TrainingRates.__dataclass_fields__
    return TrainingRates(
        **{name: np.array([getattr(one, name) for one in rates], dtype=float)[:, None, None] for name in names}
    )


def _picked(record: Picked, where: tuple[npt.NDArray[np.intp], ...], shape: tuple[int, ...]) -> Picked:
    """The record with every array spread to `shape` and reduced to the elements at `where`."""
    arrays: dict[str, Any] = {
        name: np.broadcast_to(value, shape)[where]
        for name in record.__dataclass_fields__
        if isinstance(value := getattr(record, name), np.ndarray) and value.ndim
    }
    return replace(record, **arrays)


def _plan(need: TrainingNeed, model: ModelReference, gpu: str, gpus: int, way: Way) -> TrainingPlan:
    return TrainingPlan(
        mode="training",
        method=need.method,
        model=model,
        gpu=gpu,
        gpus=gpus,
        framework=need.framework,
        parallel=TrainingParallel.model_validate(
            {"tensor": way.tensor, "pipeline": way.pipeline, "sharding": way.sharding}
        ),
        precision=need.precision,
        optimizer=need.optimizer,
        sequence_length=need.sequence_length,
        micro_batch=way.micro_batch,
        global_batch=need.global_batch,
        recompute=way.recompute,
        lora=need.lora,
        base_weights=need.base_weights,
        tokens=need.tokens,
    )
