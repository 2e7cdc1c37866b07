import pytest
from pydantic import ValidationError

from desktop.catalog.cost_assumptions import DefaultRange, load_cost_assumptions


def test_article_rules_are_those_of_the_article() -> None:
    article = load_cost_assumptions().article
    assert (article.bill_share, article.payback_low_months, article.payback_high_months) == (0.5, 12, 18)


def test_draws_give_eight_cases_of_ten() -> None:
    draws = load_cost_assumptions().draws
    assert draws.high - draws.low == pytest.approx(0.8)
    assert draws.count == 2000


@pytest.mark.parametrize(
    ("kind", "low", "high", "value", "expected"),
    [
        ("relative", -0.4, 0.15, 98.32, (58.992, 113.068)),
        ("points", -0.15, 0.15, 0.5, (0.35, 0.65)),
        ("points", -0.15, 0.15, 0.04, (0.0, 0.08)),
        ("absolute", 1.2, 1.8, 1.5, (1.2, 1.8)),
        ("absolute", 1.2, 1.8, 2.1, (1.2, 2.1)),
    ],
)
def test_range_around_a_value(kind: str, low: float, high: float, value: float, expected: tuple[float, float]) -> None:
    known = DefaultRange.model_validate({"inputs": ["x"], "kind": kind, "low": low, "high": high, "source": "test"})
    assert known.around(value) == expected


def test_value_that_means_not_counted_has_no_range() -> None:
    pue = load_cost_assumptions().range_of("opex.pue")
    assert pue is not None
    assert pue.around(1.0) is None


def test_a_range_upside_down_is_refused() -> None:
    with pytest.raises(ValidationError):
        DefaultRange.model_validate({"inputs": ["x"], "kind": "points", "low": 1, "high": 0, "source": "test"})
