"""Rules every price, tariff and rate of the catalog keeps; excused like those of desktop/catalog/checks.py."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from desktop.catalog.checks import Finding, Tables
from desktop.catalog.facts import Fact, oldest_day
from desktop.catalog.prices import CloudPrice, ExchangeRate, Tariff, VatRate

# A GPU-hour in US dollars: used cards from 0.05 on spot markets, whole Blackwell racks to 30 a GPU on demand.
LEAST_GPU_HOUR, MOST_GPU_HOUR = Decimal("0.02"), Decimal(40)
LEAST_KWH, MOST_KWH = Decimal("0.01"), Decimal(1)  # US dollars: subsidised industry to the dearest islands
LEAST_PUE, MOST_PUE = Decimal(1), Decimal(3)  # 1 by definition
OWN_CURRENCY = "USD"


def price_findings(tables: Tables, today: date) -> Iterator[Finding]:
    """Every priced row that breaks a rule. `today` is the day the catalog is of: nothing is known from later."""
    dollars = _per_dollar(tables.get("exchange_rates", ()))
    for table in ("hardware_prices", "cloud_prices", "api_prices", "tariffs", "vat_rates", "exchange_rates"):
        for place, record in enumerate(tables.get(table, ())):
            for rule, said in (*_dated(record, today), *_taxed(record), *_priced(record, dollars)):
                yield Finding(rule, table, place, name_of(record), said)
    yield from _vat_overlaps(tables.get("vat_rates", ()))


def name_of(record: Any) -> str:
    """What exceptions call a priced row.

    >>> name_of(ExchangeRate(currency="RUB", low=Decimal(80), high=Decimal(81), as_of="2026"))
    'RUB 2026'
    """
    fields = ("part", "provider", "instance", "provider_model", "kind", "region", "currency", "as_of")
    named = (str(getattr(record, field, "") or "") for field in fields)
    return " ".join(part for part in named if part)


def _dated(record: Fact, today: date) -> Iterator[tuple[str, str]]:
    day = oldest_day(record.as_of.removeprefix("<="))
    if day and day > today:
        yield "not_of_the_future", f"as_of {record.as_of} is after {today.isoformat()}"
    since, until = getattr(record, "valid_from", None), getattr(record, "valid_until", None)
    if since and until and since > until:
        yield "valid_in_order", f"valid from {since} until {until}"


def _taxed(record: Any) -> Iterator[tuple[str, str]]:
    rate = getattr(record, "vat_rate", None)
    if rate is None:
        return
    if not record.vat_included:
        yield "vat_rate_of_a_gross_price", f"vat_rate {rate} of a price without VAT"
    if not 0 <= rate < 1:
        yield "vat_rate_is_a_share", f"vat_rate is {rate}"


def _priced(record: Any, dollars: Mapping[str, Decimal]) -> Iterator[tuple[str, str]]:
    amounts = {
        name: value
        for name in ("low", "high", "price_per_hour", "input_per_million_tokens", "output_per_million_tokens")
        if (value := getattr(record, name, None)) is not None
    }
    for name, value in amounts.items():
        if value < 0 or (value == 0 and not isinstance(record, Tariff)):
            yield "price_above_zero", f"{name} is {value}"
    if "low" in amounts and amounts["low"] > amounts["high"]:
        yield "low_within_high", f"low {amounts['low']} is above high {amounts['high']}"
    if isinstance(record, CloudPrice):
        yield from _gpu_hour(record, dollars)
    if isinstance(record, Tariff):
        yield from _tariff(record, dollars)


def _gpu_hour(record: CloudPrice, dollars: Mapping[str, Decimal]) -> Iterator[tuple[str, str]]:
    if record.gpu_count <= 0:
        yield "positive", f"gpu_count is {record.gpu_count}"
        return
    if record.currency in dollars:
        hour = record.price_per_hour / record.gpu_count / dollars[record.currency]
        if not LEAST_GPU_HOUR <= hour <= MOST_GPU_HOUR:
            yield "gpu_hour_within_bounds", f"{hour:.3f} {OWN_CURRENCY} a GPU-hour"


def _tariff(record: Tariff, dollars: Mapping[str, Decimal]) -> Iterator[tuple[str, str]]:
    currency, _, unit = record.unit.partition("/")
    if record.kind == "electricity" and unit == "kWh" and currency in dollars:
        for value in (record.low / dollars[currency], record.high / dollars[currency]):
            if not LEAST_KWH <= value <= MOST_KWH:
                yield "kwh_within_bounds", f"{value:.3f} {OWN_CURRENCY}/kWh"
    if record.kind == "pue" and not LEAST_PUE <= record.low <= record.high <= MOST_PUE:
        yield "pue_within_bounds", f"PUE {record.low} to {record.high}"


def _per_dollar(rates: Sequence[ExchangeRate]) -> dict[str, Decimal]:
    """Units of each currency for a dollar, by its last rate: bounds are wide, days do not matter."""
    return {OWN_CURRENCY: Decimal(1)} | {rate.currency: rate.low for rate in rates}


def _vat_overlaps(rates: Sequence[VatRate]) -> Iterator[Finding]:
    """No day of a region has two standard rates."""
    for place, row in enumerate(rates):
        for other in rates[:place]:
            if row.region == other.region and _span(row)[0] <= _span(other)[1] and _span(other)[0] <= _span(row)[1]:
                yield Finding("one_vat_rate_a_day", "vat_rates", place, name_of(row), f"{row.region} has two rates")


def _span(row: VatRate) -> tuple[date, date]:
    return row.valid_from or date.min, row.valid_until or date.max
