"""Constants of the formulas, read from resources/calibration and validated once. Each file names version, source and
error."""

import tomllib
from functools import cache
from typing import Any, Literal

from pydantic import Field

from desktop.request.base import Strict
from desktop.resources import resource

Arithmetic = Literal["fp32", "bf16", "fp8", "fp4", "int8"]
Span = tuple[float, float]


class WeightFormat(Strict):
    """How a weight matrix is stored and multiplied."""

    name: str
    bits: float
    scale_over: Literal["none", "row", "block", "group", "flat"]
    scale_bytes: float = 0
    group: int = 0
    block_rows: int = 1
    block_columns: int = 1
    column_bytes: float = 0
    compute: Arithmetic
    minimum_compute_capability: float = 0
    widened_from: float = 0
    refused_from: float = 1000
    quality: str


class BySize(Strict):
    """A default that depends on the size of the card."""

    small: int
    large: int
    huge: int = 0


class MlpTransient(Strict):
    """Widest moment of one layer, in elements a token: intermediate x f + hidden x h."""

    intermediate: float
    hidden: float


class NonTorch(Strict):
    one: float
    many: float
    rocm: float


class EngineEra(Strict):
    """Memory constants of one range of engine versions."""

    until: str
    calibrated: str
    minimum_compute_capability: float
    memory_fraction: float
    max_sequences: BySize
    max_batched_tokens: BySize
    sampler_copies: float
    mlp_transient: MlpTransient
    non_torch_gib: NonTorch
    graphs_in_pool: bool
    graphs_estimate_ratio: float
    graphs_gib_per_layer: tuple[float, float, float]
    source: str
    residual: dict[str, tuple[float, float] | int] = {}


class Visible(Strict):
    fixed_gib: float
    share: float
    source: str
    gib: dict[str, float]


class Blocks(Strict):
    block_tokens: int
    vocabulary_padding: int
    small_below_gib: float
    huge_from_gib: float
    runtime_part_gib: float
    source: str


class VerdictMargin(Strict):
    tight_margin: float
    source: str


class ServingMemory(Strict):
    visible: Visible
    vllm: tuple[EngineEra, ...]
    vllm_blocks: Blocks
    spread: dict[str, float | str]
    verdict: VerdictMargin


class Achievable(Strict):
    bf16: float
    fp8: float
    fp4: float
    int8: float
    other_vendor: float
    source: str


class Link(Strict):
    nvlink_share: dict[int, float]
    pcie_gbs: dict[int, float]
    pcie_divisor: dict[int, float]
    pcie_alpha_factor: float
    source: str


class SpeedRange(Strict):
    throughput: Span
    tpot: Span
    ttft: Span
    measured_gpus: tuple[str, ...]
    widening_measured: float
    widening_other: float
    slower_amd: float
    slower_old_engine: float
    old_engine_until: str
    source: str


class ServingConstants(Strict):
    """Constants of the step-time model; their meaning stands in desktop/sizing/serving_speed.py."""

    calibrated: str
    source: str
    chunk_tokens: float
    max_sequences: int
    roof_power: float
    mbu: float
    mfu: float
    mfu_attention: float
    mbu_kv: float
    alpha_s: float
    beta_share: float
    layer_s: float
    step_s: float
    sequence_s: float
    eager_layer_s: float
    block_layer_s: float
    fp4_layer_s: float
    first_s: float
    first_token_s: float
    first_per_tera_parameter_s: float
    wave_share: float
    wave_share_short: float
    wave_tokens: float
    range: SpeedRange


class ServingSpeedTable(Strict):
    achievable: Achievable
    link: Link
    vllm: ServingConstants


class MemoryRule(Strict):
    ram_per_gpu_memory: float
    minimum_ram_per_gpu_memory: float
    source: str


class CpuRule(Strict):
    cores_per_gpu: int
    source: str


class StorageRule(Strict):
    checkpoints_kept: int
    fill_share: float
    mirrored: int
    source: str


class NetworkRule(Strict):
    gpus_per_card: int
    source: str


class PowerRule(Strict):
    dimm_w: float
    drive_w: float
    nic_w: float
    fan_share: float
    load_share_serving: float
    load_share_training: float
    idle_share: float
    source: str


class SourcedShare(Strict):
    share: float
    source: str


class ServerRules(Strict):
    """Rules a server is built by."""

    memory: MemoryRule
    cpu: CpuRule
    storage: StorageRule
    network: NetworkRule
    power: PowerRule
    contingency: SourcedShare
    cloud_staff: SourcedShare


class Calibration(Strict):
    """All constants the serving formulas take."""

    weight_formats: dict[str, WeightFormat]
    kv_bytes: dict[str, float] = Field(description="bytes of one cached element by format")
    serving_memory: ServingMemory
    serving_speed: ServingSpeedTable
    servers: ServerRules


@cache
def load_calibration() -> Calibration:
    """The shipped constants."""
    formats = _table("weight_formats")
    return Calibration(
        weight_formats={name: WeightFormat(name=name, **facts) for name, facts in formats["format"].items()},
        kv_bytes=formats["kv"],
        serving_memory=ServingMemory.model_validate(_table("serving_memory")),
        serving_speed=ServingSpeedTable.model_validate(_table("serving_speed")),
        servers=ServerRules.model_validate(_table("servers")),
    )


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(resource("calibration", f"{name}.toml").read_text(encoding="utf-8"))
