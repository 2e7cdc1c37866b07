"""The project as it travels inside the PDF: canonical JSON and its checksum."""

import hashlib
import json
from pathlib import Path
from typing import Any

from desktop.project.document import Project
from desktop.quote import Quote
from desktop.request import InlineModel, Need

FILE_NAME = "rackwright-project.json"


def canonical(value: Any) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8: the same value always has the same bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def attachment(project: Project) -> bytes:
    """The project file to attach."""
    needs = tuple(_shareable(need) for need in project.request.needs)
    shown = project.model_copy(update={"request": project.request.model_copy(update={"needs": needs})})
    return canonical(shown.model_dump(mode="json"))


def quote_json(quote: Quote) -> bytes:
    """The whole quote for machines."""
    answers = tuple(answer.model_copy(update={"need": _shareable(answer.need)}) for answer in quote.answers)
    return canonical(quote.model_copy(update={"answers": answers}).model_dump(mode="json")) + b"\n"


def _shareable(need: Need) -> Need:
    """Of a model read from a local file only the file's name leaves the house, never its folder or its user's name."""
    if not isinstance(need.model, InlineModel) or need.model.file is None:
        return need
    return need.model_copy(update={"model": need.model.model_copy(update={"file": Path(need.model.file.name)})})


def checksum(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
