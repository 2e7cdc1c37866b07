"""What every fact of the catalog carries: where it comes from, of when, and whether anybody has read it in a document.

`verification` is `read`, `computed`, `part-read` or `recalled` for what is shipped; `confirmed` and `own` for what the
user vouches for. A recalled value is nobody's word: no quote rests on it and no document prints it before somebody
confirms it.

`as_of` is as precise as its source: 2026, 2026-Q1, 2026-H1, 2026-04 or 2026-04-17; `<=2026-12-01` where the source
bears no date: not later than that.
"""

import re
from datetime import date
from typing import Any

from desktop.request import Strict

AS_OF = re.compile(
    r"(?P<bound><=)?(?P<year>\d{4})(?:-(?:Q(?P<quarter>[1-4])|H(?P<half>[12])|(?P<month>\d{2})(?:-(?P<day>\d{2}))?))?"
)
READ, COMPUTED, PART_READ, RECALLED = "read", "computed", "part-read", "recalled"
CONFIRMED, OWN = "confirmed", "own"
VERIFICATIONS = (READ, COMPUTED, PART_READ, RECALLED)
ABOUT = ("source", "as_of", "verification", "notes", "recalled", "origins")  # of the record itself, not of its subject
UNITS = {  # by the end of a field's name, the longest first
    "price_per_hour": "",
    "per_million_tokens": "",
    "bandwidth_gbs": "GB/s",
    "gbs_total": "GB/s",
    "tflops": "TFLOP/s",
    "tops": "TOP/s",
    "memory_gb": "GB",
    "ram_gb": "GB",
    "nvme_gb": "GB",
    "usable_mib": "MiB",
    "bytes": "B",
    "_mts": "MT/s",
    "_ghz": "GHz",
    "_kg": "kg",
    "_kw": "kW",
    "_w": "W",
    "_tb": "TB",
    "gbps": "Gb/s",
    "tbps": "Tb/s",
    "dwpd": "drive writes a day",
    "rack_units": "U",
}


class Origin(Strict):
    """Where one value comes from, of when, and how it was verified."""

    source: str = ""
    as_of: str = ""
    verification: str = ""


class Fact(Strict):
    """A record of facts from one source, unless `origins` names another for a field; `recalled` fields are nobody's."""

    source: str = ""
    as_of: str = ""
    verification: str = ""
    notes: str = ""
    recalled: tuple[str, ...] = ()
    origins: dict[str, Origin] = {}

    def origin(self, field: str) -> Origin:
        """Origin of one field's value."""
        if field in self.origins:
            return self.origins[field]
        if field in self.recalled:
            return Origin(as_of=self.as_of, verification=RECALLED)
        verification = READ if self.verification == PART_READ else self.verification
        return Origin(source=self.source, as_of=self.as_of, verification=verification)

    def unverified(self, field: str = "") -> bool:
        """Whether that field, or where none is named the whole record, was only recalled."""
        return self.origin(field).verification == RECALLED

    def values(self) -> dict[str, Any]:
        """The known facts by field, without what is said about the record itself."""
        found = ((name, getattr(self, name)) for name in type(self).model_fields if name not in ABOUT)
        return {name: value for name, value in found if value not in (None, "", ())}


def unit_of(field: str) -> str:
    """Unit of a field, as its name says; "" for what has none.

    >>> unit_of("mem_bandwidth_gbs"), unit_of("tdp_w"), unit_of("cores")
    ('GB/s', 'W', '')
    """
    return next((unit for ending, unit in UNITS.items() if field.endswith(ending)), "")


def oldest_day(as_of: str) -> date | None:
    """Earliest day an `as_of` can mean, from which its age counts; None where the source bears no date.

    >>> oldest_day("2026-Q2"), oldest_day("2026-04-17"), oldest_day("<=2026-12-01")
    (datetime.date(2026, 4, 1), datetime.date(2026, 4, 17), None)
    """
    match = AS_OF.fullmatch(as_of)
    return None if match is None or match["bound"] else _first_day(match)


def is_dated(as_of: str) -> bool:
    """Whether a text is a day, a part of a year or a bound, and one that the calendar has.

    >>> is_dated("<=2026-12-01"), is_dated("2026-Q4"), is_dated("2026-02-30"), is_dated("spring")
    (True, True, False, False)
    """
    match = AS_OF.fullmatch(as_of)
    return match is not None and _first_day(match) is not None


def _first_day(match: re.Match[str]) -> date | None:
    month = int(match["month"] or 3 * int(match["quarter"] or 1) - 2) + 6 * (int(match["half"] or 1) - 1)
    try:
        return date(int(match["year"]), month, int(match["day"] or 1))
    except ValueError:
        return None
