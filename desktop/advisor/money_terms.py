"""The money a quote is told in: currency and rate, VAT, electricity, all with their origin."""

from dataclasses import dataclass
from decimal import Decimal

from desktop.catalog import Catalog
from desktop.quote import Message
from desktop.request import Economics, Problem

CATALOG_CURRENCY = "USD"
WORLD = "World"


@dataclass(frozen=True, slots=True)
class MoneyTerms:
    """`rate` is units of `currency` for one US dollar; `vat_rate` holds on the day of the catalog."""

    currency: str
    rate: Decimal
    vat_rate: Decimal
    electricity_per_kwh: Decimal
    remarks: tuple[Message, ...] = ()

    def convert(self, dollars: Decimal) -> Decimal:
        return dollars * self.rate


def money_terms(economics: Economics, catalog: Catalog) -> MoneyTerms:
    """Terms of a request. Raises Problem("exchange_rate_missing") where the currency is not the catalog's and no rate
    is given."""
    currency = economics.currency
    if currency != CATALOG_CURRENCY and economics.exchange_rate is None:
        raise Problem("exchange_rate_missing", field="economics.exchange_rate", currency=currency)
    rate = economics.exchange_rate.per_usd if economics.exchange_rate and currency != CATALOG_CURRENCY else Decimal(1)
    vat = economics.vat.rate if economics.vat else catalog.vat_rate(economics.region, catalog.stamp.built) or Decimal(0)
    electricity, remarks = _electricity(economics, catalog, currency, rate)
    return MoneyTerms(currency=currency, rate=rate, vat_rate=vat, electricity_per_kwh=electricity, remarks=remarks)


def _electricity(
    economics: Economics, catalog: Catalog, currency: str, rate: Decimal
) -> tuple[Decimal, tuple[Message, ...]]:
    """Price of a kWh in the quote's currency: the user's own, else the region's, else the world's."""
    if economics.electricity_per_kwh is not None:
        return economics.electricity_per_kwh, ()
    for region in (economics.region, WORLD):
        tariff = catalog.tariff("electricity", region)
        if tariff is None:
            continue
        priced_in = tariff.unit.split("/")[0]
        price = (tariff.low + tariff.high) / 2
        values = {
            "region": tariff.region,
            "as_of": tariff.as_of,
            "price": f"{price.normalize():f}",
            "unit": tariff.unit,
        }
        remark = Message(
            code="electricity_of_catalog", severity="info", field="economics.electricity_per_kwh", values=values
        )
        if priced_in == currency:
            return price, (remark,)
        if priced_in == CATALOG_CURRENCY:
            return price * rate, (remark,)
    raise Problem("electricity_missing", field="economics.electricity_per_kwh", region=economics.region)
