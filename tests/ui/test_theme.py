"""Contrast as WCAG 2.2 asks: 4.5 for text (1.4.3), 3 for the edge of a field (1.4.11). Black on white is 21."""

import re

import pytest

from desktop.resources import resource
from desktop.ui.theme import DARK, LIGHT, PART_ORDER, PATTERNS, Theme, contrast, ink

THEMES = [pytest.param(LIGHT, id="light"), pytest.param(DARK, id="dark")]
TEXT_ON_GROUND = [
    ("text", "surface"),
    ("text", "bg"),
    ("text", "accent_soft"),
    ("text2", "surface"),
    ("text2", "bg"),
    ("text2", "hover"),
    ("text2", "accent_soft"),
    ("text3", "surface"),
    ("text3", "bg"),
    ("accent", "surface"),
    ("accent", "bg"),
    ("accent", "accent_soft"),
    ("on_accent", "accent_fill"),
    ("on_accent", "accent_hover"),
    ("ok", "surface"),
    ("ok", "ok_soft"),
    ("warn", "surface"),
    ("warn", "warn_soft"),
    ("bad", "surface"),
    ("bad", "bad_soft"),
    ("bad", "bg"),
]


def test_contrast_of_black_on_white() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)  # the textbook grey that just fails AA


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), TEXT_ON_GROUND)
def test_text_is_legible(theme: Theme, text: str, ground: str) -> None:
    assert contrast(getattr(theme, text), getattr(theme, ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_edges_of_fields_are_visible(theme: Theme) -> None:
    assert contrast(theme.control, theme.surface) >= 3
    assert contrast(theme.accent, theme.surface) >= 3, "focus ring"


@pytest.mark.parametrize("theme", THEMES)
def test_labels_on_parts_and_names_of_schemes_are_legible(theme: Theme) -> None:
    for colour in theme.parts.values():
        assert contrast(ink(colour), colour) >= 4.5
    for colour in theme.schemes.values():
        assert contrast(colour, theme.surface) >= 4.5


def test_every_part_has_a_colour_in_both_themes_and_a_pattern() -> None:
    assert set(LIGHT.parts) == set(DARK.parts) == set(PATTERNS) == set(PART_ORDER)


@pytest.mark.parametrize("theme", THEMES)
def test_icons_of_the_style_sheet_have_the_colours_of_their_theme(theme: Theme) -> None:
    for name, colour in (("chevron-down", theme.text2), ("chevron-up", theme.text2), ("check", theme.on_accent)):
        svg = resource("icons", theme.name, f"{name}.svg").read_text(encoding="utf-8")
        assert re.findall(r'stroke="(#\w+)"', svg) == [colour]
