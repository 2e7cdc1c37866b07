"""The families of `resources/architectures/dense_decoders.toml`, and why a model outside them cannot be sized."""

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from desktop.request import Problem
from desktop.resources import resource


@cache
def families() -> Mapping[str, Mapping[str, Any]]:
    """Family facts by `model_type`, defaults filled in."""
    table = tomllib.loads(resource("architectures", "dense_decoders.toml").read_text(encoding="utf-8"))
    return {name: {**table["defaults"], **facts} for name, facts in table["family"].items()}


def family_of(facts: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    """Family of a model whose facts are given under the names of a Hugging Face config.

    Raises Problem("unsupported_model") that names what is missing: `what` is the part that cannot be sized yet.
    """
    what = foreign_part(facts)
    if what:
        raise Problem("unsupported_model", field=field, what=what, model_type=str(facts.get("model_type", "")))
    model_type = facts.get("model_type")
    if not isinstance(model_type, str):
        raise Problem("missing_model_field", field=f"{field}.model_type", name="model_type")
    if model_type not in families():
        raise Problem("unsupported_model", field=field, what="unknown_family", model_type=model_type)
    return families()[model_type]


def foreign_part(facts: Mapping[str, Any]) -> str:
    """Code of the first part that is not a dense decoder's; empty when there is none."""
    present = {name for name, value in facts.items() if value not in (None, False, 0, "", [], {})}
    if present & {"peft_type", "lora_alpha"}:
        return "adapter_config"
    if present & {"_class_name", "components"}:
        return "diffusion"
    if present & {"text_config", "llm_config", "language_config", "thinker_config", "vision_config"}:
        return "vision_language"
    if "is_encoder_decoder" in present or present & {"encoder", "decoder", "encoder_layers"}:
        return "encoder_decoder"
    experts = ("num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts")
    if any(name in present and facts[name] != 1 for name in experts) or "ffn_config" in present:
        return "mixture_of_experts"
    if "kv_lora_rank" in present:
        return "latent_attention"
    states = {
        "ssm_dims",
        "ssm_cfg",
        "mamba_d_state",
        "linear_num_value_heads",
        "linear_attn_config",
        "layers_block_type",
        "hybrid_override_pattern",
        "attn_layer_period",
    }
    if present & states:
        return "state_space"
    kinds = facts.get("layer_types") or []
    if not isinstance(kinds, list) or any(kind != "full_attention" for kind in kinds):
        return "sliding_window"
    if "attention_chunk_size" in present:
        return "chunked_attention"
    window, context = facts.get("sliding_window"), facts.get("max_position_embeddings") or 0
    whole = isinstance(window, int) and isinstance(context, int)
    if window and facts.get("use_sliding_window", True) and not (whole and window >= context):
        return "sliding_window"
    if "block_configs" in present or any(
        isinstance(facts.get(name), list) for name in ("num_key_value_heads", "intermediate_size")
    ):
        return "uneven_layers"
    return ""
