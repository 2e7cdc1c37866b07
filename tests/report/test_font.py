"""What the bundled typeface can print and how wide, against fontTools' reading of the same files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.report.font import Style, advance_widths, printable, printable_codes, text_width


@pytest.mark.parametrize(
    ("style", "character", "width"),
    [
        ("Regular", "0", 0.631),
        ("Regular", "M", 0.903),
        ("Regular", " ", 0.281),
        ("SemiBold", "1", 0.423),
        ("SemiBold", "Ж", 1.032),
    ],
)
def test_widths_as_fonttools_reads_them(style: Style, character: str, width: float) -> None:
    """TTFont("Inter-Regular.ttf")["hmtx"][cmap[ord(c)]][0] / unitsPerEm, rounded to three digits."""
    assert advance_widths(style)[ord(character)] == pytest.approx(width, abs=6e-4)


def test_every_style_prints_the_same_characters() -> None:
    assert advance_widths("Regular").keys() == advance_widths("SemiBold").keys()
    assert len(advance_widths("Regular")) == 2852


def test_width_grows_with_size_and_weight() -> None:
    assert text_width("12 кВт", 10) == pytest.approx(2 * text_width("12 кВт", 5))
    assert text_width("12 кВт", 10, bold=True) > text_width("12 кВт", 10)


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("АО «Меридиан» №5 – Ёлки", "АО «Меридиан» №5 – Ёлки"),
        ("Қазақстан Татарстан Ґ Ўзбекистон", "Қазақстан Татарстан Ґ Ўзбекистон"),
        ("株式会社 A", "???? A"),
        ("a\tb\nc\u202e\0d\ue000", "a b c d?"),
        ("⌈x / 16⌉", "ceil(x / 16)"),
    ],
)
def test_missing_characters_become_question_marks(typed: str, printed: str) -> None:
    assert printable(typed) == printed


def test_what_was_replaced_is_reported() -> None:
    replaced: set[str] = set()
    printable("株 and 株 and ☐", replaced)
    assert replaced == {"株", "☐"}


@given(st.text())
def test_printable_text_has_only_known_characters_and_stays_so(text: str) -> None:
    shown = printable(text)
    assert all(ord(character) in printable_codes() for character in shown)
    assert printable(shown) == shown
