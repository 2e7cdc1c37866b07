"""Low and high of every input: the request's own ranges first, the shipped defaults for the rest of what it states."""

from dataclasses import dataclass
from math import inf

from desktop.catalog.cost_assumptions import CostAssumptions
from desktop.costs.question import Question
from desktop.request import CostRequest, Problem

MONEY = (0.0, inf)
SHARE = (0.0, 1.0)

# Dotted path of the contract: (field of CostInputs, least and greatest value that makes sense).
# An empty field moves neither the break-even nor the totals.
INPUTS: dict[str, tuple[str, tuple[float, float]]] = {
    "utilization": ("utilization", SHARE),
    "capex": ("capex", MONEY),
    "onprem_per_hour": ("onprem_per_hour", MONEY),
    "cloud_per_hour": ("on_demand_per_hour", MONEY),
    "residual_rate": ("residual_rate", SHARE),
    "discount_rate": ("discount_rate", SHARE),
    "tokens_per_s": ("", MONEY),
    "token_utilization": ("", SHARE),
    "opex.power_kw_load": ("power_kw_load", MONEY),
    "opex.power_kw_idle": ("power_kw_idle", MONEY),
    "opex.pue": ("pue", (1.0, 5.0)),
    "opex.electricity_per_kwh": ("electricity_per_kwh", MONEY),
    "opex.support_rate_year": ("support_rate_year", SHARE),
    "opex.colocation_month": ("colocation_month", MONEY),
    "opex.staff_fte": ("staff_fte", MONEY),
    "opex.fte_cost_year": ("fte_cost_year", MONEY),
    "opex.software_per_gpu_year": ("software_per_gpu_year", MONEY),
    "opex.gpus": ("gpus", MONEY),
    "opex.other_month": ("other_month", MONEY),
    "cloud.on_demand_per_hour": ("on_demand_per_hour", MONEY),
    "cloud.hours_month": ("on_demand_hours", MONEY),
    "cloud.committed_hours_month": ("committed_hours", MONEY),
    "cloud.committed_per_hour": ("committed_per_hour", MONEY),
    "cloud.spot_hours_month": ("spot_hours", MONEY),
    "cloud.spot_per_hour": ("spot_per_hour", MONEY),
    "cloud.storage_month": ("storage_month", MONEY),
    "cloud.egress_gb_month": ("egress_gb_month", MONEY),
    "cloud.egress_per_gb": ("egress_per_gb", MONEY),
    "cloud.yearly_price_change": ("yearly_price_change", (-0.99, 1.0)),
    "training.runs_per_year": ("training_runs_per_year", MONEY),
    "training.hours_per_run": ("training_hours_per_run", MONEY),
    "training.cloud_per_hour": ("training_per_hour", MONEY),
    "training.capex": ("training_capex", MONEY),
    "training.power_kw_load": ("training_kw_load", MONEY),
    "training.power_kw_idle": ("training_kw_idle", MONEY),
    "training.other_month": ("training_other_month", MONEY),
    "api.input_tokens_month": ("input_tokens_month", MONEY),
    "api.output_tokens_month": ("output_tokens_month", MONEY),
    "api.input_price": ("input_price", MONEY),
    "api.output_price": ("output_price", MONEY),
}
CAPEX_ITEM = "capex_items."


@dataclass(frozen=True)
class Spread:
    """One uncertain input. A step of one in it moves `field` of CostInputs by `slope`; `stream` numbers its draws."""

    path: str
    field: str
    slope: float
    value: float
    low: float
    high: float
    given: bool
    stream: int


def spreads_of(request: CostRequest, question: Question, assumptions: CostAssumptions) -> tuple[Spread, ...]:
    """Every input that has a range.

    Raises Problem at `ranges.<path>`: "unknown_field" for a path the contract lacks, "range_without_value" for an input
    the request does not have, "range_excludes_value" for a range beside the value, "out_of_range" for a bound that
    cannot be.
    """
    for path in request.ranges:
        if path not in INPUTS and not path.startswith(CAPEX_ITEM):
            raise Problem("unknown_field", f"ranges.{path}")
    paths = [*INPUTS, *(path for path in request.ranges if path.startswith(CAPEX_ITEM))]
    found = (_spread(path, number, request, question, assumptions) for number, path in enumerate(paths))
    return tuple(spread for spread in found if spread is not None and spread.low < spread.high)


def _spread(
    path: str, stream: int, request: CostRequest, question: Question, assumptions: CostAssumptions
) -> Spread | None:
    field, (least, greatest) = ("capex", MONEY) if path.startswith(CAPEX_ITEM) else INPUTS[path]
    value = _value(path, request, question)
    given = request.ranges.get(path)
    if given is not None:
        if value is None:
            raise Problem("range_without_value", f"ranges.{path}")
        if given.low < least:
            raise Problem("out_of_range", f"ranges.{path}.low", reason="at_least", limit=least)
        if given.high > greatest:
            raise Problem("out_of_range", f"ranges.{path}.high", reason="at_most", limit=greatest)
        if not given.low <= value <= given.high:
            raise Problem("range_excludes_value", f"ranges.{path}", low=given.low, value=value, high=given.high)
        low, high = given.low, given.high
    else:
        known = assumptions.range_of(path)
        around = known.around(value) if known and value is not None and _counts(path, request, question) else None
        if around is None:
            return None
        low, high = max(least, around[0]), min(greatest, around[1])
    slope = 1.0
    if path == "cloud.hours_month" and question.inputs.on_demand_hours is None:
        field, slope = "utilization", 1.0 / question.inputs.full_hours
    return Spread(path, field, slope, float(value or 0.0), low, high, given is not None, stream)


def _value(path: str, request: CostRequest, question: Question) -> float | None:
    """What the request says of an input, by default if need be; None where the block it stands in is absent."""
    if path == "utilization":
        return float(question.inputs.utilization)
    if path == "capex":
        return float(question.inputs.capex) if question.offered.owned else None
    if path.startswith(CAPEX_ITEM):
        name = path.removeprefix(CAPEX_ITEM)
        amounts = [float(item.amount) for item in request.capex_items if item.name == name]
        return amounts[0] if len(amounts) == 1 else None
    block, _, name = path.rpartition(".")
    holder = getattr(request, block) if block else request
    number = None if holder is None else getattr(holder, name)
    return None if number is None else float(number)


def _counts(path: str, request: CostRequest, question: Question) -> bool:
    """Whether a default range may stand for an input: only what the request states itself is counted."""
    if path == "utilization":
        return not question.offered.training_only or question.offered.training_in_utilization
    if path == "capex":
        return not any(name.startswith(CAPEX_ITEM) for name in request.ranges)
    block, _, name = path.rpartition(".")
    holder = getattr(request, block) if block else request
    return holder is not None and name in holder.model_fields_set
