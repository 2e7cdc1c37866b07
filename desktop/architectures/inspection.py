"""What a model file says of itself, for `inspect` and for the Model page."""

from dataclasses import dataclass
from pathlib import Path

from desktop.architectures.dense import DenseDecoder
from desktop.architectures.hugging_face import read_config_file
from desktop.request import Problem

BYTES_16_BIT = 2  # of a cache element: what an engine keeps unless told otherwise


@dataclass(frozen=True, slots=True)
class Inspection:
    path: str
    architecture: DenseDecoder
    parameters: int
    active_parameters: int
    kv_bytes_per_token: int
    doubts: tuple[str, ...]


def inspect_path(path: Path) -> Inspection:
    """Facts of a config.json or of the folder that holds one; a cached token is told in 16 bit [B].

    Raises the Problems of `read_config_file`, and unsupported_file for files that are not a config.json.
    """
    if path.suffix in (".gguf", ".safetensors") or path.name.endswith(".index.json"):
        raise Problem("unsupported_file", field=path.name, suffix=path.suffix)
    architecture = read_config_file(path)
    count = architecture.parameters()
    doubts = () if architecture.max_context else ("max_context_not_stated",)
    return Inspection(
        path=str(path),
        architecture=architecture,
        parameters=count,
        active_parameters=count,
        kv_bytes_per_token=2 * architecture.layers * architecture.kv_heads * architecture.head_dim * BYTES_16_BIT,
        doubts=doubts,
    )
