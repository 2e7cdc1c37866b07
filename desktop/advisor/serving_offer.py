"""A serving plan that carries the load becomes an order with its running cost."""

from dataclasses import dataclass
from decimal import Decimal

from desktop.advisor.card import Card
from desktop.advisor.money_terms import MoneyTerms
from desktop.advisor.running_cost import serving_month
from desktop.advisor.server_offer import offer_server, vat_of
from desktop.advisor.serving_reasons import checks_of
from desktop.advisor.serving_search import Outcome
from desktop.architectures import Architecture
from desktop.catalog import Catalog
from desktop.quote import Message, Server
from desktop.request import Economics, Policy
from desktop.servers.bill_of_materials import Parts
from desktop.sizing.weights import disk_bytes
from desktop.units import money

SPARE = {"none": 0, "n+1": 1, "n+1-server": 0, "n+2": 2}  # replicas; a spare server comes whole


@dataclass(frozen=True, slots=True)
class Offer:
    """A candidate that carries the load, as an order."""

    outcome: Outcome
    gpus: int
    server: Server
    opex_month: Decimal
    total_cost: Decimal
    broken: bool


def serving_offer(
    carrying: list[Outcome],
    card: Card,
    architecture: Architecture,
    catalog: Catalog,
    policy: Policy,
    economics: Economics,
    terms: MoneyTerms,
    parts: Parts,
) -> Offer | Message:
    """The order for the plan with the fewest GPUs, the first format named by the need winning a tie; or why there is
    none."""
    spare = SPARE[policy.redundancy]
    best = min(carrying, key=lambda one: ((one.replicas + spare) * one.candidate.tensor, one.candidate.tensor))
    candidate = best.candidate
    gpus = (best.replicas + spare) * candidate.tensor
    server = offer_server(
        card.gpu,
        gpus,
        candidate.tensor,
        card.card_bytes,
        disk_bytes(architecture, candidate.storage),
        catalog,
        policy,
        terms.rate,
        terms.currency,
        terms.vat_rate,
        parts,
    )
    if server is None:
        return Message(
            code="lost_no_price" if catalog.platforms_for(card.gpu.id) else "lost_no_platform", severity="info"
        )
    if policy.redundancy == "n+1-server":
        server = with_spare_server(server)
    opex = serving_month(server, economics, terms)
    total = server.net + opex * economics.horizon_months - money(server.net * Decimal(str(economics.residual_rate)))
    broken = any(check.state == "broken" for check in checks_of(server, policy, card, catalog))
    return Offer(
        outcome=best,
        gpus=server.servers * server.gpus_per_server,
        server=server,
        opex_month=opex,
        total_cost=total,
        broken=broken,
    )


def with_spare_server(server: Server) -> Server:
    """The same order with one more server, so that losing a whole server leaves the capacity."""
    grown = server.servers + 1
    lines = tuple(
        line.model_copy(
            update={
                "total": line.per_server * grown if line.group != "contingency" else 1,
                "amount": money(line.amount / server.servers * grown),
                **({"unit_price": money(line.amount / server.servers * grown)} if line.group == "contingency" else {}),
            }
        )
        for line in server.lines
    )
    factor = Decimal(grown) / server.servers
    net = sum((line.amount for line in lines), Decimal(0))
    vat = vat_of(lines, server.vat_rate)
    return server.model_copy(
        update={
            "servers": grown,
            "lines": lines,
            "net": net,
            "net_low": money(server.net_low * factor),
            "net_high": money(server.net_high * factor),
            "vat": vat,
            "gross": net + vat,
            "racks": server.racks + 1,
        }
    )
