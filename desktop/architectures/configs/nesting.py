"""Where in a config its language part stands, and which of its facts stand on the level above."""

from collections.abc import Mapping
from typing import Any

from desktop.architectures.config_fields import Fields
from desktop.architectures.configs.family_habits import habits_of, nested_defaults

LANGUAGE_PARTS = ("text_config", "llm_config", "language_config")
WRAPPERS = ("thinker_config",)  # of the Qwen omni models: the talker answers in sound
ON_EITHER_LEVEL = (
    "vocab_size",
    "tie_word_embeddings",
    "torch_dtype",
    "dtype",
    "quantization_config",
)


def language_part(config: Fields) -> Fields:
    """The fields of the language model: of a nested config with what stands above it, or the config itself.

    What the nested part leaves out is the default of its class and raises the doubt `class_defaults`.
    """
    for wrapper in WRAPPERS:
        inner = config.part(wrapper)
        if inner is not None:
            return language_part(Fields(_lifted(config, inner), inner.field, config.doubts))
    for name in LANGUAGE_PARTS:
        inner = config.part(name)
        if inner is not None:
            values = _lifted(config, inner)
            model_type = str(values.get("model_type") or "")
            if not model_type:
                top = config.text("model_type")
                model_type = str((habits_of(top) or {}).get("facts", top))
            return Fields(with_defaults(values, model_type, config), inner.field, config.doubts)
    return config


def with_defaults(values: Mapping[str, Any], model_type: str, config: Fields) -> dict[str, Any]:
    """A nested part with the defaults of its class where it leaves something out."""
    defaults = nested_defaults(model_type)
    left_out = [name for name in defaults if name not in values]
    if left_out:
        config.doubt("class_defaults")
    return {**{name: defaults[name] for name in left_out}, **values, "model_type": model_type}


def _lifted(config: Fields, inner: Fields) -> dict[str, Any]:
    above = {name: config.values[name] for name in ON_EITHER_LEVEL if config.has(name) and not inner.has(name)}
    return {**inner.values, **above}
