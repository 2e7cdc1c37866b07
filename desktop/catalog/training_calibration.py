"""Constants of the training formulas, read from resources/calibration and validated once."""

import tomllib
from functools import cache
from typing import Any, Literal

from pydantic import Field

from desktop.catalog.training_speed_table import Span, TrainingSpeedTable
from desktop.request.base import Strict
from desktop.resources import resource

StateRegime = Literal["pytorch", "megatron", "deepspeed"]


class StateBytes(Strict):
    """Bytes per trained parameter before sharding."""

    weights: float
    gradients: float
    master: float
    moment: float
    resume: float = Field(description="weights of a resumable checkpoint")
    saved_master: float | None = Field(
        default=None, description="part of master that a checkpoint stores, all of it when left out"
    )


class OptimizerKind(Strict):
    """Moments an optimizer keeps for a matrix of a layer and for embedding and head."""

    moments: float
    end_moments: float
    moment_bytes: float | None = None
    embedding_moment_bytes: float | None = None
    paged: bool = False
    source: str


class AdapterConstants(Strict):
    saved_module_bytes: float
    saved_module_source: str
    gptq_engine_state_bytes: float
    gptq_engine_logit_bytes: float
    gptq_engine_source: str
    prompt_tokens: int
    first_adapted_layer: int
    prompt_source: str


class ActivationConstants(Strict):
    autocast_copy: float
    live_layers: float
    module_share: float
    offload_layers: float
    compiled_factor: float
    compiled_source: str
    loss_chunks: float
    loss_source: str


class BufferConstants(Strict):
    gathered_units: float
    reduced_units: float
    source: str


class RuntimeConstants(Strict):
    context_bytes: float
    measured_by_driver_bytes: float
    nccl_bytes: float
    source: str


class HostConstants(Strict):
    process_bytes: float
    offload_factor: float
    source: str


class VerdictConstants(Strict):
    does_not_fit_above: float
    source: str


class FrameworkMemory(Strict):
    """How one framework holds a training step; the words are explained in training_memory.toml."""

    name: str
    states: StateRegime
    attention_bytes: float
    activation_factor: float
    logit_bytes: float
    tensor_logit_bytes: float = 0.0
    reserve_factor: float
    cache_share: float = 0.0
    adapter_state_bytes: float
    selective: Literal["attention", "operators"]
    dropout_masks: bool = False
    sequence_parallel: bool = False
    compiled: bool = False
    eager_code: bool = Field(default=False, description="activations shrink when the plan compiles the model")
    default_sharding: str = "fsdp"
    ends_gathered: float = 1.0
    keeps_embedding_moments: bool = False
    ddp_copy: bool = False
    quantised_input_factor: float = 0.0
    nf4_load_share: float = 0.0
    unties_llama_head: bool = False
    gathers_frozen: bool = False
    recomputes_when_sharded: bool = False
    keeps_gradients: bool = False
    driver_view: bool = False
    bucket_bytes: float = 0.0
    step_bytes: float = 0.0
    range: str
    source: str


class TrainingMemory(Strict):
    """Everything the memory formulas take."""

    calibrated: str
    source: str
    states: dict[StateRegime, dict[str, StateBytes]]
    state_sources: dict[StateRegime, str]
    optimizers: dict[str, OptimizerKind]
    base_bytes: dict[str, float]
    base_source: str
    adapters: AdapterConstants
    activation: ActivationConstants
    buffers: BufferConstants
    runtime: RuntimeConstants
    host: HostConstants
    verdict: VerdictConstants
    frameworks: dict[str, FrameworkMemory]
    ranges: dict[str, Span]
    range_source: str

    def state_bytes(self, regime: StateRegime, precision: str) -> StateBytes:
        """States of a precision; what has no row of its own computes in narrower types but keeps mixed states."""
        table = self.states[regime]
        return table.get(precision, table["mixed"])


class TrainingCalibration(Strict):
    memory: TrainingMemory
    speed: TrainingSpeedTable


@cache
def load_training_calibration() -> TrainingCalibration:
    """The shipped constants."""
    return build_training_calibration(_table("training_memory"), _table("training_speed"))


def build_training_calibration(memory: dict[str, Any], speed: dict[str, Any]) -> TrainingCalibration:
    """Constants from the two tables as they stand in the files; a framework is its class with what it changes."""
    memory, speed = dict(memory), dict(speed)
    states, bases = memory.pop("states"), dict(memory.pop("base_bytes"))
    classes, frameworks, ranges = memory.pop("class"), memory.pop("framework"), dict(memory.pop("range"))
    speed_ranges = dict(speed.pop("range"))
    return TrainingCalibration(
        memory=TrainingMemory(
            states={name: {k: v for k, v in rows.items() if k != "source"} for name, rows in states.items()},
            state_sources={name: rows["source"] for name, rows in states.items()},
            optimizers=memory.pop("optimizer"),
            base_source=bases.pop("source"),
            base_bytes=bases,
            frameworks={name: _framework(name, facts, classes) for name, facts in frameworks.items()},
            range_source=ranges.pop("source"),
            ranges=ranges,
            **memory,
        ),
        speed=TrainingSpeedTable(range_source=speed_ranges.pop("source"), ranges=speed_ranges, **speed),
    )


def _framework(name: str, facts: dict[str, Any], classes: dict[str, Any]) -> FrameworkMemory:
    own = {key: value for key, value in facts.items() if key != "class"}
    return FrameworkMemory.model_validate(
        {
            "name": name,
            "eager_code": facts["class"] in ("eager", "pytorch"),
            **classes[facts["class"]],
            **own,
        }
    )


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(resource("calibration", f"{name}.toml").read_text(encoding="utf-8"))
