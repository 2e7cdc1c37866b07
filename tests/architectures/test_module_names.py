"""Names of modules as the ignore lists and layer lists of published checkpoints write them."""

import pytest

from desktop.architectures.build import architecture_of
from desktop.architectures.module_names import module_names
from desktop.catalog import Catalog


@pytest.mark.parametrize(
    ("family", "role", "name"),
    [
        # PyPI aiconfigurator-core==0.12.0, model_configs: modules_to_not_convert, exclude_modules, quantized_layers
        ("qwen3_moe", "router", "model.layers.5.mlp.gate"),
        ("qwen3_moe", "expert_down", "model.layers.5.mlp.experts.2.down_proj"),
        ("deepseek_v3", "kv_down", "model.layers.5.self_attn.kv_a_proj_with_mqa"),
        ("glm_moe_dsa", "index_weights", "model.layers.5.self_attn.indexers_proj"),
        ("gpt_oss", "router", "model.layers.5.mlp.router"),
        ("deepseek_v4", "expert_gate", "layers.5.ffn.experts.2.w1"),
        ("deepseek_v4", "shared_up", "layers.5.ffn.shared_experts.w3"),
        ("deepseek_v4", "q_down", "layers.5.attn.wq_a"),
        ("nemotron_h", "in", "backbone.layers.5.mixer.in_proj"),
        ("nemotron_h", "k", "backbone.layers.5.mixer.k_proj"),
        ("nemotron_h", "shared_down", "backbone.layers.5.mixer.shared_experts.down_proj"),
        ("minimax_m2", "expert_up", "model.layers.5.block_sparse_moe.experts.2.w3"),
        # PyPI transformers==5.24.0, models/*/modeling_*.py
        ("llama", "down", "model.layers.5.mlp.down_proj"),
        ("falcon", "q", "transformer.h.5.self_attention.query_key_value"),
        ("bloom", "up", "transformer.h.5.mlp.dense_h_to_4h"),
        ("gpt_neox", "o", "gpt_neox.layers.5.attention.dense"),
        ("mamba", "selection", "backbone.layers.5.mixer.x_proj"),
        ("jamba", "router", "model.layers.5.feed_forward.router"),
        ("qwen3_next", "gates", "model.layers.5.linear_attn.in_proj_ba"),
        ("kimi_linear", "forget_down", "model.layers.5.self_attn.f_a_proj"),
    ],
)
def test_names_of_a_layer(family: str, role: str, name: str) -> None:
    assert name in module_names(family).of_layer(role, 5, expert=2)


@pytest.mark.parametrize(
    ("family", "role", "name"),
    [
        # the same package: Qwen3.5, Gemma-4, MiniMax-M3 and Kimi-K2.5 beside their towers
        ("qwen3_5_moe_text", "in", "model.language_model.layers.5.linear_attn.in_proj_z"),
        ("qwen3_5_moe_text", "shared_weight", "model.language_model.layers.5.mlp.shared_expert_gate"),
        ("gemma4_text", "q", "model.language_model.layers.5.self_attn.q_proj"),
        ("minimax_m3_vl", "index_q", "language_model.model.layers.5.self_attn.index_q_proj"),
        ("minimax_m3_vl", "shared_gate", "language_model.model.layers.5.block_sparse_moe.shared_experts.gate_proj"),
        ("kimi_k2", "expert_up", "language_model.model.layers.5.mlp.experts.2.up_proj"),
        ("qwen2_vl_text", "q", "model.layers.5.self_attn.q_proj"),  # flat
    ],
)
def test_names_beside_a_tower(family: str, role: str, name: str) -> None:
    assert name in module_names(family, beside_tower=True).of_layer(role, 5, expert=2)
    assert name not in module_names(family).of_layer(role, 5, expert=2) or family == "qwen2_vl_text"


def test_ends_and_draft_layers() -> None:
    plain, wrapped, v4 = module_names("llama"), module_names("kimi_k2", True), module_names("deepseek_v4")
    assert (plain.embedding, plain.head) == (("model.embed_tokens",), ("lm_head",))
    assert "language_model.lm_head" in wrapped.head and "language_model.model.embed_tokens" in wrapped.embedding
    assert (v4.embedding, v4.head) == (("embed",), ("head",))
    names = module_names("deepseek_v3").of_draft("expert_up", 61, 0, expert=2)
    assert names == ("model.layers.61.mlp.experts.2.up_proj", "mtp.layers.0.mlp.experts.2.up_proj")


def test_layers_that_look_at_something_else() -> None:
    assert module_names("mllama").of_layer("q", 3, cross=True)[0] == "model.layers.3.cross_attn.q_proj"
    assert "model.decoder.layers.3.encoder_attn.q_proj" in module_names("whisper").of_layer("q", 3, cross=True)


def test_every_matrix_of_the_catalog_has_a_name(catalog: Catalog) -> None:
    nameless = {}
    for model in catalog.models:
        if model.facts.get("completeness") == "partial":
            continue
        architecture = architecture_of({**model.facts, **(model.facts.get("dimensions") or {})}, model.name)
        named = module_names(architecture.model_type).roles
        roles = {matrix.role for group in architecture.layers for m in group.mixers for matrix in m.matrices()}
        roles |= {matrix.role for group in architecture.layers for f in group.feed_forwards for matrix in f.matrices()}
        roles -= set(named)
        if roles:
            nameless[architecture.model_type] = roles
    assert nameless == {}
