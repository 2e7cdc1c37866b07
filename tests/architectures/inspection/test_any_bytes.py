"""Whatever stands in the files of a folder: an inspection, or one Problem with a sentence in both languages."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.architectures import inspect_path
from desktop.request import Problem
from desktop.words import doubt_sentence, problem_sentence
from tests.architectures.inspection.hub_folder import CONFIG, SHAPES, gguf_of, weights

NAMES = (
    "config.json",
    "params.json",
    "hf_quant_config.json",
    "adapter_config.json",
    "model_index.json",
    "README.md",
    "model.safetensors",
    "model-00001-of-00002.safetensors",
    "model.safetensors.index.json",
    "a.gguf",
    "a-00001-of-00002.gguf",
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
CONFIGS = st.dictionaries(
    st.sampled_from([*CONFIG, "num_local_experts", "quantization_config", "weight_map", "metadata", "peft_type"]),
    VALUES,
).map(lambda changes: json.dumps({**CONFIG, **changes}).encode())
GOOD = {"model.safetensors": weights(SHAPES), "a.gguf": gguf_of()}


@st.composite
def folders(draw: st.DrawFn) -> dict[str, bytes]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    files = {}
    for name in names:
        good = GOOD.get(name, b"")
        cut = draw(st.integers(0, len(good)))
        files[name] = draw(CONFIGS | st.binary(max_size=64) | st.just(good) | st.just(good[:cut]))
    return files


@settings(max_examples=150, deadline=None)
@given(folders())
def test_a_folder_of_anything(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        for path in (folder, *(folder / name for name in files)):
            for language in ("en", "ru"):
                try:
                    found = inspect_path(path)
                except Problem as problem:
                    assert problem_sentence(problem, language)
                else:
                    assert all(doubt_sentence(doubt, language) for doubt in found.doubts)
