"""One row of a price list as a price: which part, how much, in which currency, with which VAT, of which day."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple, get_args

from pydantic import ValidationError

from desktop.catalog.facts import AS_OF, OWN, is_dated, oldest_day
from desktop.catalog.price_lists.cells import Cell, Unread, amount, currency_in, day, text_of, vat_in
from desktop.catalog.price_lists.columns import ColumnMapping, said_by_header
from desktop.catalog.price_lists.matching import PartIndex, PricedPart
from desktop.catalog.prices import Category, HardwarePrice, PriceKind
from desktop.request import Problem

CATEGORIES: tuple[str, ...] = get_args(Category)
KINDS: tuple[str, ...] = get_args(PriceKind)
MOST_SHOWN = 80


class Row(NamedTuple):
    line: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class ListTerms:
    """What holds for rows that do not say otherwise; `mark` is the decimal mark, `file` the list's name."""

    supplier: str
    on: date
    currency: str
    vat_included: bool | None
    kind: str
    region: str
    mark: str
    file: str


class RowReader:
    """Reads rows of one list. Every Problem it raises is a "price_row" with the reason of the reject."""

    def __init__(
        self,
        header: tuple[str, ...],
        mapping: ColumnMapping,
        index: PartIndex,
        terms: ListTerms,
        currencies: Collection[str],
    ) -> None:
        self._places = {field: header.index(name) for field, name in mapping.columns.items() if name in header}
        self._index, self._terms, self._currencies = index, terms, currencies
        said = said_by_header(mapping.columns.get("price", ""))
        self._header_currency, self._header_vat, self._header_rate = said
        self.assumed_vat = False

    def price(self, row: Row) -> HardwarePrice:
        """The price a row tells. In an export, which has records, a price without a supplier is one without."""
        part = self._part(row)
        low = amount(self._cell(row, "price"), self._terms.mark)
        high = amount(self._cell(row, "price_high"), self._terms.mark) if self.text(row, "price_high") else low
        if low > high:
            raise Problem("price_row", reason="low_above_high", name=part.name)
        included, rate = self._vat(row)
        category = self.text(row, "category")
        supplier = self.text(row, "supplier") or ("" if "record" in self._places else self._terms.supplier)
        try:
            return HardwarePrice(
                part=part.id,
                category=category if category in CATEGORIES else part.category,
                low=low,
                high=high,
                currency=self._currency(row),
                kind=self._kind(row),
                region=self.text(row, "region") or self._terms.region,
                vat_included=included,
                vat_rate=rate,
                supplier=supplier,
                source=self.text(row, "source") or f"price list of {supplier}, {self._terms.file}",
                as_of=self._day(row),
                verification=OWN,
                notes=self.text(row, "notes"),
            )
        except ValidationError:
            raise Problem("price_row", reason="not_a_number", value=self.text(row, "price")[:MOST_SHOWN]) from None

    def text(self, row: Row, field: str) -> str:
        """The row's cell of a field as text; "" where there is none."""
        return text_of(self._cell(row, field))

    def _cell(self, row: Row, field: str) -> Cell:
        place = self._places.get(field, -1)
        return row.cells[place] if place >= 0 else ""

    def _part(self, row: Row) -> PricedPart:
        said = [self.text(row, field) for field in ("part", "part_number", "name", "vendor")]
        found = self._index.find(*said)
        if len(found) == 1:
            return found[0]
        naming = ("part", "part_number", "name")
        if any(self._cell(row, field) is Unread.FORMULA for field in naming):
            raise Problem("price_row", reason="formula")
        shown = next((text for text in (said[2], said[1], said[0]) if text), "")
        if not shown:
            raise Problem("price_row", reason="no_name")
        if found:
            names = tuple(part.name for part in found)[:5]
            raise Problem("price_row", reason="ambiguous_part", name=shown[:MOST_SHOWN], closest=names)
        closest = self._index.closest(shown)
        reason = "unknown_part" if closest else "unlike_any"
        raise Problem("price_row", reason=reason, name=shown[:MOST_SHOWN], closest=closest)

    def _currency(self, row: Row) -> str:
        """What cell, column and header say in one voice, else what the user said of the whole list."""
        column = self.text(row, "currency")
        in_column = column.upper() if column.upper() in self._currencies else currency_in(column)
        if column and not in_column:
            raise Problem("price_row", reason="unknown_currency", value=column[:MOST_SHOWN])
        cell = self._cell(row, "price")
        said = {in_column, currency_in(cell) if isinstance(cell, str) else "", self._header_currency} - {""}
        if len(said) > 1:
            raise Problem("price_row", reason="several_currencies", values=tuple(sorted(said)))
        if not said and not self._terms.currency:
            raise Problem("price_row", reason="no_currency")
        return said.pop() if said else self._terms.currency

    def _vat(self, row: Row) -> tuple[bool, Decimal | None]:
        column = self.text(row, "vat")
        included, rate = vat_in(column)
        cell = self._cell(row, "vat_rate")
        if isinstance(cell, Decimal):  # 0.22 or 22
            rate = cell if cell < 1 else cell / 100
        elif self.text(row, "vat_rate"):
            said = self.text(row, "vat_rate")
            rate = vat_in(said)[1] or _share(said)
        if rate is None and included is None and column:
            rate = _share(column)
        if included is None:
            included = self._header_vat if self._header_vat is not None else self._terms.vat_included
        if included is None and rate:
            raise Problem("price_row", reason="vat_unclear", value=(column or self.text(row, "vat_rate"))[:MOST_SHOWN])
        self.assumed_vat = self.assumed_vat or included is None
        return bool(included), (self._header_rate if rate is None else rate) if included else None

    def _kind(self, row: Row) -> str:
        kind = self.text(row, "kind")
        return kind if kind in KINDS else self._terms.kind

    def _day(self, row: Row) -> str:
        text = self.text(row, "date")
        if not text:
            return self._terms.on.isoformat()
        if not AS_OF.fullmatch(text):
            text = day(self._cell(row, "date")).isoformat()
        if not is_dated(text):
            raise Problem("price_row", reason="bad_date", value=text[:MOST_SHOWN])
        begun = oldest_day(text)
        if begun is not None and begun > self._terms.on:
            raise Problem("price_row", reason="future_date", value=text)
        return text


def _share(text: str) -> Decimal:
    """A rate of VAT as a share: 22, 0.22 or 0,22. Raises Problem("price_row", reason="vat_unclear")."""
    bare = text.strip().replace(",", ".")
    if not bare.replace(".", "", 1).isdecimal() or not Decimal(bare) < 100:
        raise Problem("price_row", reason="vat_unclear", value=text[:MOST_SHOWN])
    value = Decimal(bare)
    return value if value < 1 else value / 100
