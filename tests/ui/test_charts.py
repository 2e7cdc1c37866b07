from decimal import Decimal
from itertools import pairwise

import pytest
from pytestqt.qtbot import QtBot

from desktop.quote import (
    ArticleRule,
    BreakEven,
    ByteRange,
    Component,
    CostResult,
    Memory,
    Range,
    RankMemory,
    SchemeTotal,
)
from desktop.ui.charts.break_even import LINE_HEIGHT, BreakEvenChart
from desktop.ui.charts.gauge import Gauge
from desktop.ui.charts.memory_bar import MemoryBar, parts_of, spare_bytes
from desktop.ui.look import Look
from desktop.ui.theme import DARK, LIGHT
from desktop.units import GIB

LOOK = Look(LIGHT, "en")


def memory(usable: int = 86 * GIB, verdict: str = "fits", **parts: int) -> Memory:
    need = sum(parts.values())
    components = tuple(Component(component=name, bytes=size) for name, size in parts.items())
    return Memory(
        verdict=verdict,
        card_bytes=96 * GIB,
        usable_bytes=usable,
        reserved_bytes=usable,
        worst_rank=3,
        required_bytes=ByteRange(low=need - GIB, value=need, high=need + GIB),
        per_gpu=(RankMemory(rank=0, ranks=3, components=()), RankMemory(rank=3, ranks=1, components=components)),
    )


def costs(*ends: int, months: int = 36, state: str = "at", at: float | None = 12.0) -> CostResult:
    """Schemes that rise evenly to the given totals; on-premise starts at 100,000."""
    names = ("on_premise", "cloud", "hybrid", "api")[: len(ends)]
    starts = {"on_premise": Decimal(100_000)}

    def line(name: str, end: int) -> tuple[Decimal, ...]:
        start = starts.get(name, Decimal(0))
        return tuple(start + (Decimal(end) - start) * month / months for month in range(months + 1))

    monthly = {name: line(name, end) for name, end in zip(names, ends, strict=True)}
    totals = {
        name: SchemeTotal(capex=values[0], opex=values[-1] - values[0], total=values[-1], discounted_total=values[-1])
        for name, values in monthly.items()
    }
    rule = ArticleRule(fifty_percent_says_buy=None, payback_12_18_months=None, computed_months=at, agrees=None)
    return CostResult(
        horizon_months=months,
        break_even=BreakEven(state=state, months=at),
        totals=totals,
        monthly=monthly,
        article_rule=rule,
    )


def test_parts_are_those_of_the_worst_gpu_in_a_fixed_order_and_none_is_zero() -> None:
    found = parts_of(memory(runtime=GIB, kv_cache=10 * GIB, communication=0, weights=32 * GIB))
    assert list(found.items()) == [("weights", 32 * GIB), ("kv_cache", 10 * GIB), ("runtime", GIB)]


def test_spare_is_what_is_reserved_beyond_the_need() -> None:
    assert spare_bytes(memory(weights=32 * GIB)) == 54 * GIB
    assert spare_bytes(memory(weights=90 * GIB)) == 0


def test_the_bar_redraws_in_place_and_says_its_numbers(qtbot: QtBot) -> None:
    bar = MemoryBar(LOOK)
    qtbot.addWidget(bar)
    bar.show()
    bar.show_memory(memory(weights=32 * GIB, kv_cache=10 * GIB))
    first = bar.grab().toImage()
    assert bar.accessibleDescription() == (
        "42.0\u00a0GiB required of 86.0\u00a0GiB usable: Weights 32.0\u00a0GiB; KV cache 10.0\u00a0GiB"
    )
    bar.show_memory(memory(weights=32 * GIB, kv_cache=40 * GIB))
    assert bar.grab().toImage() != first


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_what_passes_the_limit_is_drawn_past_it(qtbot: QtBot, theme: object) -> None:
    bar = MemoryBar(Look(theme, "ru"))
    qtbot.addWidget(bar)
    bar.resize(356, bar.height())
    bar.show()
    bar.show_memory(memory(usable=60 * GIB, verdict="does_not_fit", weights=90 * GIB))
    picture = bar.grab().toImage()
    middle = 17 + 4  # a row of pixels inside the bar, clear of the plate with the number
    colours = {picture.pixelColor(x, middle).name().upper() for x in range(picture.width())}
    assert {theme.parts["weights"].upper(), theme.bad.upper()} <= colours


@pytest.mark.parametrize(
    ("figure", "limit", "lower", "tone"),
    [
        (Range(low=0.4, value=0.6, high=1.0), 1.5, True, "ok"),
        (Range(low=0.4, value=0.6, high=2.0), 1.5, True, "warn"),
        (Range(low=1.6, value=2.0, high=3.0), 1.5, True, "bad"),
        (Range(low=4.0, value=6.0, high=8.0), 3.9, False, "ok"),
        (Range(low=3.0, value=6.0, high=8.0), 3.9, False, "warn"),
        (Range(low=1.0, value=2.0, high=3.0), 3.9, False, "bad"),
        (Range(low=1.0, value=2.0, high=3.0), None, True, "text2"),
    ],
)
def test_a_gauge_is_green_only_when_its_whole_range_keeps_the_limit(
    qtbot: QtBot, figure: Range, limit: float | None, lower: bool, tone: str
) -> None:
    gauge = Gauge(LOOK, figure, limit, lower)
    qtbot.addWidget(gauge)
    gauge.show()
    assert gauge.tone() == tone
    assert not gauge.grab().isNull()


@pytest.fixture
def chart(qtbot: QtBot) -> BreakEvenChart:
    widget = BreakEvenChart(LOOK)
    qtbot.addWidget(widget)
    widget.resize(680, widget.height())
    widget.show()
    return widget


def test_the_chart_shows_every_scheme_and_forgets_those_that_are_gone(chart: BreakEvenChart) -> None:
    chart.show_costs(costs(200_000, 300_000, 250_000))
    assert set(chart.shown()) == {"on_premise", "cloud", "hybrid"}
    assert chart.shown()["cloud"][-1] == 300_000
    chart.show_costs(costs(200_000, 400_000, months=24))
    assert set(chart.shown()) == {"on_premise", "cloud"}
    assert len(chart.shown()["cloud"]) == 25
    assert "On-premise $200,000; Cloud $400,000" in chart.accessibleDescription()


def test_labels_at_the_line_ends_do_not_lie_on_one_another(chart: BreakEvenChart) -> None:
    chart.show_costs(costs(300_000, 301_000, 302_000, 2_000))
    top = chart.getViewBox().viewRange()[1][1]
    places = sorted(label.pos().y() for label in chart._labels.values())
    least = LINE_HEIGHT * top / chart.height() * 0.99
    assert all(above - below >= least for below, above in pairwise(places))
    assert places[0] > 0
    assert places[-1] <= top


def test_the_crossing_is_marked_only_where_there_is_one(chart: BreakEvenChart) -> None:
    chart.show_costs(costs(200_000, 400_000, at=12.0))
    assert len(chart._cross.data) == 1
    assert chart._cross_text.toPlainText().strip() == "break-even 12 months"
    chart.show_costs(costs(200_000, 100_000, state="never", at=None))
    assert (len(chart._cross.data), chart._cross_text.toPlainText()) == (0, "")
