"""Charts: the figures are in them, nothing is clipped or lies over anything, the bytes never change."""

import re
from itertools import pairwise
from math import inf
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.report.charts import (
    BarWords,
    BreakEvenWords,
    CardRoom,
    Crossing,
    GpuBar,
    TornadoBar,
    TornadoWords,
    break_even,
    memory_bar,
    tornado,
)
from desktop.report.charts.svg import RED, WIDTH, round_ticks
from desktop.report.font import text_width
from desktop.units import GIB
from desktop.words import Numerals

EN, RU = Numerals("en"), Numerals("ru")
PARTS = {"weights": "Weights", "kv_cache": "KV cache", "activations": "Activations"}
BAR_WORDS = BarWords(unit="GiB", required="required", usable="usable", card="card", reserve="Reserved", parts=PARTS)
CURVE_WORDS = BreakEvenWords(
    rule="rule 12–18",
    months="months",
    unit="thousand $",
    schemes={"on_premise": "On-premise", "cloud": "Cloud", "hybrid": "Hybrid", "api": "API"},
    crossing="at 20 months",
)
TORNADO_WORDS = TornadoWords(base="base 24 months", never="never", low="low", high="high")


def gib(value: float) -> str:
    return f"{value / GIB:.1f}"


def bar(weights: float, kv_cache: float, usable: float = 126.4, reserved: float = 126.4, card: float = 140.4) -> str:
    parts = {"weights": round(weights * GIB), "kv_cache": round(kv_cache * GIB), "activations": GIB}
    required = sum(parts.values())
    room = CardRoom(
        round(card * GIB), round(usable * GIB), round(reserved * GIB), required * 97 // 100, required * 103 // 100
    )
    return memory_bar([GpuBar("GPU 0", parts)], room, GIB, BAR_WORDS, gib, str)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


def extents(svg: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of every rectangle and every line of text."""
    found = []
    for element in ElementTree.fromstring(svg).iter():
        x, y = float(element.get("x", 0)), float(element.get("y", 0))
        if element.tag.endswith("rect"):
            found.append((x, y, x + float(element.get("width", 0)), y + float(element.get("height", 0))))
        elif element.tag.endswith("text"):
            size = float(element.get("font-size", 0))
            width = text_width(element.text or "", size, element.get("font-weight") == "600")
            left = x - {"start": 0.0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
            found.append((left, y - size, left + width, y))
    return found


def stays_inside(svg: str) -> bool:
    height = float(ElementTree.fromstring(svg).get("height", 0))
    return all(
        left >= -0.1 and top >= -0.1 and right <= WIDTH + 0.1 and bottom <= height + 0.1
        for left, top, right, bottom in extents(svg)
    )


def test_memory_bar_shows_parts_need_usable_and_card() -> None:
    written = texts(bar(67.7, 10.3))
    for figure in ("67.7", "10.3", "79.0 GiB", "usable 126.4", "card 140.4", "Reserved"):
        assert figure in written
    assert RED not in bar(67.7, 10.3)


def test_ticks_are_written_as_the_reader_writes_them() -> None:
    """A card of 2 GiB has ticks between whole numbers; Russian has a comma there."""
    room, bars = CardRoom(2 * GIB, 2 * GIB, 0, GIB, GIB), [GpuBar("GPU", {"weights": GIB})]
    english, russian = (texts(memory_bar(bars, room, GIB, BAR_WORDS, gib, tick)) for tick in (EN.given, RU.given))
    assert "0.5" in english and "0,5" in russian and "0.5" not in russian


def test_plan_that_does_not_fit_runs_past_the_line_and_says_by_how_much() -> None:
    """70B in 16 bit on one H200: 131.4 GiB of weights against 126.4 usable."""
    svg = bar(131.4, 14.6, reserved=0)
    assert "+20.6 GiB" in texts(svg) and "147.0 GiB" in texts(svg)
    assert svg.count(RED) >= 2 and "Reserved" not in texts(svg)
    assert stays_inside(svg)


def test_label_moves_away_from_the_line_through_it() -> None:
    svg = ElementTree.fromstring(bar(60, 130, reserved=0))
    usable = next(float(line.get("x1", 0)) for line in svg.iter() if line.get("stroke-width") == "1.2")
    label = next(text for text in svg.iter() if text.text == "130.0")
    assert abs(float(label.get("x", 0)) - usable) > text_width("130.0", 7, bold=True) / 2


@given(st.floats(0.1, 5000), st.floats(0, 5000), st.floats(1, 300), st.floats(0, 1))
@settings(max_examples=60, deadline=None)
def test_memory_bar_is_never_clipped(weights: float, kv_cache: float, card: float, fraction: float) -> None:
    usable = max(card * fraction, 0.1)
    assert stays_inside(bar(weights, kv_cache, usable, usable, card))


def test_at_most_eight_bars_and_the_fullest_is_among_them() -> None:
    bars = [GpuBar(f"GPU {rank}", {"weights": (rank + 1) * GIB}) for rank in range(12)]
    written = texts(memory_bar(bars, CardRoom(80 * GIB, 72 * GIB, 0, 0, 0), GIB, BAR_WORDS, gib, str))
    assert "GPU 11" in written and "GPU 0" not in written
    assert sum(text.startswith("GPU") for text in written) == 8


def test_part_without_a_colour_of_its_own_is_drawn_too() -> None:
    words = BarWords("GiB", "required", "usable", "card", "Reserved", {"weights": "Weights", "new_part": "New part"})
    room = CardRoom(80 * GIB, 72 * GIB, 0, 50 * GIB, 50 * GIB)
    svg = memory_bar([GpuBar("GPU", {"new_part": 30 * GIB, "weights": 20 * GIB})], room, GIB, words, gib, str)
    assert {"30.0", "20.0", "50.0 GiB", "New part"} <= set(texts(svg))


def curve(crossing: Crossing, months: int = 36, own: float = 400.0, extra: str | None = None) -> str:
    lines = {
        "on_premise": [own + 2 * month for month in range(months + 1)],
        "cloud": [18.5 * month for month in range(months + 1)],
    }
    if extra:
        lines[extra] = [own + 2.1 * month for month in range(months + 1)]
    bands = {name: [(value * 0.9, value * 1.1) for value in values] for name, values in lines.items()}
    return break_even(lines, bands, crossing, lines["cloud"], (12, 18), CURVE_WORDS, lambda value: f"{value:.0f}")


def test_break_even_marks_the_crossing_and_its_range() -> None:
    svg = curve(Crossing(24.2, 20, 30))
    assert svg.count("<circle") == 2
    assert "rule 12–18" in texts(svg) and "at 20 months" in texts(svg)
    assert {"472", "666"} <= set(texts(svg))


@pytest.mark.parametrize("crossing", [Crossing(None), Crossing(60.0)])
def test_no_crossing_within_the_horizon_has_no_dot(crossing: Crossing) -> None:
    assert "<circle" not in curve(crossing)


def test_range_open_to_never_ends_in_an_arrow() -> None:
    plain = curve(Crossing(24.2, 20, 30)).count("Z")
    assert curve(Crossing(24.2, 20, None)).count("Z") == plain + 1


@given(st.integers(1, 240), st.floats(0, 1e5), st.sampled_from(["hybrid", "api", None]))
@settings(max_examples=40, deadline=None)
def test_break_even_stays_inside_and_labels_stay_apart(months: int, own: float, extra: str | None) -> None:
    svg = curve(Crossing(None), months, own, extra)
    assert stays_inside(svg)
    names = set(CURVE_WORDS.schemes.values())
    heights = sorted(
        float(element.get("y", 0)) for element in ElementTree.fromstring(svg).iter() if element.text in names
    )
    assert all(lower - upper >= 18.9 for upper, lower in pairwise(heights))


def test_break_even_without_a_cloud_draws_what_there_is() -> None:
    svg = break_even(
        {"on_premise": [100.0, 101.0, 102.0]}, {}, Crossing(None), None, None, CURVE_WORDS, lambda value: f"{value:.0f}"
    )
    assert "On-premise" in texts(svg) and "rule 12–18" not in texts(svg)


def test_tornado_writes_both_ends_and_never() -> None:
    bars = [TornadoBar("Cloud price", "$3.12", "$5.98", inf, 20.7), TornadoBar("Utilization", "45%", "75%", 33.2, 19.0)]
    svg = tornado(bars, 24.2, TORNADO_WORDS, lambda value: f"{value:.1f}")
    assert {"Cloud price", "$3.12", "$5.98", "never", "20.7", "33.2", "base 24 months"} <= set(texts(svg))
    assert stays_inside(svg)


months = st.one_of(st.floats(0, 500), st.just(inf))


@given(st.lists(st.tuples(months, months), min_size=1, max_size=12), months)
@settings(max_examples=60, deadline=None)
def test_tornado_stays_inside(answers: list[tuple[float, float]], base: float) -> None:
    bars = [TornadoBar("A very long name of an input that must shrink", "$1,234,567", "75%", *pair) for pair in answers]
    svg = tornado(bars, base, TORNADO_WORDS, lambda value: f"{value:.1f}")
    assert stays_inside(svg)
    assert len(re.findall("A very long", svg)) == len(bars)


@given(st.floats(1e-6, 1e12), st.integers(2, 8))
def test_ticks_reach_the_highest_value_in_few_equal_steps(high: float, most: int) -> None:
    ticks = round_ticks(high, most)
    assert ticks[0] == 0 and ticks[-1] >= high * (1 - 1e-9)
    assert 2 <= len(ticks) <= most + 2
    assert ticks[-2] < high


def test_same_figures_same_bytes() -> None:
    assert bar(67.7, 10.3) == bar(67.7, 10.3)
    assert curve(Crossing(24.2, 20, 30)) == curve(Crossing(24.2, 20, 30))
