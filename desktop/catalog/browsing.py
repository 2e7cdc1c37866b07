"""The catalog as a reader looks through it: one shelf a table, search, filters, and GPUs side by side."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from desktop.catalog.ageing import age_days, is_stale, limit_days
from desktop.catalog.catalog import Catalog
from desktop.catalog.facts import ABOUT, RECALLED, Fact, Origin
from desktop.catalog.names import plain
from desktop.catalog.prices import HardwarePrice
from desktop.catalog.records import Platform, ServerModel

MOST_COMPARED = 4
PRICE = "price"  # stands for low, high and currency, or for what an hour costs
BETWEEN = "\n"  # no query holds it: a word is never found across two fields
ALSO_CALLED = ("id", "hf_id", "short", "aliases", "provider_model", "part_number", "en", "ru", "ru_short")
UNCOMPARED = ("id", "name", "short", "aliases")
PRICE_CATEGORIES = {"cloud_prices": "cloud", "api_prices": "api"}  # whose age counts; a part's price names its own


@dataclass(frozen=True)
class Layout:
    """What a shelf shows of its rows: what a row is called by, the field it is filtered by, and its columns."""

    called: tuple[str, ...]
    group: str
    columns: tuple[str, ...]


LAYOUTS: Mapping[str, Layout] = {
    "gpus": Layout(
        ("name",), "vendor", ("memory_gb", "mem_bandwidth_gbs", "bf16_tflops", "tdp_w", "form_factor", "memory_type")
    ),
    "measured_rates": Layout(("gpu",), "metric", ("metric", "dtype", "value", "conditions")),
    "models": Layout(("name",), "family", ("params_total", "family", "kind", "params_active", "licence")),
    "server_models": Layout(
        ("vendor", "model"), "vendor", ("market", "gpu_form_factor", "max_gpus", "rack_units", "max_power_w")
    ),
    "platforms": Layout(("vendor", "model"), "vendor", ("pricing", "max_gpus", "rack_units", "dimm_slots", "cpu")),
    "cpus": Layout(("name",), "vendor", ("family", "cores", "base_ghz", "memory_channels", "pcie_lanes", "tdp_w")),
    "memory_modules": Layout(("name",), "generation", ("capacity_bytes", "generation", "speed_mts", "kind")),
    "drives": Layout(("name",), "role", ("role", "capacity_bytes", "interface", "endurance_dwpd")),
    "nics": Layout(("name",), "vendor", ("protocol", "ports", "gbps", "connector", "pcie_gen")),
    "switches": Layout(("name",), "vendor", ("protocol", "ports", "gbps", "rack_units", "max_power_w")),
    "psus": Layout(("name",), "vendor", ("vendor", "rated_w")),
    "hardware_prices": Layout(("part",), "category", (PRICE, "kind", "region", "category", "supplier")),
    "cloud_prices": Layout(
        ("provider", "instance"), "provider", ("price_per_hour", "gpu_count", "gpu", "term", "region")
    ),
    "api_prices": Layout(
        ("model_said",), "provider", ("provider", "input_per_million_tokens", "output_per_million_tokens", "currency")
    ),
    "tariffs": Layout(("kind", "region"), "kind", (PRICE, "unit", "valid_from", "valid_until")),
    "vat_rates": Layout(("region",), "", ("rate", "valid_from", "valid_until")),
    "exchange_rates": Layout(("currency",), "", (PRICE, "on")),
    "compatibility": Layout(
        ("stack", "stack_version", "feature"), "stack", ("supported", "cc_range", "min_cuda_toolkit", "python")
    ),
    "flags": Layout(("flag_or_key",), "stack", ("stack", "version", "concept", "default")),
    "terms": Layout(("en",), "domain", ("ru", "ru_short", "domain")),
}


@dataclass(frozen=True)
class Row:
    """One record of a shelf, ready to be found. `key` is its id, or its place in the table where it has none."""

    table: str
    key: str
    record: Fact
    title: str
    text: str
    group: str
    verifications: frozenset[str]
    age_days: int | None
    stale: bool


@dataclass(frozen=True)
class ComparedField:
    """One field of several records: their values, None where one is not known, and where each comes from."""

    field: str
    values: tuple[Any, ...]
    origins: tuple[Origin, ...]

    @property
    def differs(self) -> bool:
        return any(value != self.values[0] for value in self.values[1:])


class Shelf:
    """The rows of one table in the order of the catalog."""

    def __init__(self, table: str, rows: tuple[Row, ...]) -> None:
        self.table, self.rows, self.layout = table, rows, LAYOUTS[table]
        self.groups = tuple(sorted({row.group for row in rows if row.group}, key=str.casefold))
        self.verifications = frozenset().union(*(row.verifications for row in rows))
        self.has_stale = any(row.stale for row in rows)

    def find(self, query: str = "", group: str = "", verification: str = "", stale: bool = False) -> list[Row]:
        """Rows that hold every word of the query, among those the filters leave; an empty filter leaves all."""
        return [
            row
            for row in self._named(query)
            if (not group or row.group == group)
            and (not verification or verification in row.verifications)
            and (row.stale or not stale)
        ]

    def count(self, query: str) -> int:
        """How many rows hold every word of the query."""
        return len(self._named(query))

    def row(self, key: str) -> Row | None:
        return next((row for row in self.rows if row.key == key), None)

    def _named(self, query: str) -> Sequence[Row]:
        rows: Sequence[Row] = self.rows
        for word in filter(None, map(plain, query.split())):
            rows = [row for row in rows if word in row.text]
        return rows


class Library:
    """Every shelf of one catalog as it stands on one day; each is made ready when it is first asked for."""

    def __init__(self, catalog: Catalog, on: date) -> None:
        self.catalog, self.on = catalog, on
        self._shelves: dict[str, Shelf] = {}

    def shelf(self, table: str) -> Shelf:
        """Raises KeyError for a table that is not shown."""
        if table not in self._shelves:
            records = getattr(self.catalog, table)
            self._shelves[table] = Shelf(table, tuple(self._row(table, n, record) for n, record in enumerate(records)))
        return self._shelves[table]

    def name(self, record_id: str) -> str:
        """Name of the record with that id; the id itself where there is none."""
        names = self._names.get(record_id)
        return names[0] if names else record_id

    def prices_of(self, record_id: str) -> tuple[HardwarePrice, ...]:
        """Dated prices of a part or system, the newest first."""
        return tuple(sorted(self.catalog.prices_of(record_id), key=self._age))

    def is_stale(self, table: str, record: Fact) -> bool:
        """Whether a price is older than its kind of part allows; what is no price does not age."""
        category = record.category if isinstance(record, HardwarePrice) else PRICE_CATEGORIES.get(table, "")
        return bool(category) and is_stale(record.as_of, limit_days(category, self.catalog.age_limits), self.on)

    def _age(self, record: Fact) -> tuple[bool, int]:
        age = age_days(record.as_of, self.on)
        return age is None, age or 0

    def _row(self, table: str, place: int, record: Fact) -> Row:
        layout = LAYOUTS[table]
        called = [str(getattr(record, name)) for name in layout.called if getattr(record, name)]
        called = [self.name(text) for text in called] if table in ("hardware_prices", "measured_rates") else called
        return Row(
            table=table,
            key=str(getattr(record, "id", place)),
            record=record,
            title=" ".join(called),
            text=BETWEEN.join(plain(text) for text in (*called, *self._texts(record))),
            group=str(getattr(record, layout.group)) if layout.group else "",
            verifications=frozenset((record.verification, *_of_fields(record))),
            age_days=age_days(record.as_of, self.on),
            stale=self.is_stale(table, record),
        )

    def _texts(self, record: Fact) -> Iterator[str]:
        """What a record is found by: its short texts, its other names, and the names of what it is about."""
        for field in type(record).model_fields:
            value = getattr(record, field)
            if field in ABOUT or not value:
                continue
            if isinstance(value, str):
                yield value
                yield from self._names.get(value, ())
            elif field in ALSO_CALLED:
                yield from value

    @cached_property
    def _names(self) -> dict[str, tuple[str, ...]]:
        """By id: the name, then what else it is called."""
        found: dict[str, tuple[str, ...]] = {}
        servers: tuple[ServerModel | Platform, ...] = (*self.catalog.server_models, *self.catalog.platforms)
        for server in servers:
            found[server.id] = (f"{server.vendor} {server.model}",)
        for table in ("gpus", "models", "cpus", "memory_modules", "drives", "nics", "switches", "psus"):
            for record in getattr(self.catalog, table):
                found[record.id] = (record.name, *getattr(record, "aliases", ()))
        return found


def facts_of(record: Fact) -> dict[str, Any]:
    """Every known fact of a record by field; of a model also those of its architecture."""
    known = record.values()
    more = known.pop("facts", {})
    known.update(
        (field, value)
        for field, value in more.items()
        if field not in known and field not in ABOUT and value not in (None, "")
    )
    return known


def by_origin(record: Fact) -> list[tuple[Origin, list[tuple[str, Any]]]]:
    """The facts of a record under where they come from: what was only recalled first, then as the record has them."""
    groups: dict[tuple[str, str, str], list[tuple[str, Any]]] = {}
    for field, value in facts_of(record).items():
        origin = record.origin(field)
        groups.setdefault((origin.source, origin.as_of, origin.verification), []).append((field, value))
    ordered = sorted(groups.items(), key=lambda item: item[0][2] != RECALLED)
    return [
        (Origin(source=source, as_of=as_of, verification=verification), facts)
        for (source, as_of, verification), facts in ordered
    ]


def compare(records: Sequence[Fact]) -> tuple[ComparedField, ...]:
    """Fields that at least one of up to four records knows, side by side.

    Raises ValueError for more than `MOST_COMPARED` records.
    """
    if len(records) > MOST_COMPARED:
        raise ValueError(f"{len(records)} records, at most {MOST_COMPARED}")
    known = [facts_of(record) for record in records]
    fields = dict.fromkeys(field for facts in known for field in facts if field not in UNCOMPARED)
    order = {field: place for place, field in enumerate(type(records[0]).model_fields)} if records else {}
    return tuple(
        ComparedField(
            field,
            tuple(facts.get(field) for facts in known),
            tuple(record.origin(field) for record in records),
        )
        for field in sorted(fields, key=lambda field: order.get(field, len(order)))
    )


def in_order(rows: Sequence[Row], field: str, falling: bool) -> list[Row]:
    """Rows by one field (`title`, `age_days` or a fact); those without a value last in either direction."""
    known = [(value, row) for row in rows if (value := _sorting_value(row, field)) is not None]
    unknown = [row for row in rows if _sorting_value(row, field) is None]
    known.sort(key=lambda pair: pair[0], reverse=falling)
    return [row for _, row in known] + unknown


def _sorting_value(row: Row, field: str) -> Any:
    if field in ("title", "age_days"):
        value = getattr(row, field)
    else:
        value = getattr(row.record, "low" if field == PRICE else field, None)
    return (value.casefold() or None) if isinstance(value, str) else value


def _of_fields(record: Fact) -> Iterator[str]:
    if record.recalled:
        yield RECALLED
    yield from (origin.verification for origin in record.origins.values())
