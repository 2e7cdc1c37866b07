"""How people call a record, and which record they mean."""

from collections.abc import Iterable
from typing import Generic, TypeVar

Record = TypeVar("Record")
LONGEST_NAME = 100  # no catalog name is longer; what is beyond is not compared
SHOWN = 3
LOOKALIKES = str.maketrans("авекмнорстху", "abekmhopctxy")


class Names(Generic[Record]):
    """Finds records by their own names first, then by what else they are called.

    Case, spaces, dashes and underscores do not count. An alias may belong to several records: then it is ambiguous.
    An entry is a record, the name it is shown under, its own names and its aliases.
    """

    def __init__(self, entries: Iterable[tuple[Record, str, Iterable[str], Iterable[str]]]) -> None:
        self._own: dict[str, list[tuple[Record, str]]] = {}
        self._others: dict[str, list[tuple[Record, str]]] = {}
        for record, shown, own, others in entries:
            for names, table in ((own, self._own), (others, self._others)):
                for name in {plain(name) for name in names if name}:
                    table.setdefault(name, []).append((record, shown))

    def find(self, name: str) -> tuple[Record, ...]:
        """Every record the name may mean: one, several for an ambiguous name, none for an unknown one."""
        key = plain(name)
        return tuple(record for record, _ in self._own.get(key) or self._others.get(key) or ())

    def closest(self, name: str) -> tuple[str, ...]:
        """The three records whose names resemble `name` most, by the name they are shown under."""
        from difflib import get_close_matches  # only an unknown name waits for it

        keys = list({**self._own, **self._others})
        similar = get_close_matches(plain(name[:LONGEST_NAME]), keys, n=len(keys), cutoff=0.0)
        found = (shown for key in similar for _, shown in self._own.get(key) or self._others[key])
        return tuple(dict.fromkeys(found))[:SHOWN]


def with_maker(maker: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names, each also with its maker before it.

    >>> with_maker("AMD", ("MI300X", "AMD MI300X"))
    ('MI300X', 'AMD MI300X', 'AMD MI300X')
    """
    known = tuple(names)
    return (*known, *(f"{maker} {name}" for name in known if not name.casefold().startswith(maker.casefold())))


def plain(name: str) -> str:
    """The name without what people write differently; Cyrillic letters that look Latin are Latin.

    >>> plain("H100-80GB SXM"), plain("Llama_3.1 8B"), plain("Н100")
    ('h10080gbsxm', 'llama3.18b', 'h100')
    """
    return "".join(name.replace("-", " ").replace("_", " ").split()).casefold().translate(LOOKALIKES)
