"""The schemes of a quote: the configuration's own figures and the cloud offer go through the same code as `cost`."""

from pydantic import ValidationError

from desktop.advisor.economics import cost
from desktop.advisor.load import mean_requests_per_s
from desktop.advisor.money_terms import MoneyTerms
from desktop.quote import CloudOffer, Configuration, CostResult, Server
from desktop.request import (
    Cloud,
    CostRequest,
    Economics,
    InferenceNeed,
    Opex,
    Policy,
    Problem,
    TrainingRuns,
    Vat,
)
from desktop.units import HOURS_PER_MONTH, MONTHS_PER_YEAR, money


def quote_costs(
    configuration: Configuration,
    cloud: CloudOffer | None,
    training: TrainingRuns | None,
    need: InferenceNeed | None,
    policy: Policy,
    economics: Economics,
    terms: MoneyTerms,
    cloud_staff_share: float,
) -> CostResult | None:
    """Schemes, break-even and what moves it, for the proposed configuration; None where it has no price.
    Raises Problem("order_too_large").

    With a serving need the machine is busy in `economics.utilization` of the hours; one that only trains is busy in its
    runs. Rented machines need `cloud_staff_share` of the staff of own ones.
    """
    if configuration.server is None or configuration.capex is None:
        return None
    try:
        request = _request(
            configuration, configuration.server, cloud, training, need, policy, economics, terms, cloud_staff_share
        )
    except ValidationError:  # every figure of the request was in its bounds; what they multiply to is not
        raise Problem("order_too_large", field="needs", gpus=configuration.gpus) from None
    return cost(request, on_site_only=policy.data_must_stay_on_site)


def _request(
    configuration: Configuration,
    server: Server,
    cloud: CloudOffer | None,
    training: TrainingRuns | None,
    need: InferenceNeed | None,
    policy: Policy,
    economics: Economics,
    terms: MoneyTerms,
    cloud_staff_share: float,
) -> CostRequest:
    fte_year = terms.convert(economics.fte_cost_year)
    opex = Opex(
        power_kw_load=server.load_power_w * server.servers / 1000,
        power_kw_idle=server.idle_power_w * server.servers / 1000,
        pue=economics.pue,
        electricity_per_kwh=terms.electricity_per_kwh,
        support_rate_year=economics.support_rate_year,
        staff_fte=economics.staff_fte,
        fte_cost_year=fte_year,
        gpus=configuration.gpus,
    )
    rented = None
    if cloud is not None:
        staff = money(float(fte_year) * economics.staff_fte * cloud_staff_share / MONTHS_PER_YEAR)
        rented = Cloud(on_demand_per_hour=cloud.price_per_hour, staff_month=staff)
    tokens = None
    if need is not None and economics.utilization:
        tokens = mean_requests_per_s(need, policy) * (need.input_tokens + need.output_tokens)
    served = {} if need is None else {"utilization": economics.utilization}
    recoverable = economics.vat.recoverable if economics.vat else True
    return CostRequest(
        currency=terms.currency,
        capex=configuration.capex,
        opex=opex,
        cloud=rented,
        training=training,
        horizon_months=economics.horizon_months,
        hours_per_month=HOURS_PER_MONTH,
        residual_rate=economics.residual_rate,
        discount_rate=economics.discount_rate,
        vat=Vat(rate=terms.vat_rate, recoverable=recoverable),
        tokens_per_s=tokens,
        token_utilization=economics.utilization if tokens else None,
        **served,
    )
