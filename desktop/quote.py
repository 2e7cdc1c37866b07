"""What the user gets: memory, speed, servers, costs, reasons and warnings, each figure able to explain itself.

These records are the public answer. They hold numbers and codes, never sentences: the words room says them.
Bytes are integers, seconds and watts floats, money decimals beside a currency.
"""

from datetime import date
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, computed_field

from desktop.request import Economics, Need, Policy, ServingParallel, Strict, TrainingParallel, TrainingPlan

Verdict = Literal["fits", "tight", "does_not_fit"]
Severity = Literal["info", "warning", "error"]
Bound = Literal["compute", "memory", "interconnect", "kv_capacity", "host"]
BreakEvenState = Literal["immediate", "at", "not_within_horizon", "never", "reverses", "not_comparable"]
Scheme = Literal["on_premise", "cloud", "hybrid", "api"]
PriceKind = Literal["list", "street", "quote", "contract", "spot", "estimate", "used", "included", "none"]


class Range(Strict):
    """A figure that is not exact; low to high holds the measured value in at least 9 cases of 10."""

    low: float
    value: float
    high: float


class ByteRange(Strict):
    low: int
    value: int
    high: int


class Message(Strict):
    """A warning or remark: `code` and `values` say what, the words room says it in a language."""

    code: str
    severity: Severity = "warning"
    rule: str = ""
    field: str = ""
    values: dict[str, Any] = {}
    message: str = ""


class Component(Strict):
    """One part of the memory of one GPU, with its formula, what went in and where the formula comes from."""

    component: str
    bytes: int
    formula: str = ""
    inputs: dict[str, float | int | str] = {}
    source: str = ""


class RankMemory(Strict):
    """One distinct kind of rank: `ranks` GPUs hold the same as rank number `rank`."""

    rank: int
    ranks: int
    components: tuple[Component, ...]

    def total_bytes(self) -> int:
        return sum(part.bytes for part in self.components)


class Memory(Strict):
    """Memory of a plan. `required` is what the job needs, `reserved` what the engine takes; both of the worst GPU."""

    verdict: Verdict
    card_bytes: int = Field(description="what the driver shows of the card before anything is allocated")
    usable_bytes: int
    required_bytes: ByteRange
    reserved_bytes: int
    worst_rank: int
    per_gpu: tuple[RankMemory, ...]
    kv_bytes_per_token: int = 0
    kv_pool_bytes: int = 0
    kv_capacity_tokens: int = 0
    max_concurrency: float = 0.0
    max_context_at_concurrency: int = 0
    host_ram_bytes: int = 0
    disk_bytes: int = 0
    checkpoint_bytes: dict[Literal["resumable", "weights_only"], int] | None = None

    def worst(self) -> RankMemory:
        return next(rank for rank in self.per_gpu if rank.rank == self.worst_rank)

    def part_bytes(self, component: str) -> int:
        """Bytes of one component on the worst GPU; zero when the plan has no such part."""
        return sum(part.bytes for part in self.worst().components if part.component == component)


class ServingSpeed(Strict):
    ttft_s: Range
    tpot_s: Range
    output_tokens_per_s: Range
    total_tokens_per_s: Range
    requests_per_s: Range
    prompt_tokens_per_s_single: Range
    decode_tokens_per_s_single: Range
    bound_by: Bound


class TrainingSpeed(Strict):
    tokens_per_s_per_gpu: Range
    step_s: Range
    mfu: Range
    tflops_per_gpu: Range
    hours_total: Range | None = None
    exposed_communication_share: float = 0.0
    pipeline_bubble_share: float = 0.0
    bound_by: Bound = "compute"


class EstimateResult(Strict):
    """Answer of `estimate`: memory always, speed only where the plan fits."""

    id: str | int | None = None
    memory: Memory
    speed: ServingSpeed | TrainingSpeed | None = None
    warnings: tuple[Message, ...] = ()


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


class BreakEven(Strict):
    """When the scheme `own` has cost no more than the scheme `rented`. Low and high are P10 and P90 over the draws."""

    state: BreakEvenState
    own: Scheme | None = None
    rented: Scheme | None = None
    months: float | None = None
    low_months: float | None = None
    median_months: float | None = None
    high_months: float | None = Field(default=None, description="None with a low: past twice the horizon or never")
    hours: float | None = None
    simple_months: float | None = Field(default=None, description="purchase / mean monthly saving")
    sustained_months: float | None = Field(default=None, description="last crossing that holds to the horizon")
    discounted_months: float | None = None
    utilization_threshold: float | None = None
    cloud_price_threshold: Decimal | None = None
    reverses_at: float | None = None
    reason: Message | None = None


class SchemeTotal(Strict):
    """Cost over the horizon: total = capex + opex − residual. Low and high are P10 and P90 of the total over the
    draws."""

    capex: Decimal
    opex: Decimal
    residual: Decimal = Decimal(0)
    total: Decimal
    low: Decimal | None = None
    high: Decimal | None = None
    discounted_total: Decimal
    per_hour: Decimal | None = None
    per_million_tokens: Decimal | None = None
    allowed: bool = True
    reason: Message | None = None


class Sensitivity(Strict):
    """Break-even months with one input at its low and its high; None is never. A total gap is rented less own."""

    input: str
    low: float
    high: float
    months_at_low: float | None
    months_at_high: float | None
    total_gap_at_low: Decimal | None = None
    total_gap_at_high: Decimal | None = None


class ArticleRule(Strict):
    """What the article's two payback rules say, beside what was computed."""

    fifty_percent_says_buy: bool | None
    payback_12_18_months: bool | None
    computed_months: float | None
    agrees: bool | None
    monthly_bill: Decimal | None = None
    threshold_bill: Decimal | None = Field(default=None, description="monthly bill from which the 50 % rule says buy")
    implied_months: float | None = Field(default=None, description="payback at that bill; None is never")
    contradiction: str = Field(default="fifty_percent_implies_24_months", description="code: how the rules clash")


class CostResult(Strict):
    """Answer of `cost`."""

    id: str | int | None = None
    currency: str = "USD"
    horizon_months: int
    break_even: BreakEven
    break_evens: dict[Scheme, BreakEven] = Field(default={}, description="each own scheme against the same rented one")
    totals: dict[Scheme, SchemeTotal]
    monthly: dict[Scheme, tuple[Decimal, ...]] = Field(
        description="cumulative cost at the end of month 0 to the horizon"
    )
    bands: dict[Scheme, tuple[tuple[Decimal, Decimal], ...]] = Field(default={}, description="P10 and P90 by month")
    sensitivity: tuple[Sensitivity, ...] = ()
    probability: dict[Scheme, float] = {}
    article_rule: ArticleRule
    warnings: tuple[Message, ...] = ()


class CloudOffer(Strict):
    """The cloud price the schemes were computed with."""

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
    cloud: CloudOffer | None = None
    warnings: tuple[Message, ...] = ()
    catalog: CatalogStamp

    def main(self) -> NeedAnswer:
        return self.answers[0]

    def best(self) -> Configuration | None:
        """The plan that is proposed, or None where nothing fits and meets."""
        return self.answers[0].configurations[0] if self.answers[0].configurations else None

    def nearest(self) -> Configuration | None:
        """What comes closest where nothing is proposed, so that the shortfall can be shown."""
        return next((lost.nearest for lost in self.answers[0].rejected if lost.nearest is not None), None)
