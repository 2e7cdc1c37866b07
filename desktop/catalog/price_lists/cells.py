"""What a cell of a price list says: an amount, a currency, a state of VAT, a date. What is not certain is refused."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum

from desktop.request import Problem
from desktop.request.base import MAX_MONEY


class Unread(Enum):
    """A cell whose value cannot be told."""

    FORMULA = "formula"


@dataclass(frozen=True)
class Shared:
    """A value that one merged cell gives to several rows."""

    value: "str | Decimal | date | Unread"


Cell = str | Decimal | date | Unread | Shared

CURRENCIES = {
    "RUB": re.compile(r"₽|руб\w*\.?|\bр\.|(?<![а-яё])р$|\brub\b|\brur\b", re.IGNORECASE),
    "USD": re.compile(r"\bUS\$|(?<![a-z])\$|\busd\b|долл\w*\.?", re.IGNORECASE),
    "EUR": re.compile(r"€|\beur\b|евро", re.IGNORECASE),
    "CNY": re.compile(r"\bcny\b|\brmb\b|юан\w*", re.IGNORECASE),
}
SPACES = re.compile(r"[\s\u00a0\u2007\u2009\u202f'’]")
FIGURES = {  # by decimal mark: plain, or in groups of three digits parted by spaces or by the other mark
    mark: re.compile(
        rf"(?P<whole>[0-9]+|[1-9][0-9]{{0,2}}(?:(?: [0-9]{{3}})+|(?:{re.escape(other)}[0-9]{{3}})+))"
        rf"(?:{re.escape(mark)}(?P<fraction>[0-9]+))?"
    )
    for mark, other in ((".", ","), (",", "."))
}
PERCENT = re.compile(r"(\d{1,2}(?:[.,]\d+)?)\s*%")
WITHOUT_VAT = re.compile(
    r"без\s*(уч[её]та\s*)?ндс|не\s*(вкл|облаг)|excl|\bex\.?\s*vat|w/o|without|\bnet\b|^(no|нет|false|0)$", re.IGNORECASE
)
WITH_VAT = re.compile(r"\bс\s*(уч[её]том\s*)?ндс|вкл|incl|with\s*vat|gross|в т\.?\s?ч|^(yes|да|true|1)$", re.IGNORECASE)
DAY_FIRST = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")
FORMULA_START = "=+-@\t\r\n＝＋－＠"  # https://cwe.mitre.org/data/definitions/1236.html
ESCAPED = re.compile(f"^''*[{re.escape(FORMULA_START)}]")
RISKY = re.compile(f"^'*[{re.escape(FORMULA_START)}]")


def text_of(cell: Cell) -> str:
    """The cell as text; "" for one whose value cannot be told."""
    if isinstance(cell, Shared):
        return text_of(cell.value)
    if isinstance(cell, Unread):
        return ""
    if isinstance(cell, date):
        return cell.isoformat()
    return format(cell, "f") if isinstance(cell, Decimal) else unguarded(cell).strip()


def guarded(text: str) -> str:
    """Text as a spreadsheet shows it without running it.

    >>> guarded("=1+1"), guarded("H100")
    ("'=1+1", 'H100')
    """
    return f"'{text}" if RISKY.match(text) else text


def unguarded(text: str) -> str:
    """Text as it was before `guarded`."""
    return text[1:] if ESCAPED.match(text) else text


def decimal_mark(cells: Iterable[Cell]) -> str:
    """The decimal mark of a column, "." or ",": what its unambiguous amounts agree on; "" where they do not tell.

    >>> decimal_mark(["1,5", "1,234"]), decimal_mark(["1,234", "2,500"]), decimal_mark(["1,234.50"])
    (',', '', '.')
    """
    marks = {mark for cell in cells if (mark := _mark(cell))}
    return marks.pop() if len(marks) == 1 else ""


def amount(cell: Cell, mark: str = "") -> Decimal:
    """A price above zero. `mark` decides what "1,234" means; without it, that is refused.

    Raises Problem("price_row") with the reason: no_price, not_a_number, ambiguous_number, not_positive, formula,
    merged_price.
    """
    if isinstance(cell, Shared):
        raise Problem("price_row", reason="merged_price")
    if isinstance(cell, Unread):
        raise Problem("price_row", reason=cell.value)
    if isinstance(cell, date):
        raise Problem("price_row", reason="not_a_number", value=cell.isoformat())
    value = cell if isinstance(cell, Decimal) else _parsed(cell, mark)
    if not 0 < value <= MAX_MONEY:
        raise Problem("price_row", reason="not_positive", value=text_of(cell)[:60])
    return value


def currency_in(text: str) -> str:
    """The one currency a text names, as its code; "" where it names none or several.

    >>> currency_in("1 200 ₽"), currency_in("Цена, руб. с НДС"), currency_in("$5"), currency_in("USD / EUR")
    ('RUB', 'RUB', 'USD', '')
    """
    found = [code for code, words in CURRENCIES.items() if words.search(text)]
    return found[0] if len(found) == 1 else ""


def vat_in(text: str) -> tuple[bool | None, Decimal | None]:
    """Whether a text says that VAT is inside, None where it does not say, and the rate it names.

    >>> vat_in("с НДС 22%"), vat_in("без НДС"), vat_in("22%")
    ((True, Decimal('0.22')), (False, None), (None, Decimal('0.22')))
    """
    percent = PERCENT.search(text)
    rate = Decimal(percent[1].replace(",", ".")) / 100 if percent else None
    stripped = text.strip()
    included = False if WITHOUT_VAT.search(stripped) else True if WITH_VAT.search(stripped) else None
    return included, rate


def day(cell: Cell) -> date:
    """A date: a date cell, 2026-11-30, 30.11.2026, or 30/11/2026 where no month can be meant by the first figure.

    Raises Problem("price_row", reason="bad_date").
    """
    if isinstance(cell, date):
        return cell
    text = text_of(cell)
    try:
        if match := DAY_FIRST.fullmatch(text):
            first, second, year = (int(part) for part in match.groups())
            if "/" in text and first <= 12 and first != second:
                raise ValueError("day or month")
            return date(year, second, first)
        return date.fromisoformat(text[:10] if text[10:11] in ("T", " ") else text)
    except ValueError:
        raise Problem("price_row", reason="bad_date", value=text[:60]) from None


def _parsed(text: str, mark: str) -> Decimal:
    if not any(character.isdigit() for character in text):
        raise Problem("price_row", reason="no_price")
    readings = _readings(text)
    if not readings:
        raise Problem("price_row", reason="not_a_number", value=text.strip()[:60])
    if len(readings) > 1 and mark not in readings:
        raise Problem("price_row", reason="ambiguous_number", value=text.strip()[:60])
    return readings[mark] if mark in readings else next(iter(readings.values()))


def _mark(cell: Cell) -> str:
    """The decimal mark where the figure itself tells it."""
    readings = _readings(cell) if isinstance(cell, str) else {}
    return next(iter(readings)) if len(readings) == 1 else ""


def _readings(text: str) -> dict[str, Decimal]:
    """What a figure can mean, by decimal mark ("" where it has none); empty for what is no figure."""
    bare = text.strip()
    for words in CURRENCIES.values():
        bare = words.sub("", bare)
    bare = SPACES.sub(" ", bare).strip()
    found: dict[str, Decimal] = {}
    for mark, figure in FIGURES.items():
        if match := figure.fullmatch(bare):
            whole = re.sub("[., ]", "", match["whole"])
            plain = "," not in bare and "." not in bare
            fraction = f".{match['fraction']}" if match["fraction"] else ""
            found["" if plain else mark] = Decimal(whole + fraction)
    return found
