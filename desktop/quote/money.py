"""Break-even, totals by scheme and what they depend on."""

from decimal import Decimal
from typing import Literal

from pydantic import Field

from desktop.quote.sizing import Message
from desktop.request import Strict

BreakEvenState = Literal["immediate", "at", "not_within_horizon", "never", "reverses", "not_comparable"]
Scheme = Literal["on_premise", "cloud", "hybrid", "api"]


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
