"""What a price list would change in the user's data, row by row, before anything is changed; then the change itself."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, get_args

from pydantic import ValidationError

from desktop.catalog.catalog import Catalog
from desktop.catalog.facts import Fact
from desktop.catalog.overlay import with_user_data
from desktop.catalog.price_lists.cells import CURRENCIES, decimal_mark, text_of
from desktop.catalog.price_lists.columns import ColumnMapping, guess_mapping
from desktop.catalog.price_lists.matching import PartIndex
from desktop.catalog.price_lists.rows import ListTerms, Row, RowReader
from desktop.catalog.price_lists.table import Reject, Table
from desktop.catalog.prices import HardwarePrice, PriceKind
from desktop.catalog.user_data import OWN_TABLES, UserData, as_own, price_key, record_id
from desktop.request import Problem

KINDS: tuple[str, ...] = get_args(PriceKind)


@dataclass(frozen=True)
class PriceChange:
    """An own price before and after."""

    before: HardwarePrice
    after: HardwarePrice


@dataclass(frozen=True)
class PartChange:
    """An own part of a table; `before` is None for a new one."""

    table: str
    after: Fact
    before: Fact | None = None


@dataclass(frozen=True)
class Preview:
    """What `apply` would do. `assumed` names what neither the list nor the user said: vat."""

    supplier: str
    mapping: ColumnMapping
    links: Mapping[str, str]
    new: tuple[HardwarePrice, ...] = ()
    changed: tuple[PriceChange, ...] = ()
    unchanged: tuple[HardwarePrice, ...] = ()
    parts: tuple[PartChange, ...] = ()
    unchanged_parts: int = 0
    rejected: tuple[Reject, ...] = ()
    assumed: tuple[str, ...] = ()


Parts = dict[tuple[str, str], Fact]  # own parts by table and id
Prices = dict[tuple[str, str, str, str], HardwarePrice]  # by `price_key`


def mapping_of(table: Table, remembered: Mapping[str, str], said: Mapping[str, str]) -> ColumnMapping:
    """What the header tells, then what was remembered of the vendor, then what the user says now.

    Raises Problem, as `ColumnMapping.with_columns`, for a column that the user names and the list lacks.
    """
    still = {field: column for field, column in remembered.items() if column in table.header}
    guessed = guess_mapping(table.header).with_columns(still, table.header, table.name)
    return guessed.with_columns(said, table.header, table.name)


def preview(
    table: Table,
    mapping: ColumnMapping,
    catalog: Catalog,
    user: UserData,
    supplier: str,
    on: date,
    *,
    currency: str = "",
    vat_included: bool | None = None,
    kind: PriceKind = "list",
    region: str = "",
    mark: str = "",
    links: Mapping[str, str] | None = None,
) -> Preview:
    """Reads every row as a price of a part of the catalog, or of the user's own parts.

    `supplier` and `on` stand where a row names none; `currency`, `vat_included` and `mark` (the decimal mark) say what
    the list leaves open; `links` name a part by what the list calls it. Without a word about VAT, prices are taken to
    be without it, and `assumed` says so. `catalog` is the shipped one. Raises Problem: price_list, as
    `ColumnMapping.check`; missing_field (no supplier); wrong_value (an unknown kind or currency, or a link to no
    part).
    """
    mapping = mapping.within(table.header)
    mapping.check(table.header, table.name)
    supplier = supplier.strip()
    if not supplier:
        raise Problem("missing_field", "supplier")
    if kind not in KINDS:
        raise Problem("wrong_value", "kind", value=kind, allowed=KINDS)
    currencies = {*CURRENCIES, *(rate.currency for rate in catalog.exchange_rates)}
    if currency and currency not in currencies:
        raise Problem("wrong_value", "currency", value=currency[:60], allowed=tuple(sorted(currencies)))
    rejected = list(table.rejected)
    rows = [Row(line, cells) for line, cells in table.rows]
    parts = _parts(rows, table.header, mapping, rejected)
    whole = _with_parts(with_user_data(catalog, user), parts)
    index = PartIndex(whole, {**user.links(supplier), **(links or {})})
    _check_links(links or {}, index)
    if not mark and "price" in mapping.columns:
        place = table.header.index(mapping.columns["price"])
        mark = decimal_mark(row.cells[place] for row in rows)
    terms = ListTerms(supplier, on, currency, vat_included, kind, region, mark, table.name)
    reader = RowReader(table.header, mapping, index, terms, currencies)
    prices = _prices((row for row in rows if not reader.text(row, "table")), reader, rejected)
    return _compared(prices, parts, user, supplier, mapping, links or {}, rejected, reader.assumed_vat)


def apply(preview: Preview, user: UserData) -> int:
    """Puts what is new or changed into the user's data, and remembers columns and links: all of it or nothing.

    Returns the number of prices and parts put.
    """
    with user.transaction():
        for change in preview.parts:
            user.put_part(change.table, change.after)
        for price in (*preview.new, *(change.after for change in preview.changed)):
            user.put_price(price)
        for name, part in preview.links.items():
            user.link_name(preview.supplier, name, part)
        user.remember_mapping(preview.supplier, preview.mapping.columns)
    return len(preview.parts) + len(preview.new) + len(preview.changed)


def _check_links(links: Mapping[str, str], index: PartIndex) -> None:
    for part in links.values():
        if part not in index:
            raise Problem("wrong_value", "link", value=part[:60], allowed=index.closest(part))


def _parts(rows: Iterable[Row], header: tuple[str, ...], mapping: ColumnMapping, rejected: list[Reject]) -> Parts:
    """Own parts of an export: rows that name a table, with the record as JSON."""
    places = [header.index(mapping.columns[field]) for field in ("table", "record") if field in mapping.columns]
    found: Parts = {}
    if len(places) < 2:
        return found
    for row in rows:
        table, text = (text_of(row.cells[place]) for place in places)
        if not table:
            continue
        if table not in OWN_TABLES:
            rejected.append(Reject(row.line, "unknown_table", {"value": table[:60]}))
            continue
        try:
            record = OWN_TABLES[table].model_validate_json(text)
        except ValidationError as error:
            place = ".".join(str(part) for part in error.errors()[0]["loc"]) or "record"
            rejected.append(Reject(row.line, "bad_part", {"value": place[:60]}))
            continue
        found[table, record_id(record)] = as_own(table, record)
    return found


def _with_parts(catalog: Catalog, parts: Parts) -> Catalog:
    """The catalog with the parts of the list, so that its prices find them."""
    tables: dict[str, Any] = {}
    for (table, part_id), record in parts.items():
        rows = tables.get(table, getattr(catalog, table))
        tables[table] = (*(row for row in rows if row.id != part_id), record)
    return replace(catalog, **tables) if tables else catalog


def _prices(rows: Iterable[Row], reader: RowReader, rejected: list[Reject]) -> Prices:
    found: Prices = {}
    lines: dict[tuple[str, str, str, str], int] = {}
    for row in rows:
        try:
            price = reader.price(row)
            key = price_key(price)
            if key in found:
                raise Problem("price_row", reason="repeated", name=price.part, first=lines[key])
            found[key], lines[key] = price, row.line
        except Problem as problem:
            values = {name: value for name, value in problem.values.items() if name != "reason"}
            rejected.append(Reject(row.line, str(problem.values["reason"]), values))
    return found


def _compared(
    prices: Prices,
    parts: Parts,
    user: UserData,
    supplier: str,
    mapping: ColumnMapping,
    links: Mapping[str, str],
    rejected: Iterable[Reject],
    assumed_vat: bool,
) -> Preview:
    held = {price_key(price): price for price in user.prices()}
    held_parts = {(table, record_id(part)): part for table, rows in user.parts().items() for part in rows}
    fresh = {key: part for key, part in parts.items() if held_parts.get(key) != part}
    return Preview(
        supplier,
        mapping,
        links,
        new=tuple(price for key, price in prices.items() if key not in held),
        changed=tuple(PriceChange(held[key], price) for key, price in prices.items() if held.get(key, price) != price),
        unchanged=tuple(price for key, price in prices.items() if held.get(key) == price),
        parts=tuple(PartChange(key[0], part, held_parts.get(key)) for key, part in fresh.items()),
        unchanged_parts=len(parts) - len(fresh),
        rejected=tuple(sorted(rejected, key=lambda reject: reject.line)),
        assumed=("vat",) if assumed_vat else (),
    )
