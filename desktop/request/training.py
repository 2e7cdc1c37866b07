"""A fixed plan for training: the answer is the memory of the worst GPU, the step time and the hours."""

from typing import Literal

from pydantic import Field

from desktop.request.base import Count, GpuReference, ModelReference, Strict, Tokens

Method = Literal["pretrain", "full", "lora", "qlora", "adapter"]
Precision = Literal["fp32", "fp16-mixed", "bf16-mixed", "bf16", "fp8", "mxfp8", "nvfp4"]
Sharding = Literal["none", "zero1", "zero2", "zero3", "fsdp", "hsdp", "megatron-distributed-optimizer"]
Recompute = Literal["none", "selective", "full"]
Optimizer = Literal[
    "adamw",
    "adamw-8bit",
    "paged-adamw-8bit",
    "adafactor",
    "sgd",
    "lion",
    "muon",
    "adamw+in-backward",
    "adamw-8bit+in-backward",
    "paged-adamw-8bit+in-backward",
    "adafactor+in-backward",
    "sgd+in-backward",
    "lion+in-backward",
    "muon+in-backward",
]
BaseWeights = Literal["fp32", "bf16", "fp16", "nf4", "nf4-dq", "int8", "gptq-int4", "gptq-int8"]
Offload = Literal["none", "activations", "optimizer", "parameters"]
FrameworkName = Literal[
    "pytorch",
    "pytorch-fsdp",
    "deepspeed",
    "megatron-lm",
    "accelerate",
    "transformers",
    "peft",
    "torchtitan",
    "torchtune",
    "litgpt",
    "llm-foundry",
    "ms-swift",
    "axolotl",
    "unsloth",
    "nemo",
    "llama-factory",
]


class Framework(Strict):
    name: FrameworkName = "pytorch-fsdp"
    version: str = ""


class TrainingParallel(Strict):
    tensor: Count = 1
    pipeline: Count = 1
    pipeline_chunks: Count = 1
    context: Count = 1
    expert: Count = 1
    sequence_parallel: bool | None = None  # None: as the framework does
    sharding: Sharding | None = Field(default=None, description="left out: fsdp on several GPUs, none on one")


class Lora(Strict):
    rank: int = Field(default=16, ge=1, le=65536)
    targets: Literal["attention", "all-linear"] | tuple[str, ...] = "all-linear"
    modules_to_save: tuple[str, ...] = ()


class TrainingPlan(Strict):
    """`estimate` request of mode training."""

    id: str | int | None = None
    mode: Literal["training"]
    method: Method
    model: ModelReference
    gpu: GpuReference
    gpus: Count
    nodes: Count | None = None
    framework: Framework = Framework()
    parallel: TrainingParallel = TrainingParallel()
    precision: Precision = "bf16-mixed"
    optimizer: Optimizer = "adamw"
    sequence_length: Tokens = 4096
    micro_batch: int = Field(default=1, ge=1, le=1_000_000)
    global_batch: int | None = Field(default=None, ge=1, le=100_000_000)
    recompute: Recompute | None = None
    flash_attention: bool = True
    compiled: bool | None = None  # None: as the framework does
    chunked_loss: bool = False
    lora: Lora | None = None
    base_weights: BaseWeights | None = None
    offload: Offload = "none"
    tokens: int | None = Field(default=None, ge=1, le=10**16)
    interconnect_gbps: float | None = Field(default=None, gt=0, le=100_000)
    image: int | None = Field(default=None, ge=1)
