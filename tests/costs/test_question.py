from typing import Any

import numpy as np
import pytest

from desktop.costs.cloud import on_demand_hours
from desktop.costs.question import Question, question_of
from desktop.request import CostRequest, Problem

TRAINING = {"runs_per_year": 4, "hours_per_run": 72, "cloud_per_hour": "98"}
API = {"input_tokens_month": 3e9, "output_tokens_month": 1e9, "input_price": "0.5", "output_price": "1.5"}


def question(**asked: Any) -> Question:
    return question_of(CostRequest.model_validate(asked))


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "capex"),
        ({"onprem_per_hour": 1, "cloud_per_hour": 2}, "capex"),
        ({"opex": {"other_month": 1}, "cloud_per_hour": 2}, "capex"),
        ({"training": TRAINING}, "capex"),
        ({"training": TRAINING | {"capex": 5}, "cloud_per_hour": 2}, "capex"),
        ({"capex": 1, "cloud": {}}, "cloud.on_demand_per_hour"),
        ({"capex": 1, "cloud": {"hours_month": 100}}, "cloud.on_demand_per_hour"),
        ({"capex": 1, "cloud": {"committed_hours_month": 730}}, "cloud.committed_per_hour"),
        ({"capex": 1, "cloud": {"on_demand_per_hour": 5, "spot_hours_month": 10}}, "cloud.spot_per_hour"),
    ],
)
def test_a_lacking_price_is_named(asked: dict[str, Any], field: str) -> None:
    with pytest.raises(Problem) as caught:
        question(**asked)
    assert (caught.value.code, caught.value.field) == ("missing_cost", field)


@pytest.mark.parametrize("block", ["opex", "training"])
def test_idle_above_load(block: str) -> None:
    machine: dict[str, Any] = {"power_kw_load": 1, "power_kw_idle": 2}
    asked = {"capex": 1, block: machine if block == "opex" else TRAINING | machine}
    with pytest.raises(Problem) as caught:
        question(**asked)
    assert (caught.value.code, caught.value.field) == ("idle_above_load", f"{block}.power_kw_idle")


def test_capex_items_are_added() -> None:
    items = [{"name": "servers", "amount": "250141.80"}, {"name": "network", "amount": "30000"}]
    assert question(capex_items=items, cloud_per_hour=1).inputs.capex == pytest.approx(280_141.8)


def test_cloud_hours_follow_the_utilization() -> None:
    asked = question(capex=1, cloud={"on_demand_per_hour": 5}, utilization=0.4)
    assert on_demand_hours(asked.inputs) == pytest.approx(292)
    assert asked.used_hours_month == pytest.approx(292)


def test_stated_cloud_hours_tell_the_utilization() -> None:
    asked = question(capex=1, cloud={"on_demand_per_hour": 5, "hours_month": 182.5})
    assert asked.inputs.utilization == pytest.approx(0.25)
    assert on_demand_hours(asked.inputs) == pytest.approx(182.5)


def test_hours_and_utilization_stated_both_hold() -> None:
    """A rented machine that is paid all month and busy for half of it."""
    asked = question(capex=1, cloud={"on_demand_per_hour": 5, "hours_month": 730}, utilization=0.5)
    assert on_demand_hours(asked.inputs) == 730
    assert asked.used_hours_month == pytest.approx(365)


def test_several_rented_machines_have_more_hours_than_a_month() -> None:
    asked = question(capex=1, cloud={"on_demand_per_hour": 5, "hours_month": 2920})
    assert asked.inputs.full_hours == 2920
    assert asked.inputs.utilization == 1.0


def test_commitment_alone_tells_the_hours() -> None:
    asked = question(capex=1, cloud={"committed_hours_month": 365, "committed_per_hour": 40})
    assert asked.inputs.utilization == pytest.approx(0.5)
    assert on_demand_hours(asked.inputs) == 0


def test_schemes_of_a_question() -> None:
    everything = question(capex=1, cloud_per_hour=2, training=TRAINING, api=API, utilization=0.3).offered
    assert (everything.owned, everything.cloud, everything.api, everything.training) == (True,) * 4
    assert not everything.training_only
    assert question(capex=1, training=TRAINING).offered.training_only
    assert not question(capex=1, training=TRAINING, api=API).offered.training_only


def test_training_needs_free_hours_on_the_one_machine() -> None:
    """4 runs of 72 h are 288 h a year; a machine that is busy for 97 % of 8,760 h has 263 left."""
    assert question(capex=1, cloud_per_hour=2, training=TRAINING, utilization=0.9).trains_at_home()
    assert not question(capex=1, cloud_per_hour=2, training=TRAINING, utilization=0.97).trains_at_home()
    own = TRAINING | {"capex": 100}
    assert question(capex=1, cloud_per_hour=2, training=own, utilization=1.0).trains_at_home()


def test_machine_that_only_trains() -> None:
    asked = question(capex=1, training=TRAINING)
    assert asked.trains_at_home()
    assert asked.used_hours_month == pytest.approx(24)
    assert asked.inputs.utilization == 0
    assert not question(capex=1, training=TRAINING | {"runs_per_year": 122}).trains_at_home()


def test_lumps_repeat_after_a_cycle() -> None:
    assert question(capex=1, training=TRAINING).cycle_months() == 12
    assert question(capex=1, training=TRAINING | {"runs_per_year": 0.4}).cycle_months() == 30
    assert question(capex=1, cloud_per_hour=2).cycle_months() == 12


def test_vat_counts_only_where_it_is_not_recovered() -> None:
    assert question(capex=1, cloud_per_hour=2, vat={"rate": "0.22"}).inputs.vat_rate == 0
    assert question(capex=1, cloud_per_hour=2, vat={"rate": "0.22", "recoverable": False}).inputs.vat_rate == 0.22


def test_tokens_of_a_month() -> None:
    half = question(capex=1, tokens_per_s=1000, cloud_per_hour=2, utilization=0.5)
    assert half.tokens_month == pytest.approx(1.314e9)
    stated = question(capex=1, tokens_per_s=1000, token_utilization=0.1, cloud_per_hour=2)
    assert stated.tokens_month == pytest.approx(2.628e8)
    assert question(capex=1, api=API).tokens_month == pytest.approx(4e9)
    both = question(capex=1, api=API, tokens_per_s=1000, cloud_per_hour=2)
    assert both.tokens_of("cloud") == pytest.approx(2.628e9)
    assert both.tokens_of("api") == pytest.approx(4e9)
    assert question(capex=1, cloud_per_hour=2).tokens_month is None


def test_money_is_read_to_the_cent() -> None:
    assert np.isclose(question(capex="250141.80", cloud_per_hour="98.32").inputs.value("capex"), 250_141.8, rtol=0)
