"""A GGUF header in both versions and byte orders, alone or split."""

from pathlib import Path

import pytest

from desktop.architectures.files import facts_of_gguf, read_gguf
from desktop.architectures.files.gguf_header import LongArray
from desktop.request import Problem
from tests.architectures.files.written import (
    BOOL,
    F32,
    I32,
    TEXT,
    U32,
    U64,
    facts_pairs,
    gguf,
    header,
    pair,
    tensor_info,
)

KEYS = {
    "block_count": 2,
    "embedding_length": 64,
    "attention.head_count": 4,
    "feed_forward_length": 128,
    "vocab_size": 9,
}


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [2, 3])
def test_versions_and_byte_orders(version: int, order: str) -> None:
    infos = [tensor_info("blk.0.attn_q.weight", [64, 32], 8, 0, order)]
    found = header(gguf(facts_pairs("llama", KEYS, order), infos, version=version, order=order))
    assert (found.version, found.byte_order) == (version, "little" if order == "<" else "big")
    assert found.about("block_count") == 2 and found.kind == "model"
    (tensor,) = found.tensors
    assert (tensor.dtype, tensor.shape, tensor.bytes) == ("Q8_0", (32, 64), 64 * 32 // 32 * 34)
    assert facts_of_gguf(found)["num_layers"] == 2


def test_values_of_every_kind() -> None:
    pairs = [
        pair("a", BOOL, True),
        pair("b", I32, -5),
        pair("c", U64, 2**63),
        pair("d", F32, float("nan")),  # no figure can be made of it
        pair("e", TEXT, b"\xff text"),
        pair("f", TEXT, ["one", "two"]),
        pair("g", U32, [8, 8, 2]),
        pair("h", TEXT, ["token"] * 300),
        pair("i", F32, [0.5] * 5000),
        pair("j", TEXT, b"x" * 70_000),
    ]
    found = header(gguf(pairs)).metadata
    assert [found[key] for key in "abcd"] == [True, -5, 2**63, None]
    assert found["e"] == "\ufffd text" and found["f"] == ["one", "two"] and found["g"] == [8, 8, 2]
    assert (found["h"], found["i"], found["j"]) == (LongArray(8, 300), LongArray(6, 5000), LongArray(8, 70_000))


def test_tensors_lie_at_multiples_of_the_alignment() -> None:
    infos = [tensor_info("a", [1], 0, 0), tensor_info("b", [1], 0, 64)]
    found = header(gguf([pair("general.alignment", U32, 64)], infos))
    assert (found.alignment, found.tensors.bytes) == (64, 8)


def test_a_header_without_its_data() -> None:
    infos = [tensor_info("a", [32], 0, 0)]
    assert header(gguf(infos=infos)).tensors.doubts == ("data_absent",)
    assert header(gguf(infos=infos, data=b"\0" * 128)).tensors.complete


def test_a_name_longer_than_llama_cpp_reads() -> None:
    found = header(gguf(infos=[tensor_info("a" * 65, [32], 0, 0)]))
    assert "tensor_name_too_long" in found.tensors.doubts


def test_a_vocabulary_has_no_tensors() -> None:
    found = header(gguf([*facts_pairs("llama", KEYS), pair("tokenizer.ggml.tokens", TEXT, ["a"] * 100)]))
    assert found.kind == "vocabulary"
    assert "tie_embeddings" not in facts_of_gguf(found)


# ------------------------------------------------------------------------------------------------------ split files


def shards(folder: Path, count: int = 3, promised: int = 3) -> list[Path]:
    """A model of one tensor a shard; only the first says what the model is."""
    paths = []
    for number in range(count):
        split = {"split.no": number, "split.count": count, "split.tensors.count": promised}
        keys = facts_pairs("llama", {**KEYS, **split})
        own = keys if number == 0 else keys[-3:]
        info = tensor_info(f"blk.{number}.attn_norm.weight", [32], 0, 0)
        path = folder / f"model-{number + 1:05}-of-{count:05}.gguf"
        path.write_bytes(gguf(own, [info], data=b"\0" * 128))
        paths.append(path)
    return paths


@pytest.mark.parametrize("given", [0, 1, 2])
def test_any_shard_leads_to_all(tmp_path: Path, given: int) -> None:
    found = read_gguf(shards(tmp_path)[given])
    assert (len(found.tensors), found.tensors.complete, found.tensors.doubts) == (3, True, ())
    assert found.about("block_count") == 2 and facts_of_gguf(found)["tie_embeddings"] is True


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    paths = shards(tmp_path)
    paths[1].unlink()
    found = read_gguf(paths[0])
    assert (found.tensors.complete, found.tensors.doubts) == (False, ("shard_missing",))
    assert found.tensors.missing == ("model-00002-of-00003.gguf",)
    assert "tie_embeddings" not in facts_of_gguf(found)


def test_without_the_first_shard_nothing_is_known(tmp_path: Path) -> None:
    paths = shards(tmp_path)
    paths[0].unlink()
    with pytest.raises(Problem) as caught:
        read_gguf(paths[2])
    assert caught.value.values == {"reason": "first_shard_missing", "shard": 3, "count": 3}


def test_shards_that_do_not_belong_together(tmp_path: Path) -> None:
    assert read_gguf(shards(tmp_path, promised=4)[0]).tensors.doubts == ("shard_differs",)
    paths = shards(tmp_path)
    paths[1].write_bytes(paths[2].read_bytes())
    assert read_gguf(paths[0]).tensors.doubts == ("shard_differs",)


def test_a_file_that_calls_itself_a_shard_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "renamed.gguf"
    shards(tmp_path)[0].rename(path)
    found = read_gguf(path)
    assert (found.tensors.doubts, found.tensors.missing) == (("shard_missing",), ("2", "3"))
    path.write_bytes(gguf([pair("split.count", U32, 65_535), pair("split.no", U32, 0)]))
    with pytest.raises(Problem):
        read_gguf(path)


def test_a_file_cut_in_its_header_is_truncated(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(facts_pairs("llama", KEYS))[:-1])
    with pytest.raises(Problem) as caught:
        read_gguf(path)
    assert caught.value.values["reason"] == "truncated"
