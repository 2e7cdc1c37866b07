"""What the limits of the site cost: a cheaper order that the rack cannot feed, and a network that nobody has priced."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from desktop.quote import Message, Server
from desktop.request import Policy


@dataclass(frozen=True, slots=True)
class PricedServer:
    """An order and what it costs over the horizon."""

    gpu_short: str
    server: Server
    total_cost: Decimal


def rack_power_cost(
    best: PricedServer, barred: Iterable[PricedServer], policy: Policy, currency: str
) -> tuple[Message, ...]:
    """The cheapest order that only the power of a rack rules out, where it would cost less than the one proposed."""
    limit_w = policy.max_rack_kw * 1000
    cheaper = [
        one
        for one in barred
        if one.server.peak_power_w > limit_w and one.total_cost < best.total_cost and not one.server.unpriced()
    ]
    if best.server.peak_power_w > limit_w or not cheaper:
        return ()
    least = min(cheaper, key=lambda one: (one.total_cost, one.gpu_short))
    return (
        Message(
            code="rack_power_costs",
            severity="warning",
            field="policy.max_rack_kw",
            values={
                "gpu": least.gpu_short,
                "power_w": least.server.peak_power_w,
                "limit_w": limit_w,
                "less_money": best.total_cost - least.total_cost,
                "currency": currency,
            },
        ),
    )


def fabric_missing(servers: int, fabric_gbps: float) -> tuple[Message, ...]:
    """A training job that spans servers is timed with a network between them that no line of the bill buys."""
    if servers == 1:
        return ()
    return (
        Message(
            code="fabric_not_priced",
            severity="warning",
            field="interconnect_gbps",
            values={"servers": servers, "fabric_gbps": fabric_gbps},
        ),
    )
