"""The shipped catalog as the user sees it: with confirmed facts, own parts and own prices, and where both disagree."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from pydantic_core import to_jsonable_python

from desktop.catalog.catalog import Catalog
from desktop.catalog.facts import ABOUT, CONFIRMED, OWN, RECALLED, Fact, Origin
from desktop.catalog.names import plain
from desktop.catalog.prices import HardwarePrice
from desktop.catalog.reader import TABLES, load_catalog
from desktop.catalog.records import Platform
from desktop.catalog.user_data import Confirmation, Discount, UserData, record_id, user_file
from desktop.request import Problem, Strict

ConflictKind = Literal["value_changed", "gone", "same_id", "taken_id", "missing_reference", "price_without_part"]
CONFIRMABLE = tuple(table for table, record in TABLES.items() if "id" in record.model_fields)
NAMES = ("aliases", "short", "tflops_basis")  # what a record is called is no fact that anybody vouches for
AGREED = {"quote", "contract"}  # already hold what was taken off


class Conflict(Strict):
    """Where the user's data and the shipped catalog disagree; values are JSON text, "" where there is none.

    value_changed: the catalog now holds another value than was confirmed, so the confirmation is not applied.
    gone: what was confirmed is not in the catalog. same_id: an own part stands in for the shipped one. taken_id: an own
    part has the id of something else and is not applied. missing_reference: an own platform names a GPU or CPU that is
    not there, and is not applied. price_without_part: an own price of nothing in the catalog.
    """

    kind: ConflictKind
    table: str
    id: str
    field: str = ""
    yours: str = ""
    shipped: str = ""


def with_user_data(catalog: Catalog, user: UserData) -> Catalog:
    """The shipped catalog with what the user vouches for laid over it; itself where the user has added nothing.

    Raises what reading `user` raises.
    """
    tables: dict[str, Any] = {}
    for table, confirmations in _by_table(user.confirmations()).items():
        tables[table] = tuple(_confirmed(row, confirmations) for row in getattr(catalog, table))
    for table, parts in _fitting_parts(catalog, user.parts())[0].items():
        own = {record_id(part): part for part in parts}
        shipped = tables.get(table, getattr(catalog, table))
        kept = tuple(own.pop(row.id, row) for row in shipped)
        tables[table] = (*kept, *own.values())
    prices, discounts = user.prices(), user.discounts()
    if prices or discounts:
        tables["hardware_prices"] = _discounted((*catalog.hardware_prices, *prices), discounts)
    if limits := user.age_limits():
        tables["age_limits"] = {**catalog.age_limits, **limits}
    if margin := user.margin():
        tables["margin"] = margin
    if vendors := user.preferred_vendors():
        tables["preferred_vendors"] = vendors
    return replace(catalog, **tables) if tables else catalog


def catalog_on_hand() -> Catalog:
    """The catalog in force with the user's own data over it: what every command answers by.

    Raises Problem: catalog_unreadable, or user_data where user.db is there and cannot be read.
    """
    return with_user_data(load_catalog(), UserData(user_file()))


def conflicts(catalog: Catalog, user: UserData) -> tuple[Conflict, ...]:
    """Every place where the user's data and the shipped `catalog` (without user data) disagree."""
    found: list[Conflict] = []
    for table, confirmations in _by_table(user.confirmations()).items():
        rows = {row.id: row for row in getattr(catalog, table, ())}
        for said in confirmations:
            row = rows.get(said.id)
            place = {"table": table, "id": said.id, "field": said.field, "yours": said.value}
            if row is None or (said.field and getattr(row, said.field, None) is None):
                found.append(Conflict(kind="gone", **place))
            elif not _holds(row, said):
                found.append(Conflict(kind="value_changed", **place, shipped=value_text(row, said.field)))
    fitting, refused = _fitting_parts(catalog, user.parts())
    found += refused
    for table, parts in fitting.items():
        rows = {row.id: row for row in getattr(catalog, table)}
        for part in parts:
            if (row := rows.get(record_id(part))) is not None:
                yours, shipped = value_text(part), value_text(row)
                found.append(Conflict(kind="same_id", table=table, id=row.id, yours=yours, shipped=shipped))
    known = _tables_of_ids(catalog).keys() | {record_id(part) for parts in fitting.values() for part in parts}
    for price in user.prices():
        if price.part not in known:
            yours = price.model_dump_json(exclude_defaults=True)
            found.append(Conflict(kind="price_without_part", table="hardware_prices", id=price.part, yours=yours))
    return tuple(found)


def confirm_fact(catalog: Catalog, user: UserData, table: str, id: str, field: str, by: str, on: date) -> Confirmation:
    """Keeps that `by` vouches for the value a recalled field has in the shipped catalog; "" means the whole record.

    Raises Problem: wrong_value (a table without ids), no_such_record, unknown_field, nothing_to_confirm (the value is
    not there, or not merely recalled), or what `UserData.confirm` raises.
    """
    if table not in CONFIRMABLE:
        raise Problem("wrong_value", "table", value=table, allowed=CONFIRMABLE)
    record: Fact | None = next((row for row in getattr(catalog, table) if row.id == id), None)
    if record is None:
        raise Problem("no_such_record", f"{table}.{id}")
    place = f"{table}.{id}" + (f".{field}" if field else "")
    if field and (field in ABOUT or field not in type(record).model_fields):
        raise Problem("unknown_field", place)
    recalled = field in record.values() and record.unverified(field) if field else _any_recalled(record)
    if not recalled:
        raise Problem("nothing_to_confirm", place)
    value = value_text(record, field)
    user.confirm(table, id, field, value, by, on)
    return Confirmation(table=table, id=id, field=field, value=value, by=by.strip(), on=on)


def value_text(record: Fact, field: str = "") -> str:
    """A field's value, or all known values of the record, as the JSON text a confirmation keeps."""
    return json.dumps(_plain(record, field), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _plain(record: Fact, field: str) -> Any:
    if field:
        return to_jsonable_python(getattr(record, field))
    return to_jsonable_python({name: value for name, value in record.values().items() if name not in NAMES})


def _by_table(confirmations: Iterable[Confirmation]) -> dict[str, list[Confirmation]]:
    found: dict[str, list[Confirmation]] = {}
    for said in confirmations:
        if said.table in CONFIRMABLE:
            found.setdefault(said.table, []).append(said)
    return found


def _confirmed(record: Any, confirmations: Iterable[Confirmation]) -> Any:
    for said in sorted(confirmations, key=lambda said: not said.field):  # who vouched for one field keeps it
        if said.id == record.id and _holds(record, said):
            record = _vouched(record, said)
    return record


def _holds(record: Fact, said: Confirmation) -> bool:
    """Whether the record still says what was confirmed."""
    if said.field and (said.field in ABOUT or said.field not in type(record).model_fields):
        return False
    try:
        return bool(json.loads(said.value) == json.loads(value_text(record, said.field)))
    except ValueError:
        return False


def _vouched(record: Fact, said: Confirmation) -> Fact:
    origin = Origin(
        source=f"confirmed by {said.by}, {said.on.isoformat()}", as_of=said.on.isoformat(), verification=CONFIRMED
    )
    if said.field:
        return _with_origins(record, {said.field: origin}) if record.unverified(said.field) else record
    if record.verification != RECALLED:
        return _with_origins(record, dict.fromkeys(_recalled_fields(record), origin))
    kept = {field: known for field, known in record.origins.items() if known.verification != RECALLED}
    return record.model_copy(update={**origin.model_dump(), "recalled": (), "origins": kept})


def _with_origins(record: Fact, origins: Mapping[str, Origin]) -> Fact:
    recalled = tuple(field for field in record.recalled if field not in origins)
    return record.model_copy(update={"recalled": recalled, "origins": {**record.origins, **origins}})


def _recalled_fields(record: Fact) -> tuple[str, ...]:
    said = (field for field, origin in record.origins.items() if origin.verification == RECALLED)
    return tuple(dict.fromkeys((*record.recalled, *said)))


def _any_recalled(record: Fact) -> bool:
    return record.verification == RECALLED or bool(_recalled_fields(record))


def _fitting_parts(
    catalog: Catalog, parts: Mapping[str, tuple[Fact, ...]]
) -> tuple[dict[str, list[Fact]], list[Conflict]]:
    """Own parts that can stand in the catalog, and why the others cannot."""
    places = _tables_of_ids(catalog)
    for table, records in parts.items():
        for record in records:
            places.setdefault(record_id(record), {table})
    gpus_and_cpus = {id for id, tables in places.items() if tables & {"gpus", "cpus"}}
    fitting: dict[str, list[Fact]] = {}
    refused: list[Conflict] = []
    for table, records in parts.items():
        for record in records:
            named = {*record.gpus, record.cpu} if isinstance(record, Platform) else set()
            kind: ConflictKind = "taken_id" if table not in places[record_id(record)] else "missing_reference"
            if kind == "taken_id" or not named <= gpus_and_cpus:
                refused.append(Conflict(kind=kind, table=table, id=record_id(record), yours=value_text(record)))
            else:
                fitting.setdefault(table, []).append(record)
    return fitting, refused


def _tables_of_ids(catalog: Catalog) -> dict[str, set[str]]:
    places: dict[str, set[str]] = {}
    for table in CONFIRMABLE:
        for row in getattr(catalog, table):
            places.setdefault(row.id, set()).add(table)
    return places


def _discounted(prices: Iterable[HardwarePrice], discounts: Iterable[Discount]) -> tuple[HardwarePrice, ...]:
    shares = {(plain(discount.vendor), discount.category): discount.share for discount in discounts}
    return tuple(_less(price, _share(price, shares)) for price in prices)


def _share(price: HardwarePrice, shares: Mapping[tuple[str, str], Decimal]) -> Decimal:
    """What the supplier takes off this price: only off list prices and own ones that were not agreed already."""
    if price.kind in AGREED or not price.supplier or (price.verification != OWN and price.kind != "list"):
        return Decimal(0)
    return shares.get((plain(price.supplier), price.category), shares.get((plain(price.supplier), ""), Decimal(0)))


def _less(price: HardwarePrice, share: Decimal) -> HardwarePrice:
    if not share:
        return price
    percent = format((share * 100).normalize(), "f")
    notes = "; ".join(note for note in (price.notes, f"less {percent}% discount of {price.supplier}") if note)
    source = f"{price.source}, less {percent}%"
    reduced = {"low": price.low * (1 - share), "high": price.high * (1 - share)}
    return price.model_copy(update={**reduced, "notes": notes, "source": source})
