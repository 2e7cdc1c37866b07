"""A published config spoiled anywhere is read, or refused with a Problem; nothing else escapes."""

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.architectures.configs import facts_of_config
from desktop.architectures.parameter_count import recomputed_parameters
from desktop.architectures.quantization import read_quantization
from desktop.request import Problem

LINES = Path(__file__).with_name("published_configs.jsonl").read_text(encoding="utf-8").splitlines()
CONFIGS: list[dict[str, Any]] = [json.loads(line)["config"] for line in LINES]
SCHEMES: list[dict[str, Any]] = [
    {"quant_method": "fp8", "weight_block_size": [128, 128], "ignore": ["lm_head", "re:.*gate.*"]},
    {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": False},
    {"quant_algo": "MIXED_PRECISION", "quantized_layers": {"a.experts.1": {"quant_algo": "NVFP4", "group_size": 16}}},
    {"config_groups": {"g": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "group_size": 32}}}},
]
odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.integers(0, 300),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.one_of(st.none(), st.integers(-2, 200), st.text(max_size=4), st.lists(st.integers())), max_size=40),
    st.dictionaries(st.text(max_size=6), st.integers(), max_size=3),
)


def spoil(config: dict[str, Any], data: st.DataObject) -> dict[str, Any]:
    """The config with up to three of its fields, at any depth, replaced or gone."""
    spoiled = copy.deepcopy(config)
    for _ in range(data.draw(st.integers(1, 3))):
        box: dict[str, Any] = spoiled
        while box:
            name = data.draw(st.sampled_from(sorted(box)))
            inner = box[name]
            if isinstance(inner, dict) and inner and data.draw(st.booleans()):
                box = inner
                continue
            if data.draw(st.booleans()):
                box[name] = data.draw(odd)
            else:
                del box[name]
            break
    return spoiled


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_spoiled_config_is_read_or_refused(data: st.DataObject) -> None:
    spoiled = spoil(data.draw(st.sampled_from(CONFIGS)), data)
    try:
        found = facts_of_config(spoiled, "model", "config.json")
    except Problem:
        return
    count = recomputed_parameters(found.facts)
    assert count is None or count > 0


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_spoiled_quantisation_is_read_or_refused(data: st.DataObject) -> None:
    spoiled = spoil(data.draw(st.sampled_from(SCHEMES)), data)
    try:
        found = read_quantization(spoiled, "quantization_config")
    except Problem:
        return
    layout = found.format_of("model.layers.0.mlp.experts.3.up_proj")
    assert layout is None or 0 < layout.bits <= 32
