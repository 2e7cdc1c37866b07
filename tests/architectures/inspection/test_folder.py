"""Nothing outside of the folder is opened, nothing is unpickled, nothing runs without end."""

import os
import struct
from pathlib import Path

import pytest

from desktop.architectures import inspect_path
from desktop.architectures.inspection.folder import checkpoints_in
from desktop.request import Problem
from desktop.words import problem_sentence
from tests.architectures.inspection.hub_folder import CONFIG, SHAPES, weights, write_folder, write_json


def code_of(path: Path, budget_s: float = 10) -> str:
    with pytest.raises(Problem) as caught:
        inspect_path(path, budget_s=budget_s)
    for language in ("en", "ru"):
        assert problem_sentence(caught.value, language)
    return caught.value.code


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    outside = write_folder(tmp_path / "outside")
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        (folder / name).symlink_to(outside / name)
    assert code_of(folder) == "no_model_files"
    (folder / "config.json").unlink()
    write_json(folder / "config.json", CONFIG)
    (doubt,) = inspect_path(folder).doubts
    assert (doubt.code, doubt.values) == ("link_outside_folder", {"names": ("model.safetensors",)})


def test_links_of_the_hub_cache_are_its_files(tmp_path: Path) -> None:
    cache = tmp_path / "models--org--Tiny-1M"
    snapshot = cache / "snapshots" / "0f3c"
    blobs = write_folder(cache / "blobs")
    snapshot.mkdir(parents=True)
    for name in ("config.json", "model.safetensors"):
        (snapshot / name).symlink_to(Path("..", "..", "blobs", name))
    found = inspect_path(snapshot)
    assert (found.name, found.files) == ("Tiny-1M", ("config.json", "model.safetensors"))
    assert blobs.is_dir()


@pytest.mark.parametrize("name", ["pytorch_model.bin", "a.pt", "a.ckpt", "a.PTH"])
def test_pickles_are_never_opened(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x80\x04cos\nsystem\n")
    assert code_of(tmp_path / name) == code_of(tmp_path) == "pickled_weights"
    write_json(tmp_path / "config.json", CONFIG)
    assert [doubt.code for doubt in inspect_path(tmp_path).doubts] == ["pickles_not_opened"]


def test_other_files_say_what_they_are(tmp_path: Path) -> None:
    assert code_of(tmp_path) == "no_model_files"
    assert code_of(tmp_path / "none.gguf") == "file_missing"
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    assert code_of(tmp_path / "notes.txt") == "unsupported_file"
    assert code_of(write_json(tmp_path / "odd.json", {"hello": 1})) == "not_a_model_config"
    assert code_of(write_json(tmp_path / "tokenizer_config.json", {"tokenizer_class": "x"})) == "unsupported_model"
    (tmp_path / "bad.json").write_text('{"a": [', encoding="utf-8")
    assert code_of(tmp_path / "bad.json") == "bad_json"
    (tmp_path / "big.json").write_bytes(b" " * (4 * 2**20 + 1))
    assert code_of(tmp_path / "big.json") == "file_too_large"
    assert code_of(Path("x" * 5000)) == code_of(Path("a\0b")) == "file_unreadable"


def test_a_config_under_another_name_is_a_config(tmp_path: Path) -> None:
    assert inspect_path(write_json(tmp_path / "llama.txt", CONFIG)).kind == "model"


def test_a_pipe_does_not_hold_anybody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    assert code_of(tmp_path / "config.json") == code_of(tmp_path) == "file_unreadable"


def test_the_time_is_limited(tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(weights(SHAPES))
    assert code_of(tmp_path / "a.safetensors", budget_s=-1) == "broken_model_file"


def test_a_broken_header_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.safetensors").write_bytes(struct.pack("<Q", 2**40))
    assert code_of(tmp_path) == "broken_model_file"


def test_too_many_sets_of_weights(tmp_path: Path) -> None:
    for number in range(65):
        (tmp_path / f"{chr(97 + number % 26)}{number}.gguf").touch()
    assert code_of(tmp_path) == "too_many_checkpoints"


def test_checkpoints_are_told_apart_by_their_names(tmp_path: Path) -> None:
    names = [
        "model-00001-of-00002.safetensors",
        "model-00002-of-00002.safetensors",
        "model.safetensors.index.json",
        "q-00001-of-00003.gguf",
        "other.safetensors",
        "README.md",
    ]
    found = {one.stem: (one.format, one.name, len(one.files), one.whole) for one in checkpoints_in(tmp_path, names)}
    assert found == {
        "model": ("safetensors", "model.safetensors.index.json", 2, True),
        "q": ("gguf", "q-00001-of-00003.gguf", 1, False),
        "other": ("safetensors", "other.safetensors", 1, True),
    }
