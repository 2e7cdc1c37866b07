"""The money a quote is told in: currency and rate, VAT, electricity, all with their origin."""

from dataclasses import dataclass
from decimal import Decimal

from desktop.catalog import Catalog
from desktop.catalog.prices import CATALOG_CURRENCY, Tariff, VatRate
from desktop.quote import Message, UsedTariff
from desktop.request import Economics, Problem

WORLD = "World"
SHARE = "share"


@dataclass(frozen=True, slots=True)
class MoneyTerms:
    """`rate` is units of `currency` for one US dollar; `vat` is that of the day of the catalog, None where unknown;
    `market` is the customer's region by its plain name."""

    currency: str
    rate: Decimal
    vat: UsedTariff | None
    electricity: UsedTariff
    market: str

    @property
    def vat_rate(self) -> Decimal:
        """What the bill adds: nothing where no rate is known."""
        return self.vat.value if self.vat else Decimal(0)

    @property
    def electricity_per_kwh(self) -> Decimal:
        return self.electricity.value

    def convert(self, dollars: Decimal) -> Decimal:
        return dollars * self.rate

    def remarks(self) -> tuple[Message, ...]:
        """What the user did not say and the catalog did."""
        used = self.electricity
        if used.own:
            return ()
        values = {"region": used.region, "as_of": used.as_of, "price": f"{used.value.normalize():f}", "unit": used.unit}
        field = "economics.electricity_per_kwh"
        return (Message(code="electricity_of_catalog", severity="info", field=field, values=values),)


def money_terms(economics: Economics, catalog: Catalog) -> MoneyTerms:
    """Terms of a request.

    Raises Problem("exchange_rate_missing") where the currency is not the catalog's and no rate is given,
    Problem("electricity_missing") where no tariff is in a currency that can be converted.
    """
    currency = economics.currency
    if currency != CATALOG_CURRENCY and economics.exchange_rate is None:
        raise Problem("exchange_rate_missing", field="economics.exchange_rate", currency=currency)
    rate = economics.exchange_rate.per_usd if economics.exchange_rate and currency != CATALOG_CURRENCY else Decimal(1)
    electricity = _electricity(economics, catalog, currency, rate)
    return MoneyTerms(currency, rate, _vat(economics, catalog), electricity, catalog.region_name(economics.region))


def _vat(economics: Economics, catalog: Catalog) -> UsedTariff | None:
    if economics.vat is not None:
        return UsedTariff(value=economics.vat.rate, unit=SHARE, own=True)
    found = catalog.vat(economics.region, catalog.stamp.built)
    return None if found is None else _used(found, found.rate, SHARE)


def _electricity(economics: Economics, catalog: Catalog, currency: str, rate: Decimal) -> UsedTariff:
    """Price of a kWh in the quote's currency: the user's own, else the region's, else the world's."""
    unit = f"{currency}/kWh"
    if economics.electricity_per_kwh is not None:
        return UsedTariff(value=economics.electricity_per_kwh, unit=unit, own=True)
    for region in (economics.region, WORLD):
        tariff = catalog.tariff("electricity", region)
        priced_in = tariff.unit.split("/")[0] if tariff else ""
        if tariff is not None and priced_in in (currency, CATALOG_CURRENCY):
            price = (tariff.low + tariff.high) / 2 * (1 if priced_in == currency else rate)
            return _used(tariff, price, unit)
    raise Problem("electricity_missing", field="economics.electricity_per_kwh", region=economics.region)


def _used(tariff: Tariff | VatRate, value: Decimal, unit: str) -> UsedTariff:
    return UsedTariff(
        value=value,
        unit=unit,
        region=tariff.region,
        as_of=tariff.as_of,
        source=tariff.source,
        verification=tariff.verification,
    )
