"""Parts become priced lines of a bill: dated, net of VAT, in the quote's currency."""

from decimal import Decimal

from desktop.advisor.money_terms import MoneyTerms
from desktop.catalog import Catalog
from desktop.catalog.ageing import limit_days
from desktop.catalog.calibration import SourcedShare
from desktop.catalog.facts import oldest_day
from desktop.catalog.prices import CATALOG_CURRENCY, CloudPrice, HardwarePrice
from desktop.quote import BomLine, Message, Price, PriceKind
from desktop.servers.bill_of_materials import PartLine
from desktop.servers.prices import chosen_price
from desktop.units import money

INCLUDED: PriceKind = "included"
SERVER_PRICES = {"chassis": "chassis", "system": "system"}  # by the group of the line


def priced_line(line: PartLine, servers: int, catalog: Catalog, terms: MoneyTerms, included: bool) -> BomLine:
    """A line of the order with the dated price of its part; `included` lines are in the price of the whole system.

    A part nobody prices stays in the bill without a price: it counts as zero, and the bill says so.
    """
    found = (
        None if included or not line.part else price_of(line.part, catalog, terms, SERVER_PRICES.get(line.group, ""))
    )
    factor = None if found is None else net_factor(found, catalog, terms)
    covered = included or line.group == "companions"
    if factor is not None:
        factor /= 1 - catalog.margin  # a share of what the customer pays
    price = _price(found, factor, terms.currency, INCLUDED if covered else "none")
    if price.unit is not None:
        price = price.model_copy(update={"stale_after_days": limit_days(line.group, catalog.age_limits)})
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


def price_of(part: str, catalog: Catalog, terms: MoneyTerms, category: str = "") -> HardwarePrice | None:
    """The price a quote takes for a part; None where there is none, or none that can be told in its currency. A server
    has prices of two categories: `system` with what is in it, `chassis` without."""
    told = (
        price
        for price in catalog.prices_of(part)
        if category in ("", price.category) and net_factor(price, catalog, terms) is not None
    )
    return chosen_price(told, terms.market)


def net_factor(found: HardwarePrice | CloudPrice, catalog: Catalog, terms: MoneyTerms) -> Decimal | None:
    """What turns a dated price into the quote's currency without VAT; None where it cannot be told."""
    factor = terms.rate if found.currency == CATALOG_CURRENCY else None
    if found.currency == terms.currency:
        factor = Decimal(1)
    if factor is None or not found.vat_included:
        return factor
    inside = found.vat_rate
    if inside is None:
        place = found.region or terms.market  # the user's own list says no region: it is the customer's
        inside = catalog.vat_rate(place, oldest_day(found.as_of) or catalog.stamp.built)
    return None if inside is None else factor / (1 + inside)


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


def contingency_line(lines: tuple[BomLine, ...], rule: SourcedShare, currency: str) -> BomLine:
    """What is set aside for parts that are not in the bill, as a share of those that are."""
    net, low, high = totals(lines)
    factor = Decimal(str(rule.share))
    price = Price(
        unit=money(net * factor),
        low=money(low * factor),
        high=money(high * factor),
        currency=currency,
        kind="estimate",
        source=rule.source,
    )
    return BomLine(
        group="contingency",
        part="",
        per_server=1,
        total=1,
        unit_price=price.unit,
        amount=money(net * factor),
        price=price,
        rule=Message(code="bom_contingency", severity="info", values={"contingency_share": rule.share}),
    )


def vat_of(lines: tuple[BomLine, ...], vat_rate: Decimal) -> Decimal:
    """VAT of an order: rounded line by line, as an invoice does."""
    return sum((money(line.amount * vat_rate) for line in lines), Decimal(0))


def totals(lines: tuple[BomLine, ...]) -> tuple[Decimal, Decimal, Decimal]:
    """Net total at the middle, the low and the high of every price range."""

    def total(value: str) -> Decimal:
        return sum(
            (money((getattr(line.price, value) or line.unit_price or Decimal(0)) * line.total) for line in lines),
            Decimal(0),
        )

    return sum((line.amount for line in lines), Decimal(0)), total("low"), total("high")
