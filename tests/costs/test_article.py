import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.costs.article import ArticleVerdict, article_verdict, implied_payback, saving_share_for


def verdict(capex: float, bill: float, opex: float, months: float | None, pays_back: bool = True) -> ArticleVerdict:
    return article_verdict(
        capex=capex,
        bill_month=bill,
        opex_month=opex,
        computed_months=months,
        pays_back=pays_back,
        bill_share=0.5,
        payback_months=(12, 18),
    )


def test_bill_rule_means_two_years_at_best() -> None:
    """300,000 USD: the threshold is 12,500 a month, a payback of 24 months, and 31.58 with 3,000 of running cost."""
    found = verdict(300_000, 12_501, 3_000, 300_000 / 9_501)
    assert found.threshold_bill_month == pytest.approx(12_500)
    assert found.implied_months == pytest.approx(31.58, rel=1e-3)
    assert float(implied_payback(300_000, 0, 0.5)) == 24.0
    assert found.bill_says_buy


def test_the_two_rules_contradict_each_other_at_the_threshold() -> None:
    """12 to 18 months need a saving of 67 to 100 % of capex / 12; the bill rule asks for 50 %, opex included."""
    assert saving_share_for(18) == pytest.approx(2 / 3)
    assert saving_share_for(12) == 1.0
    at_threshold = verdict(300_000, 12_500.01, 0, 24.0)
    assert at_threshold.bill_says_buy
    assert not at_threshold.within_payback_rule
    assert not at_threshold.agrees


def test_both_rules_can_agree_with_the_calculation() -> None:
    """A bill of 80 % of capex / 12 pays back in 15 months."""
    assert verdict(300_000, 20_000, 0, 15.0).agrees


def test_a_payback_of_four_months_is_not_the_rule() -> None:
    """The article's 12 to 18 months against 3.7 at the list price of 2026."""
    found = verdict(250_142, 71_774, 4_650, 3.7)
    assert found.bill_says_buy
    assert not found.within_payback_rule
    assert not found.agrees


def test_running_cost_above_the_threshold_is_never() -> None:
    found = verdict(300_000, 12_600, 12_500, None, pays_back=False)
    assert found.implied_months is None
    assert found.bill_says_buy
    assert not found.agrees


@settings(deadline=None)
@given(capex=st.floats(1, 1e8), opex=st.floats(0, 1e6))
def test_no_running_cost_makes_the_bill_rule_faster_than_two_years(capex: float, opex: float) -> None:
    assert float(implied_payback(capex, opex, 0.5)) >= 24 * (1 - 1e-12)
