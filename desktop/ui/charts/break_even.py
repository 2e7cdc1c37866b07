"""Cumulative cost of the schemes by month, their bands, the month of break-even and the article's 12 to 18 months."""

import math

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetricsF, QResizeEvent

from desktop.quote import CostResult, SchemeTotal
from desktop.ui.charts.plot import Plot
from desktop.ui.fonts import Weight, font
from desktop.ui.look import Look

ARTICLE_MONTHS = (12, 18)  # claim 21: on-premise serving pays back in 12 to 18 months
DASHES = {"on_premise": Qt.PenStyle.DashLine, "api": Qt.PenStyle.DotLine}
LINE_HEIGHT = 15  # pixels between labels at the line ends
HEIGHT = 232


class BreakEvenChart(Plot):
    """Lines end in their own labels, so there is no legend to look up; it redraws in place."""

    def __init__(self, look: Look) -> None:
        super().__init__(look, HEIGHT)
        theme = look.theme
        item = self.getPlotItem()
        item.setContentsMargins(0, 6, 4, 0)
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setPen(self.pen(theme.line))
            axis.setTextPen(self.pen(theme.text3))
            axis.setTickFont(font("caption"))
            axis.setStyle(tickLength=0, tickTextOffset=6)
        item.getAxis("left").setPen(None)
        item.getAxis("bottom").setHeight(26)
        self._article = pg.LinearRegionItem(
            ARTICLE_MONTHS, movable=False, brush=pg.mkBrush(QColor(theme.hover)), pen=pg.mkPen(None)
        )
        self._article.setZValue(-20)
        self.addItem(self._article, ignoreBounds=True)
        self._article_text = self.text(look.say("chart.article"), theme.text3, (0.5, 0))
        self._grid: list[pg.InfiniteLine] = []
        self._lines: dict[str, pg.PlotDataItem] = {}
        self._bands: dict[str, tuple[pg.PlotCurveItem, pg.PlotCurveItem, pg.FillBetweenItem]] = {}
        self._labels: dict[str, pg.TextItem] = {}
        self._cross = pg.ScatterPlotItem(size=11, brush=pg.mkBrush(theme.surface), pen=self.pen(theme.text, 2))
        self._cross.setZValue(20)
        self.addItem(self._cross, ignoreBounds=True)
        self._cross_text = self.text("", theme.text, (0, -0.2), Weight.DemiBold)
        self._costs: CostResult | None = None
        self.setAccessibleName(look.say("chart.costs"))

    def show_costs(self, costs: CostResult) -> None:
        self._costs = costs
        theme = self.look.theme
        months = costs.horizon_months
        xs = list(range(months + 1))
        for scheme in set(self._lines) - set(costs.monthly):
            for item in (self._lines.pop(scheme), self._labels.pop(scheme), *self._bands.pop(scheme, ())):
                self.removeItem(item)
        for scheme, values in costs.monthly.items():
            if scheme not in self._lines:
                self._lines[scheme] = self.plot(
                    pen=self.pen(theme.schemes[scheme], 2.4, DASHES.get(scheme, Qt.PenStyle.SolidLine))
                )
                self._labels[scheme] = self.text("", theme.schemes[scheme], (0, 0.5), Weight.DemiBold)
            ys = [float(value) for value in values]
            self._lines[scheme].setData(xs[: len(ys)], ys)
            self._lines[scheme].setOpacity(1.0 if costs.totals[scheme].allowed else 0.45)
        self._show_bands(costs, xs)
        self._scale(costs)
        self._show_cross(costs)
        self._describe(costs)

    def shown(self) -> dict[str, list[float]]:
        """Cumulative cost as it is drawn, by scheme."""
        return {scheme: list(line.getData()[1]) for scheme, line in self._lines.items()}

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        costs = getattr(self, "_costs", None)
        if costs is not None and self.plotItem is not None:  # a closed plot is still resized once
            self._scale(costs)

    def _show_bands(self, costs: CostResult, xs: list[int]) -> None:
        for scheme, pairs in costs.bands.items():
            if scheme not in self._lines:
                continue
            if scheme not in self._bands:
                low, high = pg.PlotCurveItem(pen=None), pg.PlotCurveItem(pen=None)
                colour = QColor(self.look.theme.schemes[scheme])
                colour.setAlphaF(0.15)
                fill = pg.FillBetweenItem(low, high, brush=pg.mkBrush(colour))
                for item in (low, high, fill):
                    item.setZValue(-10)
                    self.addItem(item, ignoreBounds=True)
                self._bands[scheme] = (low, high, fill)
            low, high, _ = self._bands[scheme]
            low.setData(xs[: len(pairs)], [float(pair[0]) for pair in pairs])
            high.setData(xs[: len(pairs)], [float(pair[1]) for pair in pairs])

    def _scale(self, costs: CostResult) -> None:
        figures, months = self.look.numerals, costs.horizon_months
        ends = [float(values[-1]) for values in costs.monthly.values()]
        ends += [float(pairs[-1][1]) for scheme, pairs in costs.bands.items() if pairs and scheme in costs.monthly]
        top = max(ends, default=1.0) or 1.0
        step = _step(top)
        top = step * math.ceil(top * 1.02 / step)
        ticks = [
            (place * step, figures.money_short(place * step, costs.currency) if place else "0")
            for place in range(round(top / step) + 1)
        ]
        metrics = QFontMetricsF(font("caption", Weight.DemiBold))
        left = self.getAxis("left")
        left.setTicks([ticks])
        left.setWidth(max(metrics.horizontalAdvance(text) for _, text in ticks) + 10)
        self.getAxis("bottom").setTicks(
            [[(month, figures.number(month)) for month in range(0, months + 1, _month_step(months))]]
        )
        self._show_grid([value for value, _ in ticks[1:]])
        texts = {
            scheme: f"{self.look.term(f'scheme.{scheme}')} {figures.money_short(values[-1], costs.currency)}"
            for scheme, values in costs.monthly.items()
        }
        room = max((metrics.horizontalAdvance(text) for text in texts.values()), default=0) + 14
        plot_width = max(120.0, self.width() - left.width() - 8)
        self.setXRange(0, months * plot_width / max(60.0, plot_width - room), padding=0)
        self.setYRange(0, top, padding=0)
        self._article.setVisible(months >= ARTICLE_MONTHS[0])
        self._article_text.setVisible(months >= ARTICLE_MONTHS[1])
        self._article_text.setPos(sum(ARTICLE_MONTHS) / 2, top)
        self._place_labels(costs, texts, top)

    def _show_grid(self, values: list[float]) -> None:
        while len(self._grid) > len(values):
            self.removeItem(self._grid.pop())
        while len(self._grid) < len(values):
            line = pg.InfiniteLine(angle=0, pen=self.pen(self.look.theme.line))
            line.setZValue(-15)
            self.addItem(line, ignoreBounds=True)
            self._grid.append(line)
        for line, value in zip(self._grid, values, strict=True):
            line.setPos(value)

    def _place_labels(self, costs: CostResult, texts: dict[str, str], top: float) -> None:
        """Labels stand at the line ends, pushed apart where lines end close together."""
        height = LINE_HEIGHT * top / max(60.0, self.height() - 34.0)
        ends = sorted(((float(values[-1]), scheme) for scheme, values in costs.monthly.items()), reverse=True)
        places, above = {}, math.inf
        for value, scheme in ends:
            above = min(value, above - height)
            places[scheme] = above
        floor = height / 2
        for _, scheme in reversed(ends):
            places[scheme] = max(places[scheme], floor)
            floor = places[scheme] + height
        for scheme, place in places.items():
            self._labels[scheme].setText(texts[scheme], color=self.look.theme.schemes[scheme])
            self._labels[scheme].setPos(costs.horizon_months * 1.008, place)

    def _show_cross(self, costs: CostResult) -> None:
        months, own = costs.break_even.months, costs.monthly.get(costs.break_even.own or "on_premise", ())
        if costs.break_even.state not in ("at", "reverses") or months is None or not 0 <= months <= len(own) - 1:
            self._cross.setData([], [])
            self._cross_text.setText("")
            return
        whole, rest = int(months), months - int(months)
        follower = own[min(whole + 1, len(own) - 1)]
        value = float(own[whole]) + rest * (float(follower) - float(own[whole]))
        self._cross.setData([months], [value])
        text = self.look.say("chart.break_even", months=self.look.numerals.months(months))
        self._cross_text.setText(f" {text}", color=self.look.theme.text)
        self._cross_text.setPos(months, value)

    def _describe(self, costs: CostResult) -> None:
        def words(total: SchemeTotal) -> str:
            return self.look.numerals.money(total.total, costs.currency)

        self.setAccessibleDescription(
            self.look.say(
                "chart.costs_words",
                months=self.look.numerals.months(costs.horizon_months),
                totals="; ".join(
                    f"{self.look.term(f'scheme.{scheme}')} {words(total)}" for scheme, total in costs.totals.items()
                ),
            )
        )


def _step(top: float) -> float:
    """A round distance between grid lines that gives four to six of them."""
    rough = top / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return next(size * power for size in (1, 2, 2.5, 5, 10) if size * power >= rough)


def _month_step(months: int) -> int:
    return 6 if months <= 48 else 12 if months <= 120 else 24
