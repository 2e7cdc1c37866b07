"""The quote as an XLSX workbook: live formulas with cached values, defined names, ready to print."""

from desktop.report.workbook.render import render_workbook

__all__ = ["render_workbook"]
