"""Which of several dated prices of a part is used."""

from collections.abc import Iterable

from desktop.catalog.facts import OWN, oldest_day
from desktop.catalog.prices import HardwarePrice

# a quote binds, a contract was paid, a street price is paid, a list price asked, an estimate guessed; spot moves daily
PREFERENCE = ("quote", "contract", "street", "list", "estimate", "spot")
CLOSED_MARKETS = {"RUB": "Russia"}  # what is asked in roubles, parallel import inside, is paid nowhere else


def chosen_price(prices: Iterable[HardwarePrice], market: str = "") -> HardwarePrice | None:
    """The user's own price, else one of the customer's market, else the newest of the most binding kind.

    Used parts are never quoted, and nothing rests on a price that nobody has read. None where no price is left.
    """
    usable = [
        price
        for price in prices
        if price.kind in PREFERENCE and not price.unverified() and sold_in(price.currency, market)
    ]
    return min(
        usable,
        key=lambda price: (
            price.verification != OWN,
            CLOSED_MARKETS.get(price.currency) != market,
            PREFERENCE.index(price.kind),
            _newest_first(price.as_of),
            price.part,
        ),
        default=None,
    )


def sold_in(currency: str, market: str) -> bool:
    """Whether a price in that currency holds for a customer of `market`, a region by its plain name.

    >>> sold_in("USD", "Germany"), sold_in("RUB", "Germany"), sold_in("RUB", "Russia"), sold_in("USD", "Russia")
    (True, False, True, True)
    """
    return CLOSED_MARKETS.get(currency, market) == market


def _newest_first(as_of: str) -> int:
    """The day a price is at least as old as, newest first; an undated one comes last."""
    day = oldest_day(as_of)
    return -day.toordinal() if day else 0
