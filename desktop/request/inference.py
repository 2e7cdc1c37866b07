"""A fixed plan for serving: model, GPUs, engine, cut and traffic are given, the answer is memory and speed."""

from typing import Annotated, Literal

from pydantic import Field

from desktop.request.base import Count, GpuReference, ModelReference, Share, Strict, Tokens

WeightFormat = str  # checked against resources/calibration, where each format carries its bytes
KvFormat = Literal["auto", "fp16", "bf16", "fp8", "int8", "q8_0", "q4_0"]
EngineName = Literal[
    "vllm", "sglang", "tensorrt-llm", "triton", "tgi", "llama.cpp", "ollama", "transformers", "diffusers"
]


class KvPair(Strict):
    """Separate formats for keys and values."""

    k: KvFormat
    v: KvFormat


class Engine(Strict):
    """Serving engine. Every field except `name` falls back to the default of that engine version."""

    name: EngineName = "vllm"
    version: str = ""
    memory_fraction: float | None = Field(default=None, gt=0, le=1)
    max_context: Tokens | None = None
    max_sequences: int | None = Field(default=None, ge=1, le=1_000_000)
    max_batched_tokens: Tokens | None = None
    cuda_graphs: bool | None = None
    flash_attention: bool | None = None
    gpu_layers: int | None = Field(default=None, ge=0)
    ubatch: int | None = Field(default=None, ge=1)
    batch: int | None = Field(default=None, ge=1)
    parallel_slots: int | None = Field(default=None, ge=1)
    compiled: bool | None = None


class ServingParallel(Strict):
    """How the model is cut: tensor x pipeline x data = GPUs of the plan."""

    tensor: Count = 1
    pipeline: Count = 1
    data: Count = 1
    expert: Count = 1


class Traffic(Strict):
    """What runs at once. `concurrency` "max" asks for the most that the KV cache holds."""

    input_tokens: Tokens = 1024
    output_tokens: Tokens = 256
    concurrency: Annotated[int, Field(ge=1, le=1_000_000)] | Literal["max"] | None = None
    requests_per_s: float | None = Field(default=None, gt=0)
    batch: int | None = Field(default=None, ge=1)
    image: tuple[int, int] | None = None
    steps: int | None = Field(default=None, ge=1)
    audio_seconds: float | None = Field(default=None, gt=0)


class PhaseWorkers(Strict):
    workers: Count
    parallel: ServingParallel = ServingParallel()


class Disaggregated(Strict):
    prefill: PhaseWorkers
    decode: PhaseWorkers


class InferencePlan(Strict):
    """`estimate` request of mode inference."""

    id: str | int | None = None
    mode: Literal["inference"] = "inference"
    model: ModelReference
    gpu: GpuReference
    gpus: Count = 1
    weights: WeightFormat = "checkpoint"
    kv_cache: KvFormat | KvPair = "auto"
    engine: Engine = Engine()
    parallel: ServingParallel = ServingParallel()
    disaggregated: Disaggregated | None = None
    traffic: Traffic = Traffic()
    prefix_hit_rate: Share = 0.0
