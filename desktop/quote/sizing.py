"""What an estimate says: memory of the worst GPU, speed as ranges, and messages."""

from typing import Any, Literal

from pydantic import Field

from desktop.request import Strict

Verdict = Literal["fits", "tight", "does_not_fit"]
Severity = Literal["info", "warning", "error"]
Bound = Literal["compute", "memory", "interconnect", "kv_capacity", "host"]


class Range(Strict):
    """A figure that is not exact; low to high holds the measured value in at least 9 cases of 10."""

    low: float
    value: float
    high: float


class ByteRange(Strict):
    low: int
    value: int
    high: int


class Message(Strict):
    """A warning or remark: `code` and `values` say what, the words room says it in a language."""

    code: str
    severity: Severity = "warning"
    rule: str = ""
    field: str = ""
    values: dict[str, Any] = {}
    message: str = ""


class Component(Strict):
    """One part of the memory of one GPU, with its formula, what went in and where the formula comes from."""

    component: str
    bytes: int
    formula: str = ""
    inputs: dict[str, float | int | str] = {}
    source: str = ""


class RankMemory(Strict):
    """One distinct kind of rank: `ranks` GPUs hold the same as rank number `rank`."""

    rank: int
    ranks: int
    components: tuple[Component, ...]

    def total_bytes(self) -> int:
        return sum(part.bytes for part in self.components)


class Memory(Strict):
    """Memory of a plan. `required` is what the job needs, `reserved` what the engine takes; both of the worst GPU."""

    verdict: Verdict
    card_bytes: int = Field(description="what the driver shows of the card before anything is allocated")
    usable_bytes: int
    required_bytes: ByteRange
    reserved_bytes: int
    worst_rank: int
    per_gpu: tuple[RankMemory, ...]
    kv_bytes_per_token: int = 0
    kv_pool_bytes: int = 0
    kv_capacity_tokens: int = 0
    max_concurrency: float = 0.0
    max_context_at_concurrency: int = 0
    host_ram_bytes: int = 0
    disk_bytes: int = 0
    checkpoint_bytes: dict[Literal["resumable", "weights_only"], int] | None = None

    def worst(self) -> RankMemory:
        return next(rank for rank in self.per_gpu if rank.rank == self.worst_rank)

    def part_bytes(self, component: str) -> int:
        """Bytes of one component on the worst GPU; zero when the plan has no such part."""
        return sum(part.bytes for part in self.worst().components if part.component == component)


class ServingSpeed(Strict):
    ttft_s: Range
    tpot_s: Range
    output_tokens_per_s: Range
    total_tokens_per_s: Range
    requests_per_s: Range
    prompt_tokens_per_s_single: Range
    decode_tokens_per_s_single: Range
    bound_by: Bound


class TrainingSpeed(Strict):
    tokens_per_s_per_gpu: Range
    step_s: Range
    mfu: Range
    tflops_per_gpu: Range
    hours_total: Range | None = None
    exposed_communication_share: float = 0.0
    pipeline_bubble_share: float = 0.0
    bound_by: Bound = "compute"


class EstimateResult(Strict):
    """Answer of `estimate`: memory always, speed only where the plan fits."""

    id: str | int | None = None
    memory: Memory
    speed: ServingSpeed | TrainingSpeed | None = None
    warnings: tuple[Message, ...] = ()
