"""Money on a chart's axis: whole units, thousands or millions, one unit for the whole axis."""

from collections.abc import Callable
from dataclasses import dataclass

from desktop.report.wording import Wording


@dataclass(frozen=True)
class MoneyAxis:
    unit: str
    write: Callable[[float], str]


def money_axis(wording: Wording, highest: float, currency: str) -> MoneyAxis:
    """The unit in which the highest amount has one to four digits, and a function that writes amounts in it."""
    code, divisor = "unit", 1.0
    for code, divisor in (("billion", 1e9), ("million", 1e6), ("thousand", 1e3), ("unit", 1.0)):
        if highest >= 10 * divisor or code == "unit":
            break
    digits = 0 if highest / divisor >= 10 else 1

    def write(amount: float) -> str:
        return wording.numerals.number(amount / divisor, digits)

    return MoneyAxis(wording.label(f"axis.{code}", currency=wording.numerals.currency_sign(currency)), write)
