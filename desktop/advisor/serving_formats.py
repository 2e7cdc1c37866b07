"""Weight and cache formats of a serving plan: which exist, which this GPU runs, and in which arithmetic."""

from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import Arithmetic, Calibration, WeightFormat
from desktop.catalog.records import Gpu
from desktop.catalog.stack_facts import load_stack
from desktop.quote import Message
from desktop.request import KvPair, Problem

FP8_CACHE_FROM = 8.0  # compute capability from which the engine reads an fp8 cache
BF16_FROM = 8.0  # compute capability from which bf16 exists in hardware


def weight_format(
    name: str, architecture: DenseDecoder, calibration: Calibration, field: str = "weights"
) -> WeightFormat:
    """The format a plan asks for; `checkpoint` is the one the model's own file says. Raises
    Problem("unsupported_weights")."""
    wanted = architecture.checkpoint_format if name == "checkpoint" else name
    storage = calibration.weight_formats.get(wanted)
    if storage is None:
        known = sorted(calibration.weight_formats)
        raise Problem("unsupported_weights", field=field, name=name, known=", ".join(known))
    return storage


def kv_bytes(
    cache: str | KvPair, storage: WeightFormat, calibration: Calibration, field: str = "kv_cache"
) -> tuple[float, float]:
    """Bytes of one cached key and one cached value element. `auto` follows the type the engine computes in: 32 bit
    for fp32 weights, else 16 bit, quantised weights included (vLLM's own rule).

    Raises Problem("unsupported_kv_cache") for a format that is unknown or that the engine cannot keep.
    """
    if isinstance(cache, KvPair) and cache.k != cache.v:
        raise Problem("unsupported_kv_cache", field=field, name=f"{cache.k}/{cache.v}")
    name = cache.k if isinstance(cache, KvPair) else cache
    if name not in calibration.kv_bytes or name not in load_stack("vllm").kv_cache:
        raise Problem("unsupported_kv_cache", field=field, name=name)
    element = calibration.kv_bytes["fp32" if name == "auto" and storage.name == "fp32" else name]
    return element, element


def cache_runs_on(cache: str | KvPair, gpu: Gpu) -> bool:
    """Whether the engine has attention kernels for this cache on this GPU: none for fp8 before Ampere (vLLM 0.33)."""
    name = cache.k if isinstance(cache, KvPair) else cache
    return name != "fp8" or gpu.vendor != "NVIDIA" or (gpu.cuda_compute_capability or 0) >= FP8_CACHE_FROM


def arithmetic_on(storage: WeightFormat, gpu: Gpu) -> tuple[Arithmetic | None, tuple[Message, ...]]:
    """Arithmetic the matrix products run in on this GPU, with a warning where it is not the format's own.

    None where the engine refuses the format there. An fp8 checkpoint on a GPU without fp8 units is widened on the fly:
    it saves memory, not arithmetic.
    """
    capability = gpu.cuda_compute_capability
    if gpu.vendor != "NVIDIA" or capability is None:
        has = {"fp8": gpu.fp8_tflops, "fp4": gpu.fp4_tflops, "int8": gpu.int8_tops}.get(storage.compute, 1.0)
        return (storage.compute if has else "bf16"), ()
    if capability >= storage.refused_from:
        return None, ()
    if capability < storage.minimum_compute_capability:
        if capability < storage.widened_from:
            return None, ()
        return "bf16", (
            Message(
                code="format_widened",
                rule="compute_capability",
                field="weights",
                values={"format": storage.name, "gpu": gpu.short, "capability": capability},
            ),
        )
    if storage.name == "bf16" and capability < BF16_FROM:
        return "bf16", (
            Message(
                code="bf16_as_fp16",
                rule="compute_capability",
                field="weights",
                severity="info",
                values={"gpu": gpu.short, "capability": capability},
            ),
        )
    return storage.compute, ()


def plan_problem(architecture: DenseDecoder, storage: WeightFormat, tensor: int, pipeline: int) -> Problem | None:
    """The rule that makes a cut impossible, if any."""
    if architecture.heads % tensor:
        return Problem(
            "invalid_plan", field="parallel.tensor", rule="heads_divisible", heads=architecture.heads, tensor=tensor
        )
    if architecture.kv_heads % tensor and tensor % architecture.kv_heads:
        return Problem(
            "invalid_plan",
            field="parallel.tensor",
            rule="kv_heads_divisible",
            heads=architecture.kv_heads,
            tensor=tensor,
        )
    if pipeline > architecture.layers:
        return Problem(
            "invalid_plan",
            field="parallel.pipeline",
            rule="stages_within_layers",
            layers=architecture.layers,
            pipeline=pipeline,
        )
    if architecture.intermediate % tensor:
        return Problem(
            "invalid_plan",
            field="parallel.tensor",
            rule="width_divisible",
            width=architecture.intermediate,
            tensor=tensor,
        )
    group = (
        storage.group if storage.scale_over == "group" else storage.block_rows if storage.scale_over == "block" else 0
    )
    if group and (architecture.intermediate // tensor) % group:
        return Problem(
            "invalid_plan",
            field="parallel.tensor",
            rule="group_divisible",
            width=architecture.intermediate // tensor,
            group=group,
            tensor=tensor,
        )
    return None
