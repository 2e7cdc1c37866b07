"""Counts the Hub publishes, against the formula of each model: the difference has a reason, or is listed here."""

from desktop.architectures.build import architecture_of
from desktop.architectures.inspection.reasons import reasons_for, stated
from desktop.architectures.quantization import read_quantization
from desktop.catalog import load_catalog
from desktop.request import Problem

# beyond the formula for which no reason is known: draft layers of a make that is not published or not described, own
# classes, and tables of a tokenizer
UNEXPLAINED = {
    "DeepSeek-V4-Flash",
    "DeepSeek-V4-Pro",
    "Kimi-K3",
    "Gemma-4-26B-A4B",
    "Gemma-4-31B",
    "MiMo-V2-Flash",
    "Nemotron-3-Super-120B-A12B",
    "Nemotron-3-Ultra-550B-A55B",
    "Qwen3-Next-80B-A3B",
    "AliceAI-Foundation-80B-A3B",
    "Qwen3.5-9B",
    "Qwen3.5-4B",
    "rubert-base-cased",
}
BLOCKS = {"quant_method": "fp8", "weight_block_size": [128, 128]}
FP8_ON_THE_HUB = ("DeepSeek-V3.1", "GigaChat3-702B-A36B")  # the catalog has no quantisation config of theirs


def test_differences_of_the_catalog_have_reasons() -> None:
    equal, explained, left = 0, {}, set()
    for model in load_catalog().models:
        published = model.facts.get("params_checkpoint")
        if not published:
            continue
        try:
            made = architecture_of(model.facts, model.name)
        except Problem:
            continue
        scheme = BLOCKS if model.name in FP8_ON_THE_HUB else model.facts.get("quantization_config")
        difference = published - made.parameters()
        if difference == 0:
            equal += 1
        elif reasons := reasons_for(difference, made, read_quantization(scheme, "x") if scheme else None):
            explained[model.name] = stated(reasons)
        else:
            left.add(model.name)
    assert left == UNEXPLAINED
    assert (equal > 150, len(explained) > 40) == (True, True)
    assert explained["DeepSeek-V3"] == {  # 684,531,386,000 on the Hub
        "draft_stored": 11_610_068_224,
        "draft_copies": 1_853_358_080,
        "scales_stored": 41_540_496,
    }
    assert explained["DeepSeek-R1"] == {"draft_stored": 11_610_068_224, "draft_copies": 1_853_358_080}
    assert explained["Falcon-180B"] == {"stored_head": 965_476_352}
    assert explained["LLaMA-65B"] == {"rotary_stored": 5_120}
    assert explained["Kimi-K2"] == {"rotary_stored": 3_416}
    assert explained["GPT-2-XL"] == {"masks_stored": 50_331_648}
    assert explained["GPT-NeoX-20B"] == {"rotary_stored": 528, "masks_stored": 184_549_376}
    assert explained["GLM-4.6"] == {"draft_stored": 3_988_069_792}
