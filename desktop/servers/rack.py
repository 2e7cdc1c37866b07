"""Racks: whichever of space and power runs out first."""

from math import ceil


def racks_needed(servers: int, rack_units_each: int, peak_w_each: float, rack_units: int, rack_w: float) -> int | None:
    """Racks for `servers`; None where one server alone is more than a rack allows.

    >>> racks_needed(4, 4, 6500, 42, 10_000), racks_needed(1, 8, 10_200, 42, 10_000)
    (4, None)
    """
    per_rack = min(rack_units // rack_units_each, int(rack_w // peak_w_each))
    return ceil(servers / per_rack) if per_rack else None
