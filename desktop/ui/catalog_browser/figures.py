"""Facts of the catalog as the reader writes them: names of fields, values with units, origins and ages."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

from babel.numbers import format_currency, format_decimal

from desktop.catalog.browsing import PRICE
from desktop.catalog.facts import RECALLED, Fact, Origin, unit_of
from desktop.ui.look import Look
from desktop.units import GB
from desktop.words.numerals import NARROW_NBSP, NBSP
from desktop.words.phrases import phrases_of

TB = 1000 * GB
DAYS_A_MONTH, DAYS_A_YEAR = 365.25 / 12, 365.25
TOLD_IN_DAYS, TOLD_IN_MONTHS = 60, 24
PLAIN_NUMBERS = ("release_year", "pcie_gen", "cuda_compute_capability")  # names rather than amounts: never grouped
SHARES = ("rate", "vat_rate")
ABOUT_OTHERS = ("gpu", "gpus", "cpu", "part", "model", "servers")  # fields that hold ids of other records
TONES = {RECALLED: "warn", "part-read": "text2", "confirmed": "ok", "own": "accent"}
DASH = "—"

NameOf = Callable[[str], str]


def field_name(look: Look, field: str, table: str = "") -> str:
    """`mem_bandwidth_gbs` as Bandwidth; a field nobody named keeps its own name, without underscores.

    One table may call a field otherwise than the others do.
    """
    name = look.known(f"catalog_field.{field}", field.replace("_", " "))
    return look.known(f"catalog_field.{table}.{field}", name)


def verification_name(look: Look, verification: str) -> str:
    return look.known(f"verified.{verification}", verification)


def verification_tone(verification: str) -> str:
    return TONES.get(verification, "text2")


def unit_name(look: Look, field: str) -> str:
    """The unit a field is told in, where every value of it has the same."""
    unit = "" if field.endswith("_bytes") else unit_of(field)
    return look.known(f"catalog_unit.{unit}", unit)


def written(look: Look, field: str, value: Any, record: Fact, name_of: NameOf, unit: bool = True) -> str:
    """A value as one line, with its unit unless that stands elsewhere."""
    if value is None or value == "":
        return DASH
    if isinstance(value, bool):
        return look.say("browser.yes" if value else "browser.no")
    if isinstance(value, tuple | list):
        return ", ".join(written(look, field, item, record, name_of) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {written(look, name, item, record, name_of)}" for name, item in value.items())
    if isinstance(value, date):
        return look.numerals.date_short(value)
    if isinstance(value, str):
        return _word(look, field, value, record, name_of)
    return _number(look, field, value, record, unit)


def price_written(look: Look, record: Any) -> str:
    """Low to high with the currency; of an hour or a million tokens likewise."""
    if currency := getattr(record, "currency", ""):
        return look.numerals.span(_money(look, record.low, currency), _money(look, record.high, currency))
    return look.numerals.span(_given(look, record.low), _given(look, record.high))


def cell_text(look: Look, field: str, record: Fact, name_of: NameOf) -> str:
    """What a table shows of a field; counts of parameters in short."""
    if field == PRICE:
        return price_written(look, record)
    value = getattr(record, field, None)
    if field in ("params_total", "params_active") and value:
        return _short_count(look, value)
    return written(look, field, value, record, name_of)


def age_written(look: Look, age_days: int | None) -> str:
    """12 days old, 5 months old; no date where the source bears none."""
    if age_days is None:
        return look.say("browser.no_date")
    if age_days == 0:
        return look.say("browser.today")
    months = round(age_days / DAYS_A_MONTH)
    if age_days < TOLD_IN_DAYS:
        age = look.count("day", age_days)
    elif months < TOLD_IN_MONTHS:
        age = look.count("month", months)
    else:
        age = look.count("year", round(age_days / DAYS_A_YEAR))
    return look.say("browser.age", age=age)


def origin_lines(look: Look, origin: Origin, age_days: int | None) -> str:
    """Where a value comes from, of when, and how it was verified: one text for tooltips."""
    source = origin.source or look.say("browser.no_source")
    return f"{verification_name(look, origin.verification)} · {dated(look, origin.as_of, age_days)}\n{source}"


def dated(look: Look, as_of: str, age_days: int | None) -> str:
    """as of 2026-10 · 2 months old."""
    if not as_of:
        return look.say("browser.no_date")
    date_said = look.numerals.as_of(as_of)
    said = date_said if as_of.startswith("<=") else look.say("browser.as_of", date=date_said)
    return said if age_days is None else f"{said} · {age_written(look, age_days)}"


def _word(look: Look, field: str, value: str, record: Fact, name_of: NameOf) -> str:
    if field in ABOUT_OTHERS:
        return name_of(value)
    if field == "region":
        return look.known(f"region.{value}", value)
    if field in ("category", "role"):
        return look.known(f"{field}.{value}", value)
    if field == "kind" and hasattr(record, "part"):
        return look.term(f"price_kind.{value}") if f"price_kind.{value}" in phrases_of("terms") else value
    return value


def _number(look: Look, field: str, value: float | Decimal, record: Fact, with_unit: bool) -> str:
    if field in PLAIN_NUMBERS:
        return str(value)
    if field in SHARES:
        return look.numerals.given_percent(value)
    if (currency := getattr(record, "currency", "")) and isinstance(value, Decimal):
        return _money(look, value, currency)
    if field.endswith("_bytes"):
        drives = getattr(record, "role", "") or "nvme" in field
        return _drive_size(look, float(value)) if drives else look.numerals.memory(float(value), 0)
    text, unit = _given(look, value), unit_name(look, field) if with_unit else ""
    return f"{text}{NBSP}{unit}" if unit else text


def _given(look: Look, value: float | Decimal) -> str:
    """Every digit as the catalog has it."""
    text: str = format_decimal(value, format="#,##0.########", locale=look.numerals.locale)
    return text.replace(NARROW_NBSP, NBSP)


def _money(look: Look, amount: Decimal, currency: str) -> str:
    """Whole, or with two decimals and as many more as the catalog has."""
    digits = "#,##0" if amount == int(amount) else "#,##0.00######"
    pattern = f"¤{digits}" if look.language == "en" else f"{digits}{NBSP}¤"
    text: str = format_currency(amount, currency, format=pattern, locale=look.numerals.locale, currency_digits=False)
    return text.replace(NARROW_NBSP, NBSP)


def _drive_size(look: Look, size_bytes: float) -> str:
    size, unit = (size_bytes / TB, "TB") if size_bytes >= TB else (size_bytes / GB, "GB")
    return f"{_given(look, size)}{NBSP}{look.known(f'catalog_unit.{unit}', unit)}"


def _short_count(look: Look, value: int) -> str:
    for size, letter in ((10**9, "B"), (10**6, "M")):
        if value >= size:
            return f"{look.figure(value / size)}{NBSP}{letter}"
    return look.figure(value)
