"""What to check about a whole quote, beyond its best configuration."""

from decimal import Decimal

from desktop.advisor.bill_pricing import net_factor
from desktop.advisor.money_terms import MoneyTerms
from desktop.advisor.unverified import doubts_of_model
from desktop.catalog import Catalog
from desktop.catalog.facts import OWN, oldest_day
from desktop.quote import CloudOffer, Configuration, Message, NeedAnswer
from desktop.request import RecommendRequest
from desktop.servers.prices import CLOSED_MARKETS


def quote_warnings(
    answers: tuple[NeedAnswer, ...],
    cloud: CloudOffer | None,
    request: RecommendRequest,
    terms: MoneyTerms,
    catalog: Catalog,
) -> tuple[Message, ...]:
    """Warnings of the quote, most costly first."""
    found: list[Message] = []
    best = answers[0].configurations[0] if answers[0].configurations else None
    if best is None:
        found.append(Message(code="nothing_fits", severity="error"))
    for answer in answers[1:]:
        if not answer.configurations:
            found.append(Message(code="training_without_plan", severity="error"))
    if best is not None:
        found += _memory_price(best, terms, catalog)
        found += _oldest_price(best)
        if cloud is None:
            found.append(Message(code="no_cloud_offer", severity="warning"))
        else:
            found += _foreign_cloud(cloud, terms, catalog)
    doubts = (doubts_of_model(need.model, catalog, f"needs.{at}.model") for at, need in enumerate(request.needs))
    found += {message.values["name"]: message for messages in doubts for message in messages}.values()
    found += _unusable_prices(catalog, terms)
    region = request.economics.region
    if not catalog.knows_region(region):
        found.append(
            Message(code="unknown_region", severity="warning", field="economics.region", values={"region": region})
        )
    if request.policy.data_must_stay_on_site:
        found.append(Message(code="cloud_barred", severity="info", field="policy.data_must_stay_on_site"))
    return tuple(found) + terms.remarks()


def _foreign_cloud(cloud: CloudOffer, terms: MoneyTerms, catalog: Catalog) -> list[Message]:
    """That a customer of a closed market is shown an offer of another, and the currency its own offers need."""
    currency = next((code for code, market in CLOSED_MARKETS.items() if market == terms.market), "")
    if cloud.own or not currency or cloud.region == terms.market:
        return []
    values = {"region": terms.market, "provider": cloud.provider, "needed": currency}
    return [Message(code="foreign_cloud", severity="warning", field="economics.currency", values=values)]


def _unusable_prices(catalog: Catalog, terms: MoneyTerms) -> list[Message]:
    """That own prices stand in a currency the quote has no rate for, or with a VAT nobody knows."""
    own = [price for price in catalog.hardware_prices if price.verification == OWN]
    lost = [price for price in own if net_factor(price, catalog, terms) is None]
    if not lost:
        return []
    values = {"prices": len(lost), "currencies": ", ".join(sorted({price.currency for price in lost}))}
    return [Message(code="own_prices_unusable", severity="warning", values={**values, "needed": terms.currency})]


def _memory_price(best: Configuration, terms: MoneyTerms, catalog: Catalog) -> list[Message]:
    """What the order gains when its contract memory has to be bought on the spot market."""
    if best.server is None:
        return []
    more = Decimal(0)
    for line in best.server.lines:
        if line.group != "memory" or line.price.kind != "contract" or line.price.unit is None:
            continue
        part = next((part for part in catalog.memory_modules if part.name == line.part), None)
        spot = [price for price in catalog.prices_of(part.id) if price.kind == "spot"] if part else []
        factor = net_factor(spot[-1], catalog, terms) if spot else None
        if factor is not None:
            unit = (spot[-1].low + spot[-1].high) / 2 * factor
            more += (unit - line.price.unit) * line.total
    return (
        [Message(code="memory_price_spot", values={"more_money": more, "currency": terms.currency})] if more > 0 else []
    )


def _oldest_price(best: Configuration) -> list[Message]:
    if best.server is None:
        return []
    dated = [
        (day, line.price.as_of)
        for line in best.server.lines
        if line.price.as_of and (day := oldest_day(line.price.as_of))
    ]
    return [Message(code="price_age", severity="info", values={"as_of": min(dated)[1]})] if dated else []
