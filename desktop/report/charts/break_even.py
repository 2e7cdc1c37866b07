"""Cumulative cost of each scheme by month: bands of uncertainty, the crossing and its range, the rule of thumb."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from desktop.report.charts.svg import (
    AMBER,
    HAIRLINE,
    MUTED,
    NAVY,
    SLATE,
    TEAL,
    VIOLET,
    WIDTH,
    Svg,
    round_ticks,
)

SCHEME_COLOURS = {"on_premise": NAVY, "cloud": AMBER, "hybrid": TEAL, "api": VIOLET}
SCHEME_DASHES = {"on_premise": "", "cloud": "", "hybrid": "6 2", "api": "2 2"}
RULE_GROUND = "#E9EDF2"
HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 190.0, 52.0, 98.0, 24.0, 38.0
LABEL_STEP = 19.0


@dataclass(frozen=True)
class Crossing:
    """Where own hardware becomes cheaper than the cloud. `months` None: nowhere; `high` None beside a low: never."""

    months: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class BreakEvenWords:
    """Finished words of the chart; `schemes` names the lines, `crossing` says the break-even in words."""

    rule: str
    months: str
    unit: str
    schemes: Mapping[str, str]
    crossing: str


def break_even(
    lines: Mapping[str, Sequence[float]],
    bands: Mapping[str, Sequence[tuple[float, float]]],
    crossing: Crossing,
    crossed: Sequence[float] | None,
    rule_months: tuple[float, float] | None,
    words: BreakEvenWords,
    money: Callable[[float], str],
) -> str:
    """SVG of the cumulative cost in month 0 to the horizon.

    `crossed` is the line on which the crossing lies; `money` writes an amount in the unit that `words.unit` names.
    """
    svg = Svg(WIDTH, HEIGHT)
    horizon = max(len(next(iter(lines.values()))) - 1, 1)
    highest = max([*(max(values) for values in lines.values()), *(high for band in bands.values() for _, high in band)])
    ticks = round_ticks(highest)
    floor = HEIGHT - BOTTOM

    def x_of(month: float) -> float:
        return LEFT + month / horizon * (WIDTH - LEFT - RIGHT)

    def y_of(amount: float) -> float:
        return floor - amount / ticks[-1] * (floor - TOP)

    if rule_months is not None and rule_months[0] < horizon:
        first, last = x_of(rule_months[0]), x_of(min(rule_months[1], horizon))
        svg.rectangle(first, TOP, last - first, floor - TOP, RULE_GROUND)
        svg.text((first + last) / 2, TOP - 4, words.rule, 6.5, MUTED, "middle")
    for tick in ticks:
        svg.line((LEFT, y_of(tick)), (WIDTH - RIGHT, y_of(tick)), HAIRLINE if tick else SLATE)
        svg.text(LEFT - 5, y_of(tick) + 2.4, money(tick), 6.8, MUTED, "end")
    svg.text(LEFT - 5, TOP - 12, words.unit, 6.5, MUTED, "end", room=LEFT - 5)
    step = next(step for step in (1, 3, 6, 12, 24, 60) if horizon / step <= 10 or step == 60)
    for month in range(0, horizon + 1, step):
        svg.line((x_of(month), floor), (x_of(month), floor + 3), SLATE)
        svg.text(x_of(month), floor + 11, str(month), 6.8, MUTED, "middle")
    svg.text(WIDTH - RIGHT + 12, floor + 11, words.months, 6.5, MUTED)

    for scheme, band in bands.items():
        upper = [(x_of(month), y_of(high)) for month, (_, high) in enumerate(band)]
        lower = [(x_of(month), y_of(low)) for month, (low, _) in enumerate(band)]
        svg.area([*upper, *reversed(lower)], SCHEME_COLOURS[scheme], 0.13)
    for scheme, values in lines.items():
        svg.curve(
            [(x_of(month), y_of(value)) for month, value in enumerate(values)],
            SCHEME_COLOURS[scheme],
            dash=SCHEME_DASHES[scheme],
        )
    _end_labels(svg, {scheme: values[-1] for scheme, values in lines.items()}, y_of, words, money)
    _crossing(svg, crossing, crossed, horizon, x_of, y_of, words)
    return str(svg)


def _end_labels(
    svg: Svg,
    ends: Mapping[str, float],
    y_of: Callable[[float], float],
    words: BreakEvenWords,
    money: Callable[[float], str],
) -> None:
    """Names at the line ends, pushed apart so that none lies over another, and kept above the axis."""
    places = sorted((y_of(value), scheme) for scheme, value in ends.items())
    heights = [place for place, _ in places]
    for index in range(1, len(heights)):
        heights[index] = max(heights[index], heights[index - 1] + LABEL_STEP)
    heights[-1] = min(heights[-1], HEIGHT - BOTTOM - 8)
    for index in range(len(heights) - 2, -1, -1):
        heights[index] = min(heights[index], heights[index + 1] - LABEL_STEP)
    for y, (_, scheme) in zip(heights, places, strict=True):
        svg.text(WIDTH - RIGHT + 6, y, words.schemes[scheme], 7.5, SCHEME_COLOURS[scheme], bold=True, room=RIGHT - 8)
        svg.text(WIDTH - RIGHT + 6, y + 8.4, money(ends[scheme]), 7, MUTED)


def _crossing(
    svg: Svg,
    crossing: Crossing,
    crossed: Sequence[float] | None,
    horizon: int,
    x_of: Callable[[float], float],
    y_of: Callable[[float], float],
    words: BreakEvenWords,
) -> None:
    floor = HEIGHT - BOTTOM
    within = crossing.months is not None and crossing.months <= horizon
    if within and crossed and crossing.months is not None:
        month = int(crossing.months)
        following = crossed[min(month + 1, horizon)]
        amount = crossed[month] + (following - crossed[month]) * (crossing.months - month)
        svg.line((x_of(crossing.months), y_of(amount)), (x_of(crossing.months), floor), TEAL, 0.9, "2 2")
        svg.dot((x_of(crossing.months), y_of(amount)))
    if crossing.low is not None and crossing.low <= horizon:
        last = horizon if crossing.high is None else min(crossing.high, horizon)
        svg.line((x_of(crossing.low), floor + 19), (x_of(last), floor + 19), TEAL, 3.2)
        if crossing.high is None or crossing.high > horizon:
            tip = x_of(last)
            svg.area([(tip, floor + 15.5), (tip + 6, floor + 19), (tip, floor + 22.5)], TEAL)
        if within and crossing.months is not None:
            svg.dot((x_of(crossing.months), floor + 19))
    svg.text(LEFT, floor + 33, words.crossing, 7.2, TEAL, bold=True, room=WIDTH - LEFT)
