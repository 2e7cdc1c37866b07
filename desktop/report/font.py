"""What the bundled typeface can print, and how wide it prints: read from the font file itself.

A PDF/A refuses a document with a glyph its font lacks, so one foreign letter in a customer's name would stop the
export; a chart must know how wide its labels are. Tables `cmap` (formats 4 and 12), `head`, `hhea` and `hmtx` of the
OpenType specification, https://learn.microsoft.com/typography/opentype/spec/otff.
"""

import struct
import unicodedata
from functools import cache
from typing import Literal

from desktop.resources import resource

Style = Literal["Regular", "SemiBold"]
REPLACEMENT = "?"
INVISIBLE = "\u00ad\u200b"  # soft hyphen and the space without width: places where a word may break
SPELLED = {"⌈": "ceil(", "⌉": ")", "⌊": "floor(", "⌋": ")"}  # signs of formulas that the typeface lacks
WIDTH_OF_MISSING = 0.6  # of the size: only for estimates, a missing glyph is replaced before it is printed


@cache
def advance_widths(style: Style) -> dict[int, float]:
    """Advance width of every character the style has, {code point: share of the type size}."""
    data = resource("fonts", f"Inter-{style}.ttf").read_bytes()
    tables = _tables(data)
    units_per_em: int = struct.unpack_from(">H", data, tables["head"] + 18)[0]
    metrics: int = struct.unpack_from(">H", data, tables["hhea"] + 34)[0]
    advances: list[int] = [struct.unpack_from(">H", data, tables["hmtx"] + 4 * glyph)[0] for glyph in range(metrics)]
    return {
        code: advances[min(glyph, metrics - 1)] / units_per_em
        for code, glyph in _character_map(data, tables["cmap"]).items()
        if glyph
    }


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Width of a line of text [pt] at `size` [pt], without kerning."""
    widths = advance_widths("SemiBold" if bold else "Regular")
    return sum(widths.get(ord(character), WIDTH_OF_MISSING) for character in text) * size


def printable(text: str, replaced: set[str] | None = None) -> str:
    """The text with every character the font lacks as "?", added to `replaced`. Control characters become spaces.

    >>> printable("Ёлки 株式会社")
    'Ёлки ????'
    """
    known = printable_codes()
    if all(ord(character) in known for character in text):
        return text
    return "".join(_printed(character, known, replaced) for character in unicodedata.normalize("NFC", text))


@cache
def printable_codes() -> frozenset[int]:
    """What a PDF/A and PDF/UA may show of the font: no control or private code, though the font maps some."""
    return frozenset(
        code
        for code in advance_widths("Regular")
        if chr(code) in INVISIBLE or not unicodedata.category(chr(code)).startswith("C")
    ) | frozenset(map(ord, INVISIBLE))


def _printed(character: str, known: frozenset[int], replaced: set[str] | None) -> str:
    if ord(character) in known:
        return character
    if character in SPELLED:
        return SPELLED[character]
    category = unicodedata.category(character)
    if category in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    if category == "Cf":
        return ""
    if replaced is not None:
        replaced.add(character)
    return REPLACEMENT


def _tables(data: bytes) -> dict[str, int]:
    count: int = struct.unpack_from(">H", data, 4)[0]
    rows = (struct.unpack_from(">4sLLL", data, 12 + 16 * row) for row in range(count))
    return {tag.decode("ascii"): offset for tag, _, offset, _ in rows}


def _character_map(data: bytes, start: int) -> dict[int, int]:
    """{code point: glyph} of the richest Unicode subtable."""
    count: int = struct.unpack_from(">H", data, start + 2)[0]
    subtables = [start + struct.unpack_from(">L", data, start + 4 + 8 * row + 4)[0] for row in range(count)]
    formats = {struct.unpack_from(">H", data, offset)[0]: offset for offset in subtables}
    return _segmented(data, formats[12]) if 12 in formats else _delta_coded(data, formats[4])


def _segmented(data: bytes, start: int) -> dict[int, int]:
    groups: int = struct.unpack_from(">L", data, start + 12)[0]
    glyphs: dict[int, int] = {}
    for group in range(groups):
        first, last, glyph = struct.unpack_from(">LLL", data, start + 16 + 12 * group)
        glyphs.update(zip(range(first, last + 1), range(glyph, glyph + last - first + 1), strict=True))
    return glyphs


def _delta_coded(data: bytes, start: int) -> dict[int, int]:
    segments: int = struct.unpack_from(">H", data, start + 6)[0] // 2
    ends, starts = start + 14, start + 16 + 2 * segments
    deltas, ranges = starts + 2 * segments, starts + 4 * segments
    glyphs: dict[int, int] = {}
    for segment in range(segments):
        last, first, delta, offset = (
            struct.unpack_from(">H", data, table + 2 * segment)[0] for table in (ends, starts, deltas, ranges)
        )
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offset:
                glyph = struct.unpack_from(">H", data, ranges + 2 * segment + offset + 2 * (code - first))[0]
                if glyph == 0:
                    continue
            glyphs[code] = (glyph + delta) & 0xFFFF
    return glyphs
