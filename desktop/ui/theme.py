"""The palette table: every colour of the window has a name here, and nothing else in the program names a colour."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

POINTS: Mapping[str, float] = {
    "display": 20,
    "title": 16,
    "verdict": 14.5,
    "section": 11,
    "body": 10,
    "small": 9,
    "caption": 8.5,
}

TONES = ("text", "text2", "text3", "accent", "ok", "warn", "bad")


@dataclass(frozen=True)
class Theme:
    """Colours by meaning. Text colours reach 4.5:1 on the grounds they stand on, edges of fields 3:1 on `surface`."""

    name: str
    bg: str
    surface: str
    sunken: str
    hover: str
    line: str
    control: str
    scroll: str
    text: str
    text2: str
    text3: str
    accent: str
    accent_fill: str
    accent_hover: str
    accent_soft: str
    on_accent: str
    ok: str
    ok_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    mark: str
    paper: str
    parts: Mapping[str, str]
    schemes: Mapping[str, str]

    def tone(self, name: str) -> QColor:
        return QColor(getattr(self, name))

    def part(self, name: str) -> str:
        """Colour of a part of memory; a part without a colour of its own borrows that of the runtime."""
        return self.parts.get(name, self.parts["runtime"])

    def soft(self, tone: str) -> str:
        """Ground of a pill or boxed message in that tone."""
        return {"ok": self.ok_soft, "warn": self.warn_soft, "bad": self.bad_soft, "accent": self.accent_soft}.get(
            tone, self.hover
        )


LIGHT = Theme(
    name="light",
    bg="#F4F5F7",
    surface="#FFFFFF",
    sunken="#F8F9FB",
    hover="#EEF1F5",
    line="#E3E6EB",
    control="#8B94A1",
    scroll="#C4CAD3",
    text="#15181D",
    text2="#4A5361",
    text3="#667080",
    accent="#2456C4",
    accent_fill="#2456C4",
    accent_hover="#1C46A3",
    accent_soft="#E9EFFB",
    on_accent="#FFFFFF",
    ok="#14713F",
    ok_soft="#E4F3EA",
    warn="#875300",
    warn_soft="#FDF2DA",
    bad="#B3261E",
    bad_soft="#FBE9E7",
    mark="#FFFFFF",
    paper="#FFFFFF",
    parts={
        "weights": "#23408F",
        "gradients": "#A0381A",
        "optimizer": "#5336D8",
        "kv_cache": "#D2952B",
        "activations": "#2DB78C",
        "logits": "#D9974B",
        "adapters": "#338FCC",
        "cuda_graphs": "#A96CCC",
        "communication": "#722040",
        "buffers": "#722040",
        "runtime": "#74818F",
    },
    schemes={"hybrid": "#2456C4", "on_premise": "#0F7B67", "cloud": "#B4570F", "api": "#667080"},
)

DARK = Theme(
    name="dark",
    bg="#121519",
    surface="#191D23",
    sunken="#15191E",
    hover="#232932",
    line="#2A3038",
    control="#66707E",
    scroll="#3D4551",
    text="#EDF0F4",
    text2="#B4BCC8",
    text3="#909AA8",
    accent="#8DB1FF",
    accent_fill="#3566DB",
    accent_hover="#3F6FE3",
    accent_soft="#1E2A44",
    on_accent="#FFFFFF",
    ok="#62CD95",
    ok_soft="#16301F",
    warn="#E8B75A",
    warn_soft="#33290F",
    bad="#FF9389",
    bad_soft="#3B1D1B",
    mark="#10141A",
    paper="#FFFFFF",
    parts={
        "weights": "#5285C6",
        "gradients": "#F2AC9E",
        "optimizer": "#9464EC",
        "kv_cache": "#ECCB82",
        "activations": "#98EBD3",
        "logits": "#E77332",
        "adapters": "#6DBDE6",
        "cuda_graphs": "#964AE0",
        "communication": "#D42867",
        "buffers": "#D42867",
        "runtime": "#959EAA",
    },
    schemes={"hybrid": "#8DB1FF", "on_premise": "#48BFA6", "cloud": "#F0A060", "api": "#909AA8"},
)

PART_ORDER = (
    "weights",
    "gradients",
    "optimizer",
    "kv_cache",
    "activations",
    "logits",
    "adapters",
    "cuda_graphs",
    "communication",
    "buffers",
    "runtime",
)

# A part is known by colour, by pattern and by its label: never by colour alone.
PATTERNS: Mapping[str, str] = {
    "weights": "solid",
    "gradients": "horizontal",
    "optimizer": "dense",
    "kv_cache": "rise",
    "activations": "dots",
    "logits": "grid",
    "adapters": "ring",
    "cuda_graphs": "fall",
    "communication": "cross",
    "buffers": "cross",
    "runtime": "vertical",
}


def palette(theme: Theme) -> QPalette:
    """Palette for Fusion, so the window looks the same on every system."""
    colours = QPalette()
    role = QPalette.ColorRole
    for target, colour in (
        (role.Window, theme.bg),
        (role.WindowText, theme.text),
        (role.Base, theme.surface),
        (role.AlternateBase, theme.sunken),
        (role.Text, theme.text),
        (role.Button, theme.surface),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.bad),
        (role.Highlight, theme.accent_fill),
        (role.HighlightedText, theme.on_accent),
        (role.PlaceholderText, theme.text3),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.ToolTipBase, theme.surface),
        (role.ToolTipText, theme.text),
        (role.Light, theme.surface),
        (role.Midlight, theme.hover),
        (role.Mid, theme.line),
        (role.Dark, theme.control),
        (role.Shadow, theme.line),
        (role.Accent, theme.accent_fill),
    ):
        colours.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        colours.setColor(QPalette.ColorGroup.Disabled, target, QColor(theme.text3))
    return colours


def ink(fill: str) -> str:
    """Dark or light text, whichever reads better on the fill (4.5:1 or more on every part)."""
    dark, light = "#10141A", "#FFFFFF"
    return dark if contrast(dark, fill) > contrast(light, fill) else light


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    value = QColor(colour)
    return 0.2126 * linear(value.redF()) + 0.7152 * linear(value.greenF()) + 0.0722 * linear(value.blueF())
