"""Layouts of quantised matrices, and modelopt's names for them."""

from dataclasses import dataclass, replace

from desktop.architectures.config_fields import Fields
from desktop.architectures.module_patterns import starred
from desktop.request import Problem


@dataclass(frozen=True, slots=True)
class LayerFormat:
    """How one quantised matrix lies in the file.

    `scheme` is the contract's word, None where it has none. `element` is int, float, nf4 or fp4; `group_size` weights
    of a row share a scale of `scale_type` (fp32, fp16, bf16, fp8, e8m0, fp8-nested: an FP8 scale with a scale of its
    own for 256); `per_row`: one for each output row; `block`: one for each tile of rows x columns; none of the three:
    one for the matrix. `symmetric`: no offset; `zero_points`: offsets are stored. `reordered`: an index for each
    column is stored. `tensor_scale`: one more FP32 scale for the matrix. `weight_only`: products are taken in 16 bit.
    """

    scheme: str | None
    bits: int
    element: str
    group_size: int | None = None
    block: tuple[int, int] | None = None
    per_row: bool = False
    symmetric: bool = True
    zero_points: bool = False
    scale_type: str = "fp32"
    reordered: bool = False
    tensor_scale: bool = False
    weight_only: bool = False


FP8_TENSOR = LayerFormat("fp8", 8, "float")
# names of modelopt's quantisations; PyPI nvidia-modelopt, modelopt/torch/export/model_config.py; group sizes are those
# of the formats (OCP Microscaling 1.0: 32 with an E8M0 scale; NVFP4: 16 with an FP8 scale and an FP32 one)
ALGORITHMS: dict[str, LayerFormat] = {
    "FP8": FP8_TENSOR,
    "FP8_PER_CHANNEL_PER_TOKEN": LayerFormat("fp8", 8, "float", per_row=True),
    "FP8_PB_WO": LayerFormat("fp8-block", 8, "float", block=(128, 128)),
    "FP8_PB_REAL": LayerFormat("fp8-block", 8, "float", block=(128, 128)),
    "MXFP8": LayerFormat(None, 8, "float", group_size=32, scale_type="e8m0"),
    "MXFP4": LayerFormat("mxfp4", 4, "float", group_size=32, scale_type="e8m0"),
    "NVFP4": LayerFormat("nvfp4", 4, "float", group_size=16, scale_type="fp8", tensor_scale=True),
    "NVFP4_AWQ": LayerFormat("nvfp4", 4, "float", group_size=16, scale_type="fp8", tensor_scale=True),
    "W4A16_NVFP4": LayerFormat(
        "nvfp4", 4, "float", group_size=16, scale_type="fp8", tensor_scale=True, weight_only=True
    ),
    "W4A16_AWQ": LayerFormat("awq-int4", 4, "int", group_size=128, scale_type="fp16", weight_only=True),
    "INT8_SQ": LayerFormat("w8a8", 8, "int", per_row=True),
    "W8A8_SQ_PER_CHANNEL": LayerFormat("w8a8", 8, "int", per_row=True),
}


def format_of_algorithm(algorithm: str, group_size: int | None = None, field: str = "") -> LayerFormat:
    """Layout modelopt's `quant_algo` stands for. Raises Problem("unsupported_model", what="quantization")."""
    layout = ALGORITHMS.get(algorithm.upper())
    if layout is None:
        raise Problem("unsupported_model", field=field, what="quantization", model_type=algorithm[:40] or "?")
    if group_size is not None and layout.group_size is not None and layout.group_size != group_size:
        return replace(layout, group_size=group_size)
    return layout


def grouped_layers(mixed: Fields) -> tuple[tuple[str, LayerFormat], ...]:
    """Layouts by module; experts of a layer that share one are told once, under `experts.*`. Raises Problem."""
    layouts: dict[str, LayerFormat] = {}
    for name in mixed.values:
        layer = mixed.part(name)
        if layer is None:
            raise mixed.missing(name)
        group = layer.whole("group_size", within=(1, 65_536))
        layouts[name] = format_of_algorithm(layer.text("quant_algo"), group, layer.field)
    groups: dict[str, set[LayerFormat]] = {}
    for name, layout in layouts.items():
        groups.setdefault(starred(name), set()).add(layout)
    return tuple(
        dict.fromkeys(
            (starred(name), layout) if len(groups[starred(name)]) == 1 else (name, layout)
            for name, layout in layouts.items()
        )
    )
