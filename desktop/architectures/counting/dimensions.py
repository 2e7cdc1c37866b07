"""The dimensions of one catalog model, read by name: what a row lacks is missing, never a guess."""

from collections.abc import Mapping
from typing import Any


class MissingDimension(LookupError):
    """A row does not hold what a formula needs; the text is the field's name."""


class Dimensions:
    """Facts of a catalog model. What is under its `dimensions` adds to the columns that every model has, or corrects
    them."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.facts: Mapping[str, Any] = {**facts, **(facts.get("dimensions") or {})}

    def changed(self, **values: Any) -> "Dimensions":
        """The same model with other values for some facts."""
        return Dimensions({**self.facts, **values, "dimensions": None})

    def whole(self, name: str) -> int:
        """A whole number. Raises MissingDimension where there is none."""
        value = self.facts.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise MissingDimension(name)
        return value

    def whole_or(self, name: str, default: int) -> int:
        return self.whole(name) if self.facts.get(name) is not None else default

    def yes(self, name: str) -> bool:
        return self.facts.get(name) is True

    def text(self, name: str) -> str:
        return str(self.facts.get(name) or "")

    def wholes(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers. Raises MissingDimension where there is none."""
        value = self.facts.get(name)
        if not isinstance(value, list) or not all(isinstance(item, int) for item in value):
            raise MissingDimension(name)
        return tuple(value)

    def part(self, name: str) -> "Dimensions":
        """A group of dimensions. Raises MissingDimension where there is none."""
        value = self.facts.get(name)
        if not isinstance(value, dict):
            raise MissingDimension(name)
        return Dimensions(value)

    def parts(self, name: str) -> tuple["Dimensions", ...]:
        """A list of groups, empty where there is none."""
        return tuple(Dimensions(item) for item in self.facts.get(name) or ())
