"""A row of the catalog's model table becomes the decoder that sizing computes with."""

from typing import Any

from desktop.architectures.build import architecture_of
from desktop.architectures.dense import DenseDecoder
from desktop.architectures.families import family_of
from desktop.architectures.hugging_face import checkpoint_format
from desktop.catalog.records import ModelRecord
from desktop.request import Problem

NOT_A_DECODER = {
    "moe_lm": "mixture_of_experts",
    "ssm_hybrid": "state_space",
    "vlm": "vision_language",
    "encoder": "encoder_decoder",
    "cv": "vision",
    "speech": "speech",
    "diffusion": "diffusion",
}


def read_catalog_model(record: ModelRecord, field: str = "model") -> DenseDecoder:
    """Architecture of a catalog model; its element count is held against the published one.

    Raises Problem("unsupported_model") naming the part that cannot be sized yet, or Problem("count_differs") when the
    formula and the published count disagree.
    """
    facts = record.facts
    if record.kind in NOT_A_DECODER:
        raise Problem("unsupported_model", field=field, what=NOT_A_DECODER[record.kind], model_type=record.name)
    if str(facts.get("attention", "")).startswith(("swa", "local")):
        raise Problem("unsupported_model", field=field, what="sliding_window", model_type=record.name)
    if record.model_type == "nemotron-nas":
        raise Problem("unsupported_model", field=field, what="uneven_layers", model_type=record.name)
    config = config_of(facts)
    family_of(config, field)  # says which part cannot be sized yet
    architecture = architecture_of(facts, record.name, field).dense(checkpoint_format(config, field))
    if architecture is None:
        raise Problem("unsupported_model", field=field, what="unknown_family", model_type=record.model_type)
    if record.params_total and record.params_total != architecture.parameters():
        raise Problem(
            "count_differs",
            field=field,
            computed=architecture.parameters(),
            published=record.params_total,
            model_type=record.name,
        )
    return architecture


def config_of(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of a catalog row under the names a config.json uses."""
    biases = str(facts.get("biases", ""))
    return {
        "model_type": facts.get("model_type"),
        "num_hidden_layers": facts.get("num_layers"),
        "hidden_size": facts.get("hidden_size"),
        "intermediate_size": facts.get("intermediate_size"),
        "num_attention_heads": facts.get("num_heads"),
        "num_key_value_heads": facts.get("num_kv_heads"),
        "head_dim": facts.get("head_dim"),
        "vocab_size": facts.get("vocab_size"),
        "max_position_embeddings": facts.get("max_position"),
        "tie_word_embeddings": facts.get("tie_embeddings"),
        "torch_dtype": facts.get("torch_dtype"),
        "quantization_config": facts.get("quantization_config"),
        "kv_lora_rank": facts.get("kv_lora_rank"),
        "num_experts": facts.get("num_experts"),
        "ssm_dims": facts.get("ssm_dims"),
        "attention_bias": "qkv" in biases,
        "mlp_bias": "mlp" in biases,
        "use_qk_norm": bool(facts.get("qk_norm")),
        "new_decoder_architecture": facts.get("model_type") == "falcon" and facts.get("num_kv_heads", 1) > 1,
    }
