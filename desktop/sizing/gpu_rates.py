"""Rates a GPU reaches in practice: measured where the catalog has a measurement, a share of the datasheet elsewhere."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from desktop.catalog.calibration import Arithmetic, ServingSpeedTable
from desktop.catalog.records import Gpu, MeasuredRate
from desktop.units import GB

TERA = 10**12
RANKS = (2, 4, 8)


@dataclass(frozen=True, slots=True)
class GpuRates:
    """Achievable rates of one GPU: FLOP/s by arithmetic, bytes/s of memory, bus bytes/s of an all-reduce over 2, 4, 8
    GPUs."""

    flops: Mapping[Arithmetic, float]
    memory_bytes_per_s: float
    bus_bytes_per_s: Mapping[int, float]
    has_nvlink: bool
    measured: bool
    nvlink_gpus: int = 1

    def joined(self, gpus: int) -> bool:
        """Whether a group of `gpus` talks over NVLink: a bridge joins two cards, a board eight."""
        return gpus <= self.nvlink_gpus

    def bus(self, gpus: int) -> float:
        """Bus bandwidth of a group of `gpus` [B/s]; groups beyond 8 are told as 8."""
        return self.bus_bytes_per_s[2 if gpus <= 2 else 4 if gpus <= 4 else 8]


def gpu_rates(gpu: Gpu, measured: Iterable[MeasuredRate], table: ServingSpeedTable) -> GpuRates | None:
    """Achievable rates, or None where the catalog lacks the bandwidth or every 16-bit and 32-bit rate.

    A rate without a measurement is the datasheet's times the share typical kernels reach; an arithmetic the GPU lacks
    falls back to the next wider one, since the engine does so too.
    """
    wide = gpu.bf16_tflops or gpu.fp16_tflops or gpu.fp32_tflops
    if not gpu.mem_bandwidth_gbs or not wide:
        return None
    rates = tuple(measured)
    share, vendor = table.achievable, 1.0 if gpu.vendor == "NVIDIA" else table.achievable.other_vendor
    seen = {
        label: [row.value for row in rates if row.metric == "matmul_tflops" and row.dtype == label]
        for label in ("bf16", "fp8", "nvfp4")
    }
    bf16 = median(seen["bf16"]) if seen["bf16"] else wide * share.bf16 * vendor
    fp8 = (median(seen["fp8"]) if seen["fp8"] else gpu.fp8_tflops * share.fp8 * vendor) if gpu.fp8_tflops else bf16
    fp4 = (median(seen["nvfp4"]) if seen["nvfp4"] else gpu.fp4_tflops * share.fp4 * vendor) if gpu.fp4_tflops else bf16
    int8 = gpu.int8_tops * share.int8 * vendor if gpu.int8_tops else bf16
    flops: dict[Arithmetic, float] = {
        "bf16": bf16 * TERA,
        "fp8": fp8 * TERA,
        "fp4": fp4 * TERA,
        "int8": int8 * TERA,
        "fp32": (gpu.tf32_tflops or gpu.fp32_tflops or wide / 2) * share.bf16 * vendor * TERA,
    }
    nvlink = bool(gpu.nvlink_gbs_total)
    return GpuRates(
        flops=flops,
        memory_bytes_per_s=gpu.mem_bandwidth_gbs * GB,
        bus_bytes_per_s={ranks: _bus(gpu, rates, ranks, table) for ranks in RANKS},
        has_nvlink=nvlink,
        nvlink_gpus=(gpu.nvlink_domain_size or max(RANKS)) if nvlink else 1,
        measured=bool(seen["bf16"]),
    )


def _bus(gpu: Gpu, rates: tuple[MeasuredRate, ...], ranks: int, table: ServingSpeedTable) -> float:
    """Bus bandwidth over `ranks` GPUs; a bridge joins two cards, a larger group of bridged cards talks over PCIe."""
    pcie = table.link.pcie_gbs.get(gpu.pcie_gen or 4, table.link.pcie_gbs[4]) / table.link.pcie_divisor[ranks]
    joined = bool(gpu.nvlink_gbs_total) and ranks <= (gpu.nvlink_domain_size or max(RANKS))
    nvlink = (gpu.nvlink_gbs_total or 0) * table.link.nvlink_share[ranks]
    seen = [row.value for row in rates if row.metric == f"all_reduce_busbw_{ranks}gpu" and row.dtype == "half"]
    found = seen[0] if seen else nvlink if joined else pcie
    # a PCIe host measured far below its own bus is that host's fault, not the card's
    return (found if joined else max(found, pcie)) * GB
