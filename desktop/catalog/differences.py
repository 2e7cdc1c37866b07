"""What one catalog knows otherwise than another: records that are new, gone or changed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from desktop.catalog.catalog import Catalog
from desktop.catalog.reader import TABLES
from desktop.request import Strict

# what tells the records of a table apart that have no id; where even that is the same, their order does
KEYS: Mapping[str, tuple[str, ...]] = {
    "measured_rates": ("gpu", "metric", "dtype", "conditions"),
    "hardware_prices": ("part", "kind", "region", "currency", "supplier"),
    "cloud_prices": ("provider", "instance", "gpu", "gpu_count", "region", "term", "currency"),
    "api_prices": ("provider", "provider_model", "model_said", "region"),
    "tariffs": ("kind", "region", "unit", "valid_from"),
    "vat_rates": ("region", "valid_from"),
    "exchange_rates": ("currency", "on"),
    "compatibility": ("stack", "stack_version", "feature", "cc_range"),
    "flags": ("stack", "version", "concept", "flag_or_key"),
    "terms": ("en", "domain"),
    "regions": ("name",),
}
Key = tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """One record of a table. `id` is its id, or what else tells it apart; `fields` are those that changed, with the
    name inside where a field holds many: facts.layers."""

    table: str
    id: str
    kind: Literal["new", "changed", "gone"]
    fields: tuple[str, ...] = ()


def differences(old: Catalog, new: Catalog) -> tuple[Difference, ...]:
    """Every difference of two catalogs, in the order of tables; in each what changed or is gone, then what is new."""
    return tuple(found for table in TABLES for found in _of_table(table, getattr(old, table), getattr(new, table)))


def _of_table(table: str, old: tuple[Strict, ...], new: tuple[Strict, ...]) -> Iterator[Difference]:
    if old == new:
        return
    before, after = _by_key(table, old), _by_key(table, new)
    for key, rows in before.items():
        yield from _of_key(table, " / ".join(part for part in key if part), rows, after.get(key, []))
    for key, rows in after.items():
        if key not in before:
            yield from _of_key(table, " / ".join(part for part in key if part), [], rows)


def _by_key(table: str, rows: tuple[Strict, ...]) -> dict[Key, list[Strict]]:
    fields = KEYS.get(table, ("id",))
    found: dict[Key, list[Strict]] = {}
    for row in rows:
        values = (getattr(row, field) for field in fields)
        found.setdefault(tuple("" if value is None else str(value) for value in values), []).append(row)
    return found


def _of_key(table: str, shown: str, old: list[Strict], new: list[Strict]) -> Iterator[Difference]:
    """Records of one key: those that stand in both are left out, the others are taken as pairs in their order."""
    before = [row for row in old if row not in new]
    after = [row for row in new if row not in old]
    for one, other in zip(before, after, strict=False):
        yield Difference(table, shown, "changed", tuple(_changed(one, other)))
    yield from (Difference(table, shown, "gone") for _ in before[len(after) :])
    yield from (Difference(table, shown, "new") for _ in after[len(before) :])


def _changed(one: Strict, other: Strict) -> Iterator[str]:
    for field in type(one).model_fields:
        before, after = getattr(one, field), getattr(other, field)
        if before == after:
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            yield from (
                f"{field}.{name}" for name in {**before, **after} if _value(before, name) != _value(after, name)
            )
        else:
            yield field


def _value(values: Mapping[str, Any], name: str) -> tuple[bool, Any]:
    return name in values, values.get(name)
