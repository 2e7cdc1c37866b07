"""`schema`: the JSON Schema of what goes in and what comes out, generated from the records themselves."""

from typing import Any

from pydantic import TypeAdapter

from desktop.cli.json_lines import write_json
from desktop.project.document import Project
from desktop.quote import CostResult, EstimateResult, Quote
from desktop.request import CostRequest, InferencePlan, RecommendRequest, TrainingPlan

RECORDS: dict[str, Any] = {
    "estimate": InferencePlan | TrainingPlan,
    "recommend": RecommendRequest,
    "cost": CostRequest,
    "project": Project,
    "estimate-result": EstimateResult,
    "recommend-result": Quote,
    "cost-result": CostResult,
}


def schema(name: str) -> dict[str, Any]:
    """JSON Schema of a request (as it is read) or of a result (as it is written).

    >>> schema("cost")["properties"]["horizon_months"]["maximum"]
    600
    """
    return TypeAdapter(RECORDS[name]).json_schema(mode="serialization" if name.endswith("-result") else "validation")


def print_schema(name: str) -> int:
    write_json(schema(name), indent=2)
    return 0
