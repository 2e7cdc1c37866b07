"""Ranges of cost inputs, settings of the draws, the article's rules: resources/calibration/economics.toml."""

import tomllib
from functools import cache
from typing import Literal

from pydantic import Field, model_validator

from desktop.request.base import Strict
from desktop.resources import resource


class DefaultRange(Strict):
    """Low and high of the inputs named by their dotted paths; the file's head says what `kind` and `not_at` mean."""

    inputs: tuple[str, ...] = Field(min_length=1)
    kind: Literal["relative", "points", "absolute"]
    low: float
    high: float
    not_at: float | None = None
    source: str

    @model_validator(mode="after")
    def _in_order(self) -> "DefaultRange":
        if self.low >= self.high:
            raise ValueError("low is not below high")
        return self

    def around(self, value: float) -> tuple[float, float] | None:
        """Low and high of an input that is stated as `value`, or None where it is left out of the count."""
        if value == self.not_at:
            return None
        match self.kind:
            case "relative":
                return _plain(value * (1 + self.low)), _plain(value * (1 + self.high))
            case "points":
                return _plain(value + max(self.low, -value)), _plain(value + min(self.high, value))
            case "absolute":
                return min(self.low, value), max(self.high, value)


class Draws(Strict):
    count: int = Field(ge=100)
    seed: int
    low: float = Field(gt=0, lt=0.5)
    middle: float = Field(ge=0.5, le=0.5)
    high: float = Field(gt=0.5, lt=1)
    source: str


class PaybackRules(Strict):
    """The article's two rules: the monthly cloud bill as a share of capex / 12, and the months of payback."""

    bill_share: float = Field(gt=0)
    payback_low_months: float
    payback_high_months: float
    source: str


class CostAssumptions(Strict):
    version: str
    draws: Draws
    article: PaybackRules
    range: tuple[DefaultRange, ...]

    def range_of(self, path: str) -> DefaultRange | None:
        """The default range of one input by its dotted path."""
        return next((known for known in self.range if path in known.inputs), None)


def _plain(value: float) -> float:
    """The value without the last bits of a float: 0.14, not 0.13999999999999999."""
    return float(f"{value:.12g}")


@cache
def load_cost_assumptions() -> CostAssumptions:
    """The shipped assumptions."""
    text = resource("calibration", "economics.toml").read_text(encoding="utf-8")
    return CostAssumptions.model_validate(tomllib.loads(text))
