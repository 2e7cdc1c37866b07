"""Which part of the catalog a row of a price list means; a name that is only similar is never taken for one."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from desktop.catalog.catalog import Catalog
from desktop.catalog.names import LONGEST_NAME, Names, plain

SHOWN = 3
SHORTEST_PART_NUMBER = 8
CATEGORIES = {
    "gpus": "gpu",
    "cpus": "cpu",
    "memory_modules": "memory",
    "drives": "storage",
    "nics": "network",
    "switches": "network",
}


class PricedPart(NamedTuple):
    """A part that can have a price."""

    id: str
    name: str
    category: str


class PartIndex:
    """Parts by id, name, alias, part number, and by the names a supplier was found to use (`links`: id by name)."""

    def __init__(self, catalog: Catalog, links: Mapping[str, str]) -> None:
        entries = list(_entries(catalog))
        self._names = Names(entries)
        self._by_id = {part.id: part for part, _, _, _ in entries}
        self._links = {plain(name): part for name, part in links.items()}
        self._part_numbers = _part_numbers(entries)
        self._pieces: dict[str, set[str]] = {}
        self._sizes = {part.name: len(_pieces(part.name)) for part, _, _, _ in entries}
        for part, _, own, aliases in entries:
            for piece in _pieces(*own, *aliases):
                self._pieces.setdefault(piece, set()).add(part.name)
        self._closest: dict[str, tuple[str, ...]] = {}

    def __contains__(self, part_id: str) -> bool:
        return part_id in self._by_id

    def find(self, part: str, part_number: str, name: str, vendor: str) -> tuple[PricedPart, ...]:
        """The part a row means; several where its words mean several, none where they mean none."""
        if part in self._by_id:
            return (self._by_id[part],)
        for said in (part_number, name, part):
            if (linked := self._by_id.get(self._links.get(plain(said), ""))) is not None and said:
                return (linked,)
        numbered = self._by_number(part_number)
        named = self._by_name(name, vendor) or self._by_name(part, vendor)
        both = {found.id: found for found in (*numbered, *named)}
        if numbered and named and set(numbered) & set(named):  # the number tells which of those with the name
            both = {found.id: found for found in numbered if found in named}
        return tuple(both.values())

    def closest(self, text: str) -> tuple[str, ...]:
        """The three parts whose names share most with a text."""
        key = text[:LONGEST_NAME]
        if key not in self._closest:
            pieces = _pieces(key)
            shared = Counter(chain.from_iterable(self._pieces.get(piece, ()) for piece in pieces))
            worth = {name: 2 * count / (len(pieces) + self._sizes[name]) for name, count in shared.items()}
            self._closest[key] = tuple(sorted(worth, key=lambda name: (-worth[name], name))[:SHOWN])
        return self._closest[key]

    def _by_number(self, part_number: str) -> tuple[PricedPart, ...]:
        if not part_number:
            return ()
        found = self._part_numbers.get(plain(part_number))
        return (found,) if found else self._names.find(part_number)

    def _by_name(self, name: str, vendor: str) -> tuple[PricedPart, ...]:
        if not name:
            return ()
        return self._names.find(name) or (self._names.find(f"{vendor} {name}") if vendor else ())


Entry = tuple[PricedPart, str, tuple[str, ...], tuple[str, ...]]


def _entries(catalog: Catalog) -> Iterator[Entry]:
    """A part, the name it is shown under, its own names and its aliases."""
    for table, category in CATEGORIES.items():
        for row in getattr(catalog, table):
            own = (row.id, row.name, getattr(row, "short", ""), getattr(row, "part_number", ""))
            yield PricedPart(row.id, row.name, category), row.name, own, getattr(row, "aliases", ())
    for platform in catalog.platforms:
        name = f"{platform.vendor} {platform.model}"
        category = "system" if platform.pricing == "system" else "chassis"
        yield PricedPart(platform.id, name, category), name, (platform.id, name, platform.model), ()


def _part_numbers(entries: list[Entry]) -> dict[str, PricedPart]:
    """Parts by the order number in their names (cards and switches bear it there), where no two share it."""
    found: dict[str, list[PricedPart]] = {}
    for part, name, _, _ in entries:
        for word in name.split() if part.category == "network" else ():
            if len(word) >= SHORTEST_PART_NUMBER and any(map(str.isdigit, word)) and any(map(str.isalpha, word)):
                found.setdefault(plain(word), []).append(part)
    return {word: parts[0] for word, parts in found.items() if len(parts) == 1}


def _pieces(*names: str) -> set[str]:
    """Every three letters in a row: what two names share of them tells their likeness, fast enough for a long list."""
    texts = (f" {plain(name)} " for name in names if name)
    return {text[place : place + 3] for text in texts for place in range(len(text) - 2)}
