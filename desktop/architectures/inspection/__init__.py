"""What the files of a model say of it, read together and held against each other."""

from desktop.architectures.inspection.decoder import decoder_of, is_config
from desktop.architectures.inspection.inspection import Adapter, Doubt, Inspection, StoredPart
from desktop.architectures.inspection.layer_kinds import LayerKind, layer_kinds
from desktop.architectures.inspection.reading import inspect_path
from desktop.architectures.inspection.sizable import unsized_part

__all__ = [
    "Adapter",
    "Doubt",
    "Inspection",
    "LayerKind",
    "StoredPart",
    "decoder_of",
    "inspect_path",
    "is_config",
    "layer_kinds",
    "unsized_part",
]
