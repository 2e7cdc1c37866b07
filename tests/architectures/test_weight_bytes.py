"""Bytes by class of module against what published checkpoints hold, to the element and to the byte."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.architectures.architecture import Architecture
from desktop.architectures.build import architecture_of
from desktop.architectures.configs import facts_of_config
from desktop.architectures.quantization import Quantization, read_quantization
from desktop.architectures.quantization_formats import LayerFormat
from desktop.architectures.stored_matrix import layout_of_format, stored_matrix
from desktop.architectures.weight_bytes import (
    DRAFT_CLASSES,
    ModuleClass,
    bytes_per_gpu,
    classes_of_architecture,
    quantized_on_load,
    weight_doubts,
)
from desktop.catalog import Catalog
from desktop.catalog.calibration import load_calibration
from desktop.sizing.weights import matrix_bytes
from tests.architectures.files.test_stored_weights import BYTES, INPUTS, OUTPUTS, PACKINGS

LINES = Path(__file__).parent.joinpath("configs", "published_configs.jsonl").read_text(encoding="utf-8").splitlines()
CONFIGS: dict[str, dict[str, Any]] = {line["name"]: line["config"] for line in map(json.loads, LINES)}
GIB = 2**30

FP8_BLOCKS = {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128], "activation_scheme": "dynamic"}
AWQ = {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True, "version": "gemm"}
GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": True, "desc_act": False}
NF4 = {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}
FP8_ROWS = {
    "quant_method": "compressed-tensors",
    "format": "float-quantized",
    "config_groups": {
        "group_0": {
            "targets": ["Linear"],
            "weights": {"num_bits": 8, "type": "float", "strategy": "channel", "symmetric": True},
            "input_activations": {"num_bits": 8, "type": "float", "dynamic": True},
        }
    },
    "ignore": ["lm_head"],
}


def configured(name: str, **changes: Any) -> tuple[Architecture, Quantization | None]:
    found = facts_of_config({**CONFIGS[name], **changes}, name, "config.json")
    return architecture_of(found.facts, name), found.quantization


def cataloged(catalog: Catalog, name: str) -> Architecture:
    row = next(model for model in catalog.models if model.name == name).facts
    return architecture_of({**row, **(row.get("dimensions") or {})}, name)


def scheme(values: dict[str, Any]) -> Quantization:
    return read_quantization(values, "quantization_config")


def stored(classes: tuple[ModuleClass, ...], *without: str) -> int:
    return sum(part.stored_elements for part in classes if part.name not in without)


def total(classes: tuple[ModuleClass, ...]) -> int:
    return sum(part.bytes for part in classes)


def of_class(classes: tuple[ModuleClass, ...], name: str) -> dict[str, ModuleClass]:
    return {part.format: part for part in classes if part.name == name}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # total_size of model.safetensors.index.json of the repositories on the Hub
        ("BLOOM-176B", 352_494_542_848),
        ("Qwen2-7B", 15_231_233_024),
        ("Falcon-7B", 13_843_441_408),  # lists a head that is the embedding and leaves its bytes out
    ],
)
def test_checkpoints_of_16_bit(catalog: Catalog, name: str, expected: int) -> None:
    classes = classes_of_architecture(cataloged(catalog, name), "bfloat16")
    assert total(classes) == expected
    assert {part.format for part in classes} == {"bf16"} and not any(part.scale_bytes for part in classes)


def test_every_language_row_is_counted_once(catalog: Catalog) -> None:
    """The classes share out the elements of the architecture and lose none."""
    for model in catalog.models:
        row = {**model.facts, **(model.facts.get("dimensions") or {})}
        if model.facts.get("completeness") == "partial":
            continue
        architecture = architecture_of(row, model.name)
        classes = classes_of_architecture(architecture, "bf16")
        drafted = sum(part.elements for part in classes if part.name == "draft")
        served = sum(part.elements for part in classes if part.name not in DRAFT_CLASSES)
        assert served == architecture.parameters(), model.name
        assert drafted == (architecture.draft.elements() if architecture.draft else 0), model.name


def test_deepseek_v3_to_the_element() -> None:
    """Hub, safetensors parameters of deepseek-ai/DeepSeek-V3: BF16 3,918,786,560, F8_E4M3 680,571,043,840,
    F32 41,555,600, together 684,531,386,000: the model of 671,026,419,200, a draft layer with copies of embedding and
    head of 13,463,426,304, and 41,540,496 scales of tiles of 128 x 128."""
    architecture, quantization = configured("DeepSeek-V3", quantization_config=FP8_BLOCKS)
    classes = classes_of_architecture(architecture, "bfloat16", quantization)
    elements: dict[str, int] = {}
    for part in classes:
        elements[part.format] = elements.get(part.format, 0) + part.elements
    scales = sum(part.scale_bytes for part in classes) // 4
    assert scales == 41_540_496
    assert elements == {"bf16": 3_918_786_560, "fp8-block": 680_571_043_840, "fp32": 41_555_600 - scales}
    assert stored(classes) == 684_531_386_000
    assert sum(part.elements for part in classes if part.name not in DRAFT_CLASSES) == 671_026_419_200
    assert sum(part.elements for part in classes if part.name in DRAFT_CLASSES) == 13_463_426_304
    assert set(of_class(classes, "router")) == {"bf16", "fp32"}  # the balancing bias is wide


@pytest.mark.parametrize(
    ("name", "quantization", "expected"),
    [
        # element counts the Hub reports, PyPI llmfit==1.1.17; quantisation configs, PyPI aiconfigurator-core==0.12.0
        ("Qwen3-30B-A3B", {**FP8_BLOCKS, "modules_to_not_convert": ["lm_head"]}, 30_533_947_392),
        ("MiniMax-M2.5", {**FP8_BLOCKS, "modules_to_not_convert": ["gate", "lm_head"]}, 228_703_644_928),
        ("Qwen2.5-72B", FP8_ROWS, 72_713_064_448),
    ],
)
def test_elements_of_fp8_checkpoints(name: str, quantization: dict[str, Any], expected: int) -> None:
    architecture, read = configured(name, quantization_config=quantization)
    assert stored(classes_of_architecture(architecture, "bfloat16", read), *DRAFT_CLASSES) == expected


def test_the_indexer_of_deepseek_v32() -> None:
    """deepseek-ai/DeepSeek-V3.2-Exp, 685,396,921,376 elements on the Hub; weights_proj has no scale."""
    architecture, quantization = configured("DeepSeek-V3.2", quantization_config=FP8_BLOCKS)
    assert stored(classes_of_architecture(architecture, "bfloat16", quantization)) == 685_396_921_376


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # FP8-dynamic of RedHatAI: a scale for each output row; PyPI llmfit==1.1.17
        ("Llama-3.1-8B", 8_031_637_504),
        ("Llama-3.1-70B", 70_560_423_936),
        ("Qwen3-8B", 8_192_136_192),
        ("Qwen2.5-7B", 7_617_007_104),
    ],
)
def test_elements_with_a_scale_for_each_row(catalog: Catalog, name: str, expected: int) -> None:
    assert stored(classes_of_architecture(cataloged(catalog, name), "bf16", scheme(FP8_ROWS))) == expected


def test_gpt_oss_keeps_all_but_its_experts(catalog: Catalog) -> None:
    """tensor bytes of openai/gpt-oss-20b and gpt-oss-120b by their indices: 13,761,264,768 and 65,248,815,744."""
    kept = ["model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]
    mxfp4 = scheme({"quant_method": "mxfp4", "modules_to_not_convert": kept})
    small = classes_of_architecture(cataloged(catalog, "gpt-oss-20b"), "bf16", mxfp4)
    large = classes_of_architecture(cataloged(catalog, "gpt-oss-120b"), "bf16", mxfp4)
    assert (total(small), total(large)) == (13_761_264_768, 65_248_815_744)
    experts = of_class(large, "experts")["mxfp4"]
    assert 8 * experts.bytes / experts.elements == 4.25
    assert {part.name for part in large if part.format == "mxfp4"} == {"experts"}


def test_awq_and_gptq(catalog: Catalog) -> None:
    """Qwen/Qwen3-32B-AWQ: 19,325,298,688 bytes of tensors by the headers of its four shards."""
    model = cataloged(catalog, "Qwen3-32B")
    awq = classes_of_architecture(model, "fp16", scheme(AWQ))
    assert total(awq) == 19_325_298_688
    gptq = classes_of_architecture(model, "fp16", scheme(GPTQ))
    inputs = 64 * (3 * 5120 + 64 * 128 + 2 * 5120 + 25600)  # q k v, o, gate up, down: an index of 4 B for each column
    assert total(gptq) - total(awq) == 4 * inputs
    linears = sum(part.elements for part in gptq if part.format == "gptq-int4")
    beside = sum(part.scale_bytes for part in gptq) - 4 * inputs
    assert 8 * beside / linears == (16 + 4) / 128  # a scale of 16 bit and an offset of 4 for 128 weights


def test_nf4_with_double_quantisation(catalog: Catalog) -> None:
    """4 + 8/64 + 32/(64 x 256) bits, QLoRA arXiv:2305.14314, section 3, and two codebooks for each matrix."""
    model = cataloged(catalog, "Llama-3.1-8B")
    plain = classes_of_architecture(model, "bf16", scheme(NF4))
    double = classes_of_architecture(model, "bf16", scheme({**NF4, "bnb_4bit_use_double_quant": True}))
    linears, matrices = 6_979_321_856, 32 * 7
    assert sum(part.elements for part in double if part.format == "nf4-dq") == linears
    assert sum(part.scale_bytes for part in plain) == linears // 64 * 4 + matrices * 16 * 4
    nested = linears // 64 + linears // 64 // 256 * 4 + matrices * (16 + 256) * 4
    assert sum(part.scale_bytes for part in double) == nested


def test_nvfp4_of_deepseek() -> None:
    """nvidia/DeepSeek-V3.1-NVFP4: 393,632,819,968 elements on the Hub (PyPI llmfit==1.1.17), which counts no scalars;
    what is left out by its hf_quant_config.json, PyPI aiconfigurator-core==0.12.0."""
    names = ["q_a_proj", "q_b_proj", "kv_a_proj_with_mqa", "kv_b_proj"]
    kept = ["lm_head", "model.layers.61*", *(f"model.layers.{n}.self_attn.{name}" for n in range(61) for name in names)]
    nvfp4 = scheme({"quant_algo": "NVFP4", "exclude_modules": kept})
    classes = classes_of_architecture(configured("DeepSeek-V3")[0], "bf16", nvfp4)
    quantised = 58 * 257 * 3 + 3 * 3 + 61  # experts, dense MLPs, attention outputs
    assert stored(classes) == 393_632_819_968 + 2 * quantised  # weight_scale_2 and input_scale
    assert set(of_class(classes, "attention")) == {"bf16", "nvfp4"}
    assert set(of_class(classes, "draft")) == {"bf16", "fp32"}


def test_llama_405b_in_the_first_fp8_release(catalog: Catalog) -> None:
    """57.75 GiB for each of 8 GPUs by the log in github.com/vllm-project/vllm/issues/6746, a cos/sin table of 131072 x
    128 x 2 B among it; 405 B x 1 byte / 8 would be 47.2. That release stored 16 KV heads and kept attention and the
    first and last MLP."""
    attention = [f"model.layers.{n}.self_attn.{name}_proj" for n in range(126) for name in "qkvo"]
    ends = [f"model.layers.{n}.mlp.{name}_proj" for n in (0, 125) for name in ("gate", "up", "down")]
    fbgemm = scheme({"quant_method": "fbgemm_fp8", "modules_to_not_convert": ["lm_head", *attention, *ends]})
    row = next(model for model in catalog.models if model.name == "Llama-3.1-405B").facts
    first = architecture_of({**row, "num_kv_heads": 16}, "Llama-3.1-405B-Instruct-FP8")
    held = bytes_per_gpu(first, "bfloat16", fbgemm, tensor_parallel=8)
    assert round(held / GIB, 1) == 57.7
    assert abs((held + 131_072 * 128 * 2) / GIB - 57.752) < 0.005
    classes = classes_of_architecture(first, "bfloat16", fbgemm)
    assert {part.name for part in classes if part.format == "fp8"} == {"mlp"}
    assert of_class(classes, "mlp")["bf16"].elements == 2 * 3 * 16384 * 53248
    # the release of today has 8 KV heads: 405,868,625,920 elements on the Hub, 124 layers of 122,880 row scales more
    today = classes_of_architecture(cataloged(catalog, "Llama-3.1-405B"), "bfloat16", fbgemm)
    assert stored(today) == 405_868_625_920 == 405_853_388_800 + 124 * 122_880
    eight = bytes_per_gpu(cataloged(catalog, "Llama-3.1-405B"), "bf16", fbgemm, tensor_parallel=8)
    assert round(eight / GIB, 1) == 56.7


def test_what_tensor_parallel_cuts(catalog: Catalog) -> None:
    """Llama-3.1-8B over 16 ranks: 8 KV heads are not cut further, norms stand on each rank."""
    model = cataloged(catalog, "Llama-3.1-8B")
    whole, norms = 2 * 8_030_261_248, 2 * 65 * 4096
    assert bytes_per_gpu(model, "bf16") == whole
    keys = 32 * 2 * 1024 * 4096 * 2
    assert bytes_per_gpu(model, "bf16", tensor_parallel=16) == (whole - norms - keys) // 16 + keys // 8 + norms
    filled = bytes_per_gpu(model, "bf16", tensor_parallel=2, vocabulary_multiple=1000)  # 128,256 become 129,000
    assert filled - bytes_per_gpu(model, "bf16", tensor_parallel=2) == 744 * 4096 * 2 * 2 // 2
    assert bytes_per_gpu(model, "fp32") == 2 * whole


def test_what_stays_whole_on_every_rank() -> None:
    """DeepSeek-V3 over 8: the matrices to the latents, norms and routers; draft layers only where they are asked for.
    Row scales of what is cut by its inputs stand on every rank."""
    architecture, _ = configured("DeepSeek-V3")
    whole, one = bytes_per_gpu(architecture, "bf16"), bytes_per_gpu(architecture, "bf16", tensor_parallel=8)
    norms, latents = 61 * (2 * 7168 + 1536 + 512) + 7168, 61 * (1536 + 576) * 7168
    shared = 2 * (norms + latents + 58 * 256 * 7168) + 4 * 58 * 256
    assert one == shared + (whole - shared) // 8
    draft = sum(p.bytes for p in classes_of_architecture(architecture, "bf16") if p.name == "draft")
    assert bytes_per_gpu(architecture, "bf16", draft=True) == whole + draft
    down = bytes_per_gpu(architecture, "bf16", scheme(FP8_ROWS), tensor_parallel=8)
    up = bytes_per_gpu(architecture, "bf16", scheme({**FP8_ROWS, "config_groups": {"g": {**PER_TENSOR}}}), 8)
    assert down > up


PER_TENSOR = {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "tensor"}}


@pytest.mark.parametrize("packing", PACKINGS)
def test_one_matrix_as_reference_checkpoints_store_it(packing: str) -> None:
    """Shapes of tests/architectures/files/test_stored_weights.py: the same matrix, described instead of listed."""
    described = {
        "GPTQ": layout_of_format("gptq-int4"),
        "GPTQ of 8 bits": LayerFormat("gptq-int8", 8, "int", 128, zero_points=True, scale_type="fp16"),
        "GPTQ of 3 bits": LayerFormat(None, 3, "int", 128, zero_points=True, scale_type="fp16"),
        "AWQ": layout_of_format("awq-int4"),
        "bitsandbytes of 4 bits": layout_of_format("nf4-dq"),
        "bitsandbytes of 8 bits": layout_of_format("int8"),
        "FP8 in blocks": layout_of_format("fp8-block"),
        "FP8": LayerFormat("fp8", 8, "float"),
        "NVFP4 of modelopt": layout_of_format("nvfp4"),
        "NVFP4 of compressed-tensors": layout_of_format("nvfp4"),
        "MXFP4 of gpt-oss": layout_of_format("mxfp4"),
        "MXFP4 of compressed-tensors": layout_of_format("mxfp4"),
    }[packing]
    assert described is not None
    shapes = {
        name: kind for name, kind in PACKINGS[packing][1].items() if "quant_state" not in name and "k_s" not in name
    }
    sizes = {name: BYTES[dtype] for name, (dtype, _) in shapes.items()}
    counts = {name: _product(shape) for name, (_, shape) in shapes.items()}
    found = stored_matrix(described, OUTPUTS, INPUTS, inputs_scaled="a.input_scale" in shapes)
    assert found.weight_bytes + found.scale_bytes == sum(sizes[name] * counts[name] for name in shapes)
    assert found.stored_elements == sum(counts.values())


def _product(shape: tuple[int, ...]) -> int:
    result = 1
    for number in shape:
        result *= number
    return result


def test_layouts_agree_with_the_calibration() -> None:
    """What sizing takes for a matrix of 4096 x 14336 in each format of the contract, but for the tables and scalars a
    file stores with each matrix."""
    for word, storage in load_calibration().weight_formats.items():
        layout = layout_of_format(word)
        if layout is None:
            assert quantized_on_load(word) is None
            continue
        found = stored_matrix(layout, 4096, 14336)
        apart = found.weight_bytes + found.scale_bytes - matrix_bytes(4096, 14336, storage)
        assert 0 <= apart <= 1100, (word, apart)
    with pytest.raises(KeyError):
        layout_of_format("gguf:Q4_K_M")


def test_formats_of_the_contract_on_a_plain_model(catalog: Catalog) -> None:
    model = cataloged(catalog, "Qwen2.5-7B")
    for word in load_calibration().weight_formats:
        classes = classes_of_architecture(model, "fp32" if word == "fp32" else "bf16", quantized_on_load(word))
        assert sum(part.elements for part in classes) == 7_615_616_512
        for name in ("embedding", "head", "norms"):
            assert set(of_class(classes, name)) <= {"bf16", "fp32"}
        assert word in ("bf16", "fp16") or word in of_class(classes, "mlp")


def test_layers_named_one_by_one() -> None:
    """nvidia/MiniMax-M3-NVFP4 and its kin: MXFP8 outside of the experts, one expert unlike the others."""
    layers = {f"model.layers.{n}.mlp.experts.{e}.{m}_proj": "NVFP4" for n in range(48) for e in range(128) for m in UP}
    layers["model.layers.5.mlp.experts.7.up_proj"] = "FP8"
    layers |= {f"model.layers.{n}.self_attn.q_proj": "MXFP8" for n in range(48)} | {"lm_head": "W4A16_NVFP4"}
    mixed = {
        "quant_algo": "MIXED_PRECISION",
        "quantized_layers": {name: {"quant_algo": a} for name, a in layers.items()},
    }
    architecture, _ = configured("Qwen3-30B-A3B")
    classes = classes_of_architecture(architecture, "bf16", scheme(mixed))
    experts, attention = of_class(classes, "experts"), of_class(classes, "attention")
    assert experts["fp8"].elements == 768 * 2048
    assert experts["nvfp4"].elements == 48 * 128 * 3 * 768 * 2048 - 768 * 2048
    assert attention["mxfp8"].elements == 48 * 4096 * 2048 and attention["mxfp8"].scale_bytes == 48 * 4096 * 2048 // 32
    assert set(of_class(classes, "head")) == {"nvfp4"} and set(of_class(classes, "router")) == {"bf16"}


UP = ("gate", "up", "down")


def test_doubts() -> None:
    """A tower nobody leaves out, and layers named where their order is not known."""
    seeing, _ = configured("Qwen2.5-VL-7B")
    assert weight_doubts(seeing, scheme(NF4)) == ("tower_format_unknown",)
    assert weight_doubts(seeing, scheme({**NF4, "llm_int8_skip_modules": ["visual", "lm_head"]})) == ()
    assert weight_doubts(seeing, None) == ()


def test_unknown_types() -> None:
    architecture, _ = configured("Qwen3-0.6B")
    with pytest.raises(KeyError):
        classes_of_architecture(architecture, "float64")


def test_what_leads_to_narrower_experts_is_kept() -> None:
    """Kimi K3: routed_expert_down_proj and _up_proj are BF16 in its shards, and its ignore list does not say so."""
    facts = {
        "model_type": "kimi_linear",
        "hidden_size": 256,
        "vocab_size": 1000,
        "num_layers": 4,
        "num_heads": 4,
        "num_kv_heads": 4,
        "kv_lora_rank": 128,
        "qk_nope_head_dim": 64,
        "qk_rope_head_dim": 32,
        "v_head_dim": 64,
        "full_attn_layers": 1,
        "intermediate_size": 512,
        "num_experts": 8,
        "experts_per_tok": 2,
        "moe_intermediate_size": 128,
        "routed_expert_hidden_size": 64,
        "first_dense_layers": 1,
        "ssm_dims": {"num_heads": 4, "head_dim": 64, "short_conv_kernel_size": 4},
    }
    mxfp4 = Quantization("compressed-tensors", layout_of_format("mxfp4"), ("lm_head", "re:.*self_attn.*"))
    experts = of_class(classes_of_architecture(architecture_of(facts, "narrow"), "bf16", mxfp4), "experts")
    assert experts["bf16"].elements == 3 * 2 * 64 * 256
    assert experts["mxfp4"].elements == 3 * 8 * 3 * 64 * 128
