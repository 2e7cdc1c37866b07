"""What moves the answer, one input at a time: the break-even with the input at its low and at its high value."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

from desktop.report.charts.svg import INK, MUTED, NAVY, PAPER, SLATE, WASH, WIDTH, Svg
from desktop.report.font import text_width

ROW, TOP, NAME = 18.0, 20.0, 150.0
MARGIN_LEFT, MARGIN_RIGHT, FOOT = 66.0, 78.0, 18.0
LABEL = 6.8


@dataclass(frozen=True)
class TornadoBar:
    """One input: its written low and high values, and the months at each; `inf` is never."""

    name: str
    low: str
    high: str
    months_at_low: float
    months_at_high: float


@dataclass(frozen=True)
class TornadoWords:
    base: str
    never: str
    low: str
    high: str


def tornado(bars: Sequence[TornadoBar], base_months: float, words: TornadoWords, number: Callable[[float], str]) -> str:
    """SVG of the bars in the order given. An answer of never runs past every finite one and ends in an arrow."""
    svg = Svg(WIDTH, TOP + len(bars) * ROW + FOOT)
    answers = [answer for bar in bars for answer in (bar.months_at_low, bar.months_at_high)] + [base_months]
    finite = [answer for answer in answers if answer != inf] or [0.0]
    lowest, highest = min(finite), max(finite)
    if inf in answers:
        highest += max((highest - lowest) * 0.15, 1.0)
    pad = (highest - lowest) * 0.02 or 1.0
    left, right = NAME + MARGIN_LEFT, WIDTH - MARGIN_RIGHT

    def x_of(months: float) -> float:
        return left + (min(months, highest) - lowest + pad) / (highest - lowest + 2 * pad) * (right - left)

    bottom = TOP + len(bars) * ROW
    for row, bar in enumerate(bars):
        y = TOP + row * ROW
        if row % 2 == 0:
            svg.rectangle(0, y, WIDTH, ROW, WASH)
        svg.text(6, y + 11.8, bar.name, 7.5, room=NAME - 8)
        _row(svg, bar, y, base_months, x_of, words, number)
    svg.line((x_of(base_months), TOP - 4), (x_of(base_months), bottom + 4), INK, 1)
    svg.text(x_of(base_months), TOP - 8, words.base, 7, INK, "middle", bold=True)
    for x, colour, label in ((left, SLATE, words.low), (left + 120, NAVY, words.high)):
        svg.rectangle(x, bottom + 8, 8, 7, colour)
        svg.text(x + 12, bottom + 14.2, label, LABEL, MUTED)
    return str(svg)


def _row(
    svg: Svg,
    bar: TornadoBar,
    y: float,
    base: float,
    x_of: Callable[[float], float],
    words: TornadoWords,
    number: Callable[[float], str],
) -> None:
    pairs = sorted(
        ((bar.months_at_low, bar.low, SLATE), (bar.months_at_high, bar.high, NAVY)), key=lambda pair: pair[0]
    )
    for answer, _, colour in pairs:
        first, last = sorted((x_of(answer), x_of(base)))
        svg.rectangle(first, y + 3.5, max(last - first, 0.8), 11, colour)
        if answer == inf and base != inf:
            svg.area([(last, y + 2), (last + 7, y + 9), (last, y + 16)], colour)
    for (answer, label, _), side in zip(pairs, ("left", "right"), strict=True):
        edge = x_of(answer)
        outside = edge if side == "left" else max(edge, x_of(base))
        if side == "left":
            svg.text(min(outside, x_of(base)) - 4, y + 11.6, label, LABEL, MUTED, "end")
        else:
            svg.text(outside + (11 if answer == inf else 4), y + 11.6, label, LABEL, MUTED)
        written = words.never if answer == inf else number(answer)
        if abs(edge - x_of(base)) > text_width(written, LABEL, bold=True) + 7:
            inward = edge < x_of(base)
            svg.text(
                edge + (4 if inward else -4), y + 11.5, written, LABEL, PAPER, "start" if inward else "end", bold=True
            )
