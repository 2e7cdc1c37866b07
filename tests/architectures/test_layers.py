"""What layers cache, keep and touch, by their kind, against published figures."""

from typing import Any

import pytest

from desktop.architectures.architecture import Architecture
from desktop.architectures.build import architecture_of
from desktop.architectures.feed_forward import Experts
from desktop.architectures.latent_attention import CompressedAttention, LatentAttention
from desktop.catalog import Catalog

BYTES_16_BIT = 2


def model(catalog: Catalog, name: str, **changes: Any) -> Architecture:
    facts = catalog.model(name).facts
    return architecture_of({**facts, "dimensions": {**(facts.get("dimensions") or {}), **changes}}, name)


def places(architecture: Architecture, reach: Any) -> list[int]:
    """Layers that reach so far, counted from 0."""
    return sorted(place for group in architecture.layers if group.reaches(reach) for place in group.indices)


# ------------------------------------------------------------------------------------------------- what layers cache


@pytest.mark.parametrize(
    ("name", "bytes_per_token"),
    [
        # arXiv:2505.09343 (Insights into DeepSeek-V3), table 1: KV cache per token in 16 bit
        ("DeepSeek-V3", 70_272),
        ("Qwen2.5-72B", 327_680),
        ("Llama-3.1-405B", 516_096),
    ],
)
def test_cache_per_token(catalog: Catalog, name: str, bytes_per_token: int) -> None:
    assert model(catalog, name).kv_elements_per_token(1000) * BYTES_16_BIT == bytes_per_token


@pytest.mark.parametrize(
    ("name", "gib"),
    [("Jamba-v0.1", 4), ("Mixtral-8x7B", 32)],  # arXiv:2403.19887 (Jamba), table 1: 256K tokens in 16 bit
)
def test_cache_of_a_long_text(catalog: Catalog, name: str, gib: int) -> None:
    assert model(catalog, name).kv_elements(256 * 1024) * BYTES_16_BIT == gib * 2**30


def test_latent_attention_caches_one_latent_whatever_the_heads(catalog: Catalog) -> None:
    """DeepSeek-V3: latent of 512 and 64 elements of position, arXiv:2405.04434, section 2.1.3."""
    (dense, sparse) = model(catalog, "DeepSeek-V3").layers
    assert dense.indices == (0, 1, 2)  # first_k_dense_replace 3 of the published config
    assert sparse.count == 58
    assert {group.cached_elements_per_token() for group in (dense, sparse)} == {576}
    assert isinstance(sparse.mixers[0], LatentAttention)
    # the indexer of V3.2 adds one key of 128 (index_head_dim of the published config)
    assert {group.cached_elements_per_token() for group in model(catalog, "DeepSeek-V3.2").layers} == {576 + 128}


def test_indexer_shared_by_layers(catalog: Catalog) -> None:
    """GLM-5.2: indexer_types of the published config, 21 of 78 layers have their own, the others borrow."""
    architecture = model(catalog, "GLM-5.2")
    own = [group for group in architecture.layers if group.cached_elements_per_token() == 576 + 128]
    assert sorted(place for group in own for place in group.indices) == [0, 1, 2, *range(6, 78, 4)]
    assert architecture.kv_elements(1) == 78 * 576 + 21 * 128


@pytest.mark.parametrize(
    ("name", "reach", "window", "count", "first_full"),
    [
        # arXiv:2503.19786 (Gemma 3), section 2: five local layers of 1024 tokens for each global one
        ("Gemma-3-27B", "window", 1024, 62 - 10, [5, 11, 17]),
        # arXiv:2508.10925 (gpt-oss model card): full and banded layers alternate, 128 tokens; layer_types of the config
        ("gpt-oss-120b", "window", 128, 18, [1, 3, 5]),
        # attention_chunk_size 8192, no rotary positions in every fourth layer: published config of Llama 4 Maverick
        ("Llama-4-Maverick-17B-128E", "chunk", 8192, 36, [3, 7, 11]),
        # arXiv:2504.00698 (Command A): three layers of 4096 tokens for each full one
        ("Command-A 03-2025", "window", 4096, 48, [3, 7, 11]),
        # layer_types of the published configs
        ("Gemma-4-31B", "window", 1024, 50, [5, 11, 17]),
        ("Step-3.7-Flash", "window", 512, 33, [0, 4, 8]),
        ("MiMo-V2-Flash", "window", 128, 39, [0, 5, 11]),
    ],
)
def test_windows(catalog: Catalog, name: str, reach: Any, window: int, count: int, first_full: list[int]) -> None:
    architecture = model(catalog, name)
    narrow = [group for group in architecture.layers if group.reaches(reach)]
    assert sum(group.count for group in narrow) == count
    assert {group.mixers[0].window for group in narrow} == {window}
    assert architecture.full_layers() == architecture.depth - count
    assert places(architecture, "full")[:3] == first_full
    # past the window only the other layers grow
    grown = architecture.kv_elements(2 * window + 1) - architecture.kv_elements(2 * window)
    assert grown == sum(group.count * group.cached_elements_per_token() for group in architecture.layers) - sum(
        group.count * group.cached_elements_per_token() for group in narrow
    )
    assert architecture.kv_elements_per_token(100 * window) < architecture.kv_elements_per_token(window)


def test_key_and_value_heads_of_different_layers(catalog: Catalog) -> None:
    """MiMo-V2-Flash: keys 192 and values 128 wide, 4 KV heads in full layers and 8 in those with a window; Gemma-4-26B:
    2 KV heads of 512 in full layers, 8 of 256 in the others. Sources: the published configs."""
    mimo = {
        group.mixers[0].reach: group.cached_elements_per_token() for group in model(catalog, "MiMo-V2-Flash").layers
    }
    assert mimo == {"full": 4 * (192 + 128), "window": 8 * (192 + 128)}
    gemma = {
        group.mixers[0].reach: group.cached_elements_per_token() for group in model(catalog, "Gemma-4-26B-A4B").layers
    }
    assert gemma == {"full": 2 * 2 * 512, "window": 2 * 8 * 256}


@pytest.mark.parametrize(("name", "crossing"), [("Llama-3.2-11B-Vision", 8), ("Llama-3.2-90B-Vision", 20)])
def test_cross_attention_caches_the_picture_only(catalog: Catalog, name: str, crossing: int) -> None:
    """cross_attention_layers of the published configs: 3, 8, 13, …"""
    architecture = model(catalog, name)
    assert places(architecture, "source") == list(range(3, architecture.depth, 5))
    assert architecture.layers_reaching("source") == crossing
    assert architecture.kv_elements(1) == (architecture.depth - crossing) * 2 * 8 * 128
    assert architecture.source_kv_elements_per_token() == crossing * 2 * 8 * 128


def test_whisper_decoder_looks_at_the_sound(catalog: Catalog) -> None:
    """large-v3: 32 decoder layers of 1280 cache text and sound, the encoder nothing. arXiv:2212.04356, table 1."""
    architecture = model(catalog, "Whisper-large-v3")
    assert architecture.kv_elements(448) == 448 * 32 * 2 * 1280
    assert architecture.source_kv_elements_per_token() == 32 * 2 * 1280
    assert architecture.layers_reaching("both_ways") == 32


def test_encoders_cache_nothing(catalog: Catalog) -> None:
    """ModernBERT-base: every third of 22 layers is global, the others see 128 tokens; arXiv:2412.13663."""
    architecture = model(catalog, "ModernBERT-base")
    assert architecture.kv_elements(8192) == architecture.state_elements() == 0
    local = [group for group in architecture.layers if group.mixers[0].window == 128]
    assert sum(group.count for group in local) == 14
    assert model(catalog, "bge-m3").kv_elements(512) == 0


def test_compressed_attention_grows_by_entries(catalog: Catalog) -> None:
    """DeepSeek-V4-Flash: compress_ratios 0, 0, 4, 128, … of the published config, window 128, one KV head of 512."""
    architecture = model(catalog, "DeepSeek-V4-Flash")
    light = next(group for group in architecture.layers if 2 in group.indices)
    assert isinstance(light.mixers[0], CompressedAttention)
    assert light.cached_elements(128) == 128 * 512 + 32 * (512 + 128)
    assert light.cached_elements(256) - light.cached_elements(128) == 32 * (512 + 128)
    assert architecture.full_layers() == 41  # the first two see their window only
    assert architecture.kv_elements(128) == 43 * 128 * 512 + 21 * 32 * (512 + 128) + 20 * 512


# ------------------------------------------------------------------------------------------------ what layers keep


@pytest.mark.parametrize(
    ("name", "full", "depth", "first"),
    [
        # full_attention_interval 4 of the published configs
        ("Qwen3-Next-80B-A3B", 12, 48, [3, 7, 11]),
        ("Qwen3.5-27B", 16, 64, [3, 7, 11]),
        ("Qwen3.5-397B-A17B", 15, 60, [3, 7, 11]),
        # arXiv:2403.19887 (Jamba): one layer of eight; attn_layer_offset 4 of the config
        ("Jamba-v0.1", 4, 32, [4, 12, 20]),
        # arXiv:2506.13585 (MiniMax-M1): a full layer after seven with lightning attention
        ("MiniMax-M1-80k", 10, 80, [7, 15, 23]),
        # layer_types of the published config
        ("Granite-4.0-H-Small", 4, 40, [5, 15, 25]),
        # linear_attn_config.full_attn_layers of the published configs, counted from 1 there; the last layer is full
        ("Kimi-K3", 24, 93, [3, 7, 11]),
        ("Kimi-Linear-48B-A3B", 7, 27, [3, 7, 11]),
    ],
)
def test_hybrids(catalog: Catalog, name: str, full: int, depth: int, first: list[int]) -> None:
    architecture = model(catalog, name)
    assert (architecture.full_layers(), architecture.depth) == (full, depth)
    assert architecture.layers_reaching("state") == depth - full
    assert places(architecture, "full")[:3] == first
    assert architecture.order_known()


@pytest.mark.parametrize(
    ("name", "layer_state"),
    [
        # a matrix of key by value for each value head, and three tokens of the convolution; arXiv:2412.06464
        ("Qwen3-Next-80B-A3B", 32 * 128 * 128 + 3 * (2 * 16 * 128 + 32 * 128)),
        # a matrix for each head; arXiv:2501.08313
        ("MiniMax-M1-80k", 64 * 128 * 128),
        # d_inner 8192 x d_state 16, and three tokens of the convolution; arXiv:2312.00752
        ("Falcon-Mamba-7B", 8192 * (16 + 3)),
        # 128 heads x 64 x state 128, and three tokens of values, B and C; arXiv:2405.21060
        ("Granite-4.0-H-Small", 128 * 64 * 128 + 3 * (8192 + 2 * 128)),
        ("RWKV-4-7B", 5 * 4096),  # five vectors; arXiv:2305.13048
    ],
)
def test_states(catalog: Catalog, name: str, layer_state: int) -> None:
    architecture = model(catalog, name)
    assert architecture.state_elements() == architecture.layers_reaching("state") * layer_state


def test_nemotron_h_pattern(catalog: Catalog) -> None:
    """Nemotron-H-56B: 54 Mamba-2, 54 MLP and 10 attention layers, arXiv:2504.03624; the pattern is the
    published config's."""
    pattern = (
        "M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-"
        "M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-"
    )
    counted, listed = model(catalog, "Nemotron-H-56B"), model(catalog, "Nemotron-H-56B", layer_blocks=pattern)
    assert not counted.order_known() and listed.order_known()
    assert places(listed, "full")[:2] == [7, 18]
    assert [group.count for group in listed.layers] == [group.count for group in counted.layers] == [54, 10, 54]
    assert listed.parameters() == counted.parameters() == catalog.model("Nemotron-H-56B").params_total
    assert listed.kv_elements(1) == 10 * 2 * 8 * 128


def test_attention_beside_a_state_space(catalog: Catalog) -> None:
    """Falcon-H1 runs both in every layer; arXiv:2507.22448."""
    (group,) = model(catalog, "Falcon-H1-34B").layers
    assert (group.count, [mixer.reach for mixer in group.mixers]) == (72, ["full", "state"])
    assert group.state_elements() and group.cached_elements_per_token()


# ----------------------------------------------------------------------------------------------- what a token touches


@pytest.mark.parametrize(
    ("name", "billions", "lookup"),
    [
        # arXiv:2508.10925, table 1: 3.61B and 5.13B active, the embedding lookup left out
        ("gpt-oss-20b", 3.61, 201_088 * 2880),
        ("gpt-oss-120b", 5.13, 201_088 * 2880),
        ("Mixtral-8x7B", 12.9, 0),  # Mistral's announcement of the model: 12.9B of 46.7B
        ("DeepSeek-V3", 37, 129_280 * 7168),  # arXiv:2412.19437: 37B of 671B
    ],
)
def test_active_parameters(catalog: Catalog, name: str, billions: float, lookup: int) -> None:
    active = model(catalog, name).active_parameters() - lookup
    assert active / 1e9 == pytest.approx(billions, rel=0.02)


def test_experts_a_token_is_not_sent_to_are_idle() -> None:
    experts = Experts(4096, experts=8, experts_per_token=2, width=14336)
    assert experts.elements() - experts.active_elements() == 6 * 3 * 4096 * 14336
    assert experts.active_elements(8) == experts.elements()


def test_first_layers_and_steps_of_experts(catalog: Catalog) -> None:
    """Llama-4-Maverick: interleave_moe_layer_step 2; Jamba: expert_layer_period 2, offset 1; the published configs."""
    for name in ("Llama-4-Maverick-17B-128E", "Jamba-v0.1"):
        architecture = model(catalog, name)
        sparse = [group for group in architecture.layers if isinstance(group.feed_forwards[0], Experts)]
        assert sorted(place for group in sparse for place in group.indices) == list(range(1, architecture.depth, 2))
