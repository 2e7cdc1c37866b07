"""The sheet as PDF/A-3a and PDF/UA-1 with the project attached, and as page pictures for the preview."""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

import typst

from desktop.resources import resource

STANDARDS = ["a-3a", "ua-1"]


def render_pdf(sheet: Mapping[str, Any]) -> bytes:
    """PDF of a dictionary made by `spec_sheet`. The same dictionary gives the same bytes."""
    document: bytes = _compile(sheet, format="pdf", pdf_standards=STANDARDS)
    return document


def render_pages(sheet: Mapping[str, Any], ppi: float) -> list[bytes]:
    """PNG of every page at `ppi` dots per inch."""
    pages = _compile(sheet, format="png", ppi=ppi)
    return pages if isinstance(pages, list) else [pages]


def _compile(sheet: Mapping[str, Any], **options: Any) -> Any:
    data = {"sheet": json.dumps(sheet, ensure_ascii=False, sort_keys=True)}
    return typst.compile(
        str(resource("report", "spec.typ")),
        font_paths=_fonts(),
        sys_inputs=data,
        timestamp=datetime.fromisoformat(sheet["stamp"]),
        **options,
    )


@cache
def _fonts() -> typst.Fonts:
    """Only the bundled fonts, loaded once: every machine sets the same type."""
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(resource("fonts"))])
