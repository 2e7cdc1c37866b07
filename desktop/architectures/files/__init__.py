"""What the files of a model's weights say of their tensors; the weights themselves are never read."""

from desktop.architectures.files.gguf_facts import facts_of_gguf
from desktop.architectures.files.gguf_header import GgufHeader, parse_gguf
from desktop.architectures.files.gguf_split import read_gguf
from desktop.architectures.files.recognise import FileKind, file_kind
from desktop.architectures.files.safetensors_header import parse_safetensors, read_safetensors
from desktop.architectures.files.safetensors_index import (
    SafetensorsIndex,
    parse_safetensors_index,
    read_safetensors_index,
    read_sharded_safetensors,
)
from desktop.architectures.files.stored_weights import StoredWeights, stored_weights
from desktop.architectures.files.tensor_list import Tensor, TensorKind, TensorList

__all__ = [
    "FileKind",
    "GgufHeader",
    "SafetensorsIndex",
    "StoredWeights",
    "Tensor",
    "TensorKind",
    "TensorList",
    "facts_of_gguf",
    "file_kind",
    "parse_gguf",
    "parse_safetensors",
    "parse_safetensors_index",
    "read_gguf",
    "read_safetensors",
    "read_safetensors_index",
    "read_sharded_safetensors",
    "stored_weights",
]
