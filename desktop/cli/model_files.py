"""`inspect`: what a model file says of itself, one JSON object a path."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from desktop.architectures import inspect_path
from desktop.catalog import load_catalog
from desktop.cli.json_lines import defect, error_content, write_json
from desktop.request import Problem
from desktop.sizing.weights import disk_bytes
from desktop.words import Language


def inspect(paths: Sequence[Path], language: Language) -> int:
    """Exit status 1 when a path could not be read."""
    status = 0
    for path in paths:
        content, failed = _inspected(path, language)
        write_json(content)
        status = 1 if failed else status
    return status


def _inspected(path: Path, language: Language) -> tuple[dict[str, Any], bool]:
    try:
        found = inspect_path(path)
        stored = load_catalog().calibration.weight_formats[found.architecture.checkpoint_format]
        return {**asdict(found), "path": str(path), "weight_bytes": disk_bytes(found.architecture, stored)}, False
    except Problem as problem:
        return {"path": str(path), "error": error_content(problem, language)}, True
    except Exception as error:  # one path must never stop the others
        return {"path": str(path), "error": error_content(defect(error), language)}, True
