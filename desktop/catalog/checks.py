"""Rules every row of the catalog keeps, so that a slip of the keyboard never reaches a quote.

A rule that a row breaks for a good reason is excused by name in resources/catalog/check_exceptions.csv. Rules of
hardware stand here, those of prices in desktop/catalog/price_checks.py, those of parameter counts in
desktop/architectures/count_checks.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop.catalog.records import Cpu, Gpu, MeasuredRate, ModelRecord, Platform

Tables = Mapping[str, Sequence[Any]]

ROUNDING = 0.006  # vendors round both rates of a pair: 1,979 is twice 989
CLOCK_ROUNDING = 0.01  # and their clocks: L20, 119.5 TFLOP/s of 118.7 by its clock
GIB_TO_GB = 1.074  # a vendor's GB may be a GiB, never more: 2**30 / 1e9
LEAST_USABLE = 0.9  # of the nominal memory: the driver and error correction take 2 to 7 %
LEAST_REACHED = 0.5  # best dense matmul of its peak: 0.51 to 0.97 measured, half of that were the peak a sparse one
MOST_REACHED = 1.02
SERVER_GBS, WORKSTATION_GBS = 1597, 1792  # RTX PRO 6000: data sheet of the Server Edition, December 2025


@dataclass(frozen=True, slots=True)
class Finding:
    """A row that breaks a rule: its table and place there, what exceptions call it, and what is wrong."""

    rule: str
    table: str
    place: int
    row: str
    said: str


@dataclass(frozen=True, slots=True)
class TensorClock:
    """What a dense 16-bit tensor rate follows from: SMs, FLOP of one SM in a clock, clock behind the rate [MHz]."""

    gpu: str
    sms: int
    flop_per_clock: int
    boost_mhz: float

    @property
    def tflops(self) -> float:
        return self.sms * self.flop_per_clock * self.boost_mhz / 1e6


def hardware_findings(tables: Tables, clocks: Sequence[TensorClock]) -> Iterator[Finding]:
    """Every hardware and model row that breaks a rule."""
    by_gpu = {clock.gpu: clock for clock in clocks}
    best = _best_matmul(tables.get("measured_rates", ()))
    for place, gpu in enumerate(tables.get("gpus", ())):
        for rule, said in (*_rates(gpu), *_memory(gpu), *_against_clock(gpu, by_gpu), *_against_measured(gpu, best)):
            yield Finding(rule, "gpus", place, gpu.id, said)
    for table, rules in (("cpus", _cpu), ("platforms", _platform), ("models", _model)):
        for place, record in enumerate(tables.get(table, ())):
            for rule, said in rules(record):
                yield Finding(rule, table, place, record.id, said)


def _rates(gpu: Gpu) -> Iterator[tuple[str, str]]:
    """Each step to a narrower format doubles a dense rate; a sparse figure among dense ones breaks a pair."""
    for rule, narrow, wide, ratio in (
        ("fp8_twice_bf16", "fp8_tflops", "bf16_tflops", 2),
        ("fp4_twice_fp8", "fp4_tflops", "fp8_tflops", 2),
        ("bf16_equals_fp16", "bf16_tflops", "fp16_tflops", 1),
        ("bf16_twice_tf32", "bf16_tflops", "tf32_tflops", 2),
        ("int8_twice_bf16", "int8_tops", "bf16_tflops", 2),
    ):
        low, high = getattr(gpu, wide), getattr(gpu, narrow)
        rounding = max(ROUNDING * ratio * (low or 0), (ratio + 1) / 2)  # of small rates: to whole TFLOP/s
        if low and high and abs(high - ratio * low) > rounding:
            yield rule, f"{narrow} {high:g} is {high / low:.3g} times {wide} {low:g}"
    if gpu.name.startswith("GeForce") and gpu.bf16_tflops and gpu.fp32_tflops:
        ratio_to_fp32 = gpu.bf16_tflops / gpu.fp32_tflops
        if abs(ratio_to_fp32 / 2 - 1) > ROUNDING:  # professional cards reach four times FP32
            yield "geforce_half_rate", f"bf16_tflops is {ratio_to_fp32:.3g} times fp32_tflops, not twice"


def _memory(gpu: Gpu) -> Iterator[tuple[str, str]]:
    if gpu.usable_mib and gpu.memory_gb:
        share = gpu.usable_mib * 2**20 / (gpu.memory_gb * 1e9)
        if not LEAST_USABLE <= share <= GIB_TO_GB:
            yield "usable_within_nominal", f"usable_mib is {share:.3f} of memory_gb"
    if "RTX PRO 6000" in gpu.name and gpu.mem_bandwidth_gbs is not None:
        known = SERVER_GBS if "Server" in gpu.name else WORKSTATION_GBS
        if gpu.mem_bandwidth_gbs != known:
            yield "rtx_pro_6000_bandwidth", f"mem_bandwidth_gbs is {gpu.mem_bandwidth_gbs:g}, of this edition {known}"
    for field in ("memory_gb", "usable_mib", "mem_bandwidth_gbs", "bf16_tflops", "fp16_tflops", "fp32_tflops", "tdp_w"):
        value = getattr(gpu, field)
        if value is not None and value <= 0:
            yield "positive", f"{field} is {value:g}"


def _against_clock(gpu: Gpu, clocks: Mapping[str, TensorClock]) -> Iterator[tuple[str, str]]:
    clock, rate = clocks.get(gpu.id), gpu.bf16_tflops or gpu.fp16_tflops
    if clock and rate and abs(rate / clock.tflops - 1) > CLOCK_ROUNDING:
        yield "rate_from_clock", f"16-bit rate is {rate:g}, by SMs and clock {clock.tflops:.1f}"


def _against_measured(gpu: Gpu, best: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    measured = best.get(gpu.id)
    if measured and gpu.bf16_tflops:
        reached = measured / gpu.bf16_tflops
        if reached < LEAST_REACHED:
            yield "no_sparse_figure", f"the best measured matmul reaches {reached:.2f} of bf16_tflops"
        if reached > MOST_REACHED:
            yield "measured_within_peak", f"the best measured matmul reaches {reached:.2f} of bf16_tflops"


def _best_matmul(rates: Sequence[MeasuredRate]) -> dict[str, float]:
    best: dict[str, float] = {}
    for rate in rates:
        if rate.metric == "matmul_tflops" and rate.dtype == "bf16":
            best[rate.gpu] = max(rate.value, best.get(rate.gpu, 0))
    return best


def _cpu(cpu: Cpu) -> Iterator[tuple[str, str]]:
    if cpu.threads is not None and cpu.threads not in (cpu.cores, 2 * cpu.cores):
        yield "threads_of_cores", f"{cpu.threads} threads of {cpu.cores} cores"
    if cpu.base_ghz and cpu.boost_ghz and cpu.base_ghz > cpu.boost_ghz:
        yield "base_below_boost", f"base_ghz {cpu.base_ghz:g} is above boost_ghz {cpu.boost_ghz:g}"
    if cpu.cores <= 0 or cpu.tdp_w <= 0 or cpu.memory_channels <= 0:
        yield "positive", "cores, tdp_w and memory_channels are above 0"


def _platform(platform: Platform) -> Iterator[tuple[str, str]]:
    if platform.max_gpus % platform.gpu_step:
        yield "gpus_in_steps", f"{platform.max_gpus} GPUs in steps of {platform.gpu_step}"
    if platform.dimm_slots % platform.dimm_channels:
        yield "slots_of_channels", f"{platform.dimm_slots} slots on {platform.dimm_channels} channels"
    if platform.psu_count and platform.psu_redundant and platform.psu_redundant >= platform.psu_count:
        yield "some_psus_carry", f"{platform.psu_redundant} of {platform.psu_count} supplies are spare"


def _model(model: ModelRecord) -> Iterator[tuple[str, str]]:
    facts = model.facts
    heads, kv_heads = facts.get("num_heads"), facts.get("num_kv_heads")
    if heads and kv_heads and heads % kv_heads:
        yield "kv_heads_divide_heads", f"{kv_heads} KV heads of {heads} heads"
    if model.params_total and model.params_active and model.params_active > model.params_total:
        yield "active_within_total", f"{model.params_active:,} active of {model.params_total:,} parameters"
    for rule, part, whole in (
        ("used_experts_within_all", "experts_per_tok", "num_experts"),
        ("full_layers_within_all", "full_attn_layers", "num_layers"),
        ("dense_layers_within_all", "first_dense_layers", "num_layers"),
    ):
        if (facts.get(part) or 0) > (facts.get(whole) or 0) and facts.get(whole) is not None:
            yield rule, f"{part} {facts[part]} of {whole} {facts[whole]}"
