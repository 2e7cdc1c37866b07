"""The parameter count of a catalog model from its dimensions alone, to hold against the published one."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop.architectures.catalog_model import config_of
from desktop.architectures.counting.decoder import ParameterCount, decoder
from desktop.architectures.counting.dimensions import Dimensions, MissingDimension
from desktop.architectures.counting.encoder import ENCODERS, encoder
from desktop.architectures.counting.picture import picture_model
from desktop.architectures.counting.speech import SPEECH, speech
from desktop.architectures.counting.vision_tower import vision_tower
from desktop.architectures.families import families
from desktop.architectures.hugging_face import SPELLINGS, build
from desktop.request import Problem
from desktop.resources import resource


def recomputed_parameters(facts: Mapping[str, Any]) -> int | None:
    """Elements of the model a row of the catalog describes; None where the row lacks what its formula needs, or there
    is no formula.

    The published count is not looked at. Counted is what a server loads to answer: text and vision, router biases,
    no draft layer, no head stored twice, no scales of a quantised checkpoint.
    """
    count = _count(facts)
    return None if count is None else count.total


def recomputed_active_parameters(facts: Mapping[str, Any]) -> int | None:
    """Elements one token touches, both embedding matrices among them; None as above."""
    count = _count(facts)
    return None if count is None else count.active


def _count(facts: Mapping[str, Any]) -> ParameterCount | None:
    row = Dimensions(facts)
    try:
        if "components" in facts:
            return _whole(sum(facts["components"].values()))
        if row.facts.get("picture"):
            return _whole(picture_model(row.part("picture")))
        model_type = row.text("model_type")
        if model_type in ENCODERS:
            return _whole(encoder(row))
        if model_type in SPEECH:
            return _whole(speech(row))
        return _language_model(row)
    except (MissingDimension, Problem):
        return None


def _language_model(row: Dimensions) -> ParameterCount | None:
    model_type = row.text("model_type")
    if model_type in families() and row.facts.get("num_experts") is None:
        count = _whole(_dense_decoder(row))
    elif model_type in counted_families():
        count = decoder(row, counted_families()[model_type])
    else:
        return None
    if row.text("kind") == "vlm" or row.facts.get("vision"):
        return count + vision_tower(row.part("vision"), row.whole("hidden_size"))
    return count


def _dense_decoder(row: Dimensions) -> int:
    """Counted as it is sized."""
    config = config_of(dict(row.facts))
    whole = {key: config.get(spellings[0]) for key, spellings in SPELLINGS.items()}
    model_type = row.text("model_type")
    family = families()[model_type]
    return build(row.text("name"), model_type, whole, family, config, "model", row.text("source")).parameters()


@cache
def counted_families() -> Mapping[str, Mapping[str, Any]]:
    """Families beyond the dense decoders by `model_type`, defaults filled in."""
    table = tomllib.loads(resource("architectures", "counted_families.toml").read_text(encoding="utf-8"))
    return {name: {**table["defaults"], **facts} for name, facts in table["family"].items()}


def _whole(elements: int) -> ParameterCount:
    return ParameterCount(elements, elements)
