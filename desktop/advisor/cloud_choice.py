"""The cheapest way to rent the same service: same model, same limits, same spare, same load."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from desktop.advisor.bill_pricing import net_factor
from desktop.advisor.money_terms import MoneyTerms
from desktop.advisor.serving_search import Outcome
from desktop.catalog import Catalog
from desktop.catalog.ageing import limit_days
from desktop.catalog.prices import CloudPrice
from desktop.quote import CloudOffer, Configuration
from desktop.servers.prices import CLOSED_MARKETS, sold_in
from desktop.units import money

ON_DEMAND = "on-demand"
NODE_GPUS = 8  # GPUs of one node of a training job
MARKETPLACE = "marketplace"  # resold capacity of others: no service level to compare an own server with


@dataclass(frozen=True, slots=True)
class Rented:
    """Instances of one offer, and their price per hour together, in the quote's currency."""

    offer: CloudPrice
    instances: int
    per_hour: Decimal


def rent_serving(carrying: Iterable[Outcome], spare: int, catalog: Catalog, terms: MoneyTerms) -> CloudOffer | None:
    """Cheapest on-demand instances over every plan that carries the load; a replica is never cut between two
    instances."""
    rented = [
        found
        for outcome in carrying
        for found in _instances(
            outcome.candidate.card.gpu.id,
            (outcome.replicas + spare) * outcome.candidate.tensor,
            outcome.candidate.tensor,
            catalog,
            terms,
        )
    ]
    return _record(_cheapest(rented, terms), catalog, terms)


def rent_gpus(gpu_id: str, gpus: int, catalog: Catalog, terms: MoneyTerms) -> CloudOffer | None:
    """Cheapest on-demand instances with at least `gpus` of one GPU, each a whole node of the job: ranks that exchange
    gradients over NVLink in the plan are not rented apart."""
    rented = _instances(gpu_id, gpus, min(gpus, NODE_GPUS), catalog, terms)
    return _record(_cheapest(rented, terms), catalog, terms)


def own_price(
    configuration: Configuration, offered: CloudOffer | None, per_gpu_hour: Decimal, terms: MoneyTerms
) -> CloudOffer:
    """The user's own price per GPU-hour, for the GPUs that would be rented from the catalog; where it offers none, for
    those of the plan."""
    gpus = (configuration.replicas + configuration.spare_replicas) * configuration.parallel.tensor
    if offered is not None:
        gpus = offered.gpus
    return CloudOffer(
        own=True,
        provider="",
        instance="",
        region="",
        gpu=offered.gpu if offered is not None else configuration.gpu,
        gpus=gpus,
        price_per_hour=money(terms.convert(per_gpu_hour) * gpus, "0.0001"),
        currency=terms.currency,
        term=ON_DEMAND,
        as_of="",
        source="",
        instances=1,
    )


def _instances(gpu_id: str, gpus: int, tensor: int, catalog: Catalog, terms: MoneyTerms) -> list[Rented]:
    return [
        Rented(offer, count, offer.price_per_hour * count * rate)
        for offer in catalog.cloud_offers(gpu_id)
        if offer.term == ON_DEMAND
        and not offer.unit  # the GPU alone: processors and memory cost extra there
        and not offer.unverified()
        and sold_in(offer.currency, terms.market)
        and MARKETPLACE not in offer.provider
        and offer.gpu_count >= tensor
        and (rate := net_factor(offer, catalog, terms)) is not None
        for count in (ceil(gpus / (offer.gpu_count // tensor * tensor)),)
    ]


def _cheapest(rented: list[Rented], terms: MoneyTerms) -> Rented | None:
    """An offer of the customer's own market before one of another: where it is closed, the others cannot be had."""
    own = [one for one in rented if CLOSED_MARKETS.get(one.offer.currency) == terms.market]
    return min(own or rented, key=_cost, default=None)


def _cost(rented: Rented) -> tuple[Decimal, int, str, str, str]:
    return rented.per_hour, rented.instances, rented.offer.provider, rented.offer.instance, rented.offer.region


def _record(rented: Rented | None, catalog: Catalog, terms: MoneyTerms) -> CloudOffer | None:
    if rented is None:
        return None
    offer = rented.offer
    return CloudOffer(
        provider=offer.provider,
        instance=offer.instance,
        region=offer.region,
        gpu=offer.gpu,
        gpus=offer.gpu_count * rented.instances,
        price_per_hour=money(rented.per_hour, "0.0001"),
        currency=terms.currency,
        term=offer.term,
        as_of=offer.as_of,
        source=offer.source,
        instances=rented.instances,
        stale_after_days=limit_days("cloud", catalog.age_limits),
    )
