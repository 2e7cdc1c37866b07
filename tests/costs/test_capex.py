import numpy as np
import pytest

from desktop.costs.capex import capital_recovery_factor, monthly_rate, residual_value, with_vat


def test_capital_recovery_factor_of_ten_percent_over_five_years() -> None:
    """inferecon.com/assumptions: CRF(10 %, 5) = 0.263797."""
    assert capital_recovery_factor(0.10, 5) == pytest.approx(0.263797, rel=1e-5)


def test_capital_recovery_factor_without_interest_is_the_even_share() -> None:
    assert capital_recovery_factor(0.0, 60) == pytest.approx(1 / 60)
    both = capital_recovery_factor(np.array([0.0, 0.10]), 5)
    assert np.allclose(both, [0.2, 0.263797])


def test_twelve_monthly_rates_compound_to_the_yearly_one() -> None:
    """(1 + 0.16)^(1/12) − 1 = 0.012445, where r/12 would be 0.013333."""
    assert monthly_rate(0.16) == pytest.approx(0.012445, rel=5e-5)
    assert (1 + monthly_rate(0.16)) ** 12 == pytest.approx(1.16)


def test_residual_is_a_share_of_the_price_paid() -> None:
    assert residual_value(250_142, 0.35) == pytest.approx(87_549.7)


def test_vat_of_2026_in_russia() -> None:
    """22 % from 1 January 2026 (Federal Law 425-FZ)."""
    assert with_vat(100.0, 0.22) == pytest.approx(122.0)
