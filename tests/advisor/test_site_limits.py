"""What the limits of the site cost, said beside the plan they lead to."""

from decimal import Decimal
from typing import Any

import pytest

from desktop.advisor import recommend
from desktop.catalog import Catalog
from desktop.quote import Configuration, Message
from desktop.request import RecommendRequest


def best_of(catalog: Catalog, need: dict[str, Any], **policy: Any) -> Configuration:
    request = RecommendRequest.model_validate({"needs": [need], "policy": policy})
    best = recommend(request, catalog).best()
    assert best is not None
    return best


def warning(configuration: Configuration, code: str) -> Message | None:
    return next((found for found in configuration.warnings if found.code == code), None)


@pytest.mark.parametrize(
    "need",
    [
        {"mode": "inference", "model": "Llama-3.1-70B", "users": 2000},
        {"mode": "training", "method": "full", "model": "Llama-3.1-70B", "tokens": 10**9, "deadline_hours": 168},
    ],
)
def test_a_rack_that_costs_money_is_said_to(need: dict[str, Any], catalog: Catalog) -> None:
    """The saving named is what the same request gains in a room that feeds the server named."""
    narrow = best_of(catalog, need, max_rack_kw=10)
    said = warning(narrow, "rack_power_costs")
    assert said is not None and said.values["limit_w"] == 10_000 < said.values["power_w"]
    wide = best_of(catalog, need, max_rack_kw=20)
    assert wide.gpu_short == said.values["gpu"]
    assert narrow.total_cost is not None and wide.total_cost is not None
    assert narrow.total_cost - wide.total_cost == said.values["less_money"] > Decimal(0)
    assert warning(wide, "rack_power_costs") is None


def test_a_job_over_several_servers_names_the_network_it_assumes(catalog: Catalog) -> None:
    need = {"mode": "training", "method": "full", "model": "Llama-3.1-70B", "tokens": 10**9, "deadline_hours": 168}
    found = best_of(catalog, need, max_rack_kw=10)
    said = warning(found, "fabric_not_priced")
    assert found.nodes > 1
    assert said is not None and said.values["servers"] == found.nodes


def test_training_is_rented_in_whole_nodes(catalog: Catalog) -> None:
    """Sixteen single-GPU machines without a fabric are not two nodes of eight."""
    need = {"mode": "training", "method": "full", "model": "Llama-3.1-70B", "tokens": 10**9, "deadline_hours": 168}
    cloud = recommend(RecommendRequest.model_validate({"needs": [need]}), catalog).cloud
    assert cloud is not None
    assert cloud.gpus // cloud.instances >= 8
