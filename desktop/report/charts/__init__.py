"""Charts of the documents: plain functions from numbers and words to SVG text, with the same bytes every time."""

from desktop.report.charts.break_even import BreakEvenWords, Crossing, break_even
from desktop.report.charts.memory_bar import BarWords, CardRoom, GpuBar, memory_bar
from desktop.report.charts.tornado import TornadoBar, TornadoWords, tornado

__all__ = [
    "BarWords",
    "BreakEvenWords",
    "CardRoom",
    "Crossing",
    "GpuBar",
    "TornadoBar",
    "TornadoWords",
    "break_even",
    "memory_bar",
    "tornado",
]
