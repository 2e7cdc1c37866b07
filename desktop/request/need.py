"""What the user wants served or trained, under which rules and with which money: the way in of the house."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from desktop.request.base import MAX_RATE, Count, ModelReference, Share, Strict, Tariff, Tokens
from desktop.request.inference import Engine, KvFormat, WeightFormat
from desktop.request.training import BaseWeights, Framework, Lora, Method, Optimizer, Precision, Recompute

Stage = Literal["rnd", "pilot", "production"]
Redundancy = Literal["none", "n+1", "n+1-server", "n+2"]


class InferenceNeed(Strict):
    """People who ask, how often, and how fast the answer must come. `model` may be missing while a project is being
    filled."""

    mode: Literal["inference"] = "inference"
    model: ModelReference | None = None
    users: int = Field(default=300, ge=1, le=1_000_000_000)
    requests_per_user_hour: float = Field(default=12, gt=0, le=100_000)
    peak_factor: float = Field(default=3, ge=1, le=1000)
    input_tokens: Tokens = 2000
    output_tokens: Tokens = 400
    context: Tokens | None = Field(
        default=None, description="longest request the engine must accept; left out: input + output"
    )
    ttft_s: float = Field(default=1.5, gt=0, le=3600)
    tpot_s: float = Field(default=0.05, gt=0, le=60)
    percentile: float = Field(default=95, ge=50, le=99.9)
    busy_share: float = Field(default=0.75, gt=0, le=1, description="GPUs may be busy to this share at the peak")
    weights: tuple[WeightFormat, ...] = Field(default=("fp8", "bf16"), min_length=1)
    kv_cache: KvFormat = "auto"
    engine: Engine = Engine()


class TrainingNeed(Strict):
    """One kind of training run and how often it happens."""

    mode: Literal["training"]
    model: ModelReference | None = None
    method: Method = "lora"
    tokens: int = Field(default=200_000_000, ge=1, le=10**16)
    sequence_length: Tokens = 4096
    global_batch: int = Field(default=64, ge=1, le=100_000_000)
    deadline_hours: float = Field(default=72, gt=0, le=100_000)
    runs_per_year: float = Field(default=4, ge=0, le=10_000)
    framework: Framework = Framework()
    precision: Precision = "bf16-mixed"
    optimizer: Optimizer = "adamw"
    recompute: Recompute | None = None
    lora: Lora | None = None
    base_weights: BaseWeights | None = None


Need = Annotated[InferenceNeed | TrainingNeed, Field(discriminator="mode")]


class Policy(Strict):
    """Rules of the house and limits of the room."""

    data_must_stay_on_site: bool = False
    stage: Stage = "pilot"
    gpus_allowed: tuple[str, ...] = ()
    gpus_banned: tuple[str, ...] = ()
    max_rack_kw: float = Field(default=10, gt=0, le=10_000)
    max_rack_units: int = Field(default=42, ge=1, le=100)
    redundancy: Redundancy = "n+1"
    growth: float = Field(default=1.0, ge=1, le=1000)
    cooling: Literal["air", "liquid"] = "air"


class ExchangeRate(Strict):
    """Units of the project's currency for one US dollar, on a day."""

    per_usd: Decimal = Field(gt=0)
    date: date


class Vat(Strict):
    rate: Decimal = Field(ge=0, le=1)
    recoverable: bool = True


class Economics(Strict):
    """Money around the machine. Prices are net; what is left out is taken from the catalog for the region."""

    currency: Literal["USD", "EUR", "RUB"] = "USD"
    exchange_rate: ExchangeRate | None = None
    region: str = Field(default="World", min_length=1, max_length=100)
    horizon_months: int = Field(default=36, ge=1, le=240)
    electricity_per_kwh: Tariff | None = Field(default=None, description="in the project's currency")
    pue: float = Field(default=1.5, ge=1, le=5)
    discount_rate: float = Field(default=0.12, ge=0, le=1)
    utilization: Share = 0.5
    support_rate_year: float = Field(default=0.10, ge=0, le=1)
    staff_fte: float = Field(default=0.25, ge=0, le=1000)
    fte_cost_year: Decimal = Field(default=Decimal("48000"), ge=0, le=MAX_RATE, description="in US dollars")
    residual_rate: Share = 0.0
    vat: Vat | None = None
    cloud_per_gpu_hour: Decimal | None = Field(
        default=None, gt=0, le=MAX_RATE, description="own cloud price, in US dollars"
    )


class RecommendRequest(Strict):
    """`recommend` request: needs, policy and economics."""

    id: str | int | None = None
    needs: tuple[Need, ...] = Field(default=(InferenceNeed(),), min_length=1, max_length=2)
    policy: Policy = Policy()
    economics: Economics = Economics()
    top: Count = 5
