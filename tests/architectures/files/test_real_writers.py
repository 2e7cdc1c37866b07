"""What the reference writers of both formats write is read as they meant it."""

from pathlib import Path

import gguf
import numpy
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from desktop.architectures.files import facts_of_gguf, read_gguf, read_safetensors
from desktop.architectures.files.gguf_types import FILE_TYPES, TENSOR_TYPES

DTYPES = {"BOOL": "bool", "U8": "uint8", "I16": "int16", "F16": "float16", "I32": "int32", "F64": "float64"}


def test_a_file_of_safetensors(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    arrays = {f"model.layers.{i}.{name}": numpy.zeros((i, 3), kind) for i, (name, kind) in enumerate(DTYPES.items())}
    save_file(arrays, path, metadata={"format": "np", "quoted": '"}},"'})
    found = read_safetensors(path)
    assert found.complete and found.metadata == {"format": "np", "quoted": '"}},"'}
    with safe_open(path, framework="np") as theirs:
        assert sorted(found.names) == sorted(theirs.keys())
        for tensor in found:
            stored = theirs.get_slice(tensor.name)
            assert (tensor.dtype, list(tensor.shape)) == (stored.get_dtype(), stored.get_shape())
    assert found.bytes == sum(array.nbytes for array in arrays.values())


def test_types_of_gguf_are_those_of_its_own_library() -> None:
    """gguf 0.19.0, constants.py: every type it knows has a size, and `ggml` had no other yet."""
    theirs = {int(kind): (kind.name, *gguf.GGML_QUANT_SIZES[kind]) for kind in gguf.GGMLQuantizationType}
    assert {number: tuple(kind) for number, kind in TENSOR_TYPES.items()} == theirs
    names = {int(kind): kind.name.removeprefix("MOSTLY_").removeprefix("ALL_") for kind in gguf.LlamaFileType}
    names.pop(1024)  # a flag
    assert names == FILE_TYPES


def written(path: Path, tensors: int = 3, split: int = 0, **options: object) -> None:
    """A small model as GGUFWriter writes it."""
    writer = gguf.GGUFWriter(path, "llama", split_max_tensors=split, **options)
    writer.add_block_count(2)
    writer.add_context_length(4096)
    writer.add_embedding_length(64)
    writer.add_feed_forward_length([128, 128])
    writer.add_head_count(4)
    writer.add_head_count_kv([2, 2])
    writer.add_token_list([f"token {i}" for i in range(300)])
    writer.add_token_scores([0.5] * 300)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)
    writer.add_tensor("token_embd.weight", numpy.zeros((300, 64), "float16"))
    for number in range(tensors - 1):
        rows = numpy.zeros((8, 64 // 32 * 34), "uint8")
        writer.add_tensor(f"blk.{number}.attn_q.weight", rows, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.mark.parametrize("order", [gguf.GGUFEndian.LITTLE, gguf.GGUFEndian.BIG])
def test_a_file_of_gguf(tmp_path: Path, order: gguf.GGUFEndian) -> None:
    path = tmp_path / "model.gguf"
    written(path, endianess=order)
    found = read_gguf(path)
    assert (found.version, found.byte_order) == (3, order.name.lower())
    assert found.tensors.complete and found.tensors.elements_by_dtype() == {"F16": 300 * 64, "Q8_0": 2 * 8 * 64}
    assert found.tensors.bytes == 300 * 64 * 2 + 2 * 8 * 68
    facts = facts_of_gguf(found)
    assert (facts["num_kv_heads"], facts["vocab_size"], facts["intermediate_size"]) == (2, 300, 128)
    assert facts["tie_embeddings"] is True
    assert facts["quantization_config"] == {"quant_method": "gguf", "file_type": "Q8_0"}


def test_a_split_file_of_gguf(tmp_path: Path) -> None:
    written(tmp_path / "model.gguf", tensors=5, split=2)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"model-0000{number}-of-00003.gguf" for number in (1, 2, 3)]
    found = read_gguf(tmp_path / names[2])
    assert len(found.tensors) == 5 and found.tensors.complete and found.tensors.doubts == ()
