"""What a model is made of, read from the catalog or from the model's own config.json."""

from typing import Protocol

from desktop.architectures.architecture import Architecture
from desktop.architectures.catalog_model import read_catalog_model
from desktop.architectures.dense import DenseDecoder
from desktop.architectures.hugging_face import model_name, read_config, read_config_file
from desktop.architectures.inspection import Inspection, inspect_path
from desktop.architectures.matrix import Matrix
from desktop.catalog.records import ModelRecord
from desktop.request import ModelReference, Problem

__all__ = [
    "Architecture",
    "DenseDecoder",
    "Inspection",
    "Matrix",
    "inspect_path",
    "read_architecture",
    "read_catalog_model",
    "read_config",
    "read_config_file",
]


class Models(Protocol):
    """Where catalog models are looked up by name."""

    def model(self, name: str) -> ModelRecord: ...


def read_architecture(reference: ModelReference, models: Models, field: str = "model") -> DenseDecoder:
    """Decoder a request names or carries.

    Raises Problem: unknown_model, unsupported_model, missing_model_field, bad_model_field, file_missing, bad_json, …
    """
    if isinstance(reference, str):
        return read_catalog_model(models.model(reference), field)
    if reference.file is None:
        config = reference.hf_config or {}
        name = reference.name or model_name(config) or str(config.get("model_type") or "")
        return read_config(config, name, f"{field}.hf_config")
    if reference.file.suffix in (".gguf", ".safetensors"):
        raise Problem("unsupported_file", field=reference.file.name, suffix=reference.file.suffix)
    return read_config_file(reference.file, reference.name)
