"""Files handed in by mistake are known for what they are."""

from typing import Any

import pytest

from desktop.architectures.configs import facts_of_config, kind_of_config, read_adapter, read_pipeline
from desktop.request import Problem

LORA = {
    "base_model_name_or_path": "meta-llama/Llama-3.1-8B",
    "peft_type": "LORA",
    "r": 16,
    "lora_alpha": 32,
    "target_modules": ["q_proj", "v_proj"],
    "task_type": "CAUSAL_LM",
}
FLUX = {
    "_class_name": "FluxPipeline",
    "_diffusers_version": "0.30.0",
    "text_encoder_2": ["transformers", "T5EncoderModel"],
    "transformer": ["diffusers", "FluxTransformer2DModel"],
    "feature_extractor": [None, None],
}


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (LORA, "adapter_config"),
        (FLUX, "diffusion"),
        ({"_class_name": "AutoencoderKL", "sample_size": 1024}, "diffusion"),
        ({"metadata": {"total_size": 1}, "weight_map": {}}, "tensor_index"),
        ({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8"}}, "quantization_only"),
        ({"bits": 4, "group_size": 128, "desc_act": False}, "quantization_only"),
        ({"bos_token_id": 1, "eos_token_id": 2, "transformers_version": "4.44.0"}, "generation_config"),
        ({"do_sample": True, "temperature": 0.6}, "generation_config"),
        ({"tokenizer_class": "LlamaTokenizer", "model_max_length": 4096}, "tokenizer_config"),
        ({"image_processor_type": "Qwen2VLImageProcessor"}, "preprocessor_config"),
    ],
)
def test_other_files_are_named(config: dict[str, Any], kind: str) -> None:
    with pytest.raises(Problem) as raised:
        facts_of_config(config, "model", "some.json")
    assert (raised.value.code, raised.value.values["what"]) == ("unsupported_model", kind)


def test_anything_else_is_no_config() -> None:
    for config in ({}, {"name": "x"}, {"compilerOptions": {}}):
        with pytest.raises(Problem, match="not_a_model_config"):
            facts_of_config(config, "model", "some.json")
    with pytest.raises(Problem, match="missing_model_field"):
        facts_of_config({"hidden_size": 4096, "num_hidden_layers": 32}, "model", "config.json")


def test_a_quantised_model_is_still_a_model() -> None:
    assert kind_of_config({"model_type": "llama", "quantization": {"bits": 4, "group_size": 64}}) == "model"


def test_adapter() -> None:
    adapter = read_adapter(LORA, "adapter_config.json")
    assert (adapter.method, adapter.base_model) == ("lora", "meta-llama/Llama-3.1-8B")
    assert (adapter.rank, adapter.alpha, adapter.modules) == (16, 32, ("q_proj", "v_proj"))
    assert read_adapter({**LORA, "target_modules": "all-linear"}, "x").modules == ("all-linear",)
    with pytest.raises(Problem, match="bad_model_field"):
        read_adapter({**LORA, "r": -1}, "x")


def test_pipeline() -> None:
    assert read_pipeline(FLUX, "model_index.json") == {
        "text_encoder_2": "T5EncoderModel",
        "transformer": "FluxTransformer2DModel",
    }


def test_params_json_of_meta_without_its_vocabulary() -> None:
    """Llama 2: the file says -1."""
    params = {"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-5, "vocab_size": -1}
    with pytest.raises(Problem) as raised:
        facts_of_config(params, "model", "params.json")
    assert (raised.value.code, raised.value.values["name"]) == ("missing_model_field", "vocab_size")
    assert facts_of_config({**params, "vocab_size": 32000}, "m", "p").facts["intermediate_size"] == 11008


@pytest.mark.parametrize(
    ("part", "what"),
    [
        ({"vision_encoder": {"hidden_size": 1024}, "hidden_dim": 14336}, "vision_language"),
        ({"moe_args": {"num_experts": 16}, "multiple_of": 256}, "mixture_of_experts"),
    ],
)
def test_params_json_with_parts_no_formula_counts(part: dict[str, Any], what: str) -> None:
    with pytest.raises(Problem) as raised:
        facts_of_config({"dim": 4096, "n_layers": 2, "n_heads": 32, "vocab_size": 100, **part}, "model", "params.json")
    assert raised.value.values["what"] == what
