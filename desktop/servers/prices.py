"""Which of several dated prices of a part is used."""

from collections.abc import Iterable

from desktop.catalog.facts import oldest_day
from desktop.catalog.prices import HardwarePrice

# a quote binds, a contract was paid, a street price is paid, a list price asked, an estimate guessed; spot moves daily
PREFERENCE = ("quote", "contract", "street", "list", "estimate", "spot")


def chosen_price(prices: Iterable[HardwarePrice]) -> HardwarePrice | None:
    """The newest price of the most binding kind; used parts are never quoted. None where there is no price."""
    usable = [price for price in prices if price.kind in PREFERENCE]
    if not usable:
        return None
    return min(usable, key=lambda price: (PREFERENCE.index(price.kind), _newest_first(price.as_of), price.part))


def _newest_first(as_of: str) -> int:
    """The day a price is at least as old as, newest first; an undated one comes last."""
    day = oldest_day(as_of)
    return -day.toordinal() if day else 0
