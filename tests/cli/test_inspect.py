"""inspect: whatever a path holds, one JSON object that says what it is."""

import json
from pathlib import Path
from typing import Any

from tests.architectures.inspection.hub_folder import (
    CONFIG,
    ELEMENTS,
    SHAPES,
    gguf_of,
    weights,
    write_folder,
    write_json,
)
from tests.cli.console import desktop

PUBLISHED = Path(__file__).parents[1] / "architectures" / "configs" / "published_configs.jsonl"


def published(name: str) -> dict[str, Any]:
    rows = map(json.loads, PUBLISHED.read_text(encoding="utf-8").splitlines())
    found: dict[str, Any] = next(row["config"] for row in rows if row["name"] == name)
    return found


def test_every_kind_of_path_has_its_line(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", shards=2)
    (tmp_path / "a.gguf").write_bytes(gguf_of())
    (tmp_path / "b.safetensors").write_bytes(weights(SHAPES, data=False))
    (tmp_path / "c.bin").write_bytes(b"\x80\x04")
    lora = tmp_path / "lora"
    lora.mkdir()
    write_json(lora / "adapter_config.json", {"peft_type": "LORA", "r": 8, "base_model_name_or_path": "org/base"})
    paths = [folder, folder / "config.json", tmp_path / "a.gguf", tmp_path / "b.safetensors", lora, tmp_path / "c.bin"]
    done = desktop("inspect", *paths)
    assert (done.status, done.err) == (1, "")
    lines = done.lines()
    assert [line["path"] for line in lines] == [str(path) for path in paths]
    assert [line.get("kind") for line in lines] == ["model", "model", "model", "weights", "adapter", None]
    assert [line.get("sizable") for line in lines] == [True, True, True, False, False, None]
    for line in lines[:4]:
        assert (line["parameters"], line["weight_bytes"]) == (ELEMENTS, 2 * ELEMENTS)
    assert [doubt["code"] for doubt in lines[3]["doubts"]] == ["no_config", "data_absent"]
    assert lines[4]["adapter"]["base_model"] == "org/base"
    assert lines[5]["error"]["code"] == "pickled_weights"


def test_a_mixture_with_windows_is_told_by_layer(tmp_path: Path) -> None:
    """gpt-oss-20b: 24 layers, every second one sees 128 tokens; 2 x 8 x 64 x 2 B = 2,048 B a token and layer. At
    32,768 tokens: 12 x 2,048 + 12 x 2,048 x 128 / 32,768 = 24,672 B."""
    (line,) = desktop("inspect", write_folder(tmp_path / "gpt-oss-20b", published("gpt-oss-20b"), None)).lines()
    assert (line["parameters"], line["active_parameters"]) == (20_914_757_184, 4_187_440_704)
    assert (line["sizable"], line["kv_bytes_per_token"], line["kv_context_tokens"]) == (False, 24_672, 32_768)
    kinds = line["architecture"]["layer_kinds"]
    assert sorted((kind["layers"], kind["window_tokens"]) for kind in kinds) == [(12, 0), (12, 128)]
    assert {(kind["experts"], kind["experts_per_token"]) for kind in kinds} == {(32, 4)}
    assert {kind["kv_bytes_per_token"] for kind in kinds} == {2048}
    assert line["licence"] == "apache-2.0"


def test_latent_attention_and_states(tmp_path: Path) -> None:
    """DeepSeek-V3: 61 x (512 + 64) x 2 B = 70,272 B; Jamba keeps 4 of 32 layers' cache, 4 x 2 x 8 x 128 x 2 B."""
    deepseek = write_folder(tmp_path / "DeepSeek-V3", published("DeepSeek-V3"), None)
    jamba = write_folder(tmp_path / "Jamba-v0.1", published("Jamba-v0.1"), None)
    first, second = desktop("inspect", deepseek, jamba).lines()
    assert (first["parameters"], first["kv_bytes_per_token"], first["state_bytes"]) == (671_026_419_200, 70_272, 0)
    assert first["architecture"]["draft_elements"] == 11_610_068_224
    assert (second["kv_bytes_per_token"], second["state_bytes"] > 0) == (16_384, True)
    kinds = second["architecture"]["layer_kinds"]
    assert {mixer for kind in kinds for mixer in kind["mixers"]} == {"attention", "mamba1"}


def test_doubts_are_sentences_in_the_language_asked_for(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", {**CONFIG, "tie_word_embeddings": True})
    sentences = {"en": "16,384 elements of an output head", "ru": "16\u00a0384 элементов выходной головы"}
    for language, said in sentences.items():
        (line,) = desktop("inspect", "--lang", language, folder).lines()
        (doubt,) = line["doubts"]
        assert (doubt["code"], doubt["values"]) == ("stored_head", {"elements": 16_384})
        assert said in doubt["message"]


def test_a_config_that_says_too_little_leaves_the_weights(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", {**CONFIG, "model_type": "nobody_knows", "hidden_act": "strange"})
    (line,) = desktop("inspect", folder).lines()
    assert (line["kind"], line["parameters"], line["architecture"]) == ("weights", ELEMENTS, None)
    assert line["problem"]["code"] == "unsupported_model" and "nobody_knows" in line["problem"]["message"]
