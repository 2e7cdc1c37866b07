"""Which family the architecture of a GGUF file is, from `resources/architectures/gguf_families.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop.architectures.files.gguf_header import GgufHeader
from desktop.resources import resource

SIGMOID = 2  # expert_gating_func of the models that balance their experts with a bias; llama-hparams.h of llama.cpp


@cache
def gguf_families() -> Mapping[str, Mapping[str, Any]]:
    """What is known of an architecture beyond its name."""
    table = tomllib.loads(resource("architectures", "gguf_families.toml").read_text(encoding="utf-8"))
    families: Mapping[str, Mapping[str, Any]] = table["architecture"]
    return families


def gguf_family(header: GgufHeader) -> Mapping[str, Any]:
    return gguf_families().get(header.architecture, {})


def model_type_of(header: GgufHeader) -> str:
    """`model_type` a config.json of the same model would state; the architecture itself where it is not listed."""
    family = gguf_family(header)
    if "experts" in family and header.about("expert_count"):
        return str(family["experts"])
    if "balanced" in family and _balanced(header):
        return str(family["balanced"])
    if "windowed" in family and header.about("attention.sliding_window"):
        return str(family["windowed"])
    return str(family.get("model_type", header.architecture))


def _balanced(header: GgufHeader) -> bool:
    biased = any(".exp_probs_b" in tensor.name for tensor in header.tensors)
    return biased or header.about("expert_gating_func") == SIGMOID
