"""Constants of training speed as resources/calibration/training_speed.toml holds them."""

from typing import Literal

from desktop.request.base import Strict

Span = tuple[float, float]
MatrixPrecision = Literal["fp32", "bf16", "fp8", "mxfp8", "nvfp4"]
ChipGeneration = Literal["ampere", "hopper", "blackwell", "cdna"]


class MatmulShare(Strict):
    framework: str | None = None
    family: str | None = None
    architecture: ChipGeneration | None = None
    precision: MatrixPrecision | None = None
    share: float
    source: str = ""


class SpeedFamily(Strict):
    frameworks: tuple[str, ...]
    elementwise: float
    layer_host_s: float
    range: str


class WorkConstants(Strict):
    memory_share: float
    head_share: float
    width_half: float
    tokens_half: float
    vocabulary_bytes: float
    optimizer_bytes: float
    dequantised_bytes: float
    operator_recompute: float
    tuned_recompute: float
    tuned_modules: float
    yearly_gain: float
    newest_release: float
    source: str


class CommunicationConstants(Strict):
    tensor_exposed: float
    context_exposed: float
    data_exposed: float
    overlap: float
    overlap_pcie: float
    rank_slowdown: float
    adapter_share: float
    nic_share: float
    nic_gbps: float
    nic_gbps_pcie: float
    source: str


class OffloadConstants(Strict):
    link_bytes_per_s: float
    optimizer_parameters_per_s: float
    source: str


class Accounting(Strict):
    full_attention: tuple[str, ...]
    source: str


class MeasuredGpus(Strict):
    gpus: tuple[str, ...]
    source: str


class TrainingSpeedTable(Strict):
    """Everything the speed formulas take."""

    calibrated: str
    source: str
    matmul: tuple[MatmulShare, ...]
    attention: tuple[MatmulShare, ...]
    family: dict[str, SpeedFamily]
    work: WorkConstants
    communication: CommunicationConstants
    offload: OffloadConstants
    accounting: Accounting
    measured: MeasuredGpus
    ranges: dict[str, Span]
    range_source: str

    def family_of(self, framework: str, compiled: bool) -> str:
        """Family of a framework; compiled PyTorch code runs like the compiled one."""
        for name, family in self.family.items():
            if framework in family.frameworks:
                return name
        return "compiled" if compiled else "pytorch"

    def matmul_share(
        self, framework: str, family: str, generation: ChipGeneration, precision: MatrixPrecision
    ) -> float:
        """Share of the achievable matrix rate: the first line of the table that does not contradict."""
        return _first(self.matmul, framework, family, generation, precision)

    def attention_share(self, framework: str, family: str, generation: ChipGeneration) -> float:
        """Share of the achievable 16-bit rate in attention."""
        return _first(self.attention, framework, family, generation, "bf16")

    def range_of(self, family: str, gpu_id: str) -> Span:
        """Low and high multipliers of throughput: a GPU nobody measured gets the widest range."""
        known = gpu_id in self.measured.gpus
        return self.ranges[self.family[family].range if known else "eager"]


def _first(
    lines: tuple[MatmulShare, ...], framework: str, family: str, generation: ChipGeneration, precision: MatrixPrecision
) -> float:
    return next(
        line.share
        for line in lines
        if line.framework in (None, framework)
        and line.family in (None, family)
        and line.architecture in (None, generation)
        and line.precision in (None, precision)
    )
