"""Facts of a GGUF header build the same model, to the element, as the published config of that model does."""

from typing import Any

import pytest

from desktop.architectures.build import architecture_of
from desktop.architectures.files import facts_of_gguf
from desktop.request import Problem
from tests.architectures.files.written import TEXT, gguf, header, model, pair

# Keys as conversion/*.py of llama.cpp (vendored in llama-cpp-python 0.3.36) writes them from the published config.json;
# counts: resources/catalog/models.jsonl, each held against what the Hub reports for the checkpoint.
NANO_BLOCKS = "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"  # 23 Mamba, 23 of experts, 6 attention
MODELS: dict[str, tuple[str, dict[str, Any], int]] = {
    "Llama-3.1-8B": (
        "llama",
        {
            "block_count": 32,
            "context_length": 131072,
            "embedding_length": 4096,
            "feed_forward_length": 14336,
            "attention.head_count": 32,
            "attention.head_count_kv": 8,
            "rope.dimension_count": 128,
            "vocab_size": 128256,
        },
        8_030_261_248,
    ),
    "Mixtral-8x7B": (
        "llama",
        {
            "block_count": 32,
            "context_length": 32768,
            "embedding_length": 4096,
            "feed_forward_length": 14336,
            "attention.head_count": 32,
            "attention.head_count_kv": 8,
            "expert_count": 8,
            "expert_used_count": 2,
            "vocab_size": 32000,
        },
        46_702_792_704,
    ),
    "DeepSeek-V3": (  # with its draft layer, which block_count counts
        "deepseek2",
        {
            "block_count": 62,
            "nextn_predict_layers": 1,
            "context_length": 163840,
            "embedding_length": 7168,
            "feed_forward_length": 18432,
            "attention.head_count": 128,
            "attention.head_count_kv": 1,
            "attention.q_lora_rank": 1536,
            "attention.kv_lora_rank": 512,
            "attention.key_length": 576,
            "attention.value_length": 512,
            "attention.key_length_mla": 192,
            "attention.value_length_mla": 128,
            "rope.dimension_count": 64,
            "leading_dense_block_count": 3,
            "expert_count": 256,
            "expert_used_count": 8,
            "expert_shared_count": 1,
            "expert_feed_forward_length": 2048,
            "expert_gating_func": 2,
            "vocab_size": 129280,
        },
        671_026_419_200,
    ),
    "Gemma-4-26B-A4B": (  # keys of vendor/llama.cpp/models/ggml-vocab-gemma-4.gguf; without the vision tower
        "gemma4",
        {
            "block_count": 30,
            "context_length": 262144,
            "embedding_length": 2816,
            "feed_forward_length": 2112,
            "attention.head_count": 16,
            "attention.head_count_kv": [8, 8, 8, 8, 8, 2] * 5,
            "attention.key_length": 512,
            "attention.value_length": 512,
            "attention.key_length_swa": 256,
            "attention.value_length_swa": 256,
            "attention.sliding_window": 1024,
            "attention.sliding_window_pattern": [True, True, True, True, True, False] * 5,
            "attention.shared_kv_layers": 0,
            "expert_count": 128,
            "expert_used_count": 8,
            "expert_feed_forward_length": 704,
            "vocab_size": 262144,
        },
        25_805_933_872 - 572_792_112,
    ),
    "gpt-oss-20b": (
        "gpt-oss",
        {
            "block_count": 24,
            "context_length": 131072,
            "embedding_length": 2880,
            "feed_forward_length": 2880,
            "attention.head_count": 64,
            "attention.head_count_kv": 8,
            "attention.key_length": 64,
            "attention.value_length": 64,
            "attention.sliding_window": 128,
            "expert_count": 32,
            "expert_used_count": 4,
            "expert_feed_forward_length": 2880,
            "vocab_size": 201088,
        },
        20_914_757_184,
    ),
    "Qwen1.5-MoE-A2.7B": (
        "qwen2moe",
        {
            "block_count": 24,
            "context_length": 8192,
            "embedding_length": 2048,
            "feed_forward_length": 5632,
            "attention.head_count": 16,
            "attention.head_count_kv": 16,
            "expert_count": 60,
            "expert_used_count": 4,
            "expert_feed_forward_length": 1408,
            "expert_shared_feed_forward_length": 5632,
            "vocab_size": 151936,
        },
        14_315_784_192,
    ),
    "Qwen3-Next-80B-A3B": (
        "qwen3next",
        {
            "block_count": 48,
            "context_length": 262144,
            "embedding_length": 2048,
            "feed_forward_length": 5120,
            "attention.head_count": 16,
            "attention.head_count_kv": 2,
            "attention.key_length": 256,
            "attention.value_length": 256,
            "full_attention_interval": 4,
            "expert_count": 512,
            "expert_used_count": 10,
            "expert_feed_forward_length": 512,
            "expert_shared_feed_forward_length": 512,
            "ssm.conv_kernel": 4,
            "ssm.state_size": 128,
            "ssm.group_count": 16,
            "ssm.time_step_rank": 32,
            "ssm.inner_size": 4096,
            "vocab_size": 151936,
        },
        79_674_391_296,
    ),
    "Nemotron-3-Nano-30B-A3B": (
        "nemotron_h_moe",
        {
            "block_count": 52,
            "context_length": 262144,
            "embedding_length": 2688,
            "feed_forward_length": [1856 if block == "E" else 0 for block in NANO_BLOCKS],
            "attention.head_count": 32,
            "attention.head_count_kv": [2 if block == "*" else 0 for block in NANO_BLOCKS],
            "attention.key_length": 128,
            "attention.value_length": 128,
            "expert_count": 128,
            "expert_used_count": 6,
            "expert_shared_count": 1,
            "expert_feed_forward_length": 1856,
            "expert_shared_feed_forward_length": 3712,
            "ssm.conv_kernel": 4,
            "ssm.state_size": 128,
            "ssm.group_count": 8,
            "ssm.time_step_rank": 64,
            "ssm.inner_size": 4096,
            "vocab_size": 131072,
        },
        31_577_937_344,
    ),
    "Granite-4.0-H-Small": (
        "granitehybrid",
        {
            "block_count": 40,
            "context_length": 131072,
            "embedding_length": 4096,
            "feed_forward_length": 768,
            "attention.head_count": 32,
            "attention.head_count_kv": [0, 0, 0, 0, 0, 8, 0, 0, 0, 0] * 4,
            "expert_count": 72,
            "expert_used_count": 10,
            "expert_shared_feed_forward_length": 1536,
            "ssm.conv_kernel": 4,
            "ssm.state_size": 128,
            "ssm.group_count": 1,
            "ssm.time_step_rank": 128,
            "ssm.inner_size": 8192,
            "vocab_size": 100352,
        },
        32_207_337_984,
    ),
    "Falcon-7B": (
        "falcon",
        {
            "block_count": 32,
            "context_length": 2048,
            "embedding_length": 4544,
            "feed_forward_length": 18176,
            "attention.head_count": 71,
            "attention.head_count_kv": 1,
            "vocab_size": 65024,
        },
        6_921_720_704,
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_model_of_a_header_has_its_published_count(name: str) -> None:
    architecture, facts, parameters = MODELS[name]
    found = facts_of_gguf(model(architecture, facts))
    assert architecture_of(found, name).parameters() == parameters


LLAMA = {**MODELS["Llama-3.1-8B"][1], "general.file_type": 15, "general.license": "llama3.1"}
F32, F16, Q4_K, Q6_K = 0, 1, 12, 14


def llama_tensors(layers: int = 32) -> dict[str, tuple[tuple[int, ...], int]]:
    """The 291 tensors of Llama-3.1-8B, matrices in Q4_K but for the embedding and the head."""
    shapes: dict[str, tuple[tuple[int, ...], int]] = {
        "token_embd.weight": ((128256, 4096), Q4_K),
        "output_norm.weight": ((4096,), F32),
        "output.weight": ((128256, 4096), Q6_K),
    }
    for layer in range(layers):
        block = f"blk.{layer}."
        shapes |= {
            f"{block}attn_norm.weight": ((4096,), F32),
            f"{block}ffn_norm.weight": ((4096,), F32),
            f"{block}attn_q.weight": ((4096, 4096), Q4_K),
            f"{block}attn_k.weight": ((1024, 4096), Q4_K),
            f"{block}attn_v.weight": ((1024, 4096), Q4_K),
            f"{block}attn_output.weight": ((4096, 4096), Q4_K),
            f"{block}ffn_gate.weight": ((14336, 4096), Q4_K),
            f"{block}ffn_up.weight": ((14336, 4096), Q4_K),
            f"{block}ffn_down.weight": ((4096, 14336), Q4_K),
        }
    return shapes


def test_tensors_tell_what_keys_do_not() -> None:
    """Elements and bytes of Llama-3.1-8B: 8,030,261,248 weights; 4.5 bits in Q4_K, 6.5625 in Q6_K, 32 in the norms."""
    found = model("llama", LLAMA, llama_tensors())
    norms, head = 65 * 4096, 128256 * 4096
    assert len(found.tensors) == 291
    assert found.tensors.elements == 8_030_261_248
    assert found.tensors.bytes == (8_030_261_248 - norms - head) * 9 // 16 + head * 105 // 128 + norms * 4
    assert found.tensors.layers() == 32 and found.tensors.doubts == ("data_absent",)
    facts = facts_of_gguf(found)
    assert facts["tie_embeddings"] is False and facts["params_checkpoint"] == 8_030_261_248
    assert facts["quantization_config"] == {"quant_method": "gguf", "file_type": "Q4_K_M"}
    assert (facts["licence"], facts["biases"], facts["kind"]) == ("llama3.1", "none", "decoder_lm")


def test_a_shard_alone_does_not_tell_whether_there_is_a_head() -> None:
    facts = facts_of_gguf(model("llama", {**LLAMA, "split.count": 2, "split.tensors.count": 292}, llama_tensors()))
    assert "tie_embeddings" not in facts and "params_checkpoint" not in facts


@pytest.mark.parametrize("tied", [True, False])
def test_a_head_that_is_not_stored_is_the_embedding(tied: bool) -> None:
    keys = {"block_count": 1, "embedding_length": 32, "attention.head_count": 1, "feed_forward_length": 32}
    shapes: dict[str, tuple[tuple[int, ...], int]] = {"token_embd.weight": ((64, 32), F16)}
    if not tied:
        shapes["output.weight"] = ((64, 32), F16)
    shapes["blk.0.attn_q.bias"] = ((32,), F32)
    found = model("llama", keys, shapes, with_data=True)
    assert found.tensors.complete
    facts = facts_of_gguf(found)
    assert facts["tie_embeddings"] is tied
    assert facts["vocab_size"] == 64 and facts["biases"] == "qkv"


@pytest.mark.parametrize(("dropped", "layers", "drafts"), [(False, 61, 1), (True, 61, 0)])
def test_draft_layers_are_no_layers_of_the_model(dropped: bool, layers: int, drafts: int) -> None:
    """Some conversions keep the count of the draft layer and drop its tensors."""
    shapes: dict[str, tuple[tuple[int, ...], int]] = {f"blk.{i}.attn_norm.weight": ((32,), F32) for i in range(61)}
    if not dropped:
        shapes["blk.61.nextn.eh_proj.weight"] = ((32,), F32)
    facts = facts_of_gguf(model("deepseek2", MODELS["DeepSeek-V3"][1], shapes, with_data=True))
    assert (facts["num_layers"], facts.get("mtp_layers", 0)) == (layers, drafts)


def test_latent_attention_of_older_files() -> None:
    """DeepSeek-V2-Lite as converted before `key_length_mla`: 192 = 128 + 64, value 128, no rank of queries."""
    keys = {
        "block_count": 27,
        "embedding_length": 2048,
        "feed_forward_length": 10944,
        "attention.head_count": 16,
        "attention.head_count_kv": 16,
        "attention.kv_lora_rank": 512,
        "attention.key_length": 192,
        "attention.value_length": 128,
        "rope.dimension_count": 64,
        "leading_dense_block_count": 1,
        "expert_count": 64,
        "expert_used_count": 6,
        "expert_shared_count": 2,
        "expert_feed_forward_length": 1408,
        "vocab_size": 102400,
    }
    facts = facts_of_gguf(model("deepseek2", keys))
    assert facts["model_type"] == "deepseek_v2"
    assert (facts["qk_nope_head_dim"], facts["qk_rope_head_dim"], facts["v_head_dim"]) == (128, 64, 128)
    assert architecture_of(facts, "DeepSeek-V2-Lite").parameters() == 15_706_484_224  # the Hub's count


def test_layers_with_a_window() -> None:
    """Layers that see everything: gpt-oss-20b 12 of 24, Gemma-3-27B 10 of 62 (every sixth), Phi-3 all of them."""
    window = {"embedding_length": 64, "attention.head_count": 4, "vocab_size": 100, "attention.sliding_window": 128}
    full = {
        name: facts_of_gguf(model(name, {**window, "block_count": layers}))["full_attn_layers"]
        for name, layers in (("gpt-oss", 24), ("gemma3", 62), ("phi3", 32), ("cohere2", 32), ("unheard-of", 8))
    }
    assert full == {"gpt-oss": 12, "gemma3": 10, "phi3": 32, "cohere2": 8, "unheard-of": 0}


def test_layers_that_differ_in_width() -> None:
    """Nemotron-NAS drops attention and MLPs of some layers: 0 heads, 0 wide."""
    keys = {
        "block_count": 4,
        "embedding_length": 64,
        "attention.head_count": [4, 0, 4, 4],
        "attention.head_count_kv": [2, 0, 2, 2],
        "feed_forward_length": [128, 256, 0, 128],
        "vocab_size": 100,
    }
    facts = facts_of_gguf(model("deci", keys))
    assert (facts["num_heads"], facts["num_kv_heads"], facts["full_attn_layers"]) == (4, 2, 3)
    assert facts["dimensions"]["mlp_layers_by_width"] == [{"width": 128, "layers": 2}, {"width": 256, "layers": 1}]


@pytest.mark.parametrize(
    ("architecture", "said", "what"),
    [("clip", "mmproj", "vision_tower"), ("llama", "adapter", "adapter"), ("llama", "imatrix", "importance_matrix")],
)
def test_what_is_no_whole_model_is_named(architecture: str, said: str, what: str) -> None:
    found = header(gguf([pair("general.architecture", TEXT, architecture), pair("general.type", TEXT, said)]))
    assert found.kind == what
    with pytest.raises(Problem) as caught:
        facts_of_gguf(found)
    assert (caught.value.code, caught.value.values["what"]) == ("not_a_whole_model", what)


@pytest.mark.parametrize(
    ("changed", "code", "key"),
    [
        ({"block_count": None}, "missing_model_field", "block_count"),
        ({"block_count": 100_000}, "bad_model_field", "block_count"),
        ({"attention.head_count": 24}, "bad_model_field", "attention.head_count"),
        ({"attention.head_count_kv": 5}, "bad_model_field", "attention.head_count_kv"),
        ({"attention.head_count_kv": [8] * 5}, "bad_model_field", "attention.head_count_kv"),
        ({"embedding_length": "wide"}, "bad_model_field", "embedding_length"),
        ({"vocab_size": None}, "missing_model_field", "vocab_size"),
        ({"expert_count": 8}, "missing_model_field", "expert_used_count"),
        ({"expert_count": 8, "expert_used_count": 9}, "bad_model_field", "expert_used_count"),
        ({"attention.kv_lora_rank": 512, "attention.key_length": 64}, "bad_model_field", "attention.key_length"),
    ],
)
def test_keys_that_are_missing_or_wrong(changed: dict[str, Any], code: str, key: str) -> None:
    keys = {name: value for name, value in {**LLAMA, **changed}.items() if value is not None}
    with pytest.raises(Problem) as caught:
        facts_of_gguf(model("llama", keys))
    assert (caught.value.code, caught.value.field) == (code, f"model.gguf.{key}")
