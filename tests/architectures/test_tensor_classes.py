"""Bytes by class from tensor lists, held against the same model described by its config."""

from typing import Any

import pytest

from desktop.architectures.architecture import Architecture
from desktop.architectures.build import architecture_of
from desktop.architectures.configs import facts_of_config
from desktop.architectures.files import Tensor, TensorKind, TensorList
from desktop.architectures.quantization import read_quantization
from desktop.architectures.tensor_classes import classes_of_tensors, module_class
from desktop.architectures.weight_bytes import ModuleClass, classes_of_architecture

BYTES = {"BF16": 2, "F32": 4, "F8_E4M3": 1, "U8": 1, "I32": 4, "F16": 2}
FP8_BLOCKS = {"quant_method": "fp8", "weight_block_size": [128, 128]}
GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": True}
# DeepSeek-V3 in small: the fields of its config, PyPI aiconfigurator-core==0.12.0
LATENT: dict[str, Any] = {
    "model_type": "deepseek_v3",
    "hidden_size": 256,
    "intermediate_size": 512,
    "moe_intermediate_size": 128,
    "num_hidden_layers": 3,
    "first_k_dense_replace": 1,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "kv_lora_rank": 128,
    "q_lora_rank": 192,
    "qk_nope_head_dim": 64,
    "qk_rope_head_dim": 32,
    "v_head_dim": 64,
    "n_routed_experts": 8,
    "num_experts_per_tok": 2,
    "n_shared_experts": 1,
    "num_nextn_predict_layers": 1,
    "vocab_size": 1000,
    "max_position_embeddings": 4096,
    "torch_dtype": "bfloat16",
}


def listed(tensors: dict[str, tuple[str, tuple[int, ...]]]) -> TensorList:
    made = []
    for name, (dtype, shape) in tensors.items():
        elements = 1
        for number in shape:
            elements *= number
        made.append(Tensor(name, TensorKind(dtype, shape, elements, elements * BYTES[dtype])))
    return TensorList.of(made, "model.safetensors")


def described(config: dict[str, Any]) -> Architecture:
    return architecture_of(facts_of_config(config, "small", "config.json").facts, "small")


def latent_tensors() -> dict[str, tuple[str, tuple[int, ...]]]:
    """Tensors of the small model by the names and shapes of deepseek-ai/DeepSeek-V3's index."""
    made: dict[str, tuple[str, tuple[int, ...]]] = {
        "model.embed_tokens.weight": ("BF16", (1000, 256)),
        "model.norm.weight": ("BF16", (256,)),
        "lm_head.weight": ("BF16", (1000, 256)),
    }

    def linear(name: str, rows: int, columns: int) -> None:
        made[f"{name}.weight"] = ("F8_E4M3", (rows, columns))
        made[f"{name}.weight_scale_inv"] = ("F32", (-(-rows // 128), -(-columns // 128)))

    def gated(name: str, width: int) -> None:
        linear(f"{name}.gate_proj", width, 256)
        linear(f"{name}.up_proj", width, 256)
        linear(f"{name}.down_proj", 256, width)

    for number in range(4):
        layer = f"model.layers.{number}"
        linear(f"{layer}.self_attn.q_a_proj", 192, 256)
        linear(f"{layer}.self_attn.q_b_proj", 4 * 96, 192)
        linear(f"{layer}.self_attn.kv_a_proj_with_mqa", 160, 256)
        linear(f"{layer}.self_attn.kv_b_proj", 4 * 128, 128)
        linear(f"{layer}.self_attn.o_proj", 256, 4 * 64)
        made[f"{layer}.self_attn.q_a_layernorm.weight"] = ("BF16", (192,))
        made[f"{layer}.self_attn.kv_a_layernorm.weight"] = ("BF16", (128,))
        made[f"{layer}.input_layernorm.weight"] = ("BF16", (256,))
        made[f"{layer}.post_attention_layernorm.weight"] = ("BF16", (256,))
        if number == 0:
            gated(f"{layer}.mlp", 512)
            continue
        made[f"{layer}.mlp.gate.weight"] = ("BF16", (8, 256))
        made[f"{layer}.mlp.gate.e_score_correction_bias"] = ("F32", (8,))
        gated(f"{layer}.mlp.shared_experts", 128)
        for expert in range(8):
            gated(f"{layer}.mlp.experts.{expert}", 128)
    made["model.layers.3.eh_proj.weight"] = ("BF16", (256, 512))
    for name in ("enorm", "hnorm", "shared_head.norm"):
        made[f"model.layers.3.{name}.weight"] = ("BF16", (256,))
    for name in ("embed_tokens", "shared_head.head"):
        made[f"model.layers.3.{name}.weight"] = ("BF16", (1000, 256))
    return made


def by_class(classes: tuple[ModuleClass, ...]) -> dict[tuple[str, str], ModuleClass]:
    return {(part.name, part.format): part for part in classes}


def test_files_and_config_agree_class_by_class() -> None:
    found = listed(latent_tensors())
    classes = by_class(classes_of_tensors(found, layers=3))
    quantization = read_quantization(FP8_BLOCKS, "quantization_config")
    computed = by_class(classes_of_architecture(described(LATENT), "bfloat16", quantization))
    assert classes == computed
    assert sum(part.bytes for part in classes.values()) == found.bytes
    assert sum(part.stored_elements for part in classes.values()) == found.elements


def test_scales_and_offsets_stand_with_their_module() -> None:
    found = listed(
        {
            "model.layers.0.mlp.up_proj.qweight": ("I32", (512 // 8, 1024)),
            "model.layers.0.mlp.up_proj.qzeros": ("I32", (4, 1024 // 8)),
            "model.layers.0.mlp.up_proj.scales": ("F16", (4, 1024)),
            "model.layers.0.mlp.up_proj.g_idx": ("I32", (512,)),
            "model.layers.0.self_attn.rotary_emb.inv_freq": ("F32", (64,)),
        }
    )
    classes = by_class(classes_of_tensors(found, packed_bits=4))
    mlp = classes["mlp", "gptq"]
    assert (mlp.elements, mlp.weight_bytes) == (512 * 1024, 512 * 1024 // 2)
    assert mlp.scale_bytes == 4 * 128 * 4 + 4 * 1024 * 2 + 512 * 4
    assert classes["other", "fp32"].weight_bytes == 256


def test_experts_stored_as_one() -> None:
    """gpt-oss: blocks of 16 bytes for 32 weights, a scale of one byte, a bias of 16 bit."""
    layer = "model.layers.0.mlp.experts.gate_up_proj"
    found = listed(
        {
            f"{layer}_blocks": ("U8", (4, 128, 2, 16)),
            f"{layer}_scales": ("U8", (4, 128, 2)),
            f"{layer}_bias": ("BF16", (4, 128)),
        }
    )
    experts = by_class(classes_of_tensors(found))["experts", "mxfp4"]
    assert (experts.elements, 8 * experts.bytes / experts.elements) == (4 * 128 * 64, 4.25)


def test_packing_that_is_not_understood_has_bytes_and_no_elements() -> None:
    found = listed({"model.layers.0.mlp.up_proj.weight": ("U8", (64, 64))})
    (part,) = classes_of_tensors(found)
    assert (part.format, part.elements, part.weight_bytes) == ("unknown", 0, 64 * 64)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # names of published checkpoints, and of llama.cpp's files (PyPI gguf==0.19.0, constants.py)
        ("transformer.word_embeddings.weight", "embedding"),
        ("token_embd.weight", "embedding"),
        ("output.weight", "head"),
        ("blk.3.attn_output.weight", "attention"),
        ("blk.3.attn_norm.weight", "norms"),
        ("blk.3.ffn_gate.weight", "mlp"),
        ("blk.3.ffn_gate_inp.weight", "router"),
        ("blk.3.ffn_up_exps.weight", "experts"),
        ("blk.3.ffn_up_shexp.weight", "shared_experts"),
        ("blk.3.ssm_in.weight", "state_space"),
        ("v.blk.3.attn_q.weight", "vision"),
        ("model.visual.blocks.3.attn.qkv.weight", "vision"),
        ("multi_modal_projector.linear_1.weight", "vision"),
        ("model.language_model.layers.3.linear_attn.in_proj_qkv.weight", "state_space"),
        ("model.layers.3.block_sparse_moe.gate.weight", "router"),
        ("model.layers.3.block_sparse_moe.experts.7.w1.weight", "experts"),
        ("backbone.layers.3.mixer.conv1d.weight", "state_space"),
        ("backbone.layers.3.mixer.q_proj.weight", "attention"),
        ("backbone.layers.3.mixer.up_proj.weight", "mlp"),
        ("transformer.h.3.ln_1.weight", "norms"),
        ("bert.embeddings.LayerNorm.weight", "norms"),
        ("transformer.blocks.3.norm_attn_norm.attn.Wqkv.weight", "attention"),
        ("mtp.layers.0.mlp.up_proj.weight", "draft"),
        ("audio_tower.layers.3.self_attn.q_proj.weight", "other"),
        ("model.layers.3.self_attn.sinks", "attention"),
    ],
)
def test_classes_by_name(name: str, expected: str) -> None:
    assert module_class(name, layers=40) == expected


def test_layers_behind_the_last_are_draft_layers() -> None:
    assert module_class("model.layers.61.self_attn.o_proj.weight", layers=61) == "draft"
    assert module_class("model.layers.61.self_attn.o_proj.weight") == "attention"
    assert module_class("model.layers.61.shared_head.head.weight", layers=61) == "draft_copy"
