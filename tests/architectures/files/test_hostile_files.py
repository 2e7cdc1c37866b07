"""Broken and hostile files: each is one Problem with a sentence in both languages that names the file, at once and
without much memory."""

import json
import struct
import tracemalloc

import pytest

from desktop.architectures.files import parse_gguf, parse_safetensors, parse_safetensors_index
from desktop.architectures.files.bounded import BoundedReader
from desktop.request import Problem
from desktop.words import Language
from desktop.words.sentences import problem_sentence
from tests.architectures.files.written import (
    ARRAY,
    TEXT,
    U32,
    entry,
    gguf,
    header_of,
    pair,
    safetensors,
    tensor_info,
    text,
)

LANGUAGES: tuple[Language, ...] = ("en", "ru")
F32 = entry("F32", [2], 0, 8)
BIG = 2**63
ONE = [tensor_info("a", [32], 0, 0)]


def array_of(items: int, length: int) -> bytes:
    return text("k") + struct.pack("<IIQ", ARRAY, items, length)


SAFETENSORS = {
    "empty": (b"", "truncated"),
    "seven bytes": (b"\0" * 7, "truncated"),
    "length zero": (struct.pack("<Q", 0) + b"{}", "not_an_object"),
    "length past the end": (struct.pack("<Q", 1000) + b"{}", "truncated"),
    "length of 2^63": (struct.pack("<Q", BIG) + b"{}", "header_too_large"),
    "length above the cap": (struct.pack("<Q", 100_000_001) + b"{}", "header_too_large"),
    "a list": (safetensors(b"[]"), "not_an_object"),
    "spaces first": (safetensors(b"  {}"), "not_an_object"),
    "byte order mark": (safetensors(b"\xef\xbb\xbf{}"), "not_an_object"),
    "unclosed": (safetensors(b'{"a":{"dtype":"F32"'), "not_json"),
    "comma at the end": (
        safetensors(b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},}', b"\0" * 8),
        "not_json",
    ),
    "more behind the object": (safetensors(b'{}},"a":{}'), "not_json"),
    "not UTF-8": (safetensors(b'{"\xff":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}', b"\0" * 8), "not_json"),
    "half a character": (safetensors({"\ud800": F32}, b"\0" * 8), "bad_entry"),
    "leading zero": (safetensors(b'{"a":{"dtype":"F32","shape":[02],"data_offsets":[0,8]}}', b"\0" * 8), "not_json"),
    "NaN": (safetensors(b'{"a":{"dtype":"F32","shape":[NaN],"data_offsets":[0,8]}}'), "not_whole"),
    "infinity": (safetensors(b'{"a":{"dtype":"F32","shape":[1e400],"data_offsets":[0,8]}}'), "not_whole"),
    "a fraction": (safetensors(b'{"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}}'), "not_whole"),
    "a number of 5000 digits": (safetensors(b'{"a":[' + b"1" * 5000 + b"]}"), "not_json"),
    "doubled name": (
        safetensors(b'{"a":' + json.dumps(F32).encode() + b',"a":' + json.dumps(F32).encode() + b"}", b"\0" * 8),
        "doubled_name",
    ),
    "doubled key": (
        safetensors(b'{"a":{"dtype":"F32","dtype":"F32","shape":[],"data_offsets":[0,4]}}'),
        "doubled_name",
    ),
    "true as a size": (safetensors({"a": entry("F32", [True, 2], 0, 8)}, b"\0" * 8), "bad_entry"),
    "negative size": (safetensors({"a": entry("F32", [-2], 0, 8)}, b"\0" * 8), "bad_entry"),
    "size as text": (safetensors({"a": {**F32, "shape": ["2"]}}, b"\0" * 8), "bad_entry"),
    "product above 2^62": (safetensors({"a": entry("U8", [2**31, 2**31], 0, 2**62)}), "bad_shape"),
    "product past 2^64": (safetensors({"a": entry("U8", [2**32, 2**33], 0, 0)}), "bad_shape"),
    "bytes above 2^64": (safetensors({"a": entry("F64", [2**61], 0, 2**64)}), "bad_shape"),
    "bytes of 2^62 together": (
        safetensors(header_of({name: ("U8", [2**61], 2**61) for name in "abcd"})),
        "holes_or_overlaps",
    ),
    "a place past 2^64": (safetensors({"a": entry("U8", [1], 2**65, 2**65 + 1)}), "holes_or_overlaps"),
    "a place past 2^64, with a space": (
        safetensors(b'{ "a":{"dtype":"U8","shape":[1],"data_offsets":[' + b"9" * 19 + b"," + b"9" * 19 + b"]}}"),
        "bad_entry",
    ),
    "unknown type": (safetensors({"a": entry("F7", [2], 0, 8)}, b"\0" * 8), "unknown_type"),
    "offsets swapped": (safetensors({"a": entry("F32", [2], 8, 0)}, b"\0" * 8), "size_differs"),
    "three offsets": (safetensors({"a": {**F32, "data_offsets": [0, 8, 8]}}, b"\0" * 8), "bad_entry"),
    "size and shape differ": (safetensors({"a": entry("F32", [3], 0, 8)}, b"\0" * 8), "size_differs"),
    "hole": (safetensors({"a": F32, "b": entry("F32", [1], 12, 16)}, b"\0" * 16), "holes_or_overlaps"),
    "overlap": (safetensors({"a": F32, "b": entry("F32", [1], 4, 8)}, b"\0" * 8), "holes_or_overlaps"),
    "bytes left over": (safetensors({"a": F32}, b"\0" * 9), "bytes_left_over"),
    "entry is a list": (safetensors({"a": [1, 2]}), "bad_entry"),
    "entry lacks its shape": (safetensors({"a": {"dtype": "F32", "data_offsets": [0, 4]}}), "bad_entry"),
    "metadata is a number": (safetensors({"__metadata__": {"format": 1}}), "bad_entry"),
    "metadata looks like a tensor": (safetensors({"__metadata__": F32}, b"\0" * 8), "bad_entry"),
    "nested 100,000 deep": (safetensors(b'{"a":' + b"[" * 100_000), "too_deep"),
    "an entry of 17 MiB": (
        safetensors(b'{"__metadata__":{"a":"' + b"x" * 17 * 2**20 + b'"}}' + b" " * 2**17),
        "entry_too_large",
    ),
    "a Git LFS pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "header_too_large"),
}
GGUF = {
    "empty": (b"", "truncated"),
    "another magic": (b"GGML" + b"\0" * 20, "not_gguf"),
    "cut in the counts": (gguf()[:15], "truncated"),
    "version 1": (gguf(version=1), "version"),
    "version 0": (gguf(version=0), "version"),
    "version 2^31": (gguf(version=2**31), "version"),
    "2^62 pairs": (gguf(counts=(0, 2**62)), "too_many"),
    "2^62 tensors": (gguf(counts=(2**62, 0)), "too_many"),
    "more pairs than bytes": (gguf(counts=(0, 90_000)), "truncated"),
    "more tensors than bytes": (gguf(counts=(900_000, 0)), "truncated"),
    "key of 2^63 bytes": (gguf([struct.pack("<QQ", BIG, 0)], counts=(0, 1)), "header_too_large"),
    "key of 65,536 bytes": (gguf([pair("k" * 65_536, U32, 1)]), "text"),
    "key not UTF-8": (gguf([pair(b"\xff\xfe", U32, 1)]), "text"),
    "doubled key": (gguf([pair("k", U32, 1)] * 2), "doubled_name"),
    "value of an unknown type": (gguf([text("k") + struct.pack("<II", 13, 0)]), "unknown_value_type"),
    "text of 2^63 bytes": (gguf([text("k") + struct.pack("<IQ", TEXT, BIG)]), "header_too_large"),
    "array of 2^40 texts": (gguf([array_of(TEXT, 2**40)]), "header_too_large"),
    "array of 2^61 numbers": (gguf([array_of(U32, 2**61)]), "header_too_large"),
    "array whose size wraps round": (gguf([array_of(10, 2**61)]), "header_too_large"),
    "array of an unknown type": (gguf([array_of(99, 1) + b"\0" * 8]), "unknown_value_type"),
    "array of arrays": (gguf([array_of(ARRAY, 1) + b"\0" * 12]), "nested_array"),
    "a text of the array past the end": (
        gguf([array_of(TEXT, 100) + struct.pack("<Q", BIG) * 100]),
        "header_too_large",
    ),
    "alignment 0": (gguf([pair("general.alignment", U32, 0)]), "bad_alignment"),
    "alignment 24": (gguf([pair("general.alignment", U32, 24)]), "bad_alignment"),
    "alignment of 2 GiB": (gguf([pair("general.alignment", U32, 2**31)]), "bad_alignment"),
    "alignment as text": (gguf([pair("general.alignment", TEXT, "32")]), "bad_alignment"),
    "removed tensor type": (gguf(infos=[tensor_info("a", [32], 4, 0)]), "unknown_type"),
    "unknown tensor type": (gguf(infos=[tensor_info("a", [32], 200, 0)]), "unknown_type"),
    "five dimensions": (gguf(infos=[tensor_info("a", [1] * 5, 0, 0)]), "bad_shape"),
    "2^32 dimensions": (gguf(infos=[text("a") + struct.pack("<IQQ", 2**32 - 1, 1, 1)]), "bad_shape"),
    "dimension 0": (gguf(infos=[tensor_info("a", [32, 0], 0, 0)]), "bad_shape"),
    "product past 2^64": (gguf(infos=[tensor_info("a", [2**32, 2**33], 0, 0)]), "bad_shape"),
    "sizes of 2^62 together": (
        gguf(infos=[tensor_info("a", [2**61], 24, 0), tensor_info("b", [2**61], 24, 2**61)]),
        "bad_shape",
    ),
    "row of half a block": (gguf(infos=[tensor_info("a", [16, 2], 8, 0)]), "row_not_of_blocks"),
    "unaligned offset": (gguf(infos=[tensor_info("a", [32], 0, 8)]), "unaligned"),
    "overlap": (gguf(infos=[*ONE, tensor_info("b", [32], 0, 0)]), "holes_or_overlaps"),
    "hole": (gguf(infos=[*ONE, tensor_info("b", [32], 0, 1024)]), "holes_or_overlaps"),
    "doubled tensor": (gguf(infos=[*ONE, tensor_info("a", [32], 0, 128)]), "doubled_name"),
    "tensor name of 5,000 bytes": (gguf(infos=[tensor_info("a" * 5000, [32], 0, 0)]), "text"),
    "cut in a tensor": (gguf(infos=ONE)[:-5], "truncated"),
}
INDEX = {
    "empty": (b"", "syntax"),
    "a list": (b"[]", "no_weight_map"),
    "no map": (b'{"metadata":{"total_size":1}}', "no_weight_map"),
    "empty map": (b'{"weight_map":{}}', "no_weight_map"),
    "NaN": (b'{"metadata":{"total_size":NaN},"weight_map":{"a":"b"}}', "not_finite"),
    "doubled tensor": (b'{"weight_map":{"a":"b","a":"c"}}', "duplicate_key"),
    "long number": (b'{"metadata":{"total_size":' + b"9" * 30 + b'},"weight_map":{"a":"b"}}', "number_too_long"),
    "nested 100,000 deep": (b'{"weight_map":' + b'{"a":' * 100_000, "too_deep"),
    "nested 65 deep": (b'{"weight_map":{"a":' + b"[" * 65 + b"]" * 65 + b"}}", "too_deep"),
    "UTF-16": ('{"weight_map":{"a":"b"}}'.encode("utf-16"), "encoding"),
}
READERS = {"safetensors": parse_safetensors, "gguf": parse_gguf, "index": parse_safetensors_index}
KINDS = [
    pytest.param(reader, data, reason, id=f"{reader}: {kind}")
    for reader, kinds in (("safetensors", SAFETENSORS), ("gguf", GGUF), ("index", INDEX))
    for kind, (data, reason) in kinds.items()
]


def test_there_are_at_least_the_37_kinds_of_the_contract() -> None:
    assert len(KINDS) >= 37


@pytest.mark.parametrize(("reader", "data", "reason"), KINDS)
def test_a_hostile_file_is_one_problem(reader: str, data: bytes, reason: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(Problem) as caught:
            READERS[reader](BoundedReader.of(data, "handed-in.file"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert caught.value.values["reason"] == reason
    assert peak < 100 * 2**20
    said = {problem_sentence(caught.value, language) for language in LANGUAGES}
    assert len(said) == 2 and all(sentence.startswith("handed-in.file: ") for sentence in said)
    assert all("{" not in sentence.removeprefix("handed-in.file") for sentence in said)


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_gives_up_when_its_time_is_over(reader: str) -> None:
    """With no time at all it does not even begin."""
    valid = {"safetensors": safetensors({}), "gguf": gguf(), "index": b'{"weight_map":{"a":"b"}}'}[reader]
    with pytest.raises(Problem) as caught:
        READERS[reader](BoundedReader.of(valid, "handed-in.file", budget_s=-1.0))
    assert caught.value.values["reason"] == "too_slow"


def test_control_characters_of_a_name_reach_no_sentence() -> None:
    escape = "\x1b[2J\r\n" + "x" * 500
    with pytest.raises(Problem) as caught:
        parse_safetensors(BoundedReader.of(safetensors({escape: []}), "handed-in.file"))
    sentence = problem_sentence(caught.value, "en")
    assert sentence.isprintable() and len(sentence) < 250
