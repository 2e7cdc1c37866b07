"""Facts become an architecture whose parts add up, or one sentence about what is missing."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.architectures.architecture import Architecture
from desktop.architectures.build import architecture_of
from desktop.architectures.feed_forward import FeedForward
from desktop.architectures.latent_attention import CompressedAttention, LatentAttention
from desktop.architectures.mixers import Attention, CrossAttention, Mixer
from desktop.catalog import Catalog
from desktop.request import Problem


@pytest.mark.parametrize(
    ("name", "copied"),
    [
        # the hub's element counts beyond the main model: draft layers, with copies of embedding and head where stored
        ("DeepSeek-R1", True),
        ("GLM-4.5", True),
        ("GLM-4.5-Air", True),
        ("GigaChat3-10B-A1.8B", True),
        ("Step-3.7-Flash", True),  # three layers, a head each
        ("GLM-4.6", False),
        ("GLM-5", False),
        ("GLM-5.2", False),
        ("Qwen3.5-27B", False),
        ("Qwen3.5-397B-A17B", False),
        ("MiMo-7B-Base", False),
    ],
)
def test_draft_layers(catalog: Catalog, name: str, copied: bool) -> None:
    record = catalog.model(name)
    architecture = architecture_of(record.facts, name)
    draft = architecture.draft
    assert draft is not None and draft.count == architecture.draft_layers
    stored = draft.elements() + (draft.count * draft.copied_elements if copied else 0)
    assert record.params_total is not None
    assert stored == record.facts["params_checkpoint"] - record.params_total


# ------------------------------------------------------------------------------------------------ what always holds


def test_full_layers_are_those_the_catalog_says(catalog: Catalog) -> None:
    """All but DeepSeek-V4, where the catalog counts two layers that see their window only."""
    differing = []
    for record in catalog.models:
        stated = {**record.facts, **(record.facts.get("dimensions") or {})}.get("full_attn_layers")
        try:
            architecture = architecture_of(record.facts, record.name)
        except Problem:
            continue
        if stated is not None and architecture.layers and architecture.full_layers() != stated:
            differing.append(record.name)
    assert differing == ["DeepSeek-V4-Flash"]


def test_parts_of_every_catalog_model_add_up(catalog: Catalog) -> None:
    described = 0
    for record in catalog.models:
        try:
            architecture = architecture_of(record.facts, record.name)
        except Problem as problem:
            assert problem.code in ("unsupported_model", "missing_model_field")
            continue
        described += 1
        check(architecture)
        assert architecture.published is (record.kind in ("cv", "speech") and "dimensions" not in record.facts)
    assert described == 364


def test_a_dense_decoder_is_the_same_either_way(catalog: Catalog) -> None:
    dense = 0
    for record in catalog.models:
        if record.kind == "decoder_lm":
            try:
                architecture = architecture_of(record.facts, record.name)
            except Problem:
                continue
            made = architecture.dense()
            if made is None:
                assert architecture.full_layers() < architecture.depth
                continue
            dense += 1
            assert made.parameters() == architecture.parameters() == record.params_total
            assert 2 * made.layers * made.kv_heads * made.head_dim == architecture.kv_elements(1)
    assert dense >= 110


def check(architecture: Architecture) -> None:
    layers = sum(group.count * group.elements() for group in architecture.layers)
    beside = architecture.embedding_elements + architecture.head_elements
    parts = sum(part.elements for part in (*architecture.others, *architecture.towers))
    assert architecture.parameters() == layers + beside + parts
    assert 0 < architecture.active_parameters() <= architecture.parameters()
    for group in architecture.layers:
        assert 0 < group.active_elements() <= group.elements()
        assert not group.indices or len(set(group.indices)) == group.count
        built: tuple[Mixer | FeedForward, ...] = (*group.mixers, *group.feed_forwards)
        for part in built:
            matrices = sum(matrix.elements + matrix.bias_elements for matrix in part.matrices())
            assert 0 < matrices == part.elements() - part.other_elements()
    contexts = (1, 100, 10_000, 1_000_000)
    held = [architecture.kv_elements(context) for context in contexts]
    assert held == sorted(held)
    averages = [architecture.kv_elements_per_token(context) for context in contexts]
    if not any(isinstance(mixer, CompressedAttention) for group in architecture.layers for mixer in group.mixers):
        assert averages == sorted(averages, reverse=True)


@st.composite
def facts_of_decoders(draw: st.DrawFn) -> Mapping[str, Any]:
    kv_heads, group = draw(st.integers(1, 16)), draw(st.integers(1, 8))
    layers = draw(st.integers(1, 60))
    facts: dict[str, Any] = {
        "model_type": draw(st.sampled_from(["llama", "gemma3_text", "mixtral", "gpt_oss", "llama4_text", "glm4_moe"])),
        "num_layers": layers,
        "full_attn_layers": draw(st.integers(0, layers)),
        "sliding_window": draw(st.integers(1, 5000)),
        "hidden_size": draw(st.integers(8, 4096)),
        "intermediate_size": draw(st.integers(8, 8192)),
        "num_heads": kv_heads * group,
        "num_kv_heads": kv_heads,
        "head_dim": draw(st.integers(1, 256)),
        "vocab_size": draw(st.integers(1, 100_000)),
        "tie_embeddings": draw(st.booleans()),
    }
    experts = draw(st.integers(1, 64))
    if draw(st.booleans()):
        facts |= {
            "num_experts": experts,
            "experts_per_tok": draw(st.integers(1, experts)),
            "moe_intermediate_size": draw(st.integers(8, 4096)),
            "shared_experts": draw(st.integers(0, 2)),
            "first_dense_layers": draw(st.integers(0, layers)),
        }
    return facts


@given(facts=facts_of_decoders())
@settings(max_examples=60, deadline=None)
def test_parts_of_any_decoder_add_up(facts: Mapping[str, Any]) -> None:
    architecture = architecture_of(facts, "any")
    check(architecture)
    assert sum(group.count for group in architecture.layers) == facts["num_layers"]
    assert architecture.full_layers() == facts["full_attn_layers"]


@given(facts=facts_of_decoders(), more=st.integers(1, 64))
@settings(max_examples=40, deadline=None)
def test_a_wider_model_has_more_elements(facts: Mapping[str, Any], more: int) -> None:
    before = architecture_of(facts, "any")
    for name in ("hidden_size", "vocab_size", "head_dim"):
        wider = architecture_of({**facts, name: facts[name] + more}, "any")
        assert wider.parameters() > before.parameters()
        assert wider.kv_elements(1000) >= before.kv_elements(1000)


# -------------------------------------------------------------------------------------------- what files say by layer

PLAIN: dict[str, Any] = {
    "model_type": "llama",
    "num_layers": 4,
    "hidden_size": 64,
    "intermediate_size": 256,
    "num_heads": 8,
    "num_kv_heads": 2,
    "head_dim": 8,
    "vocab_size": 100,
    "tie_embeddings": True,
}


def test_listed_kinds_win() -> None:
    kinds = ["sliding", "full", "full", "sliding"]
    architecture = architecture_of({**PLAIN, "sliding_window": 16, "layer_kinds": kinds}, "x")
    assert [group.indices for group in architecture.layers] == [(0, 3), (1, 2)]
    assert [group.mixers[0].reach for group in architecture.layers] == ["window", "full"]
    assert architecture.kv_elements(100) == (2 * 100 + 2 * 16) * 2 * 2 * 8


def test_widths_listed_by_layer() -> None:
    """A layer without KV heads has no attention, one of width 0 no MLP; each takes its norm along."""
    uneven = {**PLAIN, "num_kv_heads": [2, 0, 4, 2], "intermediate_size": [256, 256, 128, 0]}
    architecture = architecture_of(uneven, "x")
    norms = [group.norm_elements for group in architecture.layers]
    assert [group.indices for group in architecture.layers] == [(0,), (1,), (2,), (3,)]
    assert norms == [128, 64, 128, 64]
    assert architecture.kv_elements(1) == (2 + 4 + 2) * 2 * 8
    assert architecture.layers[2].elements() == 64 * 8 * (2 * 8 + 2 * 4) + 3 * 64 * 128 + 128
    assert architecture.dense() is None


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"hidden_size": None}, "missing_model_field", "file.hidden_size"),
        ({"layer_kinds": ["full"]}, "missing_model_field", "file.layer_kinds"),
        ({"layer_kinds": ["full", "full", "sliding", "full"]}, "missing_model_field", "file.sliding_window"),
        ({"num_kv_heads": [2, 2]}, "missing_model_field", "file.num_kv_heads"),
        ({"num_kv_heads": 3}, "bad_model_field", "file.num_kv_heads"),
        ({"layer_kinds": ["full", "full", "linear", "full"]}, "unsupported_model", "file"),
        ({"model_type": "brand_new"}, "unsupported_model", "file"),
        ({"model_type": None}, "missing_model_field", "file.model_type"),
    ],
)
def test_what_is_missing_is_named(change: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(Problem) as raised:
        architecture_of({**PLAIN, **change}, "x", "file")
    assert (raised.value.code, raised.value.field) == (code, field)


def test_tensor_parallel_cuts() -> None:
    """Heads are cut, KV heads no finer than a head, latents not at all."""
    cuts = {matrix.role: matrix.cut for matrix in Attention(64, 8, 2, 8).matrices()}
    assert cuts == {"q": "heads", "k": "kv_heads", "v": "kv_heads", "o": "heads"}
    latent = {matrix.role: matrix.cut for matrix in LatentAttention(64, 8, 16, 32, 8, 4, 8).matrices()}
    assert latent["kv_down"] == latent["q_down"] == "replicated" and latent["kv_up"] == "heads"
    assert CrossAttention(64, 8, 2, 8).cached_elements(100) == 0
