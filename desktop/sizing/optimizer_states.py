"""Bytes of what is trained: weights, gradients, moments, adapters, checkpoints, and what moves to the host."""

from collections.abc import Iterable
from dataclasses import dataclass

from desktop.catalog.training_calibration import HostConstants, OptimizerKind, StateBytes
from desktop.sizing.numbers import Number


@dataclass(frozen=True, slots=True)
class StatesPerParameter:
    """Bytes per parameter before sharding; `end_optimizer` is that of embedding and head."""

    weights: float
    gradients: float
    optimizer: float
    end_optimizer: float

    def total(self) -> float:
        """Bytes of one parameter of a layer when nothing is spread."""
        return self.weights + self.gradients + self.optimizer


def states_per_parameter(
    states: StateBytes, kind: OptimizerKind, autocast_copy: float = 0.0, wide_share: float = 0.0
) -> StatesPerParameter:
    """weights (and the 16-bit copy that autocast keeps), gradients, master + moments · bytes of a moment.

    `wide_share` of embedding and head keeps 32-bit moments under an 8-bit optimizer.
    AdamW in mixed precision: 4 + 4 + 8 = 16 B (arXiv:1910.02054); pure 16-bit 8 B; Megatron 18 B; DeepSpeed 20 B.
    """
    moment, end_moment = _moment_bytes(states, kind, wide_share)
    return StatesPerParameter(
        weights=states.weights + autocast_copy,
        gradients=states.gradients,
        optimizer=states.master + kind.moments * moment,
        end_optimizer=states.master + kind.end_moments * end_moment,
    )


def sharded_state_bytes(
    parameters: Number,
    states: StatesPerParameter,
    weight_shards: Number,
    gradient_shards: Number,
    optimizer_shards: Number,
) -> Number:
    """States of one GPU [B]: P·(w/d_w + g/d_g + o/d_o).

    7.5 B parameters with 2 + 2 + 12 B over 64 GPUs: 120 GB, ZeRO-1 31.4, ZeRO-2 16.6, ZeRO-3 1.9 (arXiv:1910.02054,
    figure 1).

    >>> states, shards = StatesPerParameter(2, 2, 12, 12), ((1, 1, 1), (1, 1, 64), (1, 64, 64), (64, 64, 64))
    >>> [round(sharded_state_bytes(7.5e9, states, *d) / 1e9, 1) for d in shards]
    [120.0, 31.4, 16.6, 1.9]
    """
    return parameters * (
        states.weights / weight_shards + states.gradients / gradient_shards + states.optimizer / optimizer_shards
    )


def adapter_parameters(layers: int, rank: int, shapes: Iterable[tuple[int, int]]) -> int:
    """Parameters of low-rank adapters: rank·(in + out) for each adapted matrix of a layer (arXiv:2106.09685).

    Llama-2-7B, rank 8 on query and value: 4,194,304 (litgpt tutorials/resource-tables.md).

    >>> adapter_parameters(32, 8, [(4096, 4096), (4096, 4096)])
    4194304
    """
    return layers * rank * sum(inputs + outputs for inputs, outputs in shapes)


def prompt_adapter_parameters(layers: int, hidden: int, heads: int, prompt_tokens: int, first_layer: int) -> int:
    """Parameters of LLaMA-Adapter: a learned prompt and one gate a head in every layer from `first_layer`
    (arXiv:2303.16199).

    Llama-2-7B: 1,229,760 (litgpt tutorials/resource-tables.md).

    >>> prompt_adapter_parameters(32, 4096, 32, 10, 2)
    1229760
    """
    return max(0, layers - first_layer) * (prompt_tokens * hidden + heads)


def weights_checkpoint_bytes(parameters: Number, fp32: bool) -> Number:
    """A checkpoint for serving [B]: 2 B a parameter, 4 in fp32.

    Llama-3.2-3B: 6,425,499,648 B of 3,212,749,824 parameters (huggingface/peft method_comparison, full fine-tune).
    """
    return parameters * (4 if fp32 else 2)


def resumable_checkpoint_bytes(
    body: Number, ends: Number, states: StateBytes, kind: OptimizerKind, wide_share: float = 0.0
) -> Number:
    """A checkpoint training can go on from [B]: weights, masters and moments, no gradients.

    AdamW: 14 B a parameter in Megatron and DeepSpeed mixed precision, 12 with fp32 parameters, 6 in pure 16-bit.
    """
    master = states.master if states.saved_master is None else states.saved_master
    moment, end_moment = _moment_bytes(states, kind, wide_share)
    fixed = states.resume + master
    return body * (fixed + kind.moments * moment) + ends * (fixed + kind.end_moments * end_moment)


def host_ram_bytes(
    gpus_per_node: Number, offloaded_bytes_per_gpu: Number, loaded_bytes: Number, constants: HostConstants
) -> Number:
    """Memory of one server that training takes [B]: its processes, the checkpoint read once, and what left the GPUs.

    gpus·process + max(checkpoint, factor·gpus·offloaded): the checkpoint is freed before the moved states are written.
    """
    moved = constants.offload_factor * gpus_per_node * offloaded_bytes_per_gpu
    return gpus_per_node * constants.process_bytes + loaded_bytes + moved


def _moment_bytes(states: StateBytes, kind: OptimizerKind, wide_share: float) -> tuple[float, float]:
    """Bytes of one moment of a layer's matrix and, on average, of embedding and head."""
    moment = states.moment if kind.moment_bytes is None else kind.moment_bytes
    wide = moment if kind.embedding_moment_bytes is None else kind.embedding_moment_bytes
    return moment, wide_share * wide + (1 - wide_share) * moment
