"""How old a price is, and from which age on it is stale. A price without a date is stale: nobody knows its age."""

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache

from desktop.catalog.facts import oldest_day
from desktop.resources import resource

OTHER = "other"


@cache
def shipped_limits() -> Mapping[str, int]:
    """Age [days] by category up to which a price is fresh: gpu, memory, storage, …, cloud, api, other.

    Source: resources/calibration/price_age.toml.
    """
    text = resource("calibration", "price_age.toml").read_text(encoding="utf-8")
    return {str(category): int(days) for category, days in tomllib.loads(text)["days"].items()}


def limit_days(category: str, own: Mapping[str, int] | None = None) -> int:
    """Age [days] up to which a price of that category is fresh; the user's own limit first.

    >>> limit_days("memory"), limit_days("cpu"), limit_days("riser"), limit_days("cpu", {"cpu": 90})
    (14, 30, 30, 90)
    """
    limits = {**shipped_limits(), **(own or {})}
    return limits.get(category, limits[OTHER])


def age_days(as_of: str, on: date) -> int | None:
    """Days from the earliest day `as_of` can mean to `on`, never negative; None for a price without a date.

    >>> age_days("2026-11-01", date(2026, 12, 1)), age_days("2026-Q1", date(2026, 1, 31)), age_days("<=2026", date.max)
    (30, 30, None)
    """
    day = oldest_day(as_of)
    return None if day is None else max((on - day).days, 0)


def is_stale(as_of: str, limit: int, on: date) -> bool:
    """Whether a price of `as_of` is older than `limit` [days] on that day, or bears no date.

    >>> is_stale("2026-11-17", 14, date(2026, 12, 1)), is_stale("2026-11-16", 14, date(2026, 12, 1))
    (False, True)
    """
    age = age_days(as_of, on)
    return age is None or age > limit
