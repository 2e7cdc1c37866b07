"""Achievable rates of the catalog's GPUs."""

import pytest

from desktop.catalog import Catalog
from desktop.sizing.gpu_rates import GpuRates, gpu_rates


def rates(catalog: Catalog, name: str) -> GpuRates:
    gpu = catalog.gpu(name)
    found = gpu_rates(gpu, catalog.rates_of(gpu.id), catalog.calibration.serving_speed)
    assert found is not None
    return found


def test_measured_kernels_beat_the_datasheet(catalog: Catalog) -> None:
    """A100 SXM4 80GB: 312 TFLOP/s on paper, about 280 in the best measured kernels."""
    assert rates(catalog, "NVIDIA A100 SXM4 80GB").flops["bf16"] / 1e12 == pytest.approx(281, rel=0.03)
    assert rates(catalog, "NVIDIA H100 SXM5 80GB").flops["bf16"] < 989e12


def test_an_arithmetic_the_gpu_lacks_falls_back_to_16_bit(catalog: Catalog) -> None:
    """Ampere has no fp8 units."""
    ampere = rates(catalog, "NVIDIA A100 SXM4 80GB")
    assert ampere.flops["fp8"] == ampere.flops["fp4"] == ampere.flops["bf16"]
    hopper = rates(catalog, "NVIDIA H100 SXM5 80GB")
    assert hopper.flops["fp8"] > 1.5 * hopper.flops["bf16"]


def test_links(catalog: Catalog) -> None:
    """H100 SXM: NCCL all-reduce bus bandwidth 318, 350 and 445 GB/s over 2, 4 and 8 GPUs; PCIe boards an order
    below."""
    hopper = rates(catalog, "NVIDIA H100 SXM5 80GB")
    assert [round(hopper.bus(n) / 1e9) for n in (2, 4, 8)] == pytest.approx([318, 350, 445], rel=0.02)
    assert not rates(catalog, "NVIDIA L40S").has_nvlink
    assert rates(catalog, "NVIDIA L40S").bus(8) < 20e9


def test_a_bridge_joins_two_cards_only(catalog: Catalog) -> None:
    """H100 NVL: 600 GB/s over the bridge of a pair; four cards talk over PCIe 5, some 40 GB/s at best."""
    bridged = rates(catalog, "NVIDIA H100 NVL 94GB")
    assert bridged.bus(2) > 100e9
    assert bridged.bus(4) <= 40e9


def test_every_gpu_has_rates_or_none(catalog: Catalog) -> None:
    """No rate is zero, infinite or above the datasheet's bandwidth."""
    known = 0
    for gpu in catalog.gpus:
        found = gpu_rates(gpu, catalog.rates_of(gpu.id), catalog.calibration.serving_speed)
        if found is None:
            assert not gpu.mem_bandwidth_gbs or not (gpu.bf16_tflops or gpu.fp16_tflops or gpu.fp32_tflops)
            continue
        known += 1
        assert all(0 < value < 1e17 for value in found.flops.values())
        assert found.memory_bytes_per_s == pytest.approx((gpu.mem_bandwidth_gbs or 0) * 1e9)
        assert all(value > 0 for value in found.bus_bytes_per_s.values())
    assert known > 60
