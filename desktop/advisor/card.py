"""A GPU of the catalog as the formulas take it: visible memory, achievable rates, and what the request changed about
it."""

from dataclasses import dataclass

from desktop.catalog import Catalog
from desktop.catalog.records import Gpu
from desktop.request import GpuReference, GpuVariant, Problem
from desktop.sizing.gpu_rates import GpuRates, gpu_rates
from desktop.sizing.serving_memory import visible_bytes
from desktop.units import MIB


@dataclass(frozen=True, slots=True)
class Card:
    """One GPU, with `card_bytes` as the driver shows it and `visible_bytes` as a process sees it before any
    allocation."""

    gpu: Gpu
    card_bytes: int
    visible_bytes: int
    rates: GpuRates

    @property
    def is_amd(self) -> bool:
        return self.gpu.vendor == "AMD"


def card_of(reference: GpuReference, catalog: Catalog, field: str = "gpu") -> Card:
    """The card a request names. Raises Problem: unknown_gpu, ambiguous_gpu, gpu_lacks_data, unsupported."""
    name = reference.base if isinstance(reference, GpuVariant) else reference
    try:
        gpu = catalog.gpu(name)
    except Problem as problem:
        raise Problem(
            problem.code, field=f"{field}.base" if isinstance(reference, GpuVariant) else field, **problem.values
        ) from None
    if gpu.gpus_on_board > 1:
        raise Problem("unsupported", field=field, what="board_of_many", name=gpu.name, gpus=gpu.gpus_on_board)
    if isinstance(reference, GpuVariant):
        gpu = _varied(gpu, reference)
    card = card_of_record(gpu, catalog)
    if card is None:
        raise Problem("gpu_lacks_data", field=field, name=gpu.name)
    return card


def card_of_record(gpu: Gpu, catalog: Catalog) -> Card | None:
    """The card of a catalog row; None where memory, bandwidth or rates are unknown, and for boards of several GPUs:
    their figures are of the whole board, which no process sees."""
    rates = gpu_rates(gpu, catalog.rates_of(gpu.id), catalog.calibration.serving_speed)
    if rates is None or not gpu.memory_gb or gpu.gpus_on_board > 1:
        return None
    visible = visible_bytes(
        gpu.id, gpu.memory_gb, gpu.usable_mib, gpu.vendor == "AMD", catalog.calibration.serving_memory
    )
    shown_mib = gpu.usable_mib or gpu.memory_gb * 1024
    return Card(gpu=gpu, card_bytes=round(shown_mib * MIB), visible_bytes=visible, rates=rates)


def _varied(gpu: Gpu, variant: GpuVariant) -> Gpu:
    changed: dict[str, object] = {}
    if variant.memory_gb is not None:
        share = variant.memory_gb / (gpu.memory_gb or variant.memory_gb)
        changed |= {
            "memory_gb": variant.memory_gb,
            "usable_mib": gpu.usable_mib * share if gpu.usable_mib else None,
            "id": "",
        }
    if variant.mem_bandwidth_gbs is not None:
        changed |= {"mem_bandwidth_gbs": variant.mem_bandwidth_gbs}
    return gpu.model_copy(update=changed)
