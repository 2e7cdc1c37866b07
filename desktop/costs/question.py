"""A cost request as numbers: which schemes it prices, and every input as a float."""

from dataclasses import dataclass
from math import ceil

from desktop.costs.inputs import CostInputs
from desktop.costs.schemes import Offered, Scheme
from desktop.request import ApiUse, Cloud, CostRequest, Opex, Problem, TrainingRuns
from desktop.units import MONTHS_PER_YEAR

SECONDS_PER_HOUR = 3600


@dataclass(frozen=True)
class Question:
    """`used_hours_month` [h] are the hours in which the service runs, `tokens_month` what it serves in them; the free
    hours are those in which the serving machine may train."""

    inputs: CostInputs
    offered: Offered
    horizon_months: int
    refresh_month: int | None
    used_hours_month: float
    tokens_month: float | None
    api_tokens_month: float
    training_hours_year: float
    free_hours_year: float

    def tokens_of(self, scheme: Scheme) -> float | None:
        """Tokens that a scheme serves in a month: the API is paid for its own volume."""
        return self.api_tokens_month if scheme == "api" else self.tokens_month

    def trains_at_home(self) -> bool:
        """Whether the own machines have the hours for the training they are to do."""
        return self.offered.training_machine or self.training_hours_year <= self.free_hours_year

    def cycle_months(self) -> int:
        """Months after which the lumpy training repeats."""
        runs = float(self.inputs.training_runs_per_year)
        return MONTHS_PER_YEAR if runs >= 1 or runs == 0 else ceil(MONTHS_PER_YEAR / runs)


def question_of(request: CostRequest) -> Question:
    """The request as numbers.

    Raises Problem("missing_cost") where a machine runs but nobody says what it cost, where rented hours have no price,
    or where nothing has a price at all; Problem("idle_above_load") where a machine draws more idle than busy.
    """
    offered = _offered(request)
    capex = float(request.capex or sum(item.amount for item in request.capex_items))
    cloud, api = request.cloud or Cloud(), request.api
    opex, training = request.opex or Opex(), request.training
    _check_power(opex, training)
    if request.cloud is not None:
        _check_prices(request.cloud)
    hours_month = _on_demand_hours(cloud)
    full_hours, utilization = _usage(request, cloud, hours_month, offered)
    fixed_hours = hours_month if "utilization" in request.model_fields_set else None
    own_ratio = _own_hours_per_rented(training)
    training_hours = training.runs_per_year * training.hours_per_run * own_ratio if training else 0.0
    tokens = _tokens(request, api, utilization)
    inputs = CostInputs(
        capex=capex,
        residual_rate=request.residual_rate,
        onprem_per_hour=float(request.onprem_per_hour or 0),
        power_kw_load=opex.power_kw_load,
        power_kw_idle=opex.power_kw_idle,
        pue=opex.pue,
        electricity_per_kwh=float(opex.electricity_per_kwh),
        support_rate_year=opex.support_rate_year,
        colocation_month=float(opex.colocation_month),
        staff_fte=opex.staff_fte,
        fte_cost_year=float(opex.fte_cost_year),
        software_per_gpu_year=float(opex.software_per_gpu_year),
        gpus=float(opex.gpus),
        other_month=float(opex.other_month),
        on_demand_per_hour=float(cloud.on_demand_per_hour if request.cloud else request.cloud_per_hour or 0),
        on_demand_hours=fixed_hours,
        committed_hours=cloud.committed_hours_month,
        committed_per_hour=float(cloud.committed_per_hour),
        spot_hours=cloud.spot_hours_month,
        spot_per_hour=float(cloud.spot_per_hour),
        storage_month=float(cloud.storage_month),
        cloud_staff_month=float(cloud.staff_month),
        egress_gb_month=cloud.egress_gb_month,
        egress_per_gb=float(cloud.egress_per_gb),
        yearly_price_change=cloud.yearly_price_change,
        training_runs_per_year=training.runs_per_year if training else 0.0,
        training_hours_per_run=training.hours_per_run if training else 0.0,
        own_hours_per_rented=own_ratio,
        training_per_hour=float(training.cloud_per_hour) if training else 0.0,
        training_capex=float(training.capex or 0) if training else 0.0,
        training_kw_load=training.power_kw_load if training else 0.0,
        training_kw_idle=training.power_kw_idle if training else 0.0,
        training_other_month=float(training.other_month) if training else 0.0,
        input_tokens_month=api.input_tokens_month if api else 0.0,
        output_tokens_month=api.output_tokens_month if api else 0.0,
        input_price=float(api.input_price) if api else 0.0,
        output_price=float(api.output_price) if api else 0.0,
        utilization=utilization,
        stated_utilization=utilization,
        hours_per_month=request.hours_per_month,
        full_hours=full_hours,
        discount_rate=request.discount_rate,
        vat_rate=float(request.vat.rate) if request.vat and not request.vat.recoverable else 0.0,
    )
    serving = offered.training_only and not offered.training_in_utilization
    return Question(
        inputs=inputs,
        offered=offered,
        horizon_months=request.horizon_months,
        refresh_month=request.refresh_month,
        used_hours_month=training_hours / MONTHS_PER_YEAR if serving else utilization * full_hours,
        tokens_month=tokens,
        api_tokens_month=api.input_tokens_month + api.output_tokens_month if api else 0.0,
        training_hours_year=training_hours,
        free_hours_year=request.hours_per_month * MONTHS_PER_YEAR * (1.0 if offered.training_only else 1 - utilization),
    )


def _own_hours_per_rented(training: TrainingRuns | None) -> float:
    """Hours of a run on an own machine for one rented hour; 1 where only one of them is stated or a run takes none."""
    if training is None or training.own_hours_per_run is None or not training.hours_per_run:
        return 1.0
    return training.own_hours_per_run / training.hours_per_run


def _offered(request: CostRequest) -> Offered:
    owned = request.capex is not None or bool(request.capex_items)
    cloud = request.cloud is not None or request.cloud_per_hour is not None
    machine = request.training is not None and request.training.capex is not None
    runs = request.onprem_per_hour is not None or request.opex is not None or machine
    if not owned and (runs or not (cloud or request.api)):
        raise Problem("missing_cost", "capex")
    training_only = request.training is not None and not (cloud or request.api or machine)
    return Offered(
        owned=owned,
        cloud=cloud,
        api=request.api is not None,
        training=request.training is not None,
        training_machine=machine,
        training_only=training_only,
        training_in_utilization=training_only and "utilization" in request.model_fields_set,
    )


def _on_demand_hours(cloud: Cloud) -> float | None:
    """Hours a month bought on demand as stated; None where they follow the utilization."""
    if cloud.hours_month is None and "on_demand_per_hour" not in cloud.model_fields_set:
        return 0.0 if cloud.committed_hours_month or cloud.spot_hours_month else None
    return cloud.hours_month


def _usage(request: CostRequest, cloud: Cloud, hours_month: float | None, offered: Offered) -> tuple[float, float]:
    """Hours of a month in which the service could run, and the share in which it does.

    Stated cloud hours tell the share unless the utilization is stated too; more hours than a month has are several
    machines.
    """
    if offered.training_only and not offered.training_in_utilization:
        return request.hours_per_month, 0.0
    if hours_month is None:
        return request.hours_per_month, request.utilization
    rented = hours_month + cloud.committed_hours_month + cloud.spot_hours_month
    full = max(request.hours_per_month, rented)
    return full, request.utilization if "utilization" in request.model_fields_set else rented / full


def _tokens(request: CostRequest, api: ApiUse | None, utilization: float) -> float | None:
    """Tokens served in a month: from the rate where it is given, else the API's volume."""
    if request.tokens_per_s is not None:
        share = utilization if request.token_utilization is None else request.token_utilization
        return request.tokens_per_s * share * SECONDS_PER_HOUR * request.hours_per_month
    return api.input_tokens_month + api.output_tokens_month if api else None


def _check_prices(cloud: Cloud) -> None:
    """Hours without a price would make the cloud look free."""
    stated = cloud.model_fields_set
    for hours, price in (
        (cloud.hours_month, "on_demand_per_hour"),
        (cloud.committed_hours_month, "committed_per_hour"),
        (cloud.spot_hours_month, "spot_per_hour"),
    ):
        if hours and price not in stated:
            raise Problem("missing_cost", f"cloud.{price}")
    if not stated & {"on_demand_per_hour", "committed_per_hour", "spot_per_hour"}:
        raise Problem("missing_cost", "cloud.on_demand_per_hour")


def _check_power(opex: Opex, training: TrainingRuns | None) -> None:
    for block, machine in (("opex", opex), ("training", training)):
        if machine and machine.power_kw_idle > machine.power_kw_load:
            raise Problem(
                "idle_above_load", f"{block}.power_kw_idle", idle=machine.power_kw_idle, load=machine.power_kw_load
            )
