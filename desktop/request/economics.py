"""`cost` request: pure economics, no hardware looked up."""

from decimal import Decimal

from pydantic import Field, model_validator

from desktop.request.base import Share, Strict
from desktop.request.need import Vat

Money = Decimal


class CapexItem(Strict):
    name: str
    amount: Money = Field(ge=0)


class Opex(Strict):
    """Running cost of the own machine."""

    power_kw_load: float = Field(default=0, ge=0)
    power_kw_idle: float = Field(default=0, ge=0)
    pue: float = Field(default=1, ge=1, le=5)
    electricity_per_kwh: Money = Field(default=Money(0), ge=0)
    support_rate_year: float = Field(default=0, ge=0, le=1)
    colocation_month: Money = Field(default=Money(0), ge=0)
    staff_fte: float = Field(default=0, ge=0)
    fte_cost_year: Money = Field(default=Money(0), ge=0)
    software_per_gpu_year: Money = Field(default=Money(0), ge=0)
    gpus: int = Field(default=0, ge=0)
    other_month: Money = Field(default=Money(0), ge=0)


class Cloud(Strict):
    on_demand_per_hour: Money = Field(default=Money(0), ge=0)
    hours_month: float | None = Field(default=None, ge=0)
    committed_hours_month: float = Field(default=0, ge=0)
    committed_per_hour: Money = Field(default=Money(0), ge=0)
    spot_hours_month: float = Field(default=0, ge=0)
    spot_per_hour: Money = Field(default=Money(0), ge=0)
    storage_month: Money = Field(default=Money(0), ge=0)
    egress_gb_month: float = Field(default=0, ge=0)
    egress_per_gb: Money = Field(default=Money(0), ge=0)
    yearly_price_change: float = Field(default=0, gt=-1, le=10)


class TrainingRuns(Strict):
    runs_per_year: float = Field(ge=0)
    hours_per_run: float = Field(ge=0)
    cloud_per_hour: Money = Field(ge=0)


class ApiUse(Strict):
    input_tokens_month: float = Field(ge=0)
    output_tokens_month: float = Field(ge=0)
    input_price: Money = Field(ge=0, description="per million tokens")
    output_price: Money = Field(ge=0, description="per million tokens")


class InputRange(Strict):
    low: float
    high: float


class CostRequest(Strict):
    """Either `capex`, `onprem_per_hour`, `cloud_per_hour`, or the itemised blocks; `capex` may stand beside itemised `opex`."""

    id: str | int | None = None
    currency: str = "USD"
    capex: Money | None = Field(default=None, ge=0)
    capex_items: tuple[CapexItem, ...] = ()
    onprem_per_hour: Money | None = Field(default=None, ge=0)
    cloud_per_hour: Money | None = Field(default=None, ge=0)
    opex: Opex | None = None
    cloud: Cloud | None = None
    training: TrainingRuns | None = None
    api: ApiUse | None = None
    utilization: Share = 1.0
    horizon_months: int = Field(default=36, ge=1, le=600)
    hours_per_month: float = Field(default=730, gt=0, le=744)
    residual_rate: Share = 0.0
    discount_rate: float = Field(default=0, ge=0, le=1)
    vat: Vat | None = None
    refresh_month: int | None = Field(default=None, ge=1)
    tokens_per_s: float | None = Field(default=None, gt=0)
    token_utilization: Share | None = None
    ranges: dict[str, InputRange] = {}

    @model_validator(mode="after")
    def _one_source_each(self) -> "CostRequest":
        if self.capex is not None and self.capex_items:
            raise ValueError("give capex or capex_items, not both")
        if self.onprem_per_hour is not None and self.opex is not None:
            raise ValueError("give onprem_per_hour or opex, not both")
        if self.cloud_per_hour is not None and self.cloud is not None:
            raise ValueError("give cloud_per_hour or cloud, not both")
        return self
