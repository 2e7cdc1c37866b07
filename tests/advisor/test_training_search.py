"""The search over cards: the same numbers as the fixed plan, and the cheapest-first order that the choice needs."""

from typing import Any

import numpy as np
import pytest

from desktop.advisor.card import Card, card_of, card_of_record
from desktop.advisor.training_plan import training_result
from desktop.advisor.training_search import TrainingOutcomes, training_outcomes
from desktop.architectures import read_architecture
from desktop.catalog import Catalog
from desktop.catalog.training_calibration import load_training_calibration
from desktop.quote import TrainingSpeed
from desktop.request import Problem, TrainingNeed

CALIBRATION = load_training_calibration()
CARDS = ("NVIDIA H100 SXM5 80GB", "NVIDIA A100 SXM4 80GB", "NVIDIA L40S", "NVIDIA B200 SXM", "NVIDIA T4")


def need_of(**changes: Any) -> TrainingNeed:
    given = {"mode": "training", "model": "Qwen3-32B", "method": "lora", "tokens": 200_000_000, "global_batch": 64}
    return TrainingNeed.model_validate({**given, **changes})


def search(need: TrainingNeed, catalog: Catalog, names: tuple[str, ...] = CARDS) -> TrainingOutcomes:
    assert isinstance(need.model, str)
    cards = [card_of(name, catalog) for name in names]
    link = catalog.calibration.serving_speed.link
    return training_outcomes(need, read_architecture(need.model, catalog), cards, link, CALIBRATION)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"method": "full", "model": "Llama-3.1-70B"},
        {"method": "qlora", "model": "Llama-3.1-70B", "framework": {"name": "peft"}},
        {"method": "full", "model": "Llama-3.1-8B", "framework": {"name": "deepspeed"}},
        {"method": "full", "model": "Llama-3.1-70B", "framework": {"name": "megatron-lm"}},
        {
            "method": "full",
            "model": "Llama-3.1-8B",
            "optimizer": "paged-adamw-8bit",
            "framework": {"name": "torchtune"},
        },
    ],
)
def test_every_chosen_way_is_what_the_fixed_plan_says(changes: dict[str, Any], catalog: Catalog) -> None:
    need = need_of(**changes)
    found = search(need, catalog)
    assert isinstance(need.model, str)
    architecture, link = read_architecture(need.model, catalog), catalog.calibration.serving_speed.link
    checked = 0
    for row, column in zip(*np.nonzero(found.runs), strict=True):
        plan = found.plan(need, need.model, row, column)
        answer = training_result(plan, architecture, found.cards[row], link, CALIBRATION)
        assert plan.gpus == found.counts[column]
        assert answer.memory.required_bytes.value == pytest.approx(found.required_bytes[row, column], abs=16)
        assert (answer.memory.verdict == "fits") == bool(found.fits[row, column])
        assert isinstance(answer.speed, TrainingSpeed)
        assert answer.speed.hours_total is not None
        assert answer.speed.hours_total.value == pytest.approx(found.hours[row, column])
        checked += 1
    assert checked > 5


def test_a_card_without_the_precision_never_runs(catalog: Catalog) -> None:
    found = search(need_of(model="Llama-3.2-1B"), catalog)
    row = CARDS.index("NVIDIA T4")
    assert not found.runs[row].any()
    assert np.isinf(found.hours[row]).all()


def test_replicas_share_the_batch_evenly(catalog: Catalog) -> None:
    """A global batch of 8 leaves nothing to do for 16 GPUs."""
    found = search(need_of(model="Llama-3.2-1B", global_batch=8), catalog)
    allowed = np.array(found.counts) <= 8
    assert found.runs[0][allowed].all()
    assert not found.runs[0][~allowed].any()
    assert np.isinf(found.required_bytes[0][~allowed]).all()


def test_more_gpus_take_fewer_hours(catalog: Catalog) -> None:
    found = search(need_of(method="full", model="Llama-3.1-8B"), catalog)
    for row in range(3):
        hours = found.hours[row][found.fits[row]]
        assert len(hours) >= 2
        assert np.all(np.diff(hours) < 0)


def test_what_does_not_fit_tells_the_least_it_needs(catalog: Catalog) -> None:
    found = search(need_of(method="full", model="Llama-3.1-70B"), catalog)
    one_gpu = found.required_bytes[0, 0]
    assert not found.runs[0, 0]
    assert 16 * 70.5e9 < one_gpu < 1.5 * 16 * 70.5e9
    assert np.isinf(found.hours[0, 0])


def test_a_need_that_cannot_be_planned_is_a_problem(catalog: Catalog) -> None:
    with pytest.raises(Problem) as caught:
        search(need_of(method="full", lora={"rank": 8}), catalog)
    assert caught.value.values["rule"] == "lora_without_method"


def test_the_whole_catalog_at_once(catalog: Catalog) -> None:
    """Every card with known figures gets a row, and the order of the cards is kept."""
    cards: list[Card] = [card for gpu in catalog.gpus if (card := card_of_record(gpu, catalog)) is not None]
    need = need_of()
    found = training_outcomes(
        need, read_architecture("Qwen3-32B", catalog), cards, catalog.calibration.serving_speed.link, CALIBRATION
    )
    assert found.cards == tuple(cards)
    assert found.hours.shape == (len(cards), len(found.counts))
    assert found.runs.any(axis=1).sum() > len(cards) / 2
