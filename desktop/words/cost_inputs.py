"""Inputs of the cost calculation by their dotted path: what each is called, and its value with its unit."""

from typing import Literal

from desktop.words.numerals import NBSP, Numerals
from desktop.words.phrases import Language, known_phrase, phrase, phrases_of

Unit = Literal["share", "money", "kw", "hours", "gb", "tokens_per_s", "none"]

CAPEX_ITEM = "capex_items."  # a line of the purchase, by the name its user gave it
SHARES = (
    "utilization",
    "token_utilization",
    "residual_rate",
    "discount_rate",
    "support_rate_year",
    "yearly_price_change",
)
SUMS = ("capex", "colocation_month", "other_month", "storage_month", "fte_cost_year", "software_per_gpu_year")
RATES = ("_per_hour", "_per_kwh", "_per_gb", "_price")
HOURS = ("hours_month", "committed_hours_month", "spot_hours_month", "hours_per_run")


def input_name(path: str, language: Language) -> str:
    """`opex.pue` as PUE. An input of the training block says so where it differs from the main one."""
    if path.startswith(CAPEX_ITEM):
        return phrase("terms", "input.capex_item", language, item=path.removeprefix(CAPEX_ITEM))
    last = _last(path)
    code = f"input.{path}" if f"input.{path}" in phrases_of("terms") else f"input.{last}"
    return known_phrase("terms", code, language, last.replace("_", " "))


def input_unit(path: str) -> Unit:
    """In what an input is told: a share, money, kilowatts, hours, gigabytes, tokens a second, or a bare number."""
    last = _last(path)
    if last in SHARES:
        return "share"
    if path.startswith(CAPEX_ITEM) or last in SUMS or last.endswith(RATES):
        return "money"
    if last.startswith("power_kw"):
        return "kw"
    if last in HOURS:
        return "hours"
    if last == "egress_gb_month":
        return "gb"
    return "tokens_per_s" if last == "tokens_per_s" else "none"


def input_figure(path: str, value: float, currency: str, numerals: Numerals) -> str:
    """A value of an input with its unit: 8%, $13.56, 0.204 $, 6.4 kW."""
    unit = input_unit(path)
    if unit == "share":
        return numerals.given_percent(value)
    if unit == "money":
        return numerals.rate(value, currency)
    written = numerals.figure(value)
    return written if unit == "none" else f"{written}{NBSP}{phrase('terms', f'unit.{unit}', numerals.language)}"


def _last(path: str) -> str:
    return path.rpartition(".")[2]
