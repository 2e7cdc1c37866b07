"""The project file's content: who it is for, and the request. Answers are never stored, they are recomputed."""

from datetime import date, timedelta
from typing import Final, Literal

from pydantic import Field

from desktop.request import RecommendRequest, Strict

FORMAT_VERSION: Final = 1
Language = Literal["en", "ru"]


class Party(Strict):
    """Supplier or customer as the documents print it."""

    name: str = Field(default="", max_length=500)
    details: tuple[str, ...] = Field(default=(), max_length=20)


class Project(Strict):
    """Everything a `*.rackwright.json` file holds."""

    format_version: Literal[1] = FORMAT_VERSION
    name: str = Field(default="", max_length=200)
    number: str = Field(default="", max_length=60)
    revision: int = Field(default=1, ge=1, le=10_000)
    issued_on: date | None = Field(default=None, description="printed in the documents; left out: no date is printed")
    valid_days: int = Field(default=14, ge=1, le=3650)
    language: Language = "en"
    supplier: Party = Party()
    customer: Party = Party()
    request: RecommendRequest = RecommendRequest()
    catalog_sha256: str = Field(default="", description="catalog the project was last saved with")

    def valid_until(self) -> date | None:
        if self.issued_on is None or self.issued_on > date.max - timedelta(days=self.valid_days):
            return None
        return self.issued_on + timedelta(days=self.valid_days)
