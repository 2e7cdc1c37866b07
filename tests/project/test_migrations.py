"""Every format that was ever written is read: a file of each lies in formats/."""

from datetime import date
from pathlib import Path

import pytest

from desktop.project.document import FORMAT_VERSION
from desktop.project.files import open_project
from desktop.project.migrations import STEPS, upgraded
from desktop.request import InferenceNeed, Problem, TrainingNeed

FORMATS = Path(__file__).parent / "formats"


def test_every_format_has_a_step_and_a_file() -> None:
    assert sorted(STEPS) == list(range(1, FORMAT_VERSION))
    assert sorted(path.name for path in FORMATS.iterdir()) == [
        f"v{version}.rackwright.json" for version in range(1, FORMAT_VERSION + 1)
    ]


def test_format_1_is_read_whole() -> None:
    project = open_project(FORMATS / "v1.rackwright.json")
    serving, training = project.request.needs
    assert isinstance(serving, InferenceNeed) and isinstance(training, TrainingNeed)
    assert (project.number, project.customer.name) == ("RW-2026-0001", "АО «Пример»")
    assert project.issued_on == date(2026, 11, 28)
    assert (serving.users, serving.context, serving.weights) == (300, 32768, ("fp8", "bf16"))
    assert (training.method, training.runs_per_year) == ("lora", 4)
    assert str(project.request.economics.electricity_per_kwh) == "7.20"


def test_steps_run_in_order_up_to_the_present_format() -> None:
    steps = {
        1: lambda data: {**data, "was": [*data.get("was", []), 1]},
        2: lambda data: {**data, "was": [*data["was"], 2]},
    }
    assert upgraded({"format_version": 1}, "x", 3, steps) == {"format_version": 3, "was": [1, 2]}
    assert upgraded({"format_version": 2, "was": []}, "x", 3, steps) == {"format_version": 3, "was": [2]}


def test_format_of_the_future_says_both_versions() -> None:
    with pytest.raises(Problem) as caught:
        upgraded({"format_version": 7}, "offer.rackwright.json", 1)
    assert (caught.value.code, caught.value.values) == ("newer_format", {"version": 7, "known": 1})
