"""Prices and rates of the catalog: each with its kind, currency, VAT state, region and day."""

from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import Field

from desktop.catalog.facts import Fact

Category = Literal["gpu", "cpu", "memory", "storage", "network", "chassis", "system"]
PriceKind = Literal["quote", "contract", "street", "list", "estimate", "spot", "used"]
CATALOG_CURRENCY = "USD"


class HardwarePrice(Fact):
    """A dated price of one part. `part` is an id of the catalog: a GPU, CPU, module, drive, card, switch or platform.

    With `vat_included` the VAT inside is `vat_rate`; where that is not known, the rate of the region on the day.
    """

    part: str
    category: Category
    low: Decimal
    high: Decimal
    currency: str
    kind: PriceKind
    region: str = ""
    vat_included: bool = False
    vat_rate: Decimal | None = None
    supplier: str = ""


class CloudPrice(Fact):
    """An hourly offer of a whole instance. `gpu` is a catalog id. A `unit` offer is of the GPU alone: processors and
    memory cost extra there."""

    provider: str
    instance: str
    gpu: str
    gpu_count: int
    vcpus: float | None = None
    ram_gb: float | None = None
    local_nvme_gb: float | None = None
    interconnect: str = ""
    network_gbps: float | None = None
    region: str
    price_per_hour: Decimal
    currency: str
    vat_included: bool
    vat_rate: Decimal | None = None
    term: str
    unit: bool = False


class ApiPrice(Fact):
    """Price of a million tokens of a model served by others. `model` is a catalog id, empty where none is meant."""

    model: str = ""
    model_said: str = Field(description="the model as the source names it")
    provider: str
    provider_model: str = ""
    input_per_million_tokens: Decimal
    output_per_million_tokens: Decimal | None = Field(default=None, description="None of embeddings, or if unsaid")
    cached_input_per_million_tokens: Decimal | None = None
    currency: str
    vat_included: bool = False
    vat_rate: Decimal | None = None
    max_input_tokens: int | None = None
    region: str = ""


class Tariff(Fact):
    """Price of a kWh, PUE, colocation or another rate by region and date; `unit` names the currency (RUB/kWh)."""

    kind: str
    region: str
    low: Decimal
    high: Decimal
    unit: str
    valid_from: date | None = None
    valid_until: date | None = None


class VatRate(Fact):
    """Standard VAT rate of a country from one day to another, as a share."""

    region: str
    rate: Decimal = Field(ge=0, lt=1)
    valid_from: date | None = None
    valid_until: date | None = None


class ExchangeRate(Fact):
    """Units of `currency` for one US dollar on one day, or in the range seen around it."""

    currency: str
    low: Decimal = Field(gt=0)
    high: Decimal = Field(gt=0)
    on: date | None = None
