"""What older project files become. One step for each format version, kept for good, with a sample file in the tests."""

from collections.abc import Callable, Mapping
from typing import Any

from desktop.request import Problem

Step = Callable[[dict[str, Any]], dict[str, Any]]

STEPS: Mapping[int, Step] = {}  # version -> what turns its content into the next version's; version 1 is the first


def upgraded(
    data: dict[str, Any], file_name: str, to_version: int, steps: Mapping[int, Step] = STEPS
) -> dict[str, Any]:
    """The content of a project file as version `to_version` would have written it.

    Raises Problem: newer_format (`version`, `known`), unknown_format.

    >>> upgraded({"format_version": 1, "name": "x"}, "x.json", 1)
    {'format_version': 1, 'name': 'x'}
    """
    version = data["format_version"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise Problem("unknown_format", file_name, version=str(version)[:40])
    if version > to_version:
        raise Problem("newer_format", file_name, version=version, known=to_version)
    while version < to_version:
        data = steps[version](data)
        version += 1
        data = {**data, "format_version": version}
    return data
