"""The habits of each family's config.json, from `resources/architectures/config_families.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop.architectures.config_fields import Fields
from desktop.request import Problem
from desktop.resources import resource

Habits = Mapping[str, Any]


def habits_of(model_type: str) -> Habits | None:
    """Habits of a family by `model_type`; None when it is not known."""
    family: Habits | None = _tables()["family"].get(model_type)
    return family


def nested_defaults(model_type: str) -> Habits:
    """Fields a part inside another config may leave out."""
    defaults: Habits = _tables().get("nested", {}).get(model_type, {})
    return defaults


def check_assumptions(fields: Fields, habits: Habits, model_type: str) -> None:
    """Raises Problem("unsupported_model", what="unusual_switch") for a switch that the family's formula does not
    know in this position."""
    for name, expected in habits.get("assumes", {}).items():
        if fields.yes(name) not in (None, expected):
            raise Problem(
                "unsupported_model",
                field=f"{fields.field}.{name}",
                what="unusual_switch",
                model_type=model_type,
                switch=name,
                value=str(not expected).lower(),
            )


@cache
def _tables() -> Mapping[str, Any]:
    text = resource("architectures", "config_families.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
