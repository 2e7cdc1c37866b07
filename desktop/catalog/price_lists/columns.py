"""Which column of a price list means what: guessed from its header in English or Russian, or said by the user."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from desktop.catalog.price_lists.cells import currency_in, vat_in
from desktop.request import Problem, Strict

# fields of a price; `part` is a catalog id, `record` the JSON text of an own part of `table`
EXACT = (
    "table",
    "part",
    "part_number",
    "name",
    "price",
    "price_high",
    "currency",
    "vat",
    "vat_rate",
    "date",
    "vendor",
    "supplier",
    "category",
    "kind",
    "region",
    "source",
    "notes",
    "record",
)
NAMING = ("part", "part_number", "name")
NOT_A_PRICE = re.compile(
    r"total|итог|сумм|old|стар|prev|прежн|кол-?во|qty|quantity|валют|currency|категори", re.IGNORECASE
)
SCALED = re.compile(  # a price of something else than one piece
    r"тыс|млн|thousand|million|'000|\bза\s*\d|\bза\s*[гт]б\b|\bper\s+(?!unit|piece|pc|item|ea)|/\s*([гт]б|[gt]b)\b"
    r"|в\s*(месяц|час|год)\b|/\s*(мес|час|mo|month|hr?|hour|год|yr|year)\b|monthly|hourly|annual",
    re.IGNORECASE,
)
VAT = re.compile(r"ндс|\bvat\b", re.IGNORECASE)
VAT_RATE = re.compile(
    r"(?:ндс|\bvat)\D{0,6}(\d{1,2}(?:[.,]\d+)?)\s*%|(\d{1,2}(?:[.,]\d+)?)\s*%\s*(?:ндс|vat)\b", re.IGNORECASE
)
NOT_A_NAME = re.compile(r"категори|category|group|групп|поставщик|supplier", re.IGNORECASE)


class Word(NamedTuple):
    field: str
    words: re.Pattern[str]
    never: re.Pattern[str] | None = None


def _word(field: str, words: str, never: re.Pattern[str] | None = None) -> Word:
    return Word(field, re.compile(words, re.IGNORECASE), never)


WORDS = (  # the first that fits a column names its field; of two columns for one field, the one of the earlier word
    _word("price", r"\bprice|\bцен[аы]\b", NOT_A_PRICE),
    _word("price", r"\b(cost|стоимость|msrp|rrp|ррц|рцц|мрц)\b", NOT_A_PRICE),
    _word("currency", r"\b(currency|curr|валюта)\b"),
    _word("vat_rate", r"ставка\s*ндс|vat\s*rate"),
    _word("vat", r"\b(ндс|vat)\b"),
    _word("date", r"\b(date|дата|as.of)\b"),
    _word("part_number", r"артикул|\bарт\b|part\s*(number|no|num|#|№)|партном|\b(p/?n|mpn|парт)\b"),
    _word("part_number", r"\b(sku|код)\b"),
    _word("vendor", r"производител|\b(vendor|manufacturer|brand|maker|вендор|бренд)\b"),
    _word("supplier", r"\b(supplier|distributor|поставщик)\b"),
    _word("name", r"наименовани|номенклатур|\b(name|название|description|описание|товар|product|item)\b", NOT_A_NAME),
    _word("name", r"\b(model|модель|позиция|part|position)\b", NOT_A_NAME),
)


class ColumnMapping(Strict):
    """Header by field. `alternatives` are other columns that could be the price: then the user must say which."""

    columns: dict[str, str] = {}
    alternatives: tuple[str, ...] = ()

    def with_columns(self, columns: Mapping[str, str], header: Sequence[str], name: str) -> "ColumnMapping":
        """The mapping with what was said about it. Raises Problem("price_list") for a field or column that is not there
        (`name` is the file's)."""
        for field, column in columns.items():
            if field not in EXACT:
                raise Problem("wrong_value", "map", value=field, allowed=EXACT)
            if column not in header:
                raise Problem("price_list", name, reason="unknown_column", column=column[:60], columns=_shown(header))
        alternatives = () if "price" in columns else self.alternatives
        return ColumnMapping(columns={**self.columns, **columns}, alternatives=alternatives)

    def within(self, header: Sequence[str]) -> "ColumnMapping":
        """The mapping without columns that the list lacks."""
        columns = {field: column for field, column in self.columns.items() if column in header}
        return ColumnMapping(columns=columns, alternatives=self.alternatives)

    def check(self, header: Sequence[str], name: str) -> None:
        """Raises Problem("price_list") with the reason: no_price_column, several_price_columns, no_name_column, or
        scaled_price (in thousands, per GB, per month)."""
        if self.alternatives:
            raise Problem("price_list", name, reason="several_price_columns", columns=_shown(self.alternatives))
        price = self.columns.get("price", "")
        if SCALED.search(price):
            raise Problem("price_list", name, reason="scaled_price", column=price[:60])
        for reason, fields in (("no_price_column", ("price", "record")), ("no_name_column", NAMING)):
            if not any(self.columns.get(field) in header for field in fields):
                raise Problem("price_list", name, reason=reason, columns=_shown(header))


def guess_mapping(header: Sequence[str]) -> ColumnMapping:
    """What the words of a header tell; a field that no column names is left out."""
    columns: dict[str, str] = {field: field for field in EXACT if field in header}
    guessed = sorted(
        (rank, place) for place, column in enumerate(header) if column not in columns and (rank := _rank(column)) >= 0
    )
    prices = [header[place] for rank, place in guessed if WORDS[rank].field == "price"]
    several = "price" not in columns and len(prices) > 1
    for rank, place in guessed:
        columns.setdefault(WORDS[rank].field, header[place])
    return ColumnMapping(columns=columns, alternatives=tuple(prices) if several else ())


def said_by_header(column: str) -> tuple[str, bool | None, Decimal | None]:
    """Currency that a price column's header names ("" for none), whether it says that VAT is inside, and at what rate.

    >>> said_by_header("Цена, руб. с НДС 22%")
    ('RUB', True, Decimal('0.22'))
    """
    included = vat_in(column)[0] if VAT.search(column) else None
    rate = VAT_RATE.search(column)
    return currency_in(column), included, Decimal((rate[1] or rate[2]).replace(",", ".")) / 100 if rate else None


def _rank(column: str) -> int:
    """Place among WORDS of the first that fits; -1 for none."""
    text = " ".join(re.sub(r"[_\s]+", " ", column).replace("ё", "е").replace("Ё", "Е").split())
    fitting = (
        rank
        for rank, word in enumerate(WORDS)
        if word.words.search(text) and not (word.never and word.never.search(text))
    )
    return next(fitting, -1)


def _shown(header: Sequence[str]) -> tuple[str, ...]:
    return tuple(column[:60] for column in header if column)[:30]
