"""How a checkpoint is quantised, from every form of `quantization_config` and from `hf_quant_config.json`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from desktop.architectures.config_fields import WIDTH, Fields
from desktop.architectures.module_patterns import ModulePatterns
from desktop.architectures.quantization_formats import LayerFormat, format_of_algorithm, grouped_layers
from desktop.request import Problem

MAX_MODULES = 200_000
Reader = Callable[[Fields, Mapping[str, Any]], "Quantization"]


@dataclass(frozen=True)
class Quantization:
    """What a config says of its stored weights.

    `method` is the maker's word. `weights` is the layout of the quantised matrices; None where every layer is listed in
    `layers` and nothing else is quantised. `ignored` are patterns of modules that keep the type of the model
    (`module_patterns`). `kv_cache` is the cache's format in the words of the contract, empty where nothing is said.
    `activations` is `dynamic`, `static` or empty.
    """

    method: str
    weights: LayerFormat | None
    ignored: tuple[str, ...] = ()
    layers: tuple[tuple[str, LayerFormat], ...] = ()
    kv_cache: str = ""
    activations: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def checkpoint_format(self) -> str | None:
        """The word of the contract for the whole checkpoint; None where it has none."""
        if self.weights is not None and not self.layers:
            return self.weights.scheme
        schemes = {layer.scheme for _, layer in self.layers} | ({self.weights.scheme} if self.weights else set())
        return schemes.pop() if len(schemes) == 1 else None

    def format_of(self, module: str) -> LayerFormat | None:
        """Layout of a module's weight; None where it keeps the type of the model."""
        own = self._layer_patterns.find(module)
        if isinstance(own, LayerFormat):
            return own
        return None if self._ignored_patterns.find(module) else self.weights

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """Patterns that are not matched, since they could run without end."""
        return (*self._layer_patterns.unread, *self._ignored_patterns.unread)

    @cached_property
    def _layer_patterns(self) -> ModulePatterns:
        return ModulePatterns(self.layers)

    @cached_property
    def _ignored_patterns(self) -> ModulePatterns:
        return ModulePatterns((pattern, True) for pattern in self.ignored)


def read_quantization(scheme: Mapping[str, Any], field: str, model: Mapping[str, Any] | None = None) -> Quantization:
    """The quantisation a mapping describes; `model` is the config around it, where experts may have a type of their
    own.

    Raises Problem("unsupported_model", what="quantization") for a method whose layout is not known, and
    bad_model_field.
    """
    fields = Fields(scheme, field)
    algorithm = fields.text("quant_algo")
    method = (fields.text("quant_method") or ("modelopt" if algorithm else "")).lower()
    read: Reader
    if algorithm:
        read = _modelopt
    elif not method:
        read = _without_method(fields)
    elif method in READERS:
        read = READERS[method]
    else:
        raise _unknown(fields, method)
    found = read(fields, model or {})
    return replace(found, doubts=(*fields.doubts, *(("unread_pattern",) if found.unread else ())))


def read_hf_quant_config(document: Mapping[str, Any], field: str) -> Quantization:
    """The quantisation of an `hf_quant_config.json`. Raises Problem as `read_quantization`."""
    part = Fields(document, field).part("quantization")
    if part is None:
        raise Fields(document, field).missing("quantization")
    return read_quantization(part.values, part.field)


def _unknown(fields: Fields, method: str) -> Problem:
    return Problem("unsupported_model", field=fields.field, what="quantization", model_type=method[:40] or "?")


def _without_method(fields: Fields) -> Reader:
    """bitsandbytes leaves its name out in old configs, GPTQ and MLX in files of their own."""
    if any(fields.has(name) for name in ("load_in_4bit", "_load_in_4bit", "load_in_8bit", "_load_in_8bit")):
        return _bitsandbytes
    if fields.has("config_groups"):
        return _compressed_tensors
    if fields.has("bits") and fields.has("desc_act"):
        return _gptq
    if fields.has("bits") and fields.has("group_size"):
        return _mlx
    raise _unknown(fields, "")


def _ignored(fields: Fields) -> tuple[str, ...]:
    for name in ("ignore", "exclude_modules", "modules_to_not_convert", "ignored_layers", "llm_int8_skip_modules"):
        listed = fields.listed(name)
        if listed is not None:
            if len(listed) > MAX_MODULES:
                raise fields.bad(name, len(listed), "out_of_range", low=0, high=MAX_MODULES)
            return tuple(item for item in listed if isinstance(item, str))
    return ()


def _cache(fields: Fields) -> str:
    """`FP8`, or a mapping with the bits of a float."""
    stated = fields.values.get("kv_cache_scheme") or fields.values.get("kv_cache_quant_algo")
    if isinstance(stated, Mapping):
        word = "fp8" if stated.get("type") == "float" else "int8"
        return word if stated.get("num_bits") == 8 else ""
    return {"FP8": "fp8", "INT8": "int8"}.get(str(stated).upper(), "")


def _fp8(fields: Fields, model: Mapping[str, Any]) -> Quantization:
    block = fields.wholes("weight_block_size", (1, WIDTH[1]), 2)
    scale = "e8m0" if fields.text("scale_fmt") == "ue8m0" else "fp32"
    whole = (
        LayerFormat("fp8-block", 8, "float", block=(block[0], block[1]), scale_type=scale)
        if block
        else LayerFormat("fp8", 8, "float", scale_type=scale)
    )
    layers: tuple[tuple[str, LayerFormat], ...] = ()
    if model.get("expert_dtype") == "fp4":  # DeepSeek-V4: the routed experts alone
        layers = (("*.experts.*", format_of_algorithm("MXFP4")),)
    return Quantization(
        "fp8", whole, _ignored(fields), layers, _cache(fields), fields.text("activation_scheme") or "dynamic"
    )


def _fbgemm(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    """A scale for each output row, as Llama-3.1-405B-FP8 is stored."""
    whole = LayerFormat("fp8", 8, "float", per_row=True, scale_type="fp32")
    return Quantization("fbgemm_fp8", whole, _ignored(fields), activations="dynamic")


def _named(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    """Methods whose name is the whole layout: mxfp4, mxfp8, nvfp4."""
    method = fields.text("quant_method").lower()
    return Quantization(method, format_of_algorithm(method), _ignored(fields))


def _gptq(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    bits, group = fields.need("bits", within=(2, 8)), _group(fields, "group_size")
    whole = LayerFormat(
        {4: "gptq-int4", 8: "gptq-int8"}.get(bits),
        bits,
        "int",
        group_size=group,
        symmetric=fields.yes("sym") is not False,
        zero_points=True,  # stored in any case, packed
        scale_type="fp16",
        per_row=group is None,
        reordered=True,
    )
    return Quantization("gptq", whole, _ignored(fields))


def _awq(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    bits = fields.whole("bits", "w_bit", within=(2, 8)) or 4
    group = _group(fields, "group_size") if fields.has("group_size") else _group(fields, "q_group_size")
    zero = fields.yes("zero_point") is not False
    whole = LayerFormat(
        "awq-int4" if bits == 4 else None,
        bits,
        "int",
        group_size=group,
        symmetric=not zero,
        zero_points=zero,
        scale_type="fp16",
        per_row=group is None,
    )
    return Quantization("awq", whole, _ignored(fields))


def _group(fields: Fields, name: str) -> int | None:
    """Weights under one scale; None where -1 says that a whole row has one."""
    if fields.values.get(name) == -1:
        return None
    return fields.whole(name, within=(1, 65_536)) or 128


def _auto_round(fields: Fields, model: Mapping[str, Any]) -> Quantization:
    """Intel's AutoRound writes the layout of GPTQ or of AWQ."""
    packing = fields.text("packing_format")
    if "gptq" not in packing and "awq" not in packing:
        raise _unknown(fields, f"auto-round {packing}".strip())
    found = _awq(fields, model) if "awq" in packing else _gptq(fields, model)
    return Quantization("auto-round", found.weights, found.ignored)


def _bitsandbytes(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    if fields.yes("load_in_8bit") or fields.yes("_load_in_8bit"):
        whole = LayerFormat("int8", 8, "int", per_row=True, scale_type="fp32")
    elif fields.yes("load_in_4bit") or fields.yes("_load_in_4bit"):
        double = bool(fields.yes("bnb_4bit_use_double_quant"))
        kind = fields.text("bnb_4bit_quant_type") or "fp4"  # the library's own default
        if kind not in ("nf4", "fp4"):
            raise fields.bad("bnb_4bit_quant_type", kind, "unknown_dtype")
        word = {"nf4": "nf4-dq" if double else "nf4"}.get(kind)  # the contract has no word for fp4 of this layout
        whole = LayerFormat(word, 4, kind, group_size=64, scale_type="fp8-nested" if double else "fp32")
    else:
        raise _unknown(fields, "bitsandbytes")
    return Quantization("bitsandbytes", whole, _ignored(fields))


def _mlx(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    """MLX: a scale and a bias of 16 bit for each group; no engine of a GPU server reads it, and it has no word."""
    bits = fields.need("bits", within=(2, 8))
    whole = LayerFormat(
        None, bits, "int", group_size=_group(fields, "group_size"), symmetric=False, zero_points=True, scale_type="fp16"
    )
    return Quantization("mlx", whole)


def _compressed_tensors(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    """One or several groups, each with its own targets; `Linear` is every linear layer."""
    groups = fields.part("config_groups")
    if groups is None or not groups.values:
        raise fields.missing("config_groups")
    method = fields.text("quant_method") or "compressed-tensors"
    whole: LayerFormat | None = None
    layers: list[tuple[str, LayerFormat]] = []
    activations = ""
    for name in groups.values:
        group = groups.part(name)
        weights = None if group is None else group.part("weights")
        if group is None or weights is None:
            raise groups.missing(name)
        layout = _group_format(weights, group.text("format") or fields.text("format"), group)
        inputs = group.part("input_activations")
        if inputs is not None:
            activations = "dynamic" if inputs.values.get("dynamic") else "static"
        for target in group.listed("targets") or ["Linear"]:
            if target == "Linear":
                whole = layout
            elif isinstance(target, str):
                layers.append((target, layout))
    return Quantization(method, whole, _ignored(fields), tuple(layers), _cache(fields), activations)


def _group_format(weights: Fields, form: str, group: Fields) -> LayerFormat:
    bits = weights.need("num_bits", within=(2, 16))
    kind, strategy = weights.text("type"), weights.text("strategy")
    size = None if weights.values.get("group_size") == -1 else weights.whole("group_size", within=(1, 65_536))
    symmetric = weights.yes("symmetric") is not False
    wide = not group.has("input_activations")
    if kind == "float" and bits == 4:
        mx = form.startswith("mxfp4") or size == 32
        return format_of_algorithm("MXFP4" if mx else "NVFP4")
    if kind == "float" and bits == 8:
        block = weights.wholes("block_structure", (1, WIDTH[1]), 2)
        if block:
            return LayerFormat("fp8-block", 8, "float", block=(block[0], block[1]), scale_type="fp32")
        word = "fp8-weight-only" if wide else "fp8"
        return LayerFormat(word, 8, "float", group_size=size, per_row=strategy == "channel", scale_type="bf16")
    if kind == "int" and bits in (4, 8):
        return LayerFormat(
            {4: "gptq-int4", 8: "gptq-int8"}[bits] if wide else {8: "w8a8"}.get(bits),
            bits,
            "int",
            group_size=size,
            symmetric=symmetric,
            zero_points=not symmetric,
            scale_type="bf16",
            per_row=size is None and strategy != "tensor",
        )
    raise _unknown(weights, f"compressed-tensors {kind} {bits}")


def _modelopt(fields: Fields, _: Mapping[str, Any]) -> Quantization:
    algorithm = fields.text("quant_algo").upper()
    mixed = fields.part("quantized_layers")
    method = fields.text("quant_method") or "modelopt"
    activations = fields.text("activation_scheme")
    if algorithm != "MIXED_PRECISION":
        whole = format_of_algorithm(algorithm, fields.whole("group_size", within=(1, 65_536)), fields.field)
        return Quantization(method, whole, _ignored(fields), (), _cache(fields), activations)
    if mixed is None:
        raise fields.missing("quantized_layers")
    if len(mixed.values) > MAX_MODULES:
        raise fields.bad("quantized_layers", len(mixed.values), "out_of_range", low=0, high=MAX_MODULES)
    layers = grouped_layers(mixed)
    rest = _fp8(fields, {}).weights if fields.has("weight_block_size") else None  # DeepSeek-V4-NVFP4: FP8 elsewhere
    return Quantization(method, rest, _ignored(fields), layers, _cache(fields), activations)


READERS: dict[str, Reader] = {
    "fp8": _fp8,
    "fbgemm_fp8": _fbgemm,
    "mxfp4": _named,
    "mxfp8": _named,
    "nvfp4": _named,
    "gptq": _gptq,
    "awq": _awq,
    "auto-round": _auto_round,
    "bitsandbytes": _bitsandbytes,
    "bitsandbytes_4bit": _bitsandbytes,
    "bitsandbytes_8bit": _bitsandbytes,
    "compressed-tensors": _compressed_tensors,
    "mlx": _mlx,
}
