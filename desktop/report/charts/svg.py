"""A small SVG writer. One unit is one typographic point, so a chart placed at its own width keeps its type size.

Text stays text in Inter, patterns are drawn as paths (a PDF viewer shows seams between pattern tiles), coordinates have
at most two decimals: short files, the same bytes every time.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from desktop.report.font import text_width

Point = tuple[float, float]

WIDTH = 510.0  # the text width of an A4 page with margins of 15 mm
INK, MUTED, HAIRLINE, PAPER, WASH = "#101828", "#526071", "#D5DBE3", "#FFFFFF", "#F5F7FA"
NAVY, TEAL, AMBER, RED, SLATE, VIOLET = "#12355B", "#11807F", "#B45F06", "#B42318", "#5F7186", "#7A5AA6"
HATCH_GROUND = "#E4F1F0"
SMALLEST_TYPE = 5.6


def coordinate(value: float) -> str:
    """At most two decimals, no trailing zeros.

    >>> coordinate(12.0), coordinate(3.14159), coordinate(-0.001)
    ('12', '3.14', '0')
    """
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def clear_of(line: float, first: float, last: float, width: float) -> float:
    """Middle of a label of `width` in the box first…last, moved into its larger part where the line would cross it."""
    middle = (first + last) / 2
    if not first < line < last or abs(line - middle) > width / 2 + 2:
        return middle
    return (line + last) / 2 if last - line > line - first else (first + line) / 2


def round_ticks(high: float, most: int = 5) -> list[float]:
    """Round tick values from 0 up to the first that reaches `high`, in steps of 1, 2, 2.5 or 5 times a power of ten.

    >>> round_ticks(93, 5)
    [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]
    """
    if high <= 0:
        return [0.0, 1.0]
    power = 1.0
    while power * 10 <= high / most:
        power *= 10
    while power > high / most:
        power /= 10
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if high / (power * factor) <= most)
    count = 1
    while count * step < high * (1 - 1e-9):
        count += 1
    return [index * step for index in range(count + 1)]


class Svg:
    """Collects shapes; `str()` is the finished picture."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._parts: list[str] = []

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: str, stroke: str = "", stroke_width: float = 0.6
    ) -> None:
        line = f' stroke="{stroke}" stroke-width="{stroke_width}"' if stroke else ""
        self._parts.append(
            f'<rect x="{coordinate(x)}" y="{coordinate(y)}" width="{coordinate(max(width, 0))}" '
            f'height="{coordinate(height)}" fill="{fill}"{line}/>'
        )

    def outline(self, x: float, y: float, width: float, height: float, stroke: str, stroke_width: float = 1.2) -> None:
        self.rectangle(x, y, width, height, "none", stroke, stroke_width)

    def line(self, start: Point, end: Point, stroke: str = HAIRLINE, width: float = 0.6, dash: str = "") -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<line x1="{coordinate(start[0])}" y1="{coordinate(start[1])}" x2="{coordinate(end[0])}" '
            f'y2="{coordinate(end[1])}" stroke="{stroke}" stroke-width="{width}"{dashes}/>'
        )

    def curve(self, points: Iterable[Point], stroke: str, width: float = 1.7, dash: str = "") -> None:
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._parts.append(
            f'<path d="{_path(points)}" fill="none" stroke="{stroke}" stroke-width="{width}" '
            f'stroke-linejoin="round"{dashes}/>'
        )

    def area(self, points: Iterable[Point], fill: str, opacity: float = 1.0) -> None:
        shade = f' fill-opacity="{opacity}"' if opacity < 1 else ""
        self._parts.append(f'<path d="{_path(points)}Z" fill="{fill}"{shade}/>')

    def dot(self, centre: Point, fill: str = PAPER, stroke: str = TEAL, radius: float = 3.2) -> None:
        self._parts.append(
            f'<circle cx="{coordinate(centre[0])}" cy="{coordinate(centre[1])}" r="{coordinate(radius)}" '
            f'fill="{fill}" stroke="{stroke}" stroke-width="1.6"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 7.5,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
        room: float | None = None,
    ) -> None:
        """A line of text. With `room` [pt] it is set smaller, and at last cut with an ellipsis, to stay within."""
        if room is not None:
            text, size = _fitted(text, size, bold, room)
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        weight = ' font-weight="600"' if bold else ""
        self._parts.append(
            f'<text x="{coordinate(x)}" y="{coordinate(y)}" font-family="Inter" font-size="{coordinate(size)}" '
            f'fill="{fill}"{place}{weight}>{escape(text)}</text>'
        )

    def hatched(self, x: float, y: float, width: float, height: float, stroke: str, step: float = 4.5) -> None:
        """A rectangle of rising diagonal lines, as one path."""
        if width <= 0:
            return
        self.rectangle(x, y, width, height, HATCH_GROUND)
        strokes: list[str] = []
        foot = x - height
        while foot < x + width:
            left, right = max(foot, x), min(foot + height, x + width)
            if right > left:
                strokes.append(
                    f"M{coordinate(left)} {coordinate(y + height - (left - foot))}"
                    f"L{coordinate(right)} {coordinate(y + height - (right - foot))}"
                )
            foot += step
        self._parts.append(
            f'<path d="{"".join(strokes)}" stroke="{stroke}" stroke-width="0.6" stroke-opacity="0.6" fill="none"/>'
        )

    def __str__(self) -> str:
        size = f'width="{coordinate(self.width)}" height="{coordinate(self.height)}"'
        box = f'viewBox="0 0 {coordinate(self.width)} {coordinate(self.height)}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>{"".join(self._parts)}</svg>'


def _path(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{coordinate(x)} {coordinate(y)}" for x, y in points)


def _fitted(text: str, size: float, bold: bool, room: float) -> tuple[str, float]:
    natural = text_width(text, size, bold)
    if natural <= room:
        return text, size
    size = max(size * room / natural, SMALLEST_TYPE)
    if text_width(text, size, bold) <= room * 1.001:
        return text, size
    while text and text_width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…", size
