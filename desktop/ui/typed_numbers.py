"""Numbers as people type them: 2k, 32k, 1.5, 1,5, 200 M, 12 000."""

import re
from decimal import Decimal

from desktop.words import Language

MULTIPLES = {
    "": 1,
    "k": 1_000,
    "к": 1_000,
    "тыс": 1_000,
    "тыс.": 1_000,
    "m": 1_000_000,
    "м": 1_000_000,
    "млн": 1_000_000,
    "b": 1_000_000_000,
    "млрд": 1_000_000_000,
    "t": 1_000_000_000_000,
    "трлн": 1_000_000_000_000,
}
SPACES = re.compile(r"[\s\u00a0\u202f\u2009']")
SHAPE = re.compile(r"([+-]?)(\d[\d.,]*|[.,]\d+)([a-zа-я.]*)", re.IGNORECASE)
GROUPED = re.compile(r"\d{1,3}(,\d{3})+(\.\d+)?")


def read_number(text: str, language: Language) -> float | int | None:
    """The number a reader of that language means, or None where the text is no number.

    A comma groups thousands in English and is the decimal mark in Russian; a point is always the decimal mark.

    >>> read_number("2k", "en"), read_number("12,000", "en"), read_number("1,5", "en"), read_number("1,5", "ru")
    (2000, 12000, 1.5, 1.5)
    >>> read_number("200 млн", "ru"), read_number("12 000", "ru"), read_number("many", "en")
    (200000000, 12000, None)
    """
    match = SHAPE.fullmatch(SPACES.sub("", text))
    if match is None or match[3].lower() not in MULTIPLES:
        return None
    digits = match[2]
    if language == "en" and GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    digits = digits.replace(",", ".")
    if digits.count(".") > 1:
        return None
    value = Decimal(digits) * MULTIPLES[match[3].lower()] * (-1 if match[1] == "-" else 1)
    return int(value) if value == value.to_integral_value() else float(value)
