"""A fixed training plan answered: memory of the worst GPU and, where it fits, step time, MFU and hours."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from desktop.advisor.card import Card, card_of
from desktop.advisor.training_answer import memory_answer, speed_answer, training_warnings
from desktop.advisor.training_job import base_format, check_plan, layout_of, recompute_ladder, training_job
from desktop.advisor.training_rates import check_precision, datasheet_flops, matrix_precision, training_rates
from desktop.advisor.unused_fields import unused_in_training
from desktop.architectures import DenseDecoder, read_architecture
from desktop.catalog import Catalog
from desktop.catalog.calibration import Link
from desktop.catalog.training_calibration import TrainingCalibration, load_training_calibration
from desktop.quote import EstimateResult, TrainingSpeed
from desktop.request import TrainingPlan
from desktop.sizing.training_layout import TrainingLayout
from desktop.sizing.training_memory import MemoryParts, TrainingJob, memory_parts
from desktop.sizing.training_speed import token_cost


def estimate_training(plan: TrainingPlan, catalog: Catalog) -> EstimateResult:
    """Answer of a fixed training plan.

    Raises Problem: invalid_plan (with the rule), unsupported, unknown_gpu, unknown_model, unsupported_model, …
    """
    architecture = read_architecture(plan.model, catalog)
    card = card_of(plan.gpu, catalog)
    return training_result(
        plan, architecture, card, catalog.calibration.serving_speed.link, load_training_calibration()
    )


def training_result(
    plan: TrainingPlan, architecture: DenseDecoder, card: Card, link: Link, calibration: TrainingCalibration
) -> EstimateResult:
    """The same from an architecture and a card. Speed is None where the plan does not fit."""
    check_plan(plan, architecture)
    check_precision(plan.precision, card.gpu)
    framework = calibration.memory.frameworks[plan.framework.name]
    layout = layout_of(plan, framework)
    jobs = (training_job(plan, architecture, calibration, word) for word in recompute_ladder(plan, framework))
    job, parts = least_that_fits(jobs, layout, card.visible_bytes, calibration)
    parts, paged = paged_to_host(parts, plan.optimizer, card.visible_bytes, calibration)
    memory = memory_answer(plan, job, layout, parts, paged, card, calibration)
    speed: TrainingSpeed | None = None
    if memory.verdict != "does_not_fit":
        speed = _speed(plan, job, layout, card, link, calibration)
    return EstimateResult(
        id=plan.id,
        memory=memory,
        speed=speed,
        warnings=unused_in_training(plan)
        + training_warnings(plan, job, card, memory, speed, base_format(plan), calibration),
    )


def stages_of(layout: TrainingLayout) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Numbers of the pipeline stages of one layout."""
    return np.arange(float(layout.pipeline))


def least_that_fits(
    jobs: Iterable[TrainingJob], layout: TrainingLayout, usable_bytes: float, calibration: TrainingCalibration
) -> tuple[TrainingJob, MemoryParts]:
    """The first job whose fullest rank fits, else the last; its parts have one element a pipeline stage."""
    for job in jobs:
        parts = memory_parts(job, layout, stages_of(layout), calibration.memory)
        if np.max(parts.total()) <= usable_bytes:
            break
    return job, parts


def paged_to_host(
    parts: MemoryParts, optimizer: str, usable_bytes: float, calibration: TrainingCalibration
) -> tuple[MemoryParts, float]:
    """Parts less what a paged optimizer moves to the host when the card is full, and those bytes of the worst rank."""
    kind = calibration.memory.optimizers[optimizer.removesuffix("+in-backward")]
    if not kind.paged:
        return parts, 0.0
    moved = np.clip(parts.total() - usable_bytes, 0.0, parts.optimizer)
    return replace(parts, optimizer=parts.optimizer - moved), float(np.max(moved))


def _speed(
    plan: TrainingPlan,
    job: TrainingJob,
    layout: TrainingLayout,
    card: Card,
    link: Link,
    calibration: TrainingCalibration,
) -> TrainingSpeed:
    table = calibration.speed
    precision = matrix_precision(plan.precision)
    family = table.family_of(plan.framework.name, job.compiled)
    rates = training_rates(
        card,
        precision,
        plan.framework.name,
        family,
        link,
        table,
        plan.gpus / plan.nodes if plan.nodes else None,
        plan.interconnect_gbps,
    )
    cost = token_cost(job, layout, rates, table.family[family], table)
    return speed_answer(
        plan, job, layout, cost, table.range_of(family, card.gpu.id), datasheet_flops(precision, card.gpu), table
    )
