"""Shards are read from the folder of their index, and what the index says is held against them."""

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.architectures.files import read_safetensors_index, read_sharded_safetensors
from desktop.architectures.files.bounded import printable
from tests.architectures.files.written import header_of, safetensors

FIRST, SECOND = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
MAP = {"model.layers.0.a.weight": FIRST, "model.layers.1.a.weight": SECOND, "lm_head.weight": SECOND}


def folder(path: Path, total: Any = 96, weight_map: dict[str, Any] | None = None) -> Path:
    """Two shards of 32 and 64 bytes and their index."""
    path.mkdir(exist_ok=True)
    one = header_of({"model.layers.0.a.weight": ("BF16", [4, 4], 32)})
    two = header_of({"model.layers.1.a.weight": ("BF16", [4, 4], 32), "lm_head.weight": ("F16", [4, 4], 32)})
    (path / FIRST).write_bytes(safetensors(one, b"\0" * 32))
    (path / SECOND).write_bytes(safetensors(two, b"\0" * 64))
    metadata = {} if total is None else {"metadata": {"total_size": total}}
    index = path / "model.safetensors.index.json"
    index.write_text(json.dumps({**metadata, "weight_map": weight_map or MAP}), encoding="utf-8")
    return index


def test_all_shards_as_one_list(tmp_path: Path) -> None:
    found = read_sharded_safetensors(folder(tmp_path))
    assert (found.elements, found.bytes, found.layers()) == (48, 96, 2)
    assert found.complete and found.doubts == () and found.missing == ()


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    index = folder(tmp_path)
    (tmp_path / FIRST).unlink()
    found = read_sharded_safetensors(index)
    assert (found.complete, found.doubts, found.missing) == (False, ("shard_missing",), (FIRST,))
    assert found.elements == 32


@pytest.mark.parametrize(
    ("total", "doubts"),
    [
        (None, ("total_size_absent",)),
        (97, ("total_size_differs",)),
        (64, ("total_size_without_head",)),  # falcon-7b lists a head that total_size leaves out
        (96.0, ()),
        (-1, ("total_size_absent",)),
        ("96", ("total_size_absent",)),
    ],
)
def test_total_size_is_a_hint(tmp_path: Path, total: Any, doubts: tuple[str, ...]) -> None:
    assert read_sharded_safetensors(folder(tmp_path, total)).doubts == doubts


def test_total_size_that_counts_headers(tmp_path: Path) -> None:
    """As nvidia/DeepSeek-R1-NVFP4 has it: the sizes of the files."""
    index = folder(tmp_path)
    size = sum((tmp_path / name).stat().st_size for name in (FIRST, SECOND))
    assert read_sharded_safetensors(folder(tmp_path, size)).doubts == ("total_size_counts_files",)
    assert index.is_file()


@pytest.mark.parametrize(
    "name",
    [
        "../outside.safetensors",
        "/outside.safetensors",
        "..",
        "a/b.safetensors",
        "C:\\x",
        "\\\\host\\x",
        "a\0b",
        "\ud800",
        "x" * 300,
    ],
)
def test_no_shard_outside_of_the_folder_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "outside.safetensors").write_bytes(safetensors(header_of({"a": ("BF16", [4], 8)}), b"\0" * 8))
    found = read_sharded_safetensors(folder(tmp_path / "model", weight_map={**MAP, "a": name}))
    assert "shard_outside_folder" in found.doubts and not found.complete
    assert found.missing == (printable(name),) and "a" not in found.names


def test_links_lead_to_a_hub_cache_and_nowhere_else(tmp_path: Path) -> None:
    cache = tmp_path / "models--a--b"
    snapshot, blobs = cache / "snapshots" / "0", cache / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    index = folder(snapshot)
    (snapshot / FIRST).rename(blobs / "abc")
    (snapshot / FIRST).symlink_to("../../blobs/abc")
    assert read_sharded_safetensors(index).complete
    (blobs / "abc").rename(tmp_path / "abc")
    (snapshot / FIRST).unlink()
    (snapshot / FIRST).symlink_to("../../../abc")
    found = read_sharded_safetensors(index)
    assert found.doubts == ("shard_outside_folder",) and found.missing == (FIRST,)


def test_tensors_that_differ_from_the_index(tmp_path: Path) -> None:
    found = read_sharded_safetensors(folder(tmp_path, weight_map={**MAP, "model.layers.9.a.weight": SECOND}))
    assert found.doubts == ("index_differs",)


def test_an_index_alone_tells_layers_and_experts(tmp_path: Path) -> None:
    """A value that is no name of a shard (they occur as objects) is a doubt."""
    listed = {"model.layers.60.mlp.experts.255.up_proj.weight": FIRST, "lm_head.weight": {"file": SECOND}}
    index = read_safetensors_index(folder(tmp_path, 15_231_233_024, listed))
    assert (index.layers(), index.experts(), index.has_lm_head()) == (61, 256, False)
    assert index.total_size_bytes == 15_231_233_024  # Qwen2-7B: two bytes for each of 7,615,616,512
    assert index.doubts == ("shard_not_named",) and index.shards() == (FIRST,)
