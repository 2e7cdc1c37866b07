"""A request may name any file of a model; a dense one is sized exactly as from its config."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.architectures import DenseDecoder, read_architecture
from desktop.catalog import load_catalog
from desktop.request import InlineModel, Problem
from desktop.words import problem_sentence
from tests.architectures.files.written import facts_pairs, gguf, tensor_info
from tests.architectures.inspection.hub_folder import CONFIG, SHAPES, gguf_of, weights, write_folder, write_json

MISTRAL = {
    "dim": 64,
    "n_layers": 2,
    "n_heads": 4,
    "n_kv_heads": 2,
    "head_dim": 16,
    "hidden_dim": 128,
    "vocab_size": 256,
    "max_seq_len": 512,
}
MIXTRAL = {**CONFIG, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2}


def read(file: Path) -> DenseDecoder:
    return read_architecture(InlineModel(file=file), load_catalog())


def problem(file: Path) -> Problem:
    with pytest.raises(Problem) as caught:
        read(file)
    assert problem_sentence(caught.value, "ru")
    return caught.value


def test_every_file_of_a_dense_model_gives_the_same_decoder(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", shards=2)
    wanted = read(folder / "config.json")
    (tmp_path / "tiny.gguf").write_bytes(gguf_of())
    alike: dict[str, Any] = {"name": "", "source": "", "model_type": "", "checkpoint_format": ""}
    for path in (
        folder,
        folder / "model.safetensors.index.json",
        folder / "model-00001-of-00002.safetensors",
        tmp_path / "tiny.gguf",
        write_json(tmp_path / "params.json", MISTRAL),
    ):
        assert replace(read(path), **alike) == replace(wanted, **alike), path
    assert read(tmp_path / "tiny.gguf").checkpoint_format == "fp16"


def test_what_cannot_be_sized_says_what_it_is(tmp_path: Path) -> None:
    mixture = write_folder(tmp_path / "mixture", MIXTRAL, {"x": (1,)})
    assert problem(mixture).values["what"] == "mixture_of_experts"
    assert problem(mixture / "model.safetensors").values["what"] == "mixture_of_experts"
    (tmp_path / "a.safetensors").write_bytes(weights(SHAPES))
    assert problem(tmp_path / "a.safetensors").code == "weights_without_config"
    (tmp_path / "mmproj.gguf").write_bytes(
        gguf(facts_pairs("clip", {"general.type": "mmproj"}), [tensor_info("v", [8], 0, 0)])
    )
    assert problem(tmp_path / "mmproj.gguf").values["what"] == "vision_tower"
    facts = {"block_count": 2, "context_length": 512, "embedding_length": 64, "feed_forward_length": 128}
    facts |= {"attention.head_count": 4, "vocab_size": 256}
    (tmp_path / "vocab.gguf").write_bytes(gguf(facts_pairs("llama", facts)))
    assert problem(tmp_path / "vocab.gguf").values["what"] == "vocabulary"
    lora = tmp_path / "lora"
    lora.mkdir()
    write_json(lora / "adapter_config.json", {"peft_type": "LORA", "r": 8})
    assert problem(lora).values["what"] == "adapter_config"
    pipeline = tmp_path / "pipeline"
    pipeline.mkdir()
    write_json(pipeline / "model_index.json", {"_class_name": "FluxPipeline", "vae": ["diffusers", "AutoencoderKL"]})
    assert problem(pipeline).values["what"] == "diffusion"
    windows = write_json(tmp_path / "params.json", {**MISTRAL, "sliding_window": 128})
    assert problem(windows).values["what"] == "sliding_window"
