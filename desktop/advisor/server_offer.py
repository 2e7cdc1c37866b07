"""A number of GPUs becomes an order: platform, parts, dated prices, power, space."""

from decimal import Decimal

from desktop.advisor.money_terms import CATALOG_CURRENCY
from desktop.catalog import Catalog
from desktop.catalog.records import Gpu, HardwarePrice, Part, Platform
from desktop.quote import BomLine, Message, Price, PriceKind, Server
from desktop.request import Policy
from desktop.servers.bill_of_materials import PartLine, Parts, build_server, servers_for
from desktop.servers.power import idle_power_w, load_power_w, peak_power_w
from desktop.servers.prices import chosen_price
from desktop.servers.rack import racks_needed
from desktop.units import money

INCLUDED: PriceKind = "included"


def offer_server(
    gpu: Gpu,
    gpus: int,
    tensor: int,
    gpu_bytes: int,
    model_bytes: int,
    catalog: Catalog,
    policy: Policy,
    rate: Decimal,
    currency: str,
    vat_rate: Decimal,
    parts: Parts,
    training: bool = False,
) -> Server | None:
    """The cheapest order of one platform that holds `gpus` GPUs; None where no platform takes them or none has a price.

    `rate` turns dollars into the quote's currency. Lines without a price count as zero and say so.
    """
    offers = [
        offer
        for platform in catalog.platforms_for(gpu.id)
        if platform.max_gpus >= tensor
        and (
            offer := _offer(
                platform,
                gpu,
                gpus,
                tensor,
                gpu_bytes,
                model_bytes,
                catalog,
                policy,
                rate,
                currency,
                vat_rate,
                training,
                parts,
            )
        )
        is not None
    ]
    return min(offers, key=lambda offer: (offer.net, offer.rack_units * offer.servers, offer.platform), default=None)


def _offer(
    platform: Platform,
    gpu: Gpu,
    gpus: int,
    tensor: int,
    gpu_bytes: int,
    model_bytes: int,
    catalog: Catalog,
    policy: Policy,
    rate: Decimal,
    currency: str,
    vat_rate: Decimal,
    training: bool,
    parts: Parts,
) -> Server | None:
    rules = catalog.calibration.servers
    if platform.cooling != policy.cooling and platform.cooling != "air":
        return None
    servers, each = servers_for(gpus, platform, tensor)
    cpu = catalog.cpu(platform.cpu)
    build = build_server(platform, gpu, cpu, each, gpu_bytes, model_bytes, parts, rules)
    if build is None:
        return None
    first = build.lines[0]
    if chosen_price(catalog.prices_of(first.part)) is None:
        return None
    if platform.pricing == "barebone" and chosen_price(catalog.prices_of(gpu.id)) is None:
        return None
    whole = platform.pricing == "system"
    lines = tuple(
        _line(line, servers, catalog, rate, currency, included=whole and line is not first) for line in build.lines
    )
    if not whole:
        lines += (_contingency(lines, rules.money.contingency, currency, rules.money.source),)
    net, low, high = _totals(lines)
    vat = vat_of(lines, vat_rate)
    peak = platform.max_power_w or float(
        peak_power_w(
            each, gpu.tdp_w or 0, platform.cpu_sockets, cpu.tdp_w, build.dimms, build.drives, build.cards, rules
        )
    )
    racks = racks_needed(servers, platform.rack_units, peak, policy.max_rack_units, policy.max_rack_kw * 1000)
    return Server(
        platform=platform.model,
        vendor=platform.vendor,
        servers=servers,
        gpus_per_server=each,
        rack_units=platform.rack_units,
        weight_kg=platform.weight_kg,
        cooling=platform.cooling,
        cpu=cpu.name,
        cpu_cores=build.cores,
        ram_bytes=build.ram_bytes,
        nvme_bytes=build.nvme_bytes,
        lines=lines,
        peak_power_w=peak,
        load_power_w=float(load_power_w(peak, training, rules)),
        idle_power_w=float(idle_power_w(peak, rules)),
        racks=racks or servers,
        net=net,
        net_low=low,
        net_high=high,
        vat_rate=vat_rate,
        vat=vat,
        gross=net + vat,
        currency=currency,
        source=platform.source,
    )


def priced_parts(catalog: Catalog) -> Parts:
    """Parts with a price, smallest first; a part nobody prices is not offered."""

    def of(category: str) -> tuple[Part, ...]:
        found = [
            part for part in catalog.parts if part.category == category and chosen_price(catalog.prices_of(part.id))
        ]
        return tuple(sorted(found, key=lambda part: (part.capacity_bytes or 0, part.gbps or 0, part.id)))

    memory = of("memory")
    prices = {part.id: chosen_price(catalog.prices_of(part.id)) for part in memory}
    return Parts(
        memory=memory,
        drives=of("storage"),
        boot=of("boot"),
        network=of("network"),
        memory_price={part: float(price.low + price.high) / 2 for part, price in prices.items() if price},
    )


def _line(line: PartLine, servers: int, catalog: Catalog, rate: Decimal, currency: str, included: bool) -> BomLine:
    found = None if included or not line.part else chosen_price(catalog.prices_of(line.part))
    factor = None if found is None else _net_factor(found, catalog, rate, currency)
    covered = included or line.group == "companions"
    price = _price(found, factor, currency, INCLUDED if covered else "none")
    total = line.quantity * servers
    return BomLine(
        group=line.group,
        part=line.name,
        per_server=line.quantity,
        total=total,
        unit_price=price.unit,
        amount=money((price.unit or Decimal(0)) * total),
        price=price,
        rule=Message(code=f"bom_{line.rule}", severity="info", values=dict(line.values)),
        verification=found.verification if found else "",
    )


def _net_factor(found: HardwarePrice, catalog: Catalog, rate: Decimal, currency: str) -> Decimal | None:
    """What turns a dated price into the quote's currency without VAT; None where it cannot be told."""
    factor = Decimal(1) if found.currency == currency else rate if found.currency == CATALOG_CURRENCY else None
    if factor is None or not found.vat_included:
        return factor
    vat = catalog.vat_rate(found.region, catalog.stamp.built)
    return None if vat is None else factor / (1 + vat)


def _price(found: HardwarePrice | None, factor: Decimal | None, currency: str, otherwise: PriceKind) -> Price:
    if found is None or factor is None:
        return Price(unit=None, currency=currency, kind=otherwise)
    return Price(
        unit=money((found.low + found.high) / 2 * factor),
        low=money(found.low * factor),
        high=money(found.high * factor),
        currency=currency,
        kind=found.kind,
        as_of=found.as_of,
        source=found.source,
    )


def _contingency(lines: tuple[BomLine, ...], share: float, currency: str, source: str) -> BomLine:
    net, low, high = _totals(lines)
    factor = Decimal(str(share))
    price = Price(
        unit=money(net * factor),
        low=money(low * factor),
        high=money(high * factor),
        currency=currency,
        kind="estimate",
        source=source,
    )
    return BomLine(
        group="contingency",
        part="",
        per_server=1,
        total=1,
        unit_price=price.unit,
        amount=money(net * factor),
        price=price,
        rule=Message(code="bom_contingency", severity="info", values={"contingency_share": share}),
    )


def vat_of(lines: tuple[BomLine, ...], vat_rate: Decimal) -> Decimal:
    """VAT of an order: rounded line by line, as an invoice does."""
    return sum((money(line.amount * vat_rate) for line in lines), Decimal(0))


def _totals(lines: tuple[BomLine, ...]) -> tuple[Decimal, Decimal, Decimal]:
    """Net total at the middle, the low and the high of every price range."""

    def total(value: str) -> Decimal:
        return sum(
            (money((getattr(line.price, value) or line.unit_price or Decimal(0)) * line.total) for line in lines),
            Decimal(0),
        )

    return sum((line.amount for line in lines), Decimal(0)), total("low"), total("high")
