"""Peak memory of one training step on one GPU, part by part.

    forward  = weights + optimizer + adapters + live gradients + buffers + activations + logits
    step     = weights + gradients + optimizer + adapters + buffers + optimizer temporaries
    peak     = max(forward, step) + runtime

A gradient appears while its layer's activations die: without accumulation only what the gradients have beyond the
activations counts on top of them. Everything is bytes and broadcasts over arrays of layouts and micro batches.
"""

from dataclasses import dataclass, fields

import numpy as np

from desktop.architectures import DenseDecoder
from desktop.catalog.training_calibration import FrameworkMemory, TrainingMemory
from desktop.sizing.numbers import Number
from desktop.sizing.optimizer_states import StatesPerParameter
from desktop.sizing.training_activations import activation_bytes, layer_activations, logit_bytes
from desktop.sizing.training_layout import TrainingLayout, held_micro_batches, stage_layers

GATHERED_BYTES = 2  # layers are gathered for the matrix product in 16 bits


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """What is trained and how, every default filled in.

    `base_bytes` is what a frozen parameter of the layers takes under adapters; `adapters` and `saved_modules` count
    parameters; `micro_batches` are those of one replica in one step; `recompute_chosen` says that the plan left
    recomputation open; a parameter travels in `gathered_bytes` (1 in 8-bit training); `release_age` is in years behind
    the newest known release.
    """

    architecture: DenseDecoder
    framework: FrameworkMemory
    states: StatesPerParameter
    sequence: Number
    micro_batch: Number
    micro_batches: Number
    recompute: str
    trains_all: bool = True
    base_bytes: float = 2.0
    base_is_nf4: bool = False
    adapters: int = 0
    adapter_state_bytes: float = 16.0
    saved_modules: int = 0
    frozen_mlp: bool = False
    fp32: bool = False
    flash_attention: bool = True
    compiled: bool = False
    chunked_loss: bool = False
    logit_bytes_per_entry: float = 14.0
    in_backward: bool = False
    offload: str = "none"
    recompute_chosen: bool = False
    gathered_bytes: float = 2.0
    release_age: float = 0.0

    def quantised(self) -> bool:
        return not self.trains_all and self.base_bytes < GATHERED_BYTES


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """Bytes of one GPU by component; numbers or arrays."""

    weights: Number
    gradients: Number
    optimizer: Number
    adapters: Number
    activations: Number
    logits: Number
    buffers: Number
    runtime: Number

    def total(self) -> Number:
        """Sum of all parts [B]."""
        return self.torch_peak() + self.runtime

    def torch_peak(self) -> Number:
        """What torch's own counters show: all but context and communicators [B]."""
        return (
            self.weights
            + self.gradients
            + self.optimizer
            + self.adapters
            + self.activations
            + self.logits
            + self.buffers
        )

    def at(self, index: int) -> dict[str, float]:
        """The parts of one element of the arrays."""
        arrays = np.broadcast_arrays(*(getattr(self, field.name) for field in fields(self)))
        return {field.name: float(np.ravel(array)[index]) for field, array in zip(fields(self), arrays, strict=True)}


@dataclass(frozen=True, slots=True)
class StageParameters:
    """Parameters on one rank before they are spread over data-parallel ranks."""

    body: Number
    ends: Number
    layer: Number

    def all(self) -> Number:
        return self.body + self.ends


def stage_parameters(job: TrainingJob, layout: TrainingLayout, stage: Number) -> StageParameters:
    """Layers of a stage over tensor; the first stage holds the embedding (and positions), the last one the head.

    A tied head on another stage, or in a framework that stores it apart, is held a second time.
    """
    model = job.architecture
    layer = model.layer_parameters() / layout.tensor
    apart = job.framework.unties_llama_head and model.model_type == "llama"
    first = np.where(np.asarray(stage) == 0, 1.0, 0.0)
    last = np.where(np.asarray(stage) == np.asarray(layout.pipeline) - 1, 1.0, 0.0)
    second = np.where(np.asarray(layout.pipeline) > 1, 1.0, 0.0 if model.tied_embeddings and not apart else 1.0)
    ends = (
        first * (model.embedding_parameters() + model.other_parameters()) + last * second * model.embedding_parameters()
    )
    return StageParameters(stage_layers(model.layers, layout.pipeline) * layer, ends / layout.tensor, layer)


def memory_parts(job: TrainingJob, layout: TrainingLayout, stage: Number, constants: TrainingMemory) -> MemoryParts:
    """Parts of a rank on pipeline stage `stage` [B]."""
    parameters = stage_parameters(job, layout, stage)
    weights, gradients, optimizer, adapters = _states(job, layout, parameters, constants)
    activations, logits = _saved(job, layout, stage, constants)
    buffers = _buffers(job, layout, parameters, constants)
    accumulates = np.logical_or(np.asarray(job.micro_batches) > 1.001, job.framework.keeps_gradients)
    live = np.where(accumulates, gradients, np.maximum(0.0, gradients - activations))
    reserve = job.framework.reserve_factor
    forward = weights + optimizer + adapters + live + buffers + (activations + logits) * reserve
    steps_here = job.trains_all and job.offload not in ("optimizer", "parameters")
    temporaries = job.framework.step_bytes * parameters.all() / layout.optimizer_shards if steps_here else 0.0
    step = weights + gradients + optimizer + adapters + (buffers if job.trains_all else 0.0) + temporaries
    slack = np.maximum(0.0, step - forward)
    runtime = constants.runtime
    context = runtime.measured_by_driver_bytes if job.framework.driver_view else runtime.context_bytes
    outside = (
        context
        + np.where(np.asarray(layout.gpus) > 1, runtime.nccl_bytes, 0.0)
        + job.framework.cache_share * (forward + slack)
    )
    return MemoryParts(
        weights=weights,
        gradients=live,
        optimizer=optimizer,
        adapters=adapters,
        activations=activations * reserve,
        logits=logits * reserve,
        buffers=buffers + slack,
        runtime=outside,
    )


def worst_parts(job: TrainingJob, layout: TrainingLayout, constants: TrainingMemory) -> MemoryParts:
    """Parts of the fullest rank of each layout [B]: first or last pipeline stage, whichever totals more."""
    first = memory_parts(job, layout, 0.0, constants)
    if np.all(np.asarray(layout.pipeline) == 1):
        return first
    last = memory_parts(job, layout, np.asarray(layout.pipeline) - 1.0, constants)
    fuller = first.total() >= last.total()
    return MemoryParts(
        *(np.where(fuller, getattr(first, field.name), getattr(last, field.name)) for field in fields(MemoryParts))
    )


def _states(
    job: TrainingJob, layout: TrainingLayout, parameters: StageParameters, constants: TrainingMemory
) -> tuple[Number, Number, Number, Number]:
    """weights, gradients, optimizer, adapters [B]."""
    if not job.trains_all:
        spread = layout.weight_shards
        frozen = (parameters.body * job.base_bytes + parameters.ends * GATHERED_BYTES) / spread
        saved = job.saved_modules * constants.adapters.saved_module_bytes
        cut = layout.tensor * layout.pipeline
        if job.offload == "parameters":
            return 0.0 * frozen, 0.0, 0.0, (job.adapters + job.saved_modules) / cut * GATHERED_BYTES
        return frozen, 0.0, 0.0, (job.adapters * job.adapter_state_bytes + saved) / cut / spread
    states = job.states
    weights = parameters.all() * states.weights / layout.weight_shards
    gradients = parameters.all() * states.gradients / layout.gradient_shards
    optimizer = (parameters.body * states.optimizer + parameters.ends * states.end_optimizer) / layout.optimizer_shards
    if job.in_backward:
        largest = np.maximum(job.architecture.embedding_parameters() / layout.tensor, parameters.layer)
        gradients = np.minimum(gradients, largest * states.gradients)
    if job.offload == "parameters":
        return 0.0 * weights, 0.0 * gradients, 0.0 * optimizer, 0.0
    return weights, gradients, (0.0 * optimizer if job.offload == "optimizer" else optimizer), 0.0


def _saved(job: TrainingJob, layout: TrainingLayout, stage: Number, constants: TrainingMemory) -> tuple[Number, Number]:
    """activations and logits before the allocator's reserve [B]."""
    model, framework = job.architecture, job.framework
    tokens = job.micro_batch * job.sequence / layout.context
    factor = framework.activation_factor
    if job.compiled and framework.eager_code:
        factor *= constants.activation.compiled_factor
    scale = 2.0 if job.fp32 else 1.0
    layer = layer_activations(
        model.hidden,
        model.intermediate,
        model.heads,
        model.kv_heads,
        model.head_dim,
        model.gated_mlp,
        job.sequence,
        layout.tensor,
        layout.residual_shards,
        layout.context,
        factor,
        framework.attention_bytes,
        fused_attention=job.flash_attention,
        frozen_mlp=job.frozen_mlp,
        dropout_masks=framework.dropout_masks,
        kept_inputs=framework.quantised_input_factor if job.quantised() else 0.0,
        element_scale=scale,
    )
    held = held_micro_batches(layout.pipeline, layout.pipeline_chunks, stage, job.micro_batches)
    activations = activation_bytes(
        layer,
        tokens,
        stage_layers(model.layers, layout.pipeline),
        held,
        job.recompute,
        framework.selective,
        constants.activation,
        offloaded=job.offload == "activations",
    )
    entry = job.logit_bytes_per_entry + np.where(np.asarray(layout.tensor) > 1, framework.tensor_logit_bytes, 0.0)
    chunks = constants.activation.loss_chunks if job.chunked_loss else 1.0
    last = np.asarray(stage) == np.asarray(layout.pipeline) - 1
    logits = np.where(last, logit_bytes(tokens, model.vocab, entry, layout.tensor, chunks), 0.0)
    return activations, logits


def _buffers(
    job: TrainingJob, layout: TrainingLayout, parameters: StageParameters, constants: TrainingMemory
) -> Number:
    """Gathered layers and ends of FSDP and ZeRO-3, copies of DDP, buckets of DeepSpeed, dequantised matrices [B]."""
    framework, model = job.framework, job.architecture
    unit = job.base_bytes if job.quantised() else GATHERED_BYTES
    reduced = constants.buffers.reduced_units * GATHERED_BYTES if job.trains_all else 0.0
    ends = model.embedding_parameters() / layout.tensor * GATHERED_BYTES
    copies = 1.0 if model.tied_embeddings and not framework.unties_llama_head else framework.ends_gathered
    gathered = parameters.layer * (constants.buffers.gathered_units * unit + reduced) + ends * copies
    if framework.gathers_frozen and not job.trains_all:
        gathered = gathered + parameters.all() * job.base_bytes
    total = gathered * layout.gathers
    if job.quantised():
        total = total + GATHERED_BYTES * model.hidden * model.intermediate / layout.tensor
        if job.base_is_nf4:
            total = total + framework.nf4_load_share * parameters.body
    if framework.states == "deepspeed" and job.trains_all:
        total = total + framework.bucket_bytes
    if framework.ddp_copy and job.trains_all:
        replicated = np.logical_and(np.asarray(layout.data()) > 1, np.asarray(layout.optimizer_shards) == 1)
        total = total + np.where(replicated, parameters.all() * job.states.gradients, 0.0)
    return total
