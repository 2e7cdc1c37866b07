"""A config.json becomes an architecture, or one sentence about what is missing."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.architectures import inspect_path, read_config, read_config_file
from desktop.request import Problem

# facts of the published config.json of meta-llama/Llama-3.1-70B
LLAMA_70B: dict[str, Any] = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "attention_bias": False,
    "mlp_bias": False,
    "hidden_act": "silu",
    "hidden_size": 8192,
    "intermediate_size": 28672,
    "max_position_embeddings": 131072,
    "num_attention_heads": 64,
    "num_hidden_layers": 80,
    "num_key_value_heads": 8,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "vocab_size": 128256,
}
# Qwen/Qwen2.5-72B-Instruct: a window is stated but switched off
QWEN_72B: dict[str, Any] = {
    "model_type": "qwen2",
    "hidden_size": 8192,
    "intermediate_size": 29568,
    "max_position_embeddings": 32768,
    "max_window_layers": 70,
    "num_attention_heads": 64,
    "num_hidden_layers": 80,
    "num_key_value_heads": 8,
    "sliding_window": 131072,
    "use_sliding_window": False,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "vocab_size": 152064,
}


@pytest.mark.parametrize(("config", "parameters"), [(LLAMA_70B, 70_553_706_496), (QWEN_72B, 72_706_203_648)])
def test_counts_from_config(config: dict[str, Any], parameters: int) -> None:
    assert read_config(config, "model").parameters() == parameters


def test_head_dim_that_is_not_hidden_over_heads() -> None:
    """Qwen3-0.6B: hidden 1024, 16 heads, head_dim 128; 596,049,920 elements (its safetensors hold the tied head once
    more)."""
    config = {
        "model_type": "qwen3",
        "hidden_size": 1024,
        "intermediate_size": 3072,
        "num_attention_heads": 16,
        "head_dim": 128,
        "num_hidden_layers": 28,
        "num_key_value_heads": 8,
        "tie_word_embeddings": True,
        "vocab_size": 151936,
        "max_position_embeddings": 40960,
    }
    architecture = read_config(config, "Qwen3-0.6B")
    assert architecture.head_dim == 128
    assert architecture.parameters() == 596_049_920


def test_old_spellings_of_gpt2() -> None:
    """GPT-2: 124,439,808 elements."""
    config = {
        "model_type": "gpt2",
        "n_embd": 768,
        "n_layer": 12,
        "n_head": 12,
        "n_positions": 1024,
        "vocab_size": 50257,
    }
    assert read_config(config, "gpt2").parameters() == 124_439_808


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"model_type": "mixtral", "num_local_experts": 8}, "mixture_of_experts"),
        ({"model_type": "deepseek_v3", "kv_lora_rank": 512}, "latent_attention"),
        ({"model_type": "mistral", "sliding_window": 4096}, "sliding_window"),
        ({"layer_types": ["full_attention", "sliding_attention"]}, "sliding_window"),
        ({"layer_types": ["linear_attention"] * 80}, "sliding_window"),
        ({"model_type": "gemma3", "text_config": {"hidden_size": 1}}, "vision_language"),
        ({"model_type": "t5", "is_encoder_decoder": True}, "encoder_decoder"),
        ({"peft_type": "LORA"}, "adapter_config"),
        ({"model_type": "brand_new"}, "unknown_family"),
        ({"quantization_config": {"quant_method": "aqlm"}}, "quantization"),
    ],
)
def test_what_cannot_be_sized_is_named(change: dict[str, Any], what: str) -> None:
    with pytest.raises(Problem) as raised:
        read_config({**LLAMA_70B, **change}, "model")
    assert raised.value.code == "unsupported_model"
    assert raised.value.values["what"] == what


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"num_hidden_layers": -80}, "num_hidden_layers", "out_of_range"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers", "out_of_range"),
        ({"hidden_size": "8192"}, "hidden_size", "not_whole"),
        ({"hidden_size": True}, "hidden_size", "not_whole"),
        ({"vocab_size": 1.5}, "vocab_size", "not_whole"),
        ({"num_key_value_heads": 7}, "num_key_value_heads", "heads_not_divisible"),
        ({"num_attention_heads": 60, "num_key_value_heads": 6}, "num_attention_heads", "hidden_not_divisible"),
    ],
)
def test_impossible_figures_name_their_field(change: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(Problem) as raised:
        read_config({**LLAMA_70B, **change}, "model", "config.json")
    assert (raised.value.code, raised.value.field) == ("bad_model_field", f"config.json.{field}")
    assert raised.value.values["reason"] == reason


def test_a_missing_figure_is_not_guessed() -> None:
    config = {name: value for name, value in LLAMA_70B.items() if name != "intermediate_size"}
    with pytest.raises(Problem) as raised:
        read_config(config, "model", "config.json")
    assert (raised.value.code, raised.value.field) == ("missing_model_field", "config.json.intermediate_size")


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (None, "bf16"),
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, "fp8-block"),
        ({"quant_method": "gptq", "bits": 4}, "gptq-int4"),
        ({"quant_method": "awq", "bits": 4}, "awq-int4"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_use_double_quant": True}, "nf4-dq"),
    ],
)
def test_checkpoint_format(scheme: dict[str, Any] | None, expected: str) -> None:
    assert read_config({**LLAMA_70B, "quantization_config": scheme}, "model").checkpoint_format == expected


@pytest.mark.parametrize(
    ("content", "code", "reason"),
    [
        (b"{broken", "bad_json", "syntax"),
        (b"[1, 2]", "not_a_model_config", None),
        (b'{"hidden_size": NaN}', "bad_json", "not_finite"),
        (b'{"hidden_size": 1e999}', "bad_json", "not_finite"),
        (b'{"a": 1, "a": 2}', "bad_json", "duplicate_key"),
        (b'{"a": 111111111111111111111111}', "bad_json", "number_too_long"),
        ("{}".encode("utf-16"), "bad_json", "encoding"),
        (b"[" * 200_000, "bad_json", "too_deep"),
    ],
)
def test_broken_files(tmp_path: Path, content: bytes, code: str, reason: str | None) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(Problem) as raised:
        read_config_file(path)
    assert (raised.value.code, raised.value.field) == (code, "config.json")
    assert raised.value.values.get("reason") == reason


def test_missing_and_oversized_files(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="file_missing"):
        read_config_file(tmp_path / "config.json")
    huge = tmp_path / "huge.json"
    huge.write_bytes(b" " * (4 * 2**20 + 1))
    with pytest.raises(Problem, match="file_too_large"):
        read_config_file(huge)


def test_inspection_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_70B), encoding="utf-8-sig")
    found = inspect_path(tmp_path)
    assert found.parameters == found.active_parameters == 70_553_706_496
    assert found.kv_bytes_per_token == 327_680  # 80 layers x 8 heads x 128 x (2 + 2) B
