"""A config.json or params.json of any family becomes the facts of a catalog row, with what is doubtful about them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop.architectures.config_fields import Fields
from desktop.architectures.configs.decoders import decoder_facts
from desktop.architectures.configs.encoders import ENCODERS, encoder_facts
from desktop.architectures.configs.family_habits import Habits, check_assumptions, habits_of
from desktop.architectures.configs.file_kinds import refuse_other_files
from desktop.architectures.configs.nesting import language_part
from desktop.architectures.configs.original_params import meta_facts, mistral_facts
from desktop.architectures.configs.unknown_family import resembling
from desktop.architectures.configs.vision import vision_facts
from desktop.architectures.quantization import Quantization, read_quantization
from desktop.request import Problem
from desktop.request.strict_json import parse_noting

DTYPES = ("float32", "float16", "bfloat16")
VISION_FIELDS = ("vision_config", "vision_tower", "mm_vision_tower", "visual", "vision_encoder")
SOUND_FIELDS = ("audio_config", "speech_config", "audio_processor", "talker_config")


@dataclass(frozen=True, slots=True)
class ConfigFacts:
    """Facts under the names of the catalog's model table, the quantisation the config states, and codes of what the
    config leaves in doubt."""

    facts: dict[str, Any]
    quantization: Quantization | None
    doubts: tuple[str, ...]


def read_config_text(data: bytes, name: str, field: str) -> ConfigFacts:
    """Facts of the bytes of a configuration file. Raises Problem: bad_json, not_a_model_config, and those of
    `facts_of_config`."""
    config, noted = parse_noting(data, field)
    if not isinstance(config, dict):
        raise Problem("not_a_model_config", field=field)
    found = facts_of_config(config, name, field)
    return ConfigFacts(found.facts, found.quantization, noted + found.doubts)


def facts_of_config(config: Mapping[str, Any], name: str, field: str) -> ConfigFacts:
    """Facts of a configuration given as a mapping; `field` prefixes the field names of problems.

    Raises Problem: unsupported_model (with `what`), missing_model_field, bad_model_field, not_a_model_config.
    """
    kind = refuse_other_files(config, field)
    doubts: list[str] = []
    top = Fields(config, field, doubts)
    if kind == "model":
        part, facts = _model_facts(top)
    else:
        part, facts = top, mistral_facts(top) if kind == "mistral_params" else meta_facts(top)
    facts = {"name": name, **facts, "torch_dtype": _dtype(part), "source": field}
    facts["kind"] = facts.get("kind") or _kind(facts)
    scheme = part.part("quantization_config") or top.part("quantization_config") or top.part("quantization")
    quantization = None if scheme is None else read_quantization(scheme.values, scheme.field, part.values)
    if scheme is not None:
        facts["quantization_config"] = dict(scheme.values)
    if facts["torch_dtype"] is None and quantization is None:
        doubts.append("dtype_not_stated")
    doubts += quantization.doubts if quantization else ()
    return ConfigFacts(facts, quantization, tuple(dict.fromkeys(doubts)))


def _model_facts(top: Fields) -> tuple[Fields, dict[str, Any]]:
    """The part that describes the language model, and its facts with those of the vision part."""
    if top.has("decoder") and top.has("encoder"):
        raise Problem("unsupported_model", field=top.field, what="encoder_decoder", model_type=top.text("model_type"))
    part = language_part(top)
    model_type = part.text("model_type")
    if not model_type:
        raise top.missing("model_type")
    habits = habits_of(model_type)
    if habits is None:
        model_type, habits = resembling(part)
    check_assumptions(part, habits, model_type)
    formula = str(habits.get("facts", model_type))
    if formula in ENCODERS:
        return part, {"model_type": formula, **encoder_facts(part, formula)}
    if part.yes("is_encoder_decoder"):
        raise Problem("unsupported_model", field=part.field, what="encoder_decoder", model_type=model_type)
    return part, _with_vision(top, part, decoder_facts(part, habits, formula))


def _with_vision(top: Fields, part: Fields, facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with the vision part. A part that sees or hears and is not described leaves the model uncounted."""
    habits: Habits = habits_of(top.text("model_type")) or {}
    tower = habits.get("tower")
    hears = any(_filled(fields, name) for fields in (top, part) for name in SOUND_FIELDS)
    sees = tower is not None or any(_filled(top, name) for name in VISION_FIELDS)
    if not sees and not hears:
        return facts
    if top is not part:
        check_assumptions(top, habits, top.text("model_type"))
    facts = {**facts, "kind": "vlm"}
    if hears:
        top.doubt("sound_not_described")
    elif tower is None or not _filled(top, "vision_config"):
        top.doubt("vision_not_described")
    else:
        facts["dimensions"] = {**facts["dimensions"], "vision": vision_facts(top, str(tower))}
    return facts


def _filled(fields: Fields, name: str) -> bool:
    return fields.values.get(name) not in (None, {}, [], "")


def _dtype(fields: Fields) -> str | None:
    """What the weights are stored in where they are not quantised; None for `auto` or where nothing is said."""
    stated = fields.values.get("torch_dtype") or fields.values.get("dtype")
    dtype = str(stated or "auto").removeprefix("torch.")
    if dtype == "auto":
        return None
    if dtype not in DTYPES:
        raise fields.bad("torch_dtype", dtype, "unknown_dtype")
    return dtype


def _kind(facts: Mapping[str, Any]) -> str:
    if facts.get("ssm_dims") or facts.get("attention", "").startswith("none("):
        return "ssm_hybrid"
    return "moe_lm" if facts.get("num_experts") else "decoder_lm"
