"""What kind of file a JSON configuration is: of a model, or one of those handed in by mistake."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desktop.architectures.config_fields import Fields
from desktop.request import Problem

# what names each kind: the first line that fits decides
SIGNS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    ("adapter_config", (("peft_type",), ("lora_alpha",))),
    ("tensor_index", (("weight_map",),)),
    ("diffusion", (("_class_name", "_diffusers_version"), ("_class_name",))),
    ("mistral_params", (("dim", "n_layers", "hidden_dim"), ("dim", "n_layers", "moe"))),
    ("meta_params", (("dim", "n_layers", "n_heads"),)),
    ("model", (("model_type",), ("text_config",), ("llm_config",), ("language_config",))),
    ("quantization_only", (("quantization",), ("quant_method",), ("bits", "group_size"), ("quant_algo",))),
    ("tokenizer_config", (("tokenizer_class",), ("added_tokens_decoder",), ("chat_template",))),
    ("preprocessor_config", (("image_processor_type",), ("feature_extractor_type",), ("processor_class",))),
    ("generation_config", (("eos_token_id", "transformers_version"), ("max_new_tokens",), ("do_sample",))),
)
UNTYPED_MODEL = ("hidden_size", "n_embd", "d_model", "num_hidden_layers", "n_layer")


@dataclass(frozen=True, slots=True)
class AdapterConfig:
    """A LoRA or another adapter: what it is laid over, its rank, and the modules it changes."""

    method: str
    base_model: str
    rank: int | None
    alpha: int | None
    modules: tuple[str, ...]


def kind_of_config(config: Mapping[str, Any]) -> str:
    """Code of the kind: model, mistral_params, meta_params, adapter_config, diffusion, tensor_index,
    quantization_only, tokenizer_config, preprocessor_config, generation_config; empty where nothing fits.

    >>> kind_of_config({"peft_type": "LORA", "r": 16}), kind_of_config({"weight_map": {}})
    ('adapter_config', 'tensor_index')
    """
    for kind, signs in SIGNS:
        if any(all(name in config for name in names) for names in signs):
            return kind
    return "model" if any(name in config for name in UNTYPED_MODEL) else ""


def refuse_other_files(config: Mapping[str, Any], field: str) -> str:
    """Kind of a config that describes a model. Raises Problem: unsupported_model (naming what the file is),
    not_a_model_config."""
    kind = kind_of_config(config)
    if kind in ("model", "mistral_params", "meta_params"):
        return kind
    if not kind:
        raise Problem("not_a_model_config", field=field)
    raise Problem("unsupported_model", field=field, what=kind, model_type=str(config.get("_class_name") or ""))


def read_adapter(config: Mapping[str, Any], field: str) -> AdapterConfig:
    """The adapter an adapter_config.json describes. Raises Problem: not_a_model_config, bad_model_field."""
    if kind_of_config(config) != "adapter_config":
        raise Problem("not_a_model_config", field=field)
    fields = Fields(config, field)
    targets = config.get("target_modules")
    return AdapterConfig(
        method=fields.text("peft_type").lower(),
        base_model=fields.text("base_model_name_or_path"),
        rank=fields.whole("r", within=(1, 65_536)),
        alpha=fields.whole("lora_alpha", within=(0, 1_048_576)),
        modules=tuple(str(name) for name in targets)
        if isinstance(targets, list)
        else (targets,)
        if isinstance(targets, str)
        else (),
    )


def read_pipeline(config: Mapping[str, Any], field: str) -> dict[str, str]:
    """Parts of a diffusers model_index.json by name, each with its class. Raises Problem("not_a_model_config").

    >>> read_pipeline({"_class_name": "FluxPipeline", "vae": ["diffusers", "AutoencoderKL"], "scale": 1.0}, "x")
    {'vae': 'AutoencoderKL'}
    """
    if kind_of_config(config) != "diffusion":
        raise Problem("not_a_model_config", field=field)
    parts = {name: value for name, value in config.items() if isinstance(value, list) and len(value) == 2}
    return {name: value[1] for name, value in parts.items() if all(isinstance(word, str) for word in value)}
