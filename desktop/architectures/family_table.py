"""The families whose layers are known, dense and other, each with every key of both tables."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop.architectures.families import families
from desktop.resources import resource


@cache
def known_families() -> Mapping[str, Mapping[str, Any]]:
    """Families of dense_decoders.toml and counted_families.toml by `model_type`, defaults filled in."""
    table = tomllib.loads(resource("architectures", "counted_families.toml").read_text(encoding="utf-8"))
    counted = {name: {**table["defaults"], **facts} for name, facts in table["family"].items()}
    return {**{name: {**table["defaults"], **facts} for name, facts in families().items()}, **counted}
