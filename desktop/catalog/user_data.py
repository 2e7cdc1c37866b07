"""What the user adds to the catalog: confirmed facts, own parts and prices, discounts, margin, vendors, mappings.

It lives in a file of its own, which no update of the shipped catalog touches.
"""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import ValidationError

from desktop.catalog.ageing import shipped_limits
from desktop.catalog.facts import OWN, Fact, is_dated
from desktop.catalog.prices import Category, HardwarePrice
from desktop.catalog.records import Cpu, Drive, Gpu, MemoryModule, ModelRecord, Nic, Platform, Switch
from desktop.catalog.user_database import UserDatabase, user_file
from desktop.request import Problem, Strict

__all__ = ["OWN_TABLES", "Confirmation", "Discount", "UserData", "user_file"]

OWN_TABLES: dict[str, type[Fact]] = {
    "gpus": Gpu,
    "cpus": Cpu,
    "memory_modules": MemoryModule,
    "drives": Drive,
    "nics": Nic,
    "switches": Switch,
    "platforms": Platform,
    "models": ModelRecord,
}
CATEGORIES: tuple[str, ...] = get_args(Category)
MOST_DAYS = 3650
Record = TypeVar("Record", bound=Strict)


class Confirmation(Strict):
    """A value the user vouches for; without `field`, the whole record. `value` is JSON text of what was confirmed."""

    table: str
    id: str
    field: str = ""
    value: str
    by: str
    on: date


class Discount(Strict):
    """Share taken off a vendor's prices, of one category or, without one, of all."""

    vendor: str
    category: str = ""
    share: Decimal


class UserData:
    """One user.db. Every call is one transaction, or part of the one around it (`transaction`).

    Raises Problem("user_data") with the reason: foreign, newer, damaged, busy, permission, no_space, other.
    """

    def __init__(self, file: Path) -> None:
        self._database = UserDatabase(file)

    def transaction(self) -> AbstractContextManager[Any]:
        """All changes of the block are kept, or none."""
        return self._database.changing()

    def confirm(self, table: str, id: str, field: str, value: str, by: str, on: date) -> None:
        """Keeps that `by` vouches for a value. Raises Problem("missing_field") without a name."""
        if not by.strip():
            raise Problem("missing_field", "by")
        row = (table, id, field, value, by.strip(), on.isoformat())
        self._change("INSERT OR REPLACE INTO confirmations VALUES (?, ?, ?, ?, ?, ?)", row)

    def withdraw(self, table: str, id: str, field: str) -> None:
        self._change('DELETE FROM confirmations WHERE "table" = ? AND id = ? AND field = ?', (table, id, field))

    def confirmations(self) -> tuple[Confirmation, ...]:
        rows = self._rows('SELECT "table", id, field, value, by, "on" FROM confirmations ORDER BY 1, 2, 3')
        names = ("table", "id", "field", "value", "by", "on")
        return tuple(self._record(Confirmation, dict(zip(names, row, strict=True))) for row in rows)

    def put_price(self, price: HardwarePrice) -> None:
        """Keeps an own price, in place of the one of that part, supplier, kind and region.

        Raises Problem: out_of_range (`low` is not above zero), low_above_high, bad_value (`as_of` is no date).
        """
        if not (price.low.is_finite() and price.high.is_finite() and price.low > 0):
            raise Problem("out_of_range", "low", reason="above", limit=0)
        if price.low > price.high:
            raise Problem("low_above_high", "high")
        if not is_dated(price.as_of):
            raise Problem("bad_value", "as_of")
        own = price.model_copy(update={"verification": OWN, "recalled": (), "origins": {}})
        row = (*price_key(price), own.model_dump_json(exclude_defaults=True))
        self._change("INSERT OR REPLACE INTO prices VALUES (?, ?, ?, ?, ?)", row)

    def remove_price(self, price: HardwarePrice) -> None:
        """Removes the own price of that part, supplier, kind and region."""
        self._change("DELETE FROM prices WHERE part = ? AND supplier = ? AND kind = ? AND region = ?", price_key(price))

    def prices(self) -> tuple[HardwarePrice, ...]:
        rows = self._rows("SELECT record FROM prices ORDER BY part, supplier, kind, region")
        return tuple(self._parsed(HardwarePrice, text) for (text,) in rows)

    def put_part(self, table: str, record: Fact) -> None:
        """Keeps an own part or model card. Raises Problem("wrong_value") for a table that takes none."""
        own = as_own(table, record)
        row = (table, record_id(own), own.model_dump_json(exclude_defaults=True))
        self._change("INSERT OR REPLACE INTO parts VALUES (?, ?, ?)", row)

    def remove_part(self, table: str, id: str) -> None:
        self._change('DELETE FROM parts WHERE "table" = ? AND id = ?', (table, id))

    def parts(self) -> dict[str, tuple[Fact, ...]]:
        """Own parts and model cards by table."""
        found: dict[str, list[Fact]] = {}
        for table, text in self._rows('SELECT "table", record FROM parts ORDER BY "table", id'):
            if table not in OWN_TABLES:
                raise self._database.damaged()
            found.setdefault(table, []).append(self._parsed(OWN_TABLES[table], text))
        return {table: tuple(records) for table, records in found.items()}

    def set_discount(self, vendor: str, category: str, share: Decimal) -> None:
        """`share` of 0 to below 1 off that vendor's prices of a category, of every one where it is ""; 0 removes it."""
        if not 0 <= share < 1:
            raise Problem("out_of_range", "share", value=share, low=0, high=1)
        if category and category not in CATEGORIES:
            raise Problem("wrong_value", "category", value=category, allowed=CATEGORIES)
        with self._database.changing() as database:
            database.execute("DELETE FROM discounts WHERE vendor = ? AND category = ?", (vendor, category))
            if share:
                database.execute("INSERT INTO discounts VALUES (?, ?, ?)", (vendor, category, str(share)))

    def discounts(self) -> tuple[Discount, ...]:
        rows = self._rows("SELECT vendor, category, share FROM discounts ORDER BY vendor, category")
        names = ("vendor", "category", "share")
        return tuple(self._record(Discount, dict(zip(names, row, strict=True))) for row in rows)

    def set_margin(self, share: Decimal) -> None:
        """The user's margin, a share of the selling price: 0 to below 1."""
        if not 0 <= share < 1:
            raise Problem("out_of_range", "margin", value=share, low=0, high=1)
        self._change("INSERT OR REPLACE INTO settings VALUES ('margin', ?)", (str(share),))

    def margin(self) -> Decimal:
        rows = self._rows("SELECT value FROM settings WHERE name = 'margin'")
        try:
            return Decimal(rows[0][0]) if rows else Decimal(0)
        except (ArithmeticError, TypeError, ValueError):
            raise self._database.damaged() from None

    def prefer_vendor(self, vendor: str, preferred: bool = True) -> None:
        known = "INSERT OR IGNORE INTO preferred_vendors VALUES (?)"
        self._change(known if preferred else "DELETE FROM preferred_vendors WHERE vendor = ?", (vendor,))

    def preferred_vendors(self) -> tuple[str, ...]:
        return tuple(vendor for (vendor,) in self._rows("SELECT vendor FROM preferred_vendors ORDER BY rowid"))

    def remember_mapping(self, vendor: str, columns: Mapping[str, str]) -> None:
        """Keeps which column of a vendor's price list means what: header by field."""
        row = (vendor, json.dumps(dict(columns), ensure_ascii=False))
        self._change("INSERT OR REPLACE INTO mappings VALUES (?, ?)", row)

    def mapping(self, vendor: str) -> dict[str, str]:
        """Header by field as remembered of that vendor; empty where nothing is."""
        rows = self._rows("SELECT columns FROM mappings WHERE vendor = ?", (vendor,))
        try:
            return {str(field): str(header) for field, header in json.loads(rows[0][0]).items()} if rows else {}
        except (ValueError, AttributeError, TypeError):
            raise self._database.damaged() from None

    def link_name(self, supplier: str, name: str, part: str) -> None:
        """Remembers which part a supplier means by a name."""
        self._change("INSERT OR REPLACE INTO links VALUES (?, ?, ?)", (supplier, name, part))

    def links(self, supplier: str) -> dict[str, str]:
        """Part id by name, as remembered of that supplier."""
        return dict(self._rows("SELECT name, part FROM links WHERE supplier = ? ORDER BY name", (supplier,)))

    def set_age_limit(self, category: str, days: int) -> None:
        """Age [days] up to which a price of the category is fresh."""
        if category not in shipped_limits():
            raise Problem("wrong_value", "category", value=category, allowed=tuple(shipped_limits()))
        if not 1 <= days <= MOST_DAYS:
            raise Problem("out_of_range", "days", value=days, low=1, high=MOST_DAYS)
        self._change("INSERT OR REPLACE INTO age_limits VALUES (?, ?)", (category, days))

    def age_limits(self) -> dict[str, int]:
        """Days by category, where the user has set them."""
        return dict(self._rows("SELECT category, days FROM age_limits ORDER BY category"))

    def _change(self, statement: str, values: tuple[object, ...]) -> None:
        with self._database.changing() as database:
            database.execute(statement, values)

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with self._database.reading() as database:
            return database.execute(query, values).fetchall()

    def _parsed(self, kind: type[Record], text: str) -> Record:
        try:
            return kind.model_validate_json(text)
        except ValidationError:
            raise self._database.damaged() from None

    def _record(self, kind: type[Record], values: dict[str, Any]) -> Record:
        try:
            return kind.model_validate(values)
        except ValidationError:
            raise self._database.damaged() from None


def price_key(price: HardwarePrice) -> tuple[str, str, str, str]:
    """What tells own prices apart: a newer one of the same key takes the older one's place."""
    return price.part, price.supplier, price.kind, price.region


def as_own(table: str, record: Fact) -> Fact:
    """The record as `put_part` keeps it: the user's word for all of it. Raises Problem("wrong_value")."""
    if table not in OWN_TABLES or type(record) is not OWN_TABLES[table]:
        raise Problem("wrong_value", "table", value=table, allowed=tuple(OWN_TABLES))
    return record.model_copy(update={"verification": OWN, "recalled": (), "origins": {}})


def record_id(record: Fact) -> str:
    """Id of a record of a table that has ids."""
    return str(record.id)  # type: ignore[attr-defined]
