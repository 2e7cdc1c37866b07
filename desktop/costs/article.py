"""The article's two payback rules, held against the calculation. They are shown beside it and decide nothing."""

from dataclasses import dataclass

import numpy as np

from desktop.costs.break_even import simple_payback
from desktop.costs.inputs import Numbers
from desktop.costs.schemes import Array
from desktop.units import MONTHS_PER_YEAR


@dataclass(frozen=True)
class ArticleVerdict:
    """`implied_months` is the payback of a machine bought exactly at the bill rule's threshold, None for never."""

    bill_says_buy: bool
    threshold_bill_month: float
    implied_months: float | None
    within_payback_rule: bool
    agrees: bool


def article_verdict(
    *,
    capex: float,
    bill_month: float,
    opex_month: float,
    computed_months: float | None,
    pays_back: bool,
    bill_share: float,
    payback_months: tuple[float, float],
) -> ArticleVerdict:
    """What both rules say of one machine, and whether the calculation agrees with both.

    Bill rule: buy when the monthly cloud bill exceeds share · capex / 12. Payback rule: it pays back between the two
    months. `pays_back`: the calculation found a break-even within the horizon.
    """
    threshold = bill_share * capex / MONTHS_PER_YEAR
    says_buy = bill_month > threshold
    low, high = payback_months
    within = computed_months is not None and low <= computed_months <= high
    implied = float(implied_payback(capex, opex_month, bill_share))
    return ArticleVerdict(
        bill_says_buy=says_buy,
        threshold_bill_month=threshold,
        implied_months=implied if np.isfinite(implied) else None,
        within_payback_rule=within,
        agrees=within and says_buy == pays_back,
    )


def implied_payback(capex: Numbers, opex_month: Numbers, bill_share: Numbers) -> Array:
    """Payback at the bill rule's threshold [months]: capex / (share · capex / 12 − opex); 12 / share without opex.

    At a share of one half that is at least 24 months, which the rule of 12 to 18 months contradicts.

    >>> float(implied_payback(300_000, 0, 0.5)), round(float(implied_payback(300_000, 3_000, 0.5)), 2)
    (24.0, 31.58)
    """
    return simple_payback(capex, bill_share * capex / MONTHS_PER_YEAR - opex_month)


def saving_share_for(payback_months: Numbers) -> Numbers:
    """Saving that a payback needs, as a share of capex / 12: 12 / months. 12 to 18 months need 100 to 67 %.

    >>> saving_share_for(12), round(saving_share_for(18), 3)
    (1.0, 0.667)
    """
    return MONTHS_PER_YEAR / payback_months
