"""Every way a config says a thing in its own words, and every way it says it wrongly."""

import math
from typing import Any

import pytest

from desktop.architectures.configs import ConfigFacts, facts_of_config, read_config_text
from desktop.architectures.parameter_count import recomputed_parameters
from desktop.request import Problem

# facts of the published config.json of meta-llama/Llama-3.1-8B
LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "max_position_embeddings": 131072,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "vocab_size": 128256,
}
MIXTRAL = {**LLAMA, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}
PERIOD = ["linear_attention", "linear_attention", "linear_attention", "full_attention"]


def read(config: dict[str, Any]) -> ConfigFacts:
    return facts_of_config(config, "model", "config.json")


def facts(config: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return read({**config, **changes}).facts


def kinds(config: dict[str, Any], **changes: Any) -> list[str]:
    """Kinds of the layers; one word where all are the same."""
    found = facts(config, **changes)
    return list(found["dimensions"].get("layer_kinds", [found["attention"]]))


def test_spellings() -> None:
    old = {"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257}
    found = facts(old)
    assert (found["hidden_size"], found["num_layers"], found["num_heads"], found["max_position"]) == (768, 12, 12, 1024)
    assert found["intermediate_size"] == 4 * 768
    assert facts(LLAMA, head_dim=None)["head_dim"] == 128
    assert facts(LLAMA, torch_dtype="torch.float16")["torch_dtype"] == "float16"
    assert read({**LLAMA, "torch_dtype": "auto"}).doubts == ("dtype_not_stated",)


@pytest.mark.parametrize(
    ("config", "kv_heads"),
    [
        # arXiv:2311.16867, table of architectures: Falcon 7B has one KV head, 40B and 180B eight
        ({"model_type": "falcon", "multi_query": True, "num_kv_heads": 71, "num_attention_heads": 71}, 1),
        ({"model_type": "falcon", "new_decoder_architecture": True, "num_kv_heads": 8, "num_attention_heads": 64}, 8),
        ({"model_type": "falcon", "multi_query": False, "num_attention_heads": 64}, 64),
        ({"model_type": "gpt_bigcode", "multi_query": True, "n_head": 48}, 1),  # StarCoder, arXiv:2305.06161
        ({"model_type": "gpt_bigcode", "multi_query": False, "n_head": 48}, 48),
        ({"model_type": "chatglm", "multi_query_attention": True, "multi_query_group_num": 2}, 2),
        ({"model_type": "chatglm", "multi_query_attention": False, "multi_query_group_num": 2}, 32),
        ({"model_type": "mpt", "n_heads": 64, "attn_config": {"kv_n_heads": 8}}, 8),
        ({"model_type": "llama"}, 32),
    ],
)
def test_kv_heads(config: dict[str, Any], kv_heads: int) -> None:
    base = {"hidden_size": 71 * 64 * 48, "num_hidden_layers": 2, "vocab_size": 100, "intermediate_size": 8}
    heads = {} if config.keys() & {"num_attention_heads", "n_head", "n_heads"} else {"num_attention_heads": 32}
    assert facts({**base, **heads, **config})["num_kv_heads"] == kv_heads


def test_families_that_are_counted_as_others() -> None:
    """StarCoder 15.5B and MPT-7B, by the element counts on their pages."""
    starcoder = {
        "model_type": "gpt_bigcode",
        "n_embd": 6144,
        "n_layer": 40,
        "n_head": 48,
        "n_inner": 24576,
        "n_positions": 8192,
        "multi_query": True,
        "vocab_size": 49152,
    }
    assert recomputed_parameters(facts(starcoder)) == 15_517_456_384
    mpt = {
        "model_type": "mpt",
        "d_model": 4096,
        "n_layers": 32,
        "n_heads": 32,
        "expansion_ratio": 4,
        "max_seq_len": 2048,
        "no_bias": True,
        "attn_config": {"alibi": True},
        "vocab_size": 50432,
    }
    assert recomputed_parameters(facts(mpt)) == 6_649_286_656


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"sliding_window": 4096}, ["swa (all layers)"]),  # Mistral-7B-v0.1
        ({"sliding_window": None}, ["gqa"]),  # Mistral-7B-v0.2
        ({"sliding_window": 131072}, ["gqa"]),  # no narrower than the context
        ({"sliding_window": 4096, "use_sliding_window": False}, ["gqa"]),  # Qwen2.5
        (
            {"sliding_window": 4096, "use_sliding_window": True, "max_window_layers": 2},
            ["full"] * 2 + ["sliding"] * 2,
        ),
        ({"sliding_window": 1024, "sliding_window_pattern": 4}, ["sliding"] * 3 + ["full"]),
        ({"sliding_window": 4096, "sliding_window_pattern": "LLLG"}, ["sliding"] * 3 + ["full"]),
        ({"model_type": "gemma2", "head_dim": 128, "sliding_window": 4096}, ["sliding", "full"] * 2),
        ({"layer_types": ["full_attention", "sliding_attention"] * 2, "sliding_window": 9}, ["full", "sliding"] * 2),
        ({"attention_chunk_size": 8192}, ["chunked"] * 3 + ["full"]),  # Llama 4
        ({"attention_chunk_size": 8192, "no_rope_layers": []}, ["chunked"] * 3 + ["full"]),
        ({"attention_chunk_size": 8192, "no_rope_layers": [1, 0, 1, 0]}, ["chunked", "full"] * 2),
        ({"hybrid_layer_pattern": [0, 1, 1, 0]}, ["full", "sliding", "sliding", "full"]),  # MiMo-V2
        ({"cross_attention_layers": [1]}, ["full", "cross", "full", "full"]),  # Mllama
        ({"attn_type_list": [0, 0, 0, 1]}, ["linear"] * 3 + ["full"]),  # MiniMax-01
        ({"full_attention_interval": 4}, ["linear"] * 3 + ["full"]),  # Qwen3-Next
        ({"attn_layer_period": 4, "attn_layer_offset": 2}, ["linear", "linear", "full", "linear"]),  # Jamba
        ({"linear_attn_config": {"full_attn_layers": [1, 4]}}, ["full", "linear", "linear", "full"]),  # from 1
    ],
)
def test_attention_patterns(changes: dict[str, Any], expected: list[str]) -> None:
    assert kinds({**LLAMA, "num_hidden_layers": 4}, **changes) == expected


def test_a_list_of_layer_types_wins_over_a_pattern() -> None:
    both = {"layer_types": PERIOD, "full_attention_interval": 2, "num_hidden_layers": 4}
    assert kinds(LLAMA, **both) == ["linear"] * 3 + ["full"]


@pytest.mark.parametrize(
    ("changes", "first", "step"),
    [
        ({}, 0, 1),
        ({"first_k_dense_replace": 1}, 1, 1),
        ({"first_k_dense_replace": 3, "moe_layer_freq": 1}, 3, 1),  # DeepSeek-V3
        ({"moe_layer_freq": [0, 1, 1, 1, 1, 1, 1, 1]}, 1, 1),  # MiMo-V2
        ({"mlp_layer_types": ["dense", "dense"] + ["sparse"] * 6}, 2, 1),  # GLM-5
        ({"num_dense_layers": 2}, 2, 1),
        ({"expert_layer_period": 2, "expert_layer_offset": 1}, 0, 2),  # Jamba
        ({"interleave_moe_layer_step": 2}, 0, 2),  # Llama-4 Maverick
        ({"moe_layers": [1, 3, 5, 7]}, 0, 2),
        ({"decoder_sparse_step": 1, "mlp_only_layers": [0]}, 1, 1),
    ],
)
def test_which_layers_have_experts(changes: dict[str, Any], first: int, step: int) -> None:
    found = facts({**MIXTRAL, "num_hidden_layers": 8}, **changes)
    assert (found["first_dense_layers"], found["dimensions"].get("moe_layer_step", 1)) == (first, step)


def test_layers_that_follow_no_rule_are_listed() -> None:
    found = facts({**MIXTRAL, "num_hidden_layers": 8}, decoder_sparse_step=1, mlp_only_layers=[3])
    assert found["dimensions"]["sparse_layers"] == [True] * 3 + [False] + [True] * 4
    dense, sparse = facts({**LLAMA, "num_hidden_layers": 8}), facts({**MIXTRAL, "num_hidden_layers": 8})
    counts = [recomputed_parameters(each) or 0 for each in (dense, found, sparse)]
    assert 7 * (counts[2] - counts[1]) == counts[1] - counts[0]


def test_searched_layers_keep_their_own_widths() -> None:
    """Nemotron-NAS: KV heads are heads over the group, a width two thirds of a multiple up to a step of 256."""
    blocks = [
        {"attention": {"n_heads_in_group": 8, "no_op": False}, "ffn": {"ffn_mult": 2.625, "no_op": False}},
        {"attention": {"n_heads_in_group": None, "no_op": True}, "ffn": {"ffn_mult": 0.5, "no_op": False}},
        {"attention": {"n_heads_in_group": 4, "no_op": False}, "ffn": {"ffn_mult": None, "no_op": True}},
    ]
    config = {**LLAMA, "model_type": "nemotron-nas", "num_hidden_layers": 3, "hidden_size": 8192}
    found = facts(config, block_configs=blocks, num_attention_heads=64, num_key_value_heads=None)
    assert (found["num_kv_heads"], found["intermediate_size"]) == ([8, 0, 16], [14336, 2816, 0])
    for spoiled in ({"attention": {"n_heads_in_group": 7}, "ffn": {"no_op": True}}, {"attention": {}}, 3):
        with pytest.raises(Problem):
            facts(config, block_configs=[*blocks[:2], spoiled], num_attention_heads=64)


@pytest.mark.parametrize(
    ("experts", "shared"),
    [
        ({"n_routed_experts": 8, "num_experts_per_tok": 2, "n_shared_experts": 2}, 2),
        ({"num_experts": 8, "num_experts_per_token": 2, "shared_expert_intermediate_size": 5632}, "1x5632"),
        ({"num_local_experts": 8, "num_experts_per_tok": 2, "shared_intermediate_size": 0}, 0),  # MiniMax-M2
        ({"moe_num_experts": 8, "moe_k": 2, "n_shared_experts": None}, 0),
        ({"num_experts": [8, 8], "moe_topk": [2, 2], "num_shared_expert": [1, 1]}, 1),  # Hunyuan
    ],
)
def test_experts(experts: dict[str, Any], shared: int | str) -> None:
    found = facts({**LLAMA, "model_type": "mixtral", "moe_intermediate_size": 1408}, **experts)
    assert (found["num_experts"], found["experts_per_tok"], found["shared_experts"]) == (8, 2, shared)


def test_granite_without_experts_has_its_shared_one_as_mlp() -> None:
    """Granite 4.0 H Micro: `num_local_experts` is 0."""
    config = {
        **LLAMA,
        "model_type": "granitemoehybrid",
        "layer_types": ["mamba"] * 31 + ["attention"],
        "num_local_experts": 0,
        "num_experts_per_tok": 0,
        "shared_intermediate_size": 8192,
        "mamba_n_heads": 128,
        "mamba_d_head": "auto",
        "mamba_n_groups": 1,
        "mamba_d_state": 128,
        "mamba_d_conv": 4,
        "mamba_expand": 2,
    }
    found = facts(config)
    assert found["intermediate_size"] == 8192 and "num_experts" not in found
    assert found["ssm_dims"]["mamba_d_head"] == 64


def test_language_parts_under_every_name() -> None:
    for name in ("text_config", "llm_config", "language_config"):
        inner = {key: value for key, value in LLAMA.items() if key not in ("vocab_size", "torch_dtype")}
        found = read({"model_type": "outer", name: inner, "vocab_size": 128256, "torch_dtype": "bfloat16"})
        assert recomputed_parameters(found.facts) == 8_030_261_248
    omni = read({"model_type": "omni", "thinker_config": {"text_config": LLAMA, "audio_config": {"d_model": 1}}})
    assert omni.facts["num_layers"] == 32


def test_a_part_that_is_not_described_leaves_the_model_uncounted() -> None:
    sees = read({"model_type": "new_vl", "text_config": LLAMA, "vision_config": {"hidden_size": 1}})
    hears = read({"model_type": "new_al", "text_config": LLAMA, "audio_config": {"hidden_size": 1}})
    assert (sees.doubts, hears.doubts) == (("vision_not_described",), ("sound_not_described",))
    assert recomputed_parameters(sees.facts) is None and recomputed_parameters(hears.facts) is None


def test_a_nested_part_leaves_out_the_defaults_of_its_class() -> None:
    """LLaVA-1.5 says of its Llama little more than the vocabulary: the rest is that of 7B."""
    found = read({"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064}})
    assert (found.facts["hidden_size"], found.facts["num_layers"]) == (4096, 32)
    assert {"class_defaults", "vision_not_described"} <= set(found.doubts)


def test_tied_when_the_config_does_not_say() -> None:
    for model_type, tied in (("gemma", True), ("cohere", True), ("llama", False), ("qwen3", False), ("phi3", False)):
        config = {**LLAMA, "model_type": model_type}
        del config["tie_word_embeddings"]
        found = read(config)
        assert found.facts["tie_embeddings"] is tied
        assert "tie_not_stated" in found.doubts


def test_the_latent_says_how_wide_the_heads_are() -> None:
    latent = {"kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
    found = facts(LLAMA, model_type="deepseek_v2", n_routed_experts=0, **latent)
    assert (found["num_kv_heads"], found["head_dim"], found["attention"]) == (32, 192, "mla")
    with pytest.raises(Problem, match="missing_model_field"):
        facts(LLAMA, model_type="deepseek_v2", **{**latent, "v_head_dim": None})


def test_an_unknown_family_is_read_with_a_doubt_or_refused() -> None:
    plain = {**LLAMA, "model_type": "brand_new", "hidden_act": "silu", "rms_norm_eps": 1e-5}
    assert "unverified_family" in read(plain).doubts
    assert recomputed_parameters(read(plain).facts) == 8_030_261_248
    experts = read({**plain, "num_local_experts": 8, "num_experts_per_tok": 2})
    assert experts.facts["model_type"] == "mixtral" and "unverified_family" in experts.doubts
    for strange in (
        {"hidden_act": "relu2"},
        {"intermediate_size": None},
        {"rms_norm_eps": None},
        {"n_shared_experts": 1},
        {"kv_lora_rank": 512},
        {"mamba_d_state": 16},
    ):
        with pytest.raises(Problem, match="unsupported_model"):
            read({**plain, **strange})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"model_type": "olmo2", "attention_bias": True}, "attention_bias"),
        ({"model_type": "falcon", "parallel_attn": False}, "parallel_attn"),
        ({"model_type": "qwen", "no_bias": False}, "no_bias"),
    ],
)
def test_a_switch_the_formula_does_not_know_is_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(Problem) as raised:
        facts(LLAMA, **changes)
    assert (raised.value.field, raised.value.values["what"]) == (f"config.json.{field}", "unusual_switch")


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"num_hidden_layers": 0}, "num_hidden_layers", "out_of_range"),
        ({"num_hidden_layers": 1001}, "num_hidden_layers", "out_of_range"),
        ({"num_hidden_layers": -1}, "num_hidden_layers", "out_of_range"),
        ({"hidden_size": 262_145}, "hidden_size", "out_of_range"),
        ({"num_attention_heads": 4097}, "num_attention_heads", "out_of_range"),
        ({"vocab_size": 4_194_305}, "vocab_size", "out_of_range"),
        ({"max_position_embeddings": 10**9}, "max_position_embeddings", "out_of_range"),
        ({"hidden_size": True}, "hidden_size", "not_whole"),
        ({"hidden_size": 4096.5}, "hidden_size", "not_whole"),
        ({"hidden_size": math.inf}, "hidden_size", "not_whole"),
        ({"hidden_size": [4096]}, "hidden_size", "not_whole"),
        ({"hidden_size": "4k"}, "hidden_size", "not_whole"),
        ({"hidden_size": "٤٠٩٦"}, "hidden_size", "not_whole"),
        ({"num_key_value_heads": 7}, "num_key_value_heads", "heads_not_divisible"),
        ({"num_key_value_heads": 64}, "num_key_value_heads", "heads_not_divisible"),
        ({"num_attention_heads": 60, "num_key_value_heads": 6}, "num_attention_heads", "hidden_not_divisible"),
        ({"num_key_value_heads": [8, 4]}, "num_key_value_heads", "layers_differ"),
        ({"layer_types": ["full_attention"] * 31}, "layer_types", "wrong_length"),
        ({"layer_types": ["own_attention"] * 32}, "layer_types", "unknown_layer_kind"),
        ({"layer_types": "full_attention"}, "layer_types", "not_a_list"),
        ({"tie_word_embeddings": "no"}, "tie_word_embeddings", "not_yes_or_no"),
        ({"torch_dtype": "int3"}, "torch_dtype", "unknown_dtype"),
        ({"quantization_config": "fp8"}, "quantization_config", "not_a_mapping"),
        ({**MIXTRAL, "num_experts_per_tok": 9}, "num_experts_per_tok", "more_than_experts"),
        ({**MIXTRAL, "num_local_experts": 8193}, "num_local_experts", "out_of_range"),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], field: str, reason: str) -> None:
    with pytest.raises(Problem) as raised:
        facts(LLAMA, **changes)
    assert (raised.value.code, raised.value.field) == ("bad_model_field", f"config.json.{field}")
    assert raised.value.values["reason"] == reason


@pytest.mark.parametrize("name", ["hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"])
def test_what_is_missing_is_named(name: str) -> None:
    with pytest.raises(Problem) as raised:
        read({key: value for key, value in LLAMA.items() if key != name})
    assert (raised.value.code, raised.value.values["name"]) == ("missing_model_field", name)


def test_readable_oddities_are_doubts() -> None:
    found = read({**LLAMA, "hidden_size": "4096", "num_hidden_layers": 32.0})
    assert found.doubts == ("number_in_quotes",)
    assert recomputed_parameters(found.facts) == 8_030_261_248
    text = b'\xef\xbb\xbf{"model_type": "llama", "limit": [0.0, Infinity], "vocab_size": 1, "vocab_size": 128256,'
    rest = b'"hidden_size": 64, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}'
    doubts = read_config_text(text + rest, "model", "config.json").doubts
    assert doubts[:2] == ("infinity", "field_given_twice")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"model_type": "llama", "hidden_size": NaN}', "not_finite"),
        (b'{"model_type": "llama", "hidden_size": 1e400}', "not_finite"),
        (b'{"model_type": "llama", "hidden_size": 111111111111111111111}', "number_too_long"),
        (b'{"a": ' + b"[" * 64 + b"]" * 64 + b"}", "too_deep"),
        (b"[" * 100_000, "too_deep"),
        ('{"model_type": "llama"}'.encode("utf-16"), "encoding"),
        (b'{"model_type": "llama"', "syntax"),
    ],
)
def test_broken_text(text: bytes, reason: str) -> None:
    with pytest.raises(Problem) as raised:
        read_config_text(text, "model", "config.json")
    assert (raised.value.code, raised.value.values["reason"]) == ("bad_json", reason)
