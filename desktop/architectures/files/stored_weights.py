"""How many weights a list of tensors holds: packed ones unpacked, scales and buffers told apart."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from desktop.architectures.files.tensor_list import Tensor, TensorKind, TensorList

Role = Literal["weight", "scale", "buffer"]

WORD_BITS = 32
SCALES = re.compile(  # what a quantised layer stores beside its weight
    r"(?:(?:^|[._])(?:weight_scale(?:_inv|_2)?|(?:input|weight|output)_global_scale|(?:input|output)_scale|[kv]_scale"
    r"|qzeros|g_idx|weight_zero_point|weight_g_idx|weight_shape|weight_format|SCB|absmax|quant_map|nested_absmax"
    r"|nested_quant_map)|\.quant_state\.[\w-]+|_scale_inv)$"
)
BUFFERS = re.compile(  # what a network stores and no training step changes
    r"(?:^|\.)(?:inv_freq|masked_bias|position_ids|running_mean|running_var|num_batches_tracked)$"
)
CAUSAL_MASK = re.compile(r"(?:attn|attention)\.bias$")
PLAIN = ("BF16", "F16", "F32")
PLAIN_ENDINGS = (".weight", "_proj")  # of a matrix or a norm; most tensors of most models
EIGHT_BIT = ("F8_E4M3", "F8_E5M2", "F8_E4M3FNUZ", "F8_E5M2FNUZ")
SCALE_OF_MXFP4 = ("U8", "F8_E8M0")


@dataclass(frozen=True, slots=True)
class StoredWeights:
    """`elements` are the weights of the model, None where their packing is not understood; `scales` and `buffers` are
    elements stored beside them; `schemes` name how weights are packed, with the elements of each."""

    elements: int | None
    scales: int
    buffers: int
    schemes: Mapping[str, int]
    doubts: tuple[str, ...] = ()


def stored_weights(found: TensorList, packed_bits: int | None = None) -> StoredWeights:
    """Weights of a model as its layers see them. `packed_bits` is what its quantisation config says of weights packed
    into words of 32 bits; without it they are known only where the tensors tell.

    Source of the names: shared practice of GPTQ, AWQ, bitsandbytes, modelopt, compressed-tensors and gpt-oss
    checkpoints, as their writers in transformers 5.24.0 (quantizers/) and vLLM spell them.
    """
    kinds = dict(zip(found.names, found.kinds, strict=True))
    bits = packed_bits or found.packed_bits
    schemes: Counter[str] = Counter()
    elements = scales = buffers = 0
    understood = True
    for tensor in found:
        role, scheme, true = sorted_tensor(tensor, kinds, bits)
        if role == "scale":
            scales += tensor.elements
        elif role == "buffer":
            buffers += tensor.elements
        else:
            understood = understood and true is not None
            elements += true or 0
            if scheme:
                schemes[scheme] += true or 0
    doubts = () if understood else ("packed_bits_unknown",)
    return StoredWeights(elements if understood else None, scales, buffers, dict(schemes), doubts)


def sorted_tensor(
    tensor: Tensor, kinds: Mapping[str, TensorKind], packed_bits: int | None
) -> tuple[Role, str, int | None]:
    """What a tensor among `kinds` is; for a weight the name of its packing, empty where it has none, and the weights in
    it, None where the packing is not understood."""
    if tensor.dtype in PLAIN and tensor.name.endswith(PLAIN_ENDINGS):
        return "weight", "", tensor.elements
    if _is_scale(tensor, kinds):
        return "scale", "", 0
    if _is_buffer(tensor):
        return "buffer", "", 0
    return "weight", *_true_elements(tensor, kinds, packed_bits)


def _is_scale(tensor: Tensor, kinds: Mapping[str, TensorKind]) -> bool:
    name = tensor.name
    if name.endswith((".scales", ".biases")):
        module = name.rpartition(".")[0]
        return f"{module}.qweight" in kinds or _of_mlx(kinds, module)
    if name.endswith("_scales"):
        return name.removesuffix("_scales") + "_blocks" in kinds
    return SCALES.search(name) is not None or (name.endswith("_scale") and name.removesuffix("_scale") in kinds)


def _of_mlx(kinds: Mapping[str, TensorKind], module: str) -> bool:
    weight = kinds.get(f"{module}.weight")
    return weight is not None and weight.dtype == "U32"


def _is_buffer(tensor: Tensor) -> bool:
    square = len(tensor.shape) == 4 and tensor.shape[2] == tensor.shape[3]
    return BUFFERS.search(tensor.name) is not None or (square and CAUSAL_MASK.search(tensor.name) is not None)


def _true_elements(tensor: Tensor, kinds: Mapping[str, TensorKind], bits: int | None) -> tuple[str, int | None]:
    """Name of the packing, empty where there is none, and the weights in the tensor."""
    name, dtype = tensor.name, tensor.dtype
    if name.endswith(".qweight"):
        return _gptq_or_awq(tensor, kinds, bits)
    scale = kinds.get(f"{name}_scale") or kinds.get(name.removesuffix("_packed") + "_scale")
    if dtype == "U8":
        if name.endswith("_blocks") and name.removesuffix("_blocks") + "_scales" in kinds:
            return "mxfp4", 2 * tensor.elements
        if f"{name}.absmax" in kinds:
            return ("fp4" if f"{name}.quant_state.bitsandbytes__fp4" in kinds else "nf4"), 2 * tensor.elements
        if scale is not None:
            return ("mxfp4" if scale.dtype in SCALE_OF_MXFP4 else "nvfp4"), 2 * tensor.elements
    if dtype in ("I32", "U32") and (name.endswith("_packed") or f"{name.rpartition('.')[0]}.scales" in kinds):
        scheme = "mlx" if dtype == "U32" else "pack-quantized"
        return scheme, tensor.elements * WORD_BITS // bits if bits else None
    if dtype in EIGHT_BIT:
        return ("fp8-block" if f"{name}_scale_inv" in kinds else "fp8"), tensor.elements
    if dtype == "I8":
        return "int8", tensor.elements
    if dtype in ("U8", "I32", "U32") and len(tensor.shape) > 1:  # nobody stores weights in these unless packed
        return "unknown", None
    return "", tensor.elements


def _gptq_or_awq(tensor: Tensor, kinds: Mapping[str, TensorKind], bits: int | None) -> tuple[str, int | None]:
    """GPTQ packs the rows of a matrix [inputs, outputs], AWQ its columns; the zero points tell the bits."""
    module = tensor.name.removesuffix("qweight")
    scales, zeros = kinds.get(f"{module}scales"), kinds.get(f"{module}qzeros")
    if len(tensor.shape) != 2 or scales is None or len(scales.shape) != 2 or not scales.shape[1]:
        return "unknown", None
    (rows, columns), outputs = tensor.shape, scales.shape[1]
    if columns != outputs:
        packed = outputs // columns if columns else 0
        return "awq", rows * outputs if packed and packed * columns == outputs else None
    if zeros is not None and len(zeros.shape) == 2:
        bits = WORD_BITS * zeros.shape[1] // outputs
    return "gptq", rows * WORD_BITS // bits * outputs if bits else None
