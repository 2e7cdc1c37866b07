"""A serving plan that carries the load becomes an order with its running cost."""

from dataclasses import dataclass
from decimal import Decimal

from desktop.advisor.running_cost import serving_month
from desktop.advisor.server_offer import OrderTerms, Wanted, no_offer, offer_server
from desktop.advisor.serving_reasons import checks_of
from desktop.advisor.serving_search import Outcome
from desktop.architectures import DenseDecoder
from desktop.quote import Message, Server
from desktop.request import Economics
from desktop.sizing.weights import disk_bytes
from desktop.units import money

SPARE = {"none": 0, "n+1": 1, "n+1-server": 0, "n+2": 2}  # replicas
SPARE_SERVERS = {"n+1-server": 1}


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
    carrying: list[Outcome], architecture: DenseDecoder, economics: Economics, terms: OrderTerms
) -> Offer | Message:
    """The order for the plan with the fewest GPUs, the first format named by the need winning a tie; or why there is
    none."""
    spare = SPARE[terms.policy.redundancy]
    best = min(carrying, key=lambda one: ((one.replicas + spare) * one.candidate.tensor, one.candidate.tensor))
    candidate = best.candidate
    wanted = Wanted(
        card=candidate.card,
        gpus=(best.replicas + spare) * candidate.tensor,
        tensor=candidate.tensor,
        stored_bytes=disk_bytes(architecture, candidate.storage),
        spare_servers=SPARE_SERVERS.get(terms.policy.redundancy, 0),
    )
    server = offer_server(wanted, terms)
    if server is None:
        return no_offer(candidate.card.gpu, terms.catalog)
    opex = serving_month(server, economics, terms.money)
    total = server.net + opex * economics.horizon_months - money(server.net * Decimal(str(economics.residual_rate)))
    checks = checks_of(server, terms.policy, candidate.card, terms.catalog)
    return Offer(
        outcome=best,
        gpus=server.servers * server.gpus_per_server,
        server=server,
        opex_month=opex,
        total_cost=total,
        broken=any(check.state == "broken" for check in checks),
    )
