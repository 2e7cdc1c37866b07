"""Limits of a field, read from the record that will refuse what lies outside of them: written once, in `request`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel


@dataclass(frozen=True)
class Limits:
    """Closed below unless `above` says that the low end itself is refused; None is open."""

    low: float | None = None
    high: float | None = None
    above: bool = False

    def allow(self, value: float) -> bool:
        if self.low is not None and (value < self.low or (self.above and value == self.low)):
            return False
        return self.high is None or value <= self.high


def limits_of(record: type[BaseModel], name: str) -> Limits:
    """Limits of one field of a record.

    >>> from desktop.request import InferenceNeed
    >>> limits_of(InferenceNeed, "peak_factor")
    Limits(low=1, high=1000, above=False)
    """
    field = record.model_fields[name]
    low, high, above = None, None, False
    for rule in (*field.metadata, *_rules(field.annotation)):
        if isinstance(rule, Ge):
            low = rule.ge
        elif isinstance(rule, Gt):
            low, above = rule.gt, True
        elif isinstance(rule, Le):
            high = rule.le
        elif isinstance(rule, Lt):
            high = rule.lt
    return Limits(low, high, above)


def _rules(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is Annotated:
        for rule in annotation.__metadata__:
            yield from getattr(rule, "metadata", [rule])
        yield from _rules(annotation.__origin__)
        return
    for part in get_args(annotation):
        yield from _rules(part)
