"""How the GPUs of a training run are cut, and over how many of them each kind of state is spread."""

from dataclasses import dataclass

import numpy as np

from desktop.sizing.numbers import Number


@dataclass(frozen=True, slots=True)
class TrainingLayout:
    """GPUs of one run, as numbers or arrays that broadcast together.

    tensor x pipeline x context x data = gpus. `*_shards` say over how many GPUs a state is spread, `residual_shards`
    over how many the residual stream is cut (tensor under sequence parallelism, else 1);
    `gathers` is 1 where the weights of a layer are gathered before use (FSDP, ZeRO-3), else 0.
    """

    gpus: Number
    tensor: Number = 1
    pipeline: Number = 1
    pipeline_chunks: Number = 1
    context: Number = 1
    residual_shards: Number = 1
    weight_shards: Number = 1
    gradient_shards: Number = 1
    optimizer_shards: Number = 1
    gathers: Number = 0

    def data(self) -> Number:
        """Replicas that read different sequences."""
        return self.gpus / (self.tensor * self.pipeline * self.context)


def training_layout(
    gpus: Number,
    sharding: str,
    tensor: Number = 1,
    pipeline: Number = 1,
    pipeline_chunks: Number = 1,
    context: Number = 1,
    sequence_parallel: bool = False,
    node_gpus: Number = 8,
) -> TrainingLayout:
    """Layout of a sharding word. States are spread over data x context ranks; hsdp stays inside a server.

    zero1 and the distributed optimizer spread the optimizer, zero2 the gradients too, zero3, fsdp and hsdp also the
    weights (arXiv:1910.02054 section 5).
    """
    group = gpus / (tensor * pipeline)
    if sharding == "hsdp":
        group = np.minimum(group, np.maximum(1, node_gpus / (tensor * pipeline)))
    one = np.ones_like(np.asarray(group, dtype=float))
    everything = sharding in ("zero3", "fsdp", "hsdp")
    return TrainingLayout(
        gpus=gpus,
        tensor=tensor,
        pipeline=pipeline,
        pipeline_chunks=pipeline_chunks,
        context=context,
        residual_shards=tensor if sequence_parallel else 1,
        weight_shards=group if everything else one,
        gradient_shards=group if everything or sharding == "zero2" else one,
        optimizer_shards=one if sharding == "none" else group,
        gathers=np.where(np.asarray(group) > 1, 1.0, 0.0) if everything else 0.0,
    )


def stage_layers(layers: int, pipeline: Number) -> Number:
    """Layers of the fullest pipeline stage: the layers over the stages, rounded up."""
    return np.ceil(layers / np.asarray(pipeline))


def held_micro_batches(pipeline: Number, chunks: Number, stage: Number, micro_batches: Number) -> Number:
    """Micro batches whose activations stage number `stage` holds at once.

    1F1B: p - r. Interleaved with v chunks: (2(p - r - 1) + (v - 1)p + 1)/v of a whole stage, never more than there are.
    It explains 56.4 GiB measured for p = 4, v = 8 (Megatron-LM functional tests), where 1 + (p - 1)/(pv) gives 36.
    """
    p, v, after = (
        np.asarray(pipeline, dtype=float),
        np.asarray(chunks, dtype=float),
        np.asarray(pipeline) - np.asarray(stage) - 1,
    )
    held = np.where(v > 1, (2 * after + (v - 1) * p + 1) / v, after + 1)
    return np.where(p > 1, np.minimum(held, np.maximum(1, micro_batches)), 1.0)


def bubble_share(pipeline: Number, chunks: Number, micro_batches: Number) -> Number:
    """Idle time of a pipeline against its work: (p - 1)/(v m) (arXiv:2104.04473 section 2.2)."""
    return (pipeline - 1) / (np.maximum(1, chunks) * micro_batches)
