"""Settings every part of a request shares: unknown fields are errors, values never change, no NaN and no infinity."""

from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

MAX_TOKENS = 100_000_000  # above the longest context of any catalog model by a factor of ten
MAX_GPUS = 100_000
MAX_MONEY = 10**15  # above any order ever placed; keeps every product of the request finite
MAX_RATE = 10**9

Tokens = Annotated[int, Field(ge=1, le=MAX_TOKENS)]
Count = Annotated[int, Field(ge=1, le=MAX_GPUS)]
Share = Annotated[float, Field(ge=0, le=1)]
Amount = Annotated[Decimal, Field(ge=0, le=MAX_MONEY)]
Tariff = Annotated[Decimal, Field(ge=0, le=MAX_RATE, description="a price for one unit: hour, kWh, GB, million tokens")]


class Strict(BaseModel):
    """A frozen record that refuses what it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, protected_namespaces=())


def only_one(first: str, second: str) -> PydanticCustomError:
    """The error of a record that was given both of two fields that say the same thing, or neither."""
    return PydanticCustomError("contradiction", "give either {first} or {second}", {"first": first, "second": second})


class InlineModel(Strict):
    """A model given by its own description instead of a catalog name."""

    hf_config: dict[str, Any] | None = None
    file: Path | None = None
    name: str | None = Field(default=None, description="shown instead of the file name")

    @model_validator(mode="after")
    def _exactly_one_source(self) -> "InlineModel":
        if (self.hf_config is None) == (self.file is None):
            raise only_one("hf_config", "file")
        return self


ModelReference = str | InlineModel


class GpuVariant(Strict):
    """A catalog GPU with changed figures."""

    base: str
    memory_gb: float | None = Field(default=None, gt=0, le=10_000)
    mem_bandwidth_gbs: float | None = Field(default=None, gt=0, le=1_000_000)


GpuReference = str | GpuVariant
