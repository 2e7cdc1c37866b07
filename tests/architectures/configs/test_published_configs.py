"""Configs of published models, cut to the fields that say what the model is made of, give its exact element count.

Each line of `published_configs.jsonl` has its source; `parameters` is the count the Hub reports, less what `note`
explains.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.architectures.configs import facts_of_config
from desktop.architectures.parameter_count import recomputed_parameters
from desktop.catalog import Catalog

LINES = Path(__file__).with_name("published_configs.jsonl").read_text(encoding="utf-8").splitlines()
PUBLISHED: dict[str, dict[str, Any]] = {line["name"]: line for line in map(json.loads, LINES)}
# what the count does not prove, held against the catalog's columns where both are given
COLUMNS = (
    "num_layers",
    "hidden_size",
    "num_heads",
    "num_kv_heads",
    "vocab_size",
    "full_attn_layers",
    "experts_per_tok",
    "num_experts",
    "kv_lora_rank",
    "max_position",
    "sliding_window",
    "mtp_layers",
    "attention",
)
APART = {
    "DeepSeek-V4-Flash": {"attention"},  # the catalog writes the window into the word
    "Llama-3.3-Nemotron-Super-49B": {"num_kv_heads"},  # a list here: some layers have none
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_count_is_the_published_one(name: str) -> None:
    model = PUBLISHED[name]
    assert model["source"]
    found = facts_of_config(model["config"], name, "config.json")
    assert recomputed_parameters(found.facts) == model["parameters"]
    assert "unverified_family" not in found.doubts


def test_what_the_count_does_not_prove_agrees_with_the_catalog(catalog: Catalog) -> None:
    differing = {}
    rows = {model.name: model.facts for model in catalog.models}
    for name in sorted(PUBLISHED.keys() & rows):
        facts = facts_of_config(PUBLISHED[name]["config"], name, "config.json").facts
        row = {**rows[name], **(rows[name].get("dimensions") or {})}
        apart = {
            column: (facts[column], row[column])
            for column in COLUMNS
            if facts.get(column) is not None and row.get(column) is not None and facts[column] != row[column]
        }
        differing[name] = {column: both for column, both in apart.items() if column not in APART.get(name, ())}
    assert {name: apart for name, apart in differing.items() if apart} == {}
    assert len(differing) > 50


def test_the_kind_of_model(catalog: Catalog) -> None:
    kinds = {model.name: model.kind for model in catalog.models}
    seen = {"Qwen3.5-27B", "Qwen3.5-35B-A3B"}  # the catalog keeps them with their state-space text part
    for name in sorted(PUBLISHED.keys() & kinds.keys() - seen - {"Qwen3-Next-80B-A3B", "Kimi-K2.5"}):
        kind = facts_of_config(PUBLISHED[name]["config"], name, "config.json").facts["kind"]
        assert kind == kinds[name], name
