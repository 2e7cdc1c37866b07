"""In which order plans are proposed, and what is said of one that comes later."""

from decimal import Decimal
from typing import Protocol

from desktop.advisor.money_terms import MoneyTerms
from desktop.quote import Message, Server


class Order(Protocol):
    """A plan with its server and what it costs over the horizon."""

    @property
    def server(self) -> Server: ...
    @property
    def total_cost(self) -> Decimal: ...
    @property
    def broken(self) -> bool: ...


def rank(order: Order) -> tuple[bool, bool, Decimal]:
    """Plans that keep the rules of the house first, then those whose every part has a price, then the cheapest: a
    missing price must not make a plan look cheap."""
    return order.broken, bool(order.server.unpriced()), order.total_cost


def comparable(one: Order, other: Order) -> bool:
    """Whether the difference of their totals says anything: two lower bounds have none."""
    return not one.server.unpriced() and not other.server.unpriced()


def behind(order: Order, best: Order, gpus: int, terms: MoneyTerms) -> Message:
    """Why a plan comes after the best one."""
    if order.broken and not best.broken:
        return Message(code="lost_breaks_rule", severity="info", values={"power_w": order.server.peak_power_w})
    if order.server.unpriced():
        values = {"net_money": order.server.net, "currency": terms.currency, "lines": len(order.server.unpriced())}
        return Message(code="lost_unpriced", severity="info", values=values)
    more = {"more_money": order.total_cost - best.total_cost, "currency": terms.currency, "gpus": gpus}
    return Message(code="lost_dearer", severity="info", values=more)
