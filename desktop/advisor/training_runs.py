"""Of each GPU the smallest number that trains within the deadline."""

from dataclasses import dataclass

import numpy as np

from desktop.advisor.card import Card
from desktop.advisor.training_plan import training_result
from desktop.advisor.training_search import TrainingOutcomes, training_outcomes
from desktop.architectures import DenseDecoder
from desktop.catalog import Catalog
from desktop.catalog.training_calibration import load_training_calibration
from desktop.quote import EstimateResult
from desktop.request import TrainingNeed, TrainingPlan


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """One plan for a run. `hours` is infinite where it does not fit; `required_bytes` is what it then lacks room
    for."""

    card: Card
    gpus: int
    hours: float
    required_bytes: float
    plan: TrainingPlan

    def in_time(self, deadline_hours: float) -> bool:
        return self.hours <= deadline_hours


def training_runs(
    cards: tuple[Card, ...], need: TrainingNeed, architecture: DenseDecoder, catalog: Catalog
) -> tuple[TrainingRun, ...]:
    """For each card the first number that runs within the deadline, else the quickest that was looked at.

    Raises Problem: invalid_plan or unsupported where the need itself cannot be planned.
    """
    if not cards:
        return ()
    found = training_outcomes(
        need, architecture, cards, catalog.calibration.serving_speed.link, load_training_calibration()
    )
    runs = []
    for row, card in enumerate(cards):
        column = _column(found, row, need.deadline_hours)
        if column is not None:
            plan = found.plan(need, need.model or architecture.name, row, column)
            hours, required = float(found.hours[row, column]), float(found.required_bytes[row, column])
            runs.append(TrainingRun(card, found.counts[column], hours, required, plan))
    return tuple(runs)


def run_result(run: TrainingRun, architecture: DenseDecoder, catalog: Catalog) -> EstimateResult:
    """The plan of a run estimated in full: every component of its memory, its speed with ranges."""
    link = catalog.calibration.serving_speed.link
    return training_result(run.plan, architecture, run.card, link, load_training_calibration())


def _column(found: TrainingOutcomes, row: int, deadline_hours: float) -> int | None:
    """First number of GPUs that is in time and holds the whole range of its memory, else the first in time, else the
    quickest, else the one that lacks least memory; None where none is allowed."""
    hours, required = found.hours[row], found.required_bytes[row]
    for in_time in ((hours <= deadline_hours) & found.fits[row], hours <= deadline_hours):
        if in_time.any():
            return int(in_time.argmax())
    if np.isfinite(hours).any():
        return int(hours.argmin())
    return int(required.argmin()) if np.isfinite(required).any() else None
