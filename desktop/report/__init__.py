"""A quote as documents: spec sheet, workbook and the files of an export."""

from desktop.report.export import export_quote
from desktop.report.pdf import render_pages, render_pdf
from desktop.report.sheet import spec_sheet
from desktop.report.workbook import render_workbook

__all__ = ["export_quote", "render_pages", "render_pdf", "render_workbook", "spec_sheet"]
