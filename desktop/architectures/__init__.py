"""What a model is made of, read from the catalog or from the model's own files."""

from desktop.architectures.architecture import Architecture
from desktop.architectures.catalog_model import read_catalog_model
from desktop.architectures.dense import DenseDecoder
from desktop.architectures.hugging_face import model_name, read_config, read_config_file
from desktop.architectures.inspection import (
    Doubt,
    Inspection,
    LayerKind,
    decoder_of,
    inspect_path,
    is_config,
    layer_kinds,
    unsized_part,
)
from desktop.architectures.inspection.reading import Models
from desktop.architectures.matrix import Matrix
from desktop.request import ModelReference

__all__ = [
    "Architecture",
    "DenseDecoder",
    "Doubt",
    "Inspection",
    "LayerKind",
    "Matrix",
    "inspect_path",
    "layer_kinds",
    "read_architecture",
    "read_catalog_model",
    "read_config",
    "read_config_file",
    "unsized_part",
]


def read_architecture(reference: ModelReference, models: Models, field: str = "model") -> DenseDecoder:
    """Decoder a request names or carries.

    Raises Problem: unknown_model, unsupported_model, missing_model_field, bad_model_field, file_missing, bad_json,
    broken_model_file, …
    """
    if isinstance(reference, str):
        return read_catalog_model(models.model(reference), field)
    if reference.file is None:
        config = reference.hf_config or {}
        name = reference.name or model_name(config) or str(config.get("model_type") or "")
        return read_config(config, name, f"{field}.hf_config")
    if is_config(reference.file):
        return read_config_file(reference.file, reference.name)
    return decoder_of(reference.file, reference.name)
