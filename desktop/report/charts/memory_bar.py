"""Memory of a GPU as a stacked bar: what the job needs is solid, what the engine takes beyond hatched, rest pale."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop.report.charts.svg import (
    AMBER,
    HAIRLINE,
    INK,
    MUTED,
    NAVY,
    PAPER,
    RED,
    SLATE,
    TEAL,
    VIOLET,
    WASH,
    WIDTH,
    Svg,
    clear_of,
    round_ticks,
)
from desktop.report.font import text_width

PART_COLOURS = {
    "weights": NAVY,
    "kv_cache": TEAL,
    "gradients": "#B5566B",
    "optimizer": TEAL,
    "activations": "#D08A1D",
    "cuda_graphs": VIOLET,
    "adapters": VIOLET,
    "runtime": "#6B7C93",
    "communication": "#A8475C",
    "logits": "#3D7EBF",
    "buffers": "#9A7B4F",
    "recurrent_state": "#4C9A8B",
    "vision": AMBER,
}
DARK_LABEL = ("activations",)  # white on this amber has a contrast of 2.9:1
MOST_BARS = 8
BAR, GAP, LEFT, RIGHT, TOP = 16.0, 8.0, 62.0, 78.0, 27.0
WHISKER = 4.0
LEGEND_COLUMNS, LEGEND_ROW = 4, 12.0


@dataclass(frozen=True)
class GpuBar:
    """One distinct kind of GPU of the plan and the bytes of its parts, in the order in which they are stacked."""

    label: str
    parts: Mapping[str, int]

    def required_bytes(self) -> int:
        return sum(self.parts.values())


@dataclass(frozen=True)
class CardRoom:
    """What every card offers and the engine takes; low to high is what the worst GPU may need. All in bytes."""

    card: int
    usable: int
    reserved: int
    required_low: int
    required_high: int


@dataclass(frozen=True)
class BarWords:
    """Finished words of the chart; `parts` names the components."""

    unit: str
    required: str
    usable: str
    card: str
    reserve: str
    parts: Mapping[str, str]


def memory_bar(
    bars: Sequence[GpuBar],
    room: CardRoom,
    unit_bytes: int,
    words: BarWords,
    number: Callable[[float], str],
    tick: Callable[[float], str],
) -> str:
    """SVG of at most eight bars on one scale that reaches to the end of the fullest GPU: nothing is clipped.

    `number` writes bytes in the unit of `unit_bytes` bytes, without the unit; `tick` writes a figure of that unit.
    """
    shown = [part for part in _order(bars) if any(bar.parts.get(part) for bar in bars)]
    kept = sorted(bars, key=GpuBar.required_bytes, reverse=True)[:MOST_BARS] if len(bars) > MOST_BARS else list(bars)
    bottom = TOP + len(kept) * (BAR + GAP) - GAP + WHISKER
    legend = [*shown, *(["reserve"] if room.reserved > min(bar.required_bytes() for bar in kept) else [])]
    svg = Svg(WIDTH, bottom + 22 + -(-len(legend) // LEGEND_COLUMNS) * LEGEND_ROW)
    span_bytes = max(room.card, room.usable, room.required_high, *(bar.required_bytes() for bar in kept))
    scale = (WIDTH - LEFT - RIGHT) / span_bytes

    _axis(svg, span_bytes, scale, bottom, unit_bytes, words, tick)
    for row, bar in enumerate(kept):
        _bar(svg, bar, TOP + row * (BAR + GAP), scale, room, words, number)
    worst = max(range(len(kept)), key=lambda row: kept[row].required_bytes())
    _whisker(svg, TOP + worst * (BAR + GAP) + BAR + WHISKER / 2 + 1, room, scale)
    end = LEFT + room.usable * scale
    svg.line((end, TOP - 9), (end, bottom + 4), INK, 1.2)
    label = f"{words.usable} {number(room.usable)}"
    svg.text(end - 3, TOP - 6, label, 6.8, INK, "end", bold=True)
    if room.card > room.usable:
        edge = LEFT + room.card * scale
        svg.line((edge, TOP - 17), (edge, bottom + 2), SLATE, 0.8, "2 1.5")
        svg.text(edge - 3, TOP - 15, f"{words.card} {number(room.card)}", 6.5, MUTED, "end")
    svg.text(WIDTH - RIGHT + 8, TOP - 6, words.required, 6.5, MUTED)
    _legend(svg, legend, bottom + 20, words)
    return str(svg)


def _order(bars: Sequence[GpuBar]) -> list[str]:
    """Known parts in their order, then parts that have no colour yet: every byte of the requirement is drawn."""
    return [*PART_COLOURS, *sorted({part for bar in bars for part in bar.parts} - PART_COLOURS.keys())]


def _colour(part: str) -> str:
    return PART_COLOURS.get(part, SLATE)


def _axis(
    svg: Svg,
    span_bytes: float,
    scale: float,
    bottom: float,
    unit_bytes: int,
    words: BarWords,
    written: Callable[[float], str],
) -> None:
    for tick in round_ticks(span_bytes / unit_bytes, 6):
        x = LEFT + tick * unit_bytes * scale
        if x <= WIDTH - RIGHT + 0.1:
            svg.line((x, TOP - 3), (x, bottom + 4))
            if x <= WIDTH - RIGHT - 10 or tick == 0:
                svg.text(x, bottom + 12, written(tick), 6.5, MUTED, "middle")
    svg.text(WIDTH - RIGHT + 8, bottom + 12, words.unit, 6.5, MUTED)


def _whisker(svg: Svg, y: float, room: CardRoom, scale: float) -> None:
    low, high = LEFT + room.required_low * scale, LEFT + room.required_high * scale
    if high - low < 1:
        return
    svg.line((low, y), (high, y), INK, 0.9)
    for end in (low, high):
        svg.line((end, y - WHISKER / 2), (end, y + WHISKER / 2), INK, 0.9)


def _bar(
    svg: Svg, bar: GpuBar, y: float, scale: float, room: CardRoom, words: BarWords, number: Callable[[float], str]
) -> None:
    middle = y + BAR / 2 + 2.6
    svg.text(LEFT - 7, middle, bar.label, 7.5, INK, "end", bold=True, room=LEFT - 7)
    svg.rectangle(LEFT, y, room.card * scale, BAR, WASH, HAIRLINE)
    required_bytes = bar.required_bytes()
    svg.hatched(LEFT + required_bytes * scale, y, (room.reserved - required_bytes) * scale, BAR, TEAL)
    x = LEFT
    for part in (part for part in _order([bar]) if bar.parts.get(part)):
        width = bar.parts[part] * scale
        svg.rectangle(x, y, width, BAR, _colour(part))
        label = number(bar.parts[part])
        if width > text_width(label, 7, bold=True) + 6:
            place = clear_of(LEFT + room.usable * scale, x, x + width, text_width(label, 7, bold=True))
            svg.text(place, middle, label, 7, INK if part in DARK_LABEL else PAPER, "middle", bold=True)
        x += width
    over_bytes = required_bytes - room.usable
    total = f"{number(required_bytes)} {words.unit}"
    if over_bytes > 0:
        svg.outline(LEFT + room.usable * scale, y - 2, over_bytes * scale, BAR + 4, RED)
        svg.text(WIDTH - RIGHT + 8, middle - 4.2, total, 7.5, RED, bold=True, room=RIGHT - 8)
        svg.text(WIDTH - RIGHT + 8, middle + 4.2, f"+{number(over_bytes)} {words.unit}", 6.8, RED, room=RIGHT - 8)
    else:
        svg.text(WIDTH - RIGHT + 8, middle, total, 7.5, INK, bold=True, room=RIGHT - 8)


def _legend(svg: Svg, parts: Sequence[str], top: float, words: BarWords) -> None:
    column = (WIDTH - LEFT) / LEGEND_COLUMNS
    for place, part in enumerate(parts):
        x, y = LEFT + place % LEGEND_COLUMNS * column, top + place // LEGEND_COLUMNS * LEGEND_ROW
        if part == "reserve":
            svg.hatched(x, y, 8, 8, TEAL, 3)
        else:
            svg.rectangle(x, y, 8, 8, _colour(part))
        svg.text(x + 12, y + 6.8, words.reserve if part == "reserve" else words.parts[part], 7, room=column - 16)
