"""A number of GPUs becomes an order: platform, parts, dated prices, power, space."""

from dataclasses import dataclass
from typing import TypeVar

from desktop.advisor.bill_pricing import contingency_line, price_of, priced_line, totals, vat_of
from desktop.advisor.card import Card
from desktop.advisor.money_terms import MoneyTerms
from desktop.advisor.unverified import doubts_of_server, unprinted_of_server
from desktop.catalog import Catalog
from desktop.catalog.records import Drive, Gpu, MemoryModule, Nic, Platform
from desktop.quote import Message, Server
from desktop.request import Policy
from desktop.servers.bill_of_materials import Parts, ServerBuild, build_server, servers_for
from desktop.servers.power import idle_power_w, load_power_w, peak_power_w
from desktop.servers.rack import racks_needed

REGISTERED = "RDIMM"
PricedPart = TypeVar("PricedPart", MemoryModule, Drive, Nic)


@dataclass(frozen=True, slots=True)
class OrderTerms:
    """What every order of a quote shares: where parts and prices come from, and under which rules it is made."""

    catalog: Catalog
    policy: Policy
    money: MoneyTerms
    parts: Parts
    training: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an order must hold: `gpus` in replicas of `tensor` that stay whole, `stored_bytes` on local drives, and
    `spare_servers` beyond that."""

    card: Card
    gpus: int
    tensor: int
    stored_bytes: int
    spare_servers: int = 0


def order_terms(catalog: Catalog, policy: Policy, money: MoneyTerms, training: bool) -> OrderTerms:
    """Terms of a quote, its parts with a price looked up once."""
    return OrderTerms(catalog, policy, money, priced_parts(catalog, money), training)


def offer_server(wanted: Wanted, terms: OrderTerms) -> Server | None:
    """The cheapest order of one platform; None where no platform takes the GPUs or none has a price.

    An order whose every line is priced comes before one that only looks cheap because a price is missing; then one of
    the vendors the user prefers.
    """
    offers = [
        offer
        for platform in terms.catalog.platforms_for(wanted.card.gpu.id)
        if platform.max_gpus >= wanted.tensor and (offer := _offer(platform, wanted, terms)) is not None
    ]
    preferred = terms.catalog.preferred_vendors
    return min(offers, key=lambda server: _incomplete_then_dear(server, preferred), default=None)


def no_offer(gpu: Gpu, catalog: Catalog) -> Message:
    """Why there is no order for a GPU."""
    platforms = catalog.platforms_for(gpu.id)
    if not platforms:
        return Message(code="lost_no_platform", severity="info")
    doubts = {platform.model: doubts_of_server(platform, catalog.cpu(platform.cpu)) for platform in platforms}
    if all(doubts.values()):
        return Message(code="lost_unverified_server", severity="info", values={"servers": ", ".join(doubts)})
    return Message(code="lost_no_power" if gpu.tdp_w is None else "lost_no_price", severity="info")


def _incomplete_then_dear(server: Server, preferred: tuple[str, ...]) -> tuple[object, ...]:
    unpriced = sum(line.price.kind == "none" for line in server.lines)
    other = server.vendor not in preferred
    return unpriced, other, server.net, server.rack_units * server.servers, server.platform


def _offer(platform: Platform, wanted: Wanted, terms: OrderTerms) -> Server | None:
    catalog, policy, gpu = terms.catalog, terms.policy, wanted.card.gpu
    rules = catalog.calibration.servers
    if platform.cooling not in (policy.cooling, "air"):
        return None
    cpu = catalog.cpu(platform.cpu)
    if doubts_of_server(platform, cpu):
        return None
    max_power_w = None if platform.unverified("max_power_w") else platform.max_power_w
    weight_kg = None if platform.unverified("weight_kg") else platform.weight_kg
    needed, each = servers_for(wanted.gpus, platform, wanted.tensor)
    servers = needed + wanted.spare_servers
    build = build_server(platform, gpu, cpu, each, wanted.card.card_bytes, wanted.stored_bytes, terms.parts, rules)
    whole = platform.pricing == "system"
    if build is None or (
        platform.pricing == "system" and price_of(platform.id, catalog, terms.money, "system") is None
    ):
        return None
    if gpu.tdp_w is None and max_power_w is None:
        return None
    first = build.lines[0]
    lines = tuple(
        priced_line(line, servers, catalog, terms.money, included=whole and line is not first) for line in build.lines
    )
    if not whole:
        lines += (contingency_line(lines, rules.contingency, terms.money.currency),)
    net, low, high = totals(lines)
    vat = vat_of(lines, terms.money.vat_rate)
    peak = max_power_w or _peak_of_parts(platform, wanted, each, cpu.tdp_w, build, terms)
    racks = racks_needed(servers, platform.rack_units, peak, policy.max_rack_units, policy.max_rack_kw * 1000)
    return Server(
        platform=platform.model,
        vendor=platform.vendor,
        servers=servers,
        gpus_per_server=each,
        rack_units=platform.rack_units,
        weight_kg=weight_kg,
        cooling=platform.cooling,
        cpu=cpu.name,
        cpu_cores=build.cores,
        ram_bytes=build.ram_bytes,
        nvme_bytes=build.nvme_bytes,
        lines=lines,
        peak_power_w=peak,
        psu_w=psu_w(platform),
        load_power_w=float(load_power_w(peak, terms.training, rules)),
        idle_power_w=float(idle_power_w(peak, rules)),
        racks=racks or servers,
        net=net,
        net_low=low,
        net_high=high,
        vat_rate=terms.money.vat_rate,
        vat=vat,
        gross=net + vat,
        currency=terms.money.currency,
        source=platform.source,
        recalled=unprinted_of_server(platform),
    )


def psu_w(platform: Platform) -> float | None:
    """What the power supplies of a server carry with the spare ones out [W]; None where nobody has read it."""
    facts = ("psu_count", "psu_rated_w", "psu_redundant")
    if platform.psu_count is None or platform.psu_rated_w is None or any(map(platform.unverified, facts)):
        return None
    return (platform.psu_count - (platform.psu_redundant or 0)) * platform.psu_rated_w


def _peak_of_parts(
    platform: Platform, wanted: Wanted, gpus: int, cpu_tdp_w: float, build: ServerBuild, terms: OrderTerms
) -> float:
    rules, tdp_w = terms.catalog.calibration.servers, wanted.card.gpu.tdp_w or 0.0
    counts = (platform.cpu_sockets, cpu_tdp_w, build.dimms, build.drives, build.cards)
    return float(peak_power_w(gpus, tdp_w, *counts, rules))


def priced_parts(catalog: Catalog, terms: MoneyTerms) -> Parts:
    """Parts that somebody has read of and priced, smallest first; where none of a kind is priced, those without: they
    stay in the bill, and its total is then a lower bound."""

    def priced(parts: tuple[PricedPart, ...]) -> list[PricedPart]:
        known = [part for part in parts if not (part.unverified() or part.unverified("name"))]
        return [part for part in known if price_of(part.id, catalog, terms)] or known

    def drives(role: str) -> tuple[Drive, ...]:
        return tuple(sorted(priced(tuple(drive for drive in catalog.drives if drive.role == role)), key=_capacity))

    # what a two-socket GPU server takes: other kinds of module fit other processors
    registered = tuple(module for module in catalog.memory_modules if module.kind == REGISTERED)
    memory = tuple(sorted(priced(registered), key=_capacity))
    prices = {module.id: price_of(module.id, catalog, terms) for module in memory}
    return Parts(
        memory=memory,
        drives=drives("storage"),
        boot=drives("boot"),
        network=tuple(sorted(priced(catalog.nics), key=lambda card: (card.gbps, card.id))),
        memory_price={part: float(price.low + price.high) / 2 for part, price in prices.items() if price},
    )


def _capacity(part: MemoryModule | Drive) -> tuple[int, str]:
    return part.capacity_bytes, part.id
