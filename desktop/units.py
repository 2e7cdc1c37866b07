"""Units in which the house counts: bytes, seconds, watts and decimal money.

Memory is always held in bytes. GB (1e9) and GiB (2**30) exist only where a figure is read or shown.
"""

from decimal import ROUND_HALF_UP, Decimal

KIB = 2**10
MIB = 2**20
GIB = 2**30
GB = 10**9

HOURS_PER_MONTH = 730  # 8,760 / 12: one month everywhere, never 720 or 744
MONTHS_PER_YEAR = 12
BTU_PER_HOUR_PER_WATT = 3.412


def round_up(value: int, multiple: int) -> int:
    """Smallest multiple of `multiple` that is at least `value`.

    >>> round_up(151_936, 64), round_up(2_001, 16)
    (151936, 2016)
    """
    return -(-value // multiple) * multiple


def money(value: Decimal | float | int | str, places: str = "0.01") -> Decimal:
    """Money rounded half up to `places`; floats pass through their shortest text, so 0.1 stays 0.1.

    >>> money(2.675), money("1e6")
    (Decimal('2.68'), Decimal('1000000.00'))
    """
    return Decimal(str(value)).quantize(Decimal(places), rounding=ROUND_HALF_UP)
