"""The project as it travels inside the PDF: canonical JSON and its checksum."""

import hashlib
import json
from pathlib import Path
from typing import Any

from desktop.architectures.hugging_face import model_name
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
    """Of a model read from a local file only the file's name leaves the house, never its folder or its user's name;
    of one given by its config, the same of the folder it was saved from."""
    model = need.model
    if not isinstance(model, InlineModel):
        return need
    if model.file is not None:
        return need.model_copy(update={"model": model.model_copy(update={"file": Path(model.file.name)})})
    config = model.hf_config or {}
    if "_name_or_path" not in config:
        return need
    kept = {**config, "_name_or_path": model_name(config)}
    return need.model_copy(update={"model": model.model_copy(update={"hf_config": kept})})


def checksum(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()
