"""`cost` request: pure economics, no hardware looked up."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from desktop.request.base import Amount, Share, Strict, Tariff, only_one
from desktop.request.need import Vat

ZERO = Decimal(0)

Kilowatts = Annotated[float, Field(ge=0, le=10**6)]
HoursOfMonth = Annotated[float, Field(ge=0, le=10**7, description="instance-hours: several may exceed a month")]
TokensOfMonth = Annotated[float, Field(ge=0, le=10**18)]


class CapexItem(Strict):
    name: str
    amount: Amount


class Opex(Strict):
    """Running cost of the own machine."""

    power_kw_load: Kilowatts = 0
    power_kw_idle: Kilowatts = 0
    pue: float = Field(default=1, ge=1, le=5)
    electricity_per_kwh: Tariff = ZERO
    support_rate_year: float = Field(default=0, ge=0, le=1, description="share of capex")
    colocation_month: Amount = ZERO
    staff_fte: float = Field(default=0, ge=0, le=10_000)
    fte_cost_year: Amount = ZERO
    software_per_gpu_year: Amount = ZERO
    gpus: int = Field(default=0, ge=0, le=10**6)
    other_month: Amount = ZERO


class Cloud(Strict):
    """Rented machines. Without `hours_month` the on-demand hours follow the utilization, less committed and spot."""

    on_demand_per_hour: Tariff = ZERO
    hours_month: HoursOfMonth | None = None
    committed_hours_month: HoursOfMonth = 0
    committed_per_hour: Tariff = ZERO
    spot_hours_month: HoursOfMonth = 0
    spot_per_hour: Tariff = ZERO
    storage_month: Amount = ZERO
    staff_month: Amount = Field(default=ZERO, description="people who look after the rented machines; bears no VAT")
    egress_gb_month: float = Field(default=0, ge=0, le=10**12)
    egress_per_gb: Tariff = ZERO
    yearly_price_change: float = Field(default=0, gt=-1, le=1, description="of on-demand and spot prices")


class TrainingRuns(Strict):
    """Training beside the service. `own_hours_per_run` is for where an own machine takes other hours than a rented one.
    The four fields from `capex` on describe an own training machine; left out, the one machine trains in its free
    hours."""

    runs_per_year: float = Field(ge=0, le=10_000)
    hours_per_run: float = Field(ge=0, le=10**6)
    own_hours_per_run: float | None = Field(default=None, ge=0, le=10**6, description="left out: hours_per_run")
    cloud_per_hour: Tariff
    capex: Amount | None = None
    power_kw_load: Kilowatts = 0
    power_kw_idle: Kilowatts = 0
    other_month: Amount = ZERO


class ApiUse(Strict):
    input_tokens_month: TokensOfMonth
    output_tokens_month: TokensOfMonth
    input_price: Tariff = Field(description="per million tokens")
    output_price: Tariff = Field(description="per million tokens")


class InputRange(Strict):
    low: float
    high: float

    @model_validator(mode="after")
    def _in_order(self) -> "InputRange":
        if self.low > self.high:
            raise PydanticCustomError("low_above_high", "low is above high")
        return self


class CostRequest(Strict):
    """Either `capex`, `onprem_per_hour`, `cloud_per_hour`, or the itemised blocks; `capex` may stand beside `opex`."""

    id: str | int | None = None
    currency: str = "USD"
    capex: Amount | None = None
    capex_items: tuple[CapexItem, ...] = ()
    onprem_per_hour: Tariff | None = Field(default=None, description="for every hour of the month, used or not")
    cloud_per_hour: Tariff | None = Field(default=None, description="for every used hour")
    opex: Opex | None = None
    cloud: Cloud | None = None
    training: TrainingRuns | None = None
    api: ApiUse | None = None
    utilization: Share = Field(default=1.0, description="share of the hours in which the machine serves")
    horizon_months: int = Field(default=36, ge=1, le=600)
    hours_per_month: float = Field(default=730, gt=0, le=744)
    residual_rate: Share = Field(default=0.0, description="share of capex that the machine is worth at the horizon")
    discount_rate: float = Field(default=0, ge=0, le=1, description="nominal, a year")
    vat: Vat | None = None
    refresh_month: int | None = Field(default=None, ge=1, le=1200, description="the machine is bought once more")
    tokens_per_s: float | None = Field(default=None, gt=0, le=10**12, description="of all machines, at full load")
    token_utilization: Share | None = Field(default=None, description="share of tokens_per_s; left out: utilization")
    ranges: dict[str, InputRange] = Field(default={}, description="low and high of any input, by its dotted path")

    @model_validator(mode="after")
    def _one_source_each(self) -> "CostRequest":
        if self.capex is not None and self.capex_items:
            raise only_one("capex", "capex_items")
        if self.onprem_per_hour is not None and self.opex is not None:
            raise only_one("onprem_per_hour", "opex")
        if self.cloud_per_hour is not None and self.cloud is not None:
            raise only_one("cloud_per_hour", "cloud")
        return self
