"""What is proposed: servers, prices, plans, and everything a spec sheet shows."""

from datetime import date
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, computed_field

from desktop.catalog.ageing import is_stale
from desktop.quote.money import CostResult
from desktop.quote.sizing import Memory, Message, Range, ServingSpeed, TrainingSpeed
from desktop.request import Economics, Need, Policy, ServingParallel, Strict, TrainingParallel, TrainingPlan

PriceKind = Literal["list", "street", "quote", "contract", "spot", "estimate", "used", "included", "none"]


class Price(Strict):
    """A unit price with everything a buyer asks of it. `unit` is None where nobody gave one."""

    unit: Decimal | None
    low: Decimal | None = None
    high: Decimal | None = None
    currency: str = "USD"
    kind: PriceKind = "none"
    as_of: str = Field(default="", description="as precise as the source: 2026, 2026-04, 2026-Q1, 2026-04-17")
    vat_included: bool = False
    source: str = ""
    stale_after_days: int | None = Field(default=None, description="None: what does not age, or has no price")

    def stale(self, on: date) -> bool:
        """Whether the price is older on that day than its kind of part allows, or bears no date."""
        return self.stale_after_days is not None and is_stale(self.as_of, self.stale_after_days, on)


class BomLine(Strict):
    """One line of the bill of materials, per server and for the order. Amounts are net, in the quote's currency."""

    group: Literal[
        "chassis", "gpu", "cpu", "memory", "storage", "boot", "network", "companions", "contingency", "system"
    ]
    part: str
    description: str = ""
    per_server: int
    total: int
    unit_price: Decimal | None
    amount: Decimal
    price: Price
    rule: Message | None = Field(default=None, description="the rule that sized this line")
    verification: str = ""


class Server(Strict):
    """One kind of server and the order made of it."""

    platform: str
    vendor: str
    servers: int
    gpus_per_server: int
    rack_units: int
    weight_kg: float | None
    cooling: str
    cpu: str
    cpu_cores: int
    ram_bytes: int
    nvme_bytes: int
    lines: tuple[BomLine, ...]
    peak_power_w: float = Field(description="of one server: feeds, UPS, cooling")
    psu_w: float | None = Field(default=None, description="what its supplies carry with the spare ones out")
    load_power_w: float = Field(description="of one server: the energy bill while busy")
    idle_power_w: float
    racks: int
    net: Decimal
    net_low: Decimal
    net_high: Decimal
    vat_rate: Decimal
    vat: Decimal
    gross: Decimal
    currency: str
    source: str = ""
    recalled: tuple[str, ...] = Field(default=(), description="facts nobody has read in a document")

    def stale(self, on: date) -> tuple[BomLine, ...]:
        """Lines whose price is stale on that day."""
        return tuple(line for line in self.lines if line.price.unit is not None and line.price.stale(on))

    def unpriced(self) -> tuple[BomLine, ...]:
        """Lines nobody gave a price for: the total is then only what the order costs at least."""
        return tuple(line for line in self.lines if line.price.kind == "none" and line.group != "companions")


class RuleCheck(Strict):
    """One rule held against the plan: both sides of it, and whether it passed."""

    rule: str
    state: Literal["passed", "warning", "broken", "note"]
    values: dict[str, Any] = {}
    source: str = ""


class Configuration(Strict):
    """One way to meet a need. Money, speed and server are absent where the plan does not fit."""

    gpu: str
    gpu_short: str
    gpus: int
    replicas: int
    spare_replicas: int = 0
    nodes: int
    parallel: ServingParallel | TrainingParallel
    weights: str
    engine: str
    memory: Memory
    training_plan: TrainingPlan | None = Field(default=None, description="with its micro batch and recompute")
    launch_command: tuple[str, ...] = Field(default=(), description="words of the command that starts one replica")
    speed: ServingSpeed | TrainingSpeed | None = None
    concurrency_per_replica: int = 0
    capacity_requests_per_s: Range | None = None
    meets: Literal["meets", "crosses", "misses", "not_asked"] = "not_asked"
    tier: str = ""
    server: Server | None = None
    power_w: float = 0.0
    heat_btu_h: float = 0.0
    rack_units: int = 0
    weight_kg: float | None = None
    currency: str = "USD"
    capex: Decimal | None = None
    opex_month: Decimal | None = None
    total_cost: Decimal | None = Field(default=None, description="capex and running cost over the horizon")
    cost_per_million_tokens: Decimal | None = None
    hours_total: Range | None = None
    why: tuple[Message, ...] = ()
    rules: tuple[RuleCheck, ...] = ()
    warnings: tuple[Message, ...] = ()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def latency(self) -> dict[str, Range]:
        """TTFT and TPOT at the peak load, mean over requests."""
        return (
            {}
            if not isinstance(self.speed, ServingSpeed)
            else {"ttft_s": self.speed.ttft_s, "tpot_s": self.speed.tpot_s}
        )


class Rejection(Strict):
    """A GPU that lost, with the first reason; `nearest` is its best plan where one could be sized."""

    gpu: str
    gpu_short: str = Field(default="", description="as people call it; left out: the id stands for it")
    reason: Message
    nearest: Configuration | None = None


class UsedTariff(Strict):
    """A tariff a quote rests on, with its origin; `own` is the user's own figure."""

    value: Decimal
    unit: str
    region: str = ""
    as_of: str = ""
    source: str = ""
    verification: str = ""
    own: bool = False


class CloudOffer(Strict):
    """The cloud price the schemes were computed with; `own` is the user's own price, which has no provider."""

    own: bool = False
    provider: str
    instance: str
    region: str
    gpu: str
    gpus: int
    price_per_hour: Decimal
    currency: str
    term: str
    as_of: str
    source: str
    instances: int
    stale_after_days: int | None = None

    def stale(self, on: date) -> bool:
        """Whether the offer is older on that day than cloud prices may be, or bears no date."""
        return self.stale_after_days is not None and is_stale(self.as_of, self.stale_after_days, on)


class NeedAnswer(Strict):
    """What was found for one need: best first, and why the others lost."""

    need: Need
    model_name: str
    parameters: int
    active_parameters: int
    peak_requests_per_s: float | None = None
    configurations: tuple[Configuration, ...] = ()
    rejected: tuple[Rejection, ...] = ()


class CatalogStamp(Strict):
    version: str
    built: date
    sha256: str


class Quote(Strict):
    """Answer of `recommend`, and everything the window, the spec sheet and the workbook show."""

    id: str | int | None = None
    answers: tuple[NeedAnswer, ...]
    policy: Policy
    economics: Economics
    schemes: CostResult | None = None
    cloud: CloudOffer | None = Field(default=None, description="of the first need")
    training_cloud: CloudOffer | None = Field(default=None, description="where training stands beside serving")
    electricity: UsedTariff | None = None
    vat: UsedTariff | None = Field(default=None, description="None: no rate is known, which is not a rate of zero")
    warnings: tuple[Message, ...] = ()
    catalog: CatalogStamp

    def buys_training(self) -> bool:
        """Whether a machine for training must be bought beside the serving one: nothing may be rented."""
        return len(self.answers) > 1 and self.policy.data_must_stay_on_site

    def main(self) -> NeedAnswer:
        return self.answers[0]

    def best(self) -> Configuration | None:
        """The plan that is proposed, or None where nothing fits and meets."""
        return self.answers[0].configurations[0] if self.answers[0].configurations else None

    def nearest(self) -> Configuration | None:
        """What comes closest where nothing is proposed, so that the shortfall can be shown."""
        return next((lost.nearest for lost in self.answers[0].rejected if lost.nearest is not None), None)
