"""A card and its server as the training formulas take them."""

from desktop.advisor.card import Card
from desktop.catalog.calibration import Arithmetic, Link
from desktop.catalog.records import Gpu
from desktop.catalog.training_speed_table import ChipGeneration, MatrixPrecision, TrainingSpeedTable
from desktop.request import Problem
from desktop.sizing.training_speed import TrainingRates
from desktop.units import GB

BITS_PER_BYTE = 8
TERA = 1e12
FABRIC_GPUS = 4  # GPUs from which an NVLink domain is a fabric of the server, not a bridge between two cards
SERVER_GPUS = 8
ARITHMETIC: dict[MatrixPrecision, Arithmetic] = {
    "fp32": "fp32",
    "bf16": "bf16",
    "fp8": "fp8",
    "mxfp8": "fp8",
    "nvfp4": "fp4",
}


def matrix_precision(precision: str) -> MatrixPrecision:
    """Arithmetic of the matrix products under a precision word of the contract."""
    words: dict[str, MatrixPrecision] = {"fp32": "fp32", "fp8": "fp8", "mxfp8": "mxfp8", "nvfp4": "nvfp4"}
    return words.get(precision, "bf16")


def has_precision(precision: str, gpu: Gpu) -> bool:
    """Whether the GPU multiplies in the precision; 32-bit arithmetic every GPU has."""
    rate = {
        "fp8": gpu.fp8_tflops,
        "mxfp8": gpu.fp8_tflops,
        "nvfp4": gpu.fp4_tflops,
        "bf16": gpu.bf16_tflops,
        "bf16-mixed": gpu.bf16_tflops,
        "fp16-mixed": gpu.fp16_tflops or gpu.bf16_tflops,
    }.get(precision, 1.0)
    return bool(rate)


def check_precision(precision: str, gpu: Gpu) -> None:
    """Raises Problem("invalid_plan", rule="precision_not_on_gpu") where the GPU lacks the precision."""
    if not has_precision(precision, gpu):
        raise Problem(
            "invalid_plan", field="precision", rule="precision_not_on_gpu", precision=precision, gpu=gpu.short
        )


def datasheet_flops(precision: MatrixPrecision, gpu: Gpu) -> float:
    """Dense rate of the datasheet that MFU is a share of [FLOP/s]."""
    wide = gpu.bf16_tflops or gpu.fp16_tflops or gpu.fp32_tflops or 0.0
    rate = {
        "fp32": gpu.tf32_tflops or gpu.fp32_tflops,
        "fp8": gpu.fp8_tflops,
        "mxfp8": gpu.fp8_tflops,
        "nvfp4": gpu.fp4_tflops,
    }.get(precision)
    return (rate or wide) * TERA


def generation_of(gpu: Gpu) -> ChipGeneration:
    """Generation whose kernels the GPU runs; older and unknown chips are told as the oldest measured one."""
    if "Blackwell" in gpu.architecture or "Rubin" in gpu.architecture:
        return "blackwell"
    if "Hopper" in gpu.architecture:
        return "hopper"
    return "cdna" if "CDNA" in gpu.architecture else "ampere"


def assumed_fabric_gbps(card: Card, table: TrainingSpeedTable) -> float:
    """Network between servers a GPU is taken to have where the request states none [Gb/s]."""
    fabric = card.rates.has_nvlink and (card.gpu.nvlink_domain_size or 1) >= FABRIC_GPUS
    return table.communication.nic_gbps if fabric else table.communication.nic_gbps_pcie


def training_rates(
    card: Card,
    precision: MatrixPrecision,
    framework: str,
    family: str,
    link: Link,
    table: TrainingSpeedTable,
    gpus_per_node: float | None = None,
    interconnect_gbps: float | None = None,
) -> TrainingRates:
    """Rates of one card in a server of `gpus_per_node`, joined to other servers by `interconnect_gbps` for each GPU.

    An NVLink bridge joins two cards; a larger group of them talks over PCIe. A fabric larger than the server (NVL72)
    makes one server of it.
    """
    gpu, rates = card.gpu, card.rates
    domain = float(gpu.nvlink_domain_size or 1) if rates.has_nvlink else 1.0
    node = max(gpus_per_node or SERVER_GPUS, domain)
    pcie = link.pcie_gbs.get(gpu.pcie_gen or 4, link.pcie_gbs[4]) / link.pcie_divisor[SERVER_GPUS] * GB
    exchange = table.communication
    wire = interconnect_gbps or assumed_fabric_gbps(card, table)
    generation = generation_of(gpu)
    return TrainingRates(
        matrix_flops=rates.flops[ARITHMETIC[precision]],
        wide_flops=rates.flops["bf16"],
        matrix_share=table.matmul_share(framework, family, generation, precision),
        attention_share=table.attention_share(framework, family, generation),
        memory_bytes_per_s=rates.memory_bytes_per_s,
        bus_2=rates.bus_bytes_per_s[2],
        bus_4=rates.bus_bytes_per_s[4],
        bus_8=rates.bus_bytes_per_s[8],
        pcie_bytes_per_s=pcie,
        nic_bytes_per_s=wire * GB / BITS_PER_BYTE * exchange.nic_share,
        domain_gpus=domain,
        node_gpus=node,
    )
