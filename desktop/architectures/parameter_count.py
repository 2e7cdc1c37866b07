"""The parameter count of a catalog model from its dimensions alone, to hold against the published one."""

from collections.abc import Mapping
from typing import Any

from desktop.architectures.architecture import Architecture
from desktop.architectures.build import architecture_of
from desktop.request import Problem


def recomputed_parameters(facts: Mapping[str, Any]) -> int | None:
    """Elements of the model a row of the catalog describes; None where the row lacks what its formula needs, or there
    is no formula.

    The published count is not looked at. Counted is what a server loads to answer: text and vision, router biases,
    no draft layer, no head stored twice, no scales of a quantised checkpoint.
    """
    made = _computed(facts)
    return None if made is None else made.parameters()


def recomputed_active_parameters(facts: Mapping[str, Any]) -> int | None:
    """Elements one token touches, both embedding matrices among them; None as above."""
    made = _computed(facts)
    return None if made is None else made.active_parameters()


def _computed(facts: Mapping[str, Any]) -> Architecture | None:
    try:
        made = architecture_of(facts, str(facts.get("name") or ""))
    except Problem:
        return None
    return None if made.published else made
