"""Buying: what is paid once, what is left of it, and how it spreads over time."""

import numpy as np

from desktop.costs.inputs import Numbers
from desktop.units import MONTHS_PER_YEAR


def with_vat(net: Numbers, vat_rate: Numbers) -> Numbers:
    """Amount with VAT [currency]: net · (1 + rate). A buyer who recovers the VAT counts with rate 0."""
    return net * (1 + vat_rate)


def residual_value(capex: Numbers, residual_rate: Numbers) -> Numbers:
    """What the machine fetches at the horizon [currency]: RV = capex · ρ, of the price paid."""
    return capex * residual_rate


def monthly_rate(yearly_rate: Numbers) -> Numbers:
    """Monthly discount rate that compounds to the yearly one: (1 + r)^(1/12) − 1, not r/12.

    >>> round(monthly_rate(0.16), 6)
    0.012445
    """
    return (1 + yearly_rate) ** (1 / MONTHS_PER_YEAR) - 1


def capital_recovery_factor(rate: Numbers, periods: Numbers) -> Numbers:
    """Constant payment for one unit borrowed at `rate` a period: CRF = r(1+r)^n / ((1+r)^n − 1), and 1/n at rate 0.

    >>> round(float(capital_recovery_factor(0.10, 5)), 5)
    0.2638
    """
    safe = np.where(np.asarray(rate) > 0, rate, 1.0)
    growth = (1 + safe) ** periods
    factor = np.where(np.asarray(rate) > 0, safe * growth / (growth - 1), 1 / np.asarray(periods, dtype=float))
    return factor if factor.ndim else float(factor)
