"""Rates, memory and power of GPUs as the documents cited beside them have them, and those no document was found for."""

import pytest

from desktop.advisor.unverified import OF_GPU, doubts_of_gpu
from desktop.catalog import Catalog
from desktop.catalog.facts import COMPUTED, PART_READ, READ


@pytest.mark.parametrize(
    ("gpu_id", "figures"),  # memory in GB, bandwidth in GB/s, W, dense TFLOP/s in FP16, FP8, TOP/s in INT8
    [
        # https://www.nvidia.com/en-sg/data-center/v100/: PCIe 250 W, SXM2 300 W, both 900 GB/s; 112 and 125 TFLOP/s
        ("nvidia-v100-pcie-16gb", (16, 900, 250, 112, None, None)),
        ("nvidia-v100-pcie-32gb", (32, 900, 250, 112, None, None)),
        ("nvidia-v100-sxm2-16gb", (16, 900, 300, 125, None, None)),
        # https://www.nvidia.com/en-us/data-center/products/a2/: 200 GB/s, 40 to 60 W, 18 and 36 dense
        ("nvidia-a2", (16, 200, 60, 18, None, 36)),
        # A800 is A100 with slower links: 80GB PCIe 1,935 GB/s and 300 W, SXM4 2,039 GB/s and 400 W
        ("nvidia-a800-pcie-80gb", (80, 1935, 300, 312, None, 624)),
        ("nvidia-a800-sxm4-80gb", (80, 2039, 400, 312, None, 624)),
        # Alibaba Cloud, instance families: 119 and 237; nvidia-smi: cap of 350 W
        ("nvidia-l20", (48, 864, 350, 119, 237, 237)),
        # resellers' copies of NVIDIA's tables; PCIe: 1,513 and 3,026 with sparsity
        ("nvidia-h800-sxm5-80gb", (80, 3350, 700, 989, 1979, 1979)),
        ("nvidia-h800-pcie-80gb", (80, 2000, 350, 756, 1513, 1513)),
        # https://www.lmsys.org/blog/2025-09-26-sglang-ant-group/: 148 and 296 beside dense rates of H800
        ("nvidia-h20-96gb", (96, 4000, 400, 148, 296, 296)),
        # https://www.nvidia.com/en-us/data-center/h200/: NVL 1,671 and 3,341 with sparsity, 600 W
        ("nvidia-h200-nvl-141gb", (141, 4800, 600, 1671 / 2, 3341 / 2, 3341 / 2)),
        # AMD's product tables: 184.6; 181; 123; 191 and 383; 1.15, 2.3 and 2.3 thousand
        ("amd-instinct-mi100", (32, 1229, 300, 184.6, None, 184.6)),
        ("amd-instinct-mi210", (64, 1638, 300, 181, None, 181)),
        ("amd-radeon-pro-w7900", (48, 864, 295, 122.6, None, 122.6)),
        ("amd-radeon-ai-pro-r9700", (32, 640, 300, 191, 383, 383)),
        ("amd-instinct-mi350p", (144, 4000, 600, 1150, 2300, 2300)),
    ],
)
def test_what_a_quote_rests_on_is_read_or_computed(
    catalog: Catalog, gpu_id: str, figures: tuple[float | None, ...]
) -> None:
    gpu = catalog.gpu(gpu_id)
    found = (gpu.memory_gb, gpu.mem_bandwidth_gbs, gpu.tdp_w, gpu.fp16_tflops, gpu.fp8_tflops, gpu.int8_tops)
    assert found == figures
    assert not doubts_of_gpu(gpu)
    for field in OF_GPU:
        origin = gpu.origin(field)
        assert getattr(gpu, field) is None or (origin.source and origin.verification in (READ, COMPUTED)), field


@pytest.mark.parametrize(
    ("gpu_id", "units", "flop_per_clock", "mhz"),
    [
        ("nvidia-v100-pcie-32gb", 80, 1024, 1380),  # TechPowerUp: SMs and boost clock
        ("nvidia-a800-sxm4-80gb", 108, 2048, 1410),
        ("nvidia-l20", 92, 512, 2520),
        ("amd-instinct-mi210", 104, 1024, 1700),  # AMD's table; FLOP a clock: GPUOpen, "AMD matrix cores"
        ("amd-radeon-pro-w7900", 96, 512, 2495),  # GPUOpen, "Using the Matrix Cores of AMD RDNA 4 architecture GPUs"
        ("amd-radeon-ai-pro-r9700", 64, 1024, 2920),
        ("amd-instinct-mi350p", 128, 4096, 2200),
    ],
)
def test_rates_follow_from_units_and_clock(
    catalog: Catalog, gpu_id: str, units: int, flop_per_clock: int, mhz: int
) -> None:
    assert catalog.gpu(gpu_id).fp16_tflops == pytest.approx(units * flop_per_clock * mhz / 1e6, rel=0.01)


def test_mi100_runs_int8_as_fast_as_fp16_and_bf16_at_half(catalog: Catalog) -> None:
    """GPUOpen, "AMD matrix cores": 1,024, 1,024 and 512 operations a clock of one CU; 120 CUs at 1,502 MHz."""
    gpu = catalog.gpu("amd-instinct-mi100")
    assert gpu.int8_tops == pytest.approx(120 * 1024 * 1502 / 1e6, abs=0.05)
    assert gpu.bf16_tflops == pytest.approx(120 * 512 * 1502 / 1e6, abs=0.05)
    assert gpu.origin("int8_tops").verification == COMPUTED
    assert gpu.nvlink_gbs_total == 3 * 92  # AMD's table: three links of 92 GB/s


def test_memory_an_l20_shows_with_error_correction_on(catalog: Catalog) -> None:
    """nvidia-smi of five machines: 46068MiB beside an ECC count of 0; 49140MiB only where ECC is off."""
    assert catalog.gpu("nvidia-l20").usable_mib == 46_068


def test_matrix_rates_of_max_1550_are_in_no_document_found(catalog: Catalog) -> None:
    """Intel's table has its memory and 600 W, but no rate of its matrix engines."""
    gpu = catalog.gpu("intel-data-center-gpu-max-1550")
    assert doubts_of_gpu(gpu) == ("gpu.fp16_tflops", "gpu.bf16_tflops", "gpu.int8_tops")
    assert (gpu.memory_gb, gpu.tdp_w, gpu.origin("tdp_w").verification) == (128, 600, READ)


def test_links_of_export_variants(catalog: Catalog) -> None:
    links = {name: catalog.gpu(name).nvlink_gbs_total for name in ("nvidia-h800-sxm5-80gb", "nvidia-a800-sxm4-80gb")}
    assert set(links.values()) == {400}
    assert catalog.gpu("nvidia-h20-96gb").nvlink_gbs_total == 900
    assert catalog.gpu("nvidia-h800-pcie-80gb").unverified("nvlink_kind")
    assert not catalog.gpu("nvidia-a40").unverified("nvlink_kind")  # A40's page: 2-way, 112.5 GB/s


def test_no_gpu_claims_more_than_was_read(catalog: Catalog) -> None:
    """A part-read row says which parts were not; the basis of a rate leaves nothing to be verified."""
    for gpu in catalog.gpus:
        assert bool(gpu.recalled) == (gpu.verification == PART_READ), gpu.id
        assert "recalled" not in gpu.tflops_basis and "verify" not in gpu.tflops_basis, gpu.id
