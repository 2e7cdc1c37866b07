"""Codes that the catalog and the request hold, as readers write them."""

import pytest

from desktop.catalog import load_catalog
from desktop.words import Language, Numerals, engine_name, format_name, phrases_of, region_name, written


def test_tools_and_formats() -> None:
    assert engine_name("vllm 0.19.0", "ru") == "vLLM 0.19.0"
    assert engine_name("megatron-lm", "en") == "Megatron-LM"
    assert engine_name("newcomer 1.0", "en") == "newcomer 1.0"
    assert (format_name("awq-int4", "en"), format_name("gguf:Q4_K_M", "ru")) == ("INT4 AWQ", "GGUF Q4_K_M")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_region_of_the_catalog_has_its_name(language: Language) -> None:
    catalog = load_catalog()
    names = {region.name for region in catalog.regions} | {tariff.region for tariff in catalog.tariffs}
    assert [name for name in names if f"region.{name}" not in phrases_of("terms")] == []
    assert region_name("Europe", "ru") == "Европа" and region_name("Atlantis", language) == "Atlantis"


def test_values_of_sentences_are_names_not_codes() -> None:
    said = written({"format": "awq-int4", "weights": ("fp8", "bf16"), "region": "Europe"}, Numerals("ru"))
    assert said == {"format": "INT4 AWQ", "weights": "FP8 (W8A8), BF16", "region": "Европа"}
