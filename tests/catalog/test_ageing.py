"""How old a price is and when it is stale: the limits of the issue, and dates as vague as their sources."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.catalog.ageing import age_days, is_stale, limit_days, shipped_limits

TODAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("category", "days"),
    [("memory", 14), ("storage", 14), ("gpu", 14), ("cpu", 30), ("network", 30), ("chassis", 30), ("cloud", 30)],
)
def test_memory_drives_and_gpus_age_in_two_weeks_the_rest_in_a_month(category: str, days: int) -> None:
    assert limit_days(category) == days
    assert limit_days(category, {category: days + 1}) == days + 1


def test_a_category_nobody_named_ages_like_other_parts() -> None:
    assert limit_days("riser") == shipped_limits()["other"] == 30


@pytest.mark.parametrize(
    ("as_of", "age", "stale"),
    [
        ("2026-12-01", 0, False),
        ("2026-11-17", 14, False),
        ("2026-11-16", 15, True),
        ("2026-Q4", 61, True),  # may be of the first of October
        ("2026", 334, True),
        ("<=2026-12-01", None, True),  # nobody knows its age
        ("", None, True),
        ("2026-12-05", 0, False),  # of tomorrow by another time zone
    ],
)
def test_age_counts_from_the_oldest_day_a_date_can_mean(as_of: str, age: int | None, stale: bool) -> None:
    assert age_days(as_of, TODAY) == age
    assert is_stale(as_of, 14, TODAY) is stale


@given(st.dates(min_value=date(2020, 1, 1)), st.dates(min_value=date(2020, 1, 1)), st.integers(0, 400))
def test_a_stale_price_never_becomes_fresh_again(priced: date, first: date, limit: int) -> None:
    as_of = priced.isoformat()
    if is_stale(as_of, limit, first):
        assert is_stale(as_of, limit, date.max)
    assert not is_stale(as_of, limit, priced)
