"""One attempt of one reader on arbitrary bytes: it succeeds, or raises one Problem that both languages can say."""

from collections.abc import Callable
from typing import Any

from desktop.architectures.build import architecture_of
from desktop.architectures.configs import read_config_text
from desktop.architectures.files import (
    TensorList,
    facts_of_gguf,
    parse_gguf,
    parse_safetensors,
    parse_safetensors_index,
    stored_weights,
)
from desktop.architectures.files.bounded import BoundedReader
from desktop.request import Problem
from desktop.words.sentences import problem_sentence

FILE = "handed-in.file"


def attempt(reader: str, data: bytes) -> bool:
    """Whether the reader took the bytes. Anything but a Problem with its sentences goes through: it is a defect."""
    try:
        READERS[reader](data)
    except Problem as problem:
        english, russian = problem_sentence(problem, "en"), problem_sentence(problem, "ru")
        assert FILE in english and FILE in russian, english
        return False
    return True


def _safetensors(data: bytes) -> None:
    _look_at(parse_safetensors(BoundedReader.of(data, FILE)))


def _index(data: bytes) -> None:
    index = parse_safetensors_index(BoundedReader.of(data, FILE))
    assert index.layers() >= 0 and index.experts() >= 0 and index.has_lm_head() in (True, False)


def _gguf(data: bytes) -> None:
    header = parse_gguf(BoundedReader.of(data, FILE))
    _look_at(header.tensors)
    _build(facts_of_gguf(header))


def _config(data: bytes) -> None:
    _build(read_config_text(data, "model", FILE).facts)


def _look_at(found: TensorList) -> None:
    weights = stored_weights(found)
    assert weights.elements is None or weights.elements >= 0
    assert found.bytes == sum(found.bytes_by_dtype().values()) and found.layers() >= 0 and found.experts() >= 0


def _build(facts: dict[str, Any]) -> None:
    """A model, where the facts describe one: what is read must not break what is built of it."""
    assert architecture_of(facts, "model", FILE).parameters() > 0


READERS: dict[str, Callable[[bytes], None]] = {
    "safetensors": _safetensors,
    "index": _index,
    "gguf": _gguf,
    "config": _config,
}
