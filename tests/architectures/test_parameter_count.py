"""Parameter counts recomputed from the dimensions of catalog rows, to the element."""

from collections import Counter
from typing import Any

import pytest

from desktop.architectures.count_checks import count_difference, count_findings
from desktop.architectures.feed_forward import Mlp
from desktop.architectures.latent_attention import LatentAttention, SparseIndexer
from desktop.architectures.mixers import Attention
from desktop.architectures.parameter_count import recomputed_active_parameters, recomputed_parameters
from desktop.architectures.state_mixers import Mamba1
from desktop.catalog import Catalog
from desktop.catalog.records import ModelRecord

# Hub's element counts less what the row's `verify` explains, as transformers builds the model
PUBLISHED = {
    "Llama-3.1-8B": 8_030_261_248,
    "Gemma-2-27B": 27_227_128_320,
    "Mixtral-8x7B": 46_702_792_704,
    "gpt-oss-120b": 116_829_156_672,
    "DeepSeek-V3": 671_026_419_200,
    "DeepSeek-V3.2": 671_877_944_064,
    "GLM-5.2": 743_377_019_904,  # 21 of 78 layers have an indexer of their own
    "MiniMax-M1-80k": 456_089_655_296,
    "Qwen3-Next-80B-A3B": 79_674_391_296,
    "Nemotron-3-Ultra-550B-A55B": 549_308_968_960,
    "Jamba-1.5-Large": 398_555_145_696,
    "Granite-4.0-H-Small": 32_207_337_984,
    "Falcon-Mamba-7B": 7_272_665_088,
    "Kimi-Linear-48B-A3B": 49_122_681_728,
    "Falcon-H1-34B": 33_642_516_224,
    "Llama-3.3-Nemotron-Super-49B": 49_867_145_216,
    "Llama-4-Maverick-17B-128E": 401_583_781_376,
    "Llama-3.2-90B-Vision": 88_593_355_323,
    "Qwen3-VL-235B-A22B": 235_670_022_896,
    "Gemma-4-31B": 31_273_086_512,
    "InternVL3-78B": 78_408_318_336,
    "BERT-base-uncased": 109_482_240,
    "FRIDA": 823_401_216,
    "Whisper-large-v2": 1_543_304_960,
    "CLIP ViT-L/14": 427_616_513,
    "DINOv2-large": 304_368_640,
}


@pytest.mark.parametrize(("name", "parameters"), PUBLISHED.items())
def test_published_counts(catalog: Catalog, name: str, parameters: int) -> None:
    assert recomputed_parameters(catalog.model(name).facts) == parameters


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        # torchvision 0.29.1, meta of the weights: num_params
        ("resnet50@224", 25_557_032),
        ("resnext101_64x4d@224", 83_455_272),
        ("vgg16@224", 138_357_544),
        ("densenet121@224", 7_978_856),
        ("convnext_large@224", 197_767_336),
        ("swin_tiny_patch4_window7_224@224", 28_288_354),
        ("vit_base_patch16_224@224", 86_567_656),
    ],
)
def test_picture_models_agree_with_a_second_library(catalog: Catalog, name: str, parameters: int) -> None:
    assert recomputed_parameters(catalog.model(name).facts) == parameters


def test_every_count_said_to_be_exact_is_met(catalog: Catalog) -> None:
    proved = [model for model in catalog.models if str(model.facts.get("verify")).startswith("EXACT")]
    missed = {model.name: difference for model in proved if (difference := count_difference(model))}
    assert len(proved) > 220
    # these three leave out the biases that balance the experts: 60 layers of 384, 57 of 128
    assert missed == {"Kimi-K2.5": -23_040, "Kimi-K2.6": -23_040, "MiniMax-M3": -7_296}
    assert all(count_difference(model) is not None for model in proved)


def test_tally_by_kind(catalog: Catalog) -> None:
    """How many models of each kind are met, differ for a listed reason, or cannot be recomputed."""
    tally: Counter[tuple[str, str]] = Counter()
    for model in catalog.models:
        difference = count_difference(model)
        state = "missing" if difference is None else "differs" if difference else "exact"
        tally[model.kind, state] += 1
    language = ("decoder_lm", "moe_lm", "ssm_hybrid", "vlm", "encoder", "speech", "diffusion")
    assert sum(tally[kind, "exact"] for kind in language) == 256
    assert sum(tally[kind, "differs"] for kind in language) == 7
    assert sum(tally[kind, "missing"] for kind in language) == 7
    assert (tally["cv", "exact"], tally["cv", "differs"], tally["cv", "missing"]) == (54, 0, 47)
    assert len(catalog.models) == 371


def test_active_parameters(catalog: Catalog) -> None:
    facts = catalog.model("gpt-oss-20b").facts
    active = recomputed_active_parameters(facts)
    assert active == 4_187_440_704
    assert active - 201_088 * 2880 == pytest.approx(3.61e9, rel=0.001)  # OpenAI's 3.6B leaves out the embedding lookup
    assert recomputed_active_parameters(catalog.model("DeepSeek-V3").facts) == 37_552_297_472
    dense = catalog.model("Llama-3.1-8B").facts
    assert recomputed_active_parameters(dense) == recomputed_parameters(dense)


def test_a_row_that_lacks_a_dimension_gives_no_count(catalog: Catalog) -> None:
    facts = catalog.model("DeepSeek-V3").facts
    assert recomputed_parameters(facts | {"kv_lora_rank": None}) is None
    assert recomputed_parameters(facts | {"model_type": "never_seen"}) is None
    seen = catalog.model("Qwen3-VL-8B").facts
    assert recomputed_parameters(seen | {"dimensions": {}}) is None  # a vision model without its tower
    assert recomputed_parameters({}) is None


@pytest.mark.parametrize("name", ["hidden_size", "num_layers", "vocab_size", "moe_intermediate_size", "num_experts"])
def test_a_slip_in_a_dimension_shows(catalog: Catalog, name: str) -> None:
    model = catalog.model("Mixtral-8x7B")
    slipped = model.model_copy(update={"facts": model.facts | {name: model.facts[name] + 1}})
    assert count_difference(slipped)
    assert next(finding.rule for finding in count_findings([slipped])) == "parameter_count"


def test_a_wrong_number_of_active_parameters_shows(catalog: Catalog) -> None:
    model = catalog.model("Mixtral-8x7B")
    wrong = model.model_copy(update={"params_active": 12_879_925_249})
    assert [(finding.rule, finding.row) for finding in count_findings([model, wrong])] == [
        ("active_count", "mixtral-8x7b")
    ]


def test_heads_of_an_unproved_count_make_up_the_hidden_width() -> None:
    facts: dict[str, Any] = {"num_heads": 16, "head_dim": 64, "hidden_size": 2048}
    model = ModelRecord(id="x", name="X", kind="encoder", model_type="own", params_total=1, facts=facts)
    assert [finding.rule for finding in count_findings([model])] == ["parameter_count", "heads_of_hidden"]
    right = model.model_copy(update={"facts": facts | {"head_dim": 128}})
    assert [finding.rule for finding in count_findings([right])] == ["parameter_count"]
    unpublished = model.model_copy(update={"params_total": None})
    assert not list(count_findings([unpublished]))


def test_a_count_published_in_ten_thousands_is_met_within_them(catalog: Catalog) -> None:
    model = catalog.model("resnet18@224")  # 11.69 M published, 11,689,512 by its layers
    assert count_difference(model) == 0
    assert count_difference(model.model_copy(update={"params_total": 11_680_000})) == -9_512


def test_parts() -> None:
    # DeepSeek-V2, arXiv:2405.04434: the cache of a token and layer is 512 + 64 elements, whatever the heads
    narrow = LatentAttention(5120, 128, 512, 1536, 128, 64, 128).elements()
    assert LatentAttention(5120, 128, 513, 1536, 128, 64, 128).elements() - narrow == 5120 + 1 + 128 * 256
    assert Attention(8192, 64, 8, 128).elements() == 2 * 8192 * 8192 + 2 * 8192 * 1024
    # (671,877,944,064 - 671,026,419,200) / 61: DeepSeek-V3.2 less DeepSeek-V3, by layer
    assert SparseIndexer(64, 128).elements(7168, 1536) == 13_959_424
    assert Mamba1(2560, 5120, 16, 4, 160).elements() + 2560 == (2_768_345_600 - 50_280 * 2560 - 2560) // 64
    assert Mlp(2880, 2880, bias=True).elements() == 3 * 2880 * 2880 + 3 * 2880
