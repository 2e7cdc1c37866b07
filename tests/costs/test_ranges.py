from typing import Any, get_args

import pytest

from desktop.catalog.cost_assumptions import load_cost_assumptions
from desktop.costs.inputs import CostInputs
from desktop.costs.question import question_of
from desktop.costs.ranges import INPUTS, Spread, spreads_of
from desktop.request import CostRequest, Problem

ITEMISED: dict[str, Any] = {
    "capex": 139_576,
    "cloud": {"on_demand_per_hour": "33.14"},
    "utilization": 0.5,
    "opex": {
        "power_kw_load": 6.5,
        "pue": 1.5,
        "electricity_per_kwh": "0.2",
        "support_rate_year": 0.1,
        "staff_fte": 0.25,
        "fte_cost_year": 48_000,
    },
}


def spreads(**asked: Any) -> dict[str, Spread]:
    request = CostRequest.model_validate(asked)
    return {spread.path: spread for spread in spreads_of(request, question_of(request), load_cost_assumptions())}


def refusal(**asked: Any) -> Problem:
    with pytest.raises(Problem) as caught:
        spreads(**asked)
    return caught.value


def test_defaults_stand_for_what_is_stated() -> None:
    found = spreads(**ITEMISED)
    assert {path: (spread.low, spread.high) for path, spread in found.items()} == {
        "utilization": (0.35, 0.65),
        "capex": (111_660.8, 167_491.2),
        "opex.pue": (1.2, 1.8),
        "opex.electricity_per_kwh": (0.14, 0.26),
        "opex.support_rate_year": (0.08, 0.15),
        "opex.staff_fte": (0.0, 1.0),
        "cloud.on_demand_per_hour": (19.884, 38.111),
    }
    assert not any(spread.given for spread in found.values())


def test_what_is_left_out_of_the_count_has_no_range() -> None:
    """PUE 1 and a residual value of 0 mean that they are not counted."""
    found = spreads(capex=1, residual_rate=0, opex={"pue": 1, "support_rate_year": 0}, cloud_per_hour=2, utilization=1)
    assert set(found) == {"capex", "cloud_per_hour", "utilization"}


def test_full_use_can_only_fall() -> None:
    found = spreads(capex=1, cloud_per_hour=2)["utilization"]
    assert (found.low, found.value, found.high) == (0.85, 1.0, 1.0)


def test_own_range_comes_first() -> None:
    found = spreads(**ITEMISED, ranges={"capex": {"low": 128_000, "high": 152_000}})["capex"]
    assert (found.low, found.high, found.given) == (128_000, 152_000, True)


def test_any_input_may_have_a_range() -> None:
    ranges = {
        "opex.power_kw_load": {"low": 5, "high": 8},
        "residual_rate": {"low": 0, "high": 0.3},
        "discount_rate": {"low": 0, "high": 0.2},
    }
    assert set(ranges) <= set(spreads(**ITEMISED, ranges=ranges))


def test_range_of_one_line_of_the_purchase_moves_the_purchase() -> None:
    items = [{"name": "servers", "amount": 100}, {"name": "memory", "amount": 50}]
    found = spreads(capex_items=items, cloud_per_hour=2, ranges={"capex_items.memory": {"low": 35, "high": 80}})
    assert "capex" not in found
    assert found["capex_items.memory"].field == "capex"
    assert found["capex_items.memory"].value == 50


def test_range_of_cloud_hours_moves_the_share_of_use() -> None:
    ranges = {"cloud.hours_month": {"low": 100, "high": 300}}
    derived = spreads(capex=1, cloud={"on_demand_per_hour": 5, "hours_month": 182.5}, ranges=ranges)[
        "cloud.hours_month"
    ]
    assert derived.field == "utilization"
    assert derived.slope == pytest.approx(1 / 730)
    stated = spreads(capex=1, utilization=0.5, cloud={"on_demand_per_hour": 5, "hours_month": 182.5}, ranges=ranges)
    assert stated["cloud.hours_month"].field == "on_demand_hours"


@pytest.mark.parametrize(
    ("path", "low", "high", "code", "field"),
    [
        ("colour", 0, 1, "unknown_field", "ranges.colour"),
        ("horizon_months", 12, 60, "unknown_field", "ranges.horizon_months"),
        ("training.runs_per_year", 0, 1, "range_without_value", "ranges.training.runs_per_year"),
        ("onprem_per_hour", 0, 1, "range_without_value", "ranges.onprem_per_hour"),
        ("capex_items.memory", 0, 1, "range_without_value", "ranges.capex_items.memory"),
        ("utilization", -0.1, 0.6, "out_of_range", "ranges.utilization.low"),
        ("utilization", 0.4, 1.2, "out_of_range", "ranges.utilization.high"),
        ("capex", 200_000, 300_000, "range_excludes_value", "ranges.capex"),
    ],
)
def test_a_range_that_makes_no_sense(path: str, low: float, high: float, code: str, field: str) -> None:
    problem = refusal(**ITEMISED, ranges={path: {"low": low, "high": high}})
    assert (problem.code, problem.field) == (code, field)


def test_a_range_of_one_value_is_no_range() -> None:
    assert "capex" not in spreads(**ITEMISED, ranges={"capex": {"low": 139_576, "high": 139_576}})


def test_every_path_leads_to_a_field_of_the_request_and_of_the_inputs() -> None:
    inputs, record = CostInputs(), CostRequest.model_fields
    for path, (field, _) in INPUTS.items():
        assert not field or inputs.value(field) is not None
        block, _, name = path.rpartition(".")
        blocks = [part for part in get_args(record[block].annotation) if part is not type(None)] if block else []
        owner = blocks[0] if blocks else CostRequest
        assert name in owner.model_fields


def test_every_shipped_range_names_an_input_and_its_source() -> None:
    for known in load_cost_assumptions().range:
        assert set(known.inputs) <= set(INPUTS)
        assert len(known.source) > 20
