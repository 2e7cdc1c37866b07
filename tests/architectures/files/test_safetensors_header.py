"""A safetensors header says every tensor, however it is spelled and whether or not the data follows."""

import json
import os
from pathlib import Path

import pytest

from desktop.architectures.files import read_safetensors
from desktop.request import Problem
from tests.architectures.files.written import entry, header_of, read, safetensors

# bits of each type: safetensors/src/tensor.rs of huggingface/safetensors @24b0b285
SIZES = {"F64": 8, "I64": 8, "U64": 8, "C64": 8, "F32": 4, "I32": 4, "U32": 4, "F16": 2, "BF16": 2, "I16": 2, "U16": 2}
SIZES |= dict.fromkeys(("BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"), 1)


def test_types_and_their_bytes() -> None:
    header = header_of({name: (name, [3, 8], 24 * size) for name, size in SIZES.items()})
    found = read(safetensors(header, b"\0" * 24 * sum(SIZES.values())))
    assert found.complete and found.elements_by_dtype() == dict.fromkeys(SIZES, 24)
    assert found.bytes_by_dtype() == {name: 24 * size for name, size in SIZES.items()}


def test_types_below_a_byte_are_rounded_up_as_a_whole() -> None:
    header = header_of({"a": ("F4", [3], 2), "b": ("F6_E2M3", [4], 3), "c": ("F6_E3M2", [3], 3)})
    assert read(safetensors(header, b"\0" * 8)).bytes == 8


def test_a_scalar_and_an_empty_tensor() -> None:
    found = read(safetensors(header_of({"a": ("F32", [], 4), "b": ("F32", [0, 7], 0)}), b"\0" * 4))
    assert [(t.name, t.dtype, t.shape, t.elements, t.bytes) for t in found] == [
        ("a", "F32", (), 1, 4),
        ("b", "F32", (0, 7), 0, 0),
    ]


SPELLINGS = {
    "as Rust writes it": lambda header: json.dumps(header, separators=(",", ":")),
    "with spaces": lambda header: json.dumps(header),
    "over many lines": lambda header: json.dumps(header, indent=2),
    "keys in another order": lambda header: json.dumps(header, sort_keys=True, separators=(",", ":")),
    "padded": lambda header: json.dumps(header, separators=(",", ":")) + " " * 7,
    "escaped": lambda header: json.dumps(header, separators=(",", ":")).replace("layers", "l\\u0061yers"),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_of_one_header(spelling: str) -> None:
    """3,000 tensors, so that the header is read in several pieces, and names that look like the end of an entry."""
    tensors = {f"model.layers.{i}.a}},b[]": ("BF16", [i % 5, 7], i % 5 * 14) for i in range(3000)}
    header = {"__metadata__": {"format": "pt", "note": '}},"a":{'}, **header_of(tensors)}
    found = read(safetensors(SPELLINGS[spelling](header).encode()))
    assert len(found) == 3000 and found.metadata == {"format": "pt", "note": '}},"a":{'}
    assert found.names == list(tensors) or sorted(found.names) == sorted(tensors)
    assert found.elements == sum(i % 5 * 7 for i in range(3000)) and found.layers() == 3000


def test_tensors_listed_in_another_order_than_they_lie() -> None:
    header = {"a": entry("F32", [2], 8, 16), "b": entry("F32", [2], 0, 8), "c": entry("F32", [0], 8, 8)}
    assert read(safetensors(header, b"\0" * 16)).bytes == 16


@pytest.mark.parametrize("data", [0, 1, 15])
def test_the_first_part_of_a_file_is_enough(data: int) -> None:
    found = read(safetensors(header_of({"a": ("F32", [4], 16)}), b"\0" * data))
    assert (found.elements, found.complete, found.doubts) == (4, False, ("data_absent",))


def test_a_file_cut_in_its_header_says_how_much_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "cut.safetensors"
    whole = safetensors(header_of({"a": ("F32", [4], 16)}))
    path.write_bytes(whole[:20])
    with pytest.raises(Problem) as caught:
        read_safetensors(path)
    assert caught.value.values == {"reason": "truncated", "size_bytes": 20, "needed_bytes": len(whole)}


def test_a_git_lfs_pointer_is_told_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n", encoding="utf-8")
    with pytest.raises(Problem) as caught:
        read_safetensors(path)
    assert caught.value.values["reason"] == "lfs_pointer"


@pytest.mark.parametrize("kind", ["folder", "pipe", "missing", "null byte"])
def test_what_is_no_file_is_not_opened(tmp_path: Path, kind: str) -> None:
    path = tmp_path / ("a\0b" if kind == "null byte" else "model.safetensors")
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(Problem) as caught:
        read_safetensors(path)
    assert caught.value.code == ("file_missing" if kind == "missing" else "file_unreadable")


def test_layers_experts_and_head_by_name() -> None:
    names = [
        "model.embed_tokens.weight",
        "model.layers.60.mlp.experts.255.up_proj.weight",
        "model.layers.61.eh_proj.weight",  # the draft layer of DeepSeek-V3
        "vision_tower.encoder.layers.99.norm.weight",
    ]
    found = read(safetensors(header_of({name: ("BF16", [1], 2) for name in names})))
    assert (found.layers(), found.experts(), found.has_lm_head()) == (62, 256, False)
    with_head = read(safetensors(header_of({"lm_head.weight": ("BF16", [1], 2)})))
    assert with_head.has_lm_head() and with_head.layers() == 0
    fused = read(safetensors(header_of({"model.layers.0.mlp.experts.gate_up_proj": ("U8", [32, 2, 2], 128)})))
    assert fused.experts() == 32
