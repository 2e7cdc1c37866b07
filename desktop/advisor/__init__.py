"""A request and the catalog become a quote: the plans that answer the need, best first, with the reason for each."""

from desktop.advisor.recommend import cost, estimate, recommend

__all__ = ["cost", "estimate", "recommend"]
