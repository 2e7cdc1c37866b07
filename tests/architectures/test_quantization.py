"""Every form of a quantisation config, as published checkpoints write them."""

import json
from typing import Any

import pytest

from desktop.architectures.configs import facts_of_config
from desktop.architectures.module_patterns import ModulePatterns
from desktop.architectures.quantization import Quantization, read_hf_quant_config, read_quantization
from desktop.request import Problem

NVFP4 = {"dynamic": False, "num_bits": 4, "type": "float", "group_size": 16}
INT4 = {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 32, "symmetric": True}


def read(scheme: dict[str, Any], model: dict[str, Any] | None = None) -> Quantization:
    return read_quantization(scheme, "quantization_config", model)


def grouped(weights: dict[str, Any], form: str, inputs: dict[str, Any] | None = None) -> dict[str, Any]:
    group = {"targets": ["Linear"], "weights": weights, "input_activations": inputs}
    return {"quant_method": "compressed-tensors", "format": form, "config_groups": {"group_0": group}}


@pytest.mark.parametrize(
    ("scheme", "word", "bits", "group"),
    [
        # PyPI aiconfigurator-core==0.12.0, model_configs: DeepSeek-V3, gpt-oss, GLM-5.1-NVFP4, Kimi-K2.5, Kimi-K3
        ({"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]}, "fp8-block", 8, None),
        ({"quant_method": "mxfp4", "modules_to_not_convert": ["lm_head"]}, "mxfp4", 4, 32),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4", "config_groups": {}}, "nvfp4", 4, 16),
        (grouped(INT4, "pack-quantized"), "gptq-int4", 4, 32),
        (grouped({"num_bits": 4, "type": "float", "group_size": 32}, "mxfp4-pack-quantized"), "mxfp4", 4, 32),
        # Qwen3-32B-FP8-Static-PerTensor: no method, only an algorithm
        ({"quant_algo": "FP8", "kv_cache_scheme": "FP8", "ignore": ["lm_head"]}, "fp8", 8, None),
        # other forms by the fields their libraries write
        (grouped(NVFP4, "nvfp4-pack-quantized", NVFP4), "nvfp4", 4, 16),
        (grouped({"num_bits": 8, "type": "float"}, "float-quantized", {"dynamic": True}), "fp8", 8, None),
        (grouped({"num_bits": 8, "type": "float"}, "naive-quantized"), "fp8-weight-only", 8, None),
        (grouped({"num_bits": 8, "type": "int"}, "int-quantized", {"dynamic": True}), "w8a8", 8, None),
        (grouped({"num_bits": 8, "type": "int", "group_size": 128}, "pack-quantized"), "gptq-int8", 8, 128),
        ({"quant_method": "fbgemm_fp8", "modules_to_not_convert": ["lm_head"]}, "fp8", 8, None),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": True, "sym": True}, "gptq-int4", 4, 128),
        ({"quant_method": "gptq", "bits": 8, "group_size": -1, "checkpoint_format": "gptq"}, "gptq-int8", 8, None),
        ({"bits": 4, "group_size": 128, "desc_act": False}, "gptq-int4", 4, 128),  # quantize_config.json
        ({"quant_method": "gptq", "bits": 3, "group_size": 128}, None, 3, 128),
        ({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}, "awq-int4", 4, 128),
        ({"quant_method": "awq", "w_bit": 4, "q_group_size": 64, "version": "gemm"}, "awq-int4", 4, 64),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8", 8, None),
        ({"_load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}, "nf4", 4, 64),
        (
            {"load_in_4bit": True, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": True},
            "nf4-dq",
            4,
            64,
        ),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "fp4"}, None, 4, 64),
        (
            {"quant_method": "auto-round", "bits": 4, "group_size": 128, "packing_format": "auto_round:auto_gptq"},
            "gptq-int4",
            4,
            128,
        ),
        ({"group_size": 64, "bits": 4}, None, 4, 64),  # MLX
    ],
)
def test_forms(scheme: dict[str, Any], word: str | None, bits: int, group: int | None) -> None:
    found = read(scheme)
    assert found.weights is not None
    assert (found.checkpoint_format, found.weights.bits, found.weights.group_size) == (word, bits, group)


def test_details_of_a_layout() -> None:
    block = read({"quant_method": "fp8", "weight_block_size": [128, 64], "scale_fmt": "ue8m0"}).weights
    assert block is not None and (block.block, block.scale_type) == ((128, 64), "e8m0")
    awq = read({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}).weights
    assert awq is not None and awq.zero_points and not awq.symmetric
    column = read({"quant_method": "gptq", "bits": 4, "group_size": -1, "sym": False}).weights
    assert column is not None and column.per_row and column.reordered and not column.symmetric
    nvfp4 = read({"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"})
    assert nvfp4.weights is not None and nvfp4.weights.tensor_scale and nvfp4.kv_cache == "fp8"
    cached = read({"quant_algo": "NVFP4", "kv_cache_scheme": {"dynamic": False, "num_bits": 8, "type": "float"}})
    assert cached.kv_cache == "fp8"
    assert read({"quant_method": "fp8", "activation_scheme": "static"}).activations == "static"


@pytest.mark.parametrize(
    "method",
    [
        "aqlm",
        "bitnet",
        "eetq",
        "fouroversix",
        "fp_quant",
        "higgs",
        "hqq",
        "metal",
        "quanto",
        "quark",
        "sinq",
        "spqr",
        "torchao",
        "vptq",
        "own",
    ],
)
def test_methods_whose_layout_is_not_known_are_named(method: str) -> None:
    with pytest.raises(Problem) as raised:
        read({"quant_method": method, "bits": 4})
    assert (raised.value.values["what"], raised.value.values["model_type"]) == ("quantization", method)


@pytest.mark.parametrize(
    "scheme",
    [
        {},
        {"quant_algo": "W3A3"},
        {"quant_method": "bitsandbytes"},
        {"quant_method": "auto-round", "bits": 4, "group_size": 128},
        grouped({"num_bits": 6, "type": "float"}, "float-quantized"),
        {"quant_method": "compressed-tensors", "config_groups": {}},
        {"quant_method": "gptq", "bits": True},
        {"quant_method": "gptq", "bits": 4, "group_size": 0},
        {"quant_method": "fp8", "weight_block_size": [128]},
        {"quant_algo": "MIXED_PRECISION"},
        {"quant_algo": "MIXED_PRECISION", "quantized_layers": {"a": 1}},
    ],
)
def test_broken_schemes(scheme: dict[str, Any]) -> None:
    with pytest.raises(Problem):
        read(scheme)


def test_a_separate_file() -> None:
    """nvidia/Llama-3.1-70B-Instruct-FP8: the config says nothing, hf_quant_config.json does."""
    document = {
        "producer": {"name": "modelopt", "version": "0.23.0"},
        "quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]},
    }
    found = read_hf_quant_config(document, "hf_quant_config.json")
    assert (found.checkpoint_format, found.kv_cache, found.ignored) == ("fp8", "fp8", ("lm_head",))
    assert found.format_of("lm_head") is None
    assert found.format_of("model.layers.0.mlp.up_proj") is found.weights
    with pytest.raises(Problem, match="missing_model_field"):
        read_hf_quant_config({}, "hf_quant_config.json")


def test_mixed_layers() -> None:
    """nvidia/MiniMax-M3-NVFP4: MXFP8 outside the experts, NVFP4 in them; experts of a layer are told once."""
    layers: dict[str, Any] = {"model.layers.0.self_attn.q_proj": {"quant_algo": "MXFP8"}}
    layers |= {
        f"model.layers.3.mlp.experts.{number}.up_proj": {"quant_algo": "NVFP4", "group_size": 16} for number in range(8)
    }
    found = read({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": layers})
    assert [name for name, _ in found.layers] == [
        "model.layers.0.self_attn.q_proj",
        "model.layers.3.mlp.experts.*.up_proj",
    ]
    expert, query = found.format_of("model.layers.3.mlp.experts.5.up_proj"), found.format_of(found.layers[0][0])
    assert expert is not None and (expert.scheme, expert.bits) == ("nvfp4", 4)
    assert query is not None and (query.scheme, query.bits, query.scale_type) == (None, 8, "e8m0")
    assert found.format_of("model.layers.0.self_attn.k_proj") is None
    assert found.checkpoint_format is None
    layers["model.layers.3.mlp.experts.0.up_proj"] = {"quant_algo": "FP8"}
    apart = read({"quant_algo": "MIXED_PRECISION", "quantized_layers": layers})
    assert len(apart.layers) == 9


def test_experts_of_another_type_than_the_rest() -> None:
    """DeepSeek-V4: FP8 blocks, routed experts in FP4, which the model says and not its quantisation."""
    scheme = {"quant_method": "fp8", "weight_block_size": [128, 128], "scale_fmt": "ue8m0"}
    found = read(scheme, {"expert_dtype": "fp4"})
    routed, shared = found.format_of("layers.4.ffn.experts.9.w1"), found.format_of("layers.4.ffn.shared_experts.w1")
    assert routed is not None and routed.scheme == "mxfp4"
    assert shared is not None and shared.scheme == "fp8-block"


@pytest.mark.parametrize(
    ("pattern", "module", "named"),
    [
        ("lm_head", "lm_head", True),
        ("lm_head", "language_model.lm_head", True),
        ("gate", "model.layers.0.block_sparse_moe.gate", True),
        ("gate", "model.layers.0.mlp.gate_proj", False),
        ("model.layers.1", "model.layers.1.mlp.up_proj", True),
        ("model.layers.1", "model.layers.10.mlp.up_proj", False),
        ("model.layers.*.self_attn", "model.layers.7.self_attn.q_proj", True),
        ("model.layers.*.mlp.router", "model.layers.7.mlp.experts", False),
        ("*.attn.*", "layers.0.attn.wq_a", True),
        ("*.ffn.shared_experts.*", "layers.0.ffn.experts.3.w1", False),
        ("model.layers.0*", "model.layers.0.mlp.up_proj", True),
        ("re:.*self_attn.*", "model.layers.0.self_attn.q_proj", True),
        (r"re:.*mlp\.(gate|up|gate_up|down)_proj.*", "model.layers.0.mlp.down_proj", True),
        (r"re:.*mlp\.(gate|up|gate_up|down)_proj.*", "model.layers.0.mlp.experts.0.down_proj", False),
        ("mlp.experts.*", "model.layers.0.mlp.experts.12", True),
    ],
)
def test_patterns(pattern: str, module: str, named: bool) -> None:
    assert bool(ModulePatterns([(pattern, True)]).find(module)) is named


@pytest.mark.parametrize(
    "pattern", ["re:(a+)+$", "re:(", "re:" + ".*a" * 9, "re:" + "a" * 400, r"re:(\w*)*x", "re:a{9}"]
)
def test_an_expression_that_could_run_without_end_is_not_run(pattern: str) -> None:
    patterns = ModulePatterns([(pattern, True)])
    assert patterns.unread == [pattern] and patterns.find("a" * 5000) is None
    assert read({"quant_method": "fp8", "ignore": [pattern]}).doubts == ("unread_pattern",)


def test_a_config_carries_its_quantisation_on_either_level() -> None:
    model = {
        "model_type": "llama",
        "hidden_size": 64,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "vocab_size": 10,
    }
    scheme = {"quant_method": "fp8", "weight_block_size": [128, 128]}
    for config in (
        {**model, "quantization_config": scheme},
        {"model_type": "x", "text_config": {**model, "quantization_config": scheme}},
        {"model_type": "x", "text_config": model, "quantization_config": scheme},
    ):
        found = facts_of_config(json.loads(json.dumps(config)), "model", "config.json")
        assert found.quantization is not None and found.quantization.checkpoint_format == "fp8-block"
        assert found.facts["quantization_config"] == scheme
    mlx = facts_of_config({**model, "quantization": {"group_size": 64, "bits": 4}}, "model", "config.json")
    assert mlx.quantization is not None and mlx.quantization.method == "mlx"
