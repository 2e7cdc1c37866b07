"""Money: buying, renting, mixing and paying by the token, month by month; when buying pays, and how sure that is."""

from desktop.costs.article import ArticleVerdict, article_verdict
from desktop.costs.break_even import SEARCHED_HORIZONS, Payback, break_even
from desktop.costs.capex import capital_recovery_factor, monthly_rate
from desktop.costs.inputs import CostInputs
from desktop.costs.question import Question, question_of
from desktop.costs.ranges import Spread, spreads_of
from desktop.costs.schemes import Array, CashFlow, Offered, Scheme, cumulative, scheme_flows, scheme_total
from desktop.costs.thresholds import cloud_price_threshold, utilization_threshold
from desktop.costs.uncertainty import Draws, Swing, draw_costs, swings

__all__ = [
    "SEARCHED_HORIZONS",
    "Array",
    "ArticleVerdict",
    "CashFlow",
    "CostInputs",
    "Draws",
    "Offered",
    "Payback",
    "Question",
    "Scheme",
    "Spread",
    "Swing",
    "article_verdict",
    "break_even",
    "capital_recovery_factor",
    "cloud_price_threshold",
    "cumulative",
    "draw_costs",
    "monthly_rate",
    "question_of",
    "scheme_flows",
    "scheme_total",
    "spreads_of",
    "swings",
    "utilization_threshold",
]
