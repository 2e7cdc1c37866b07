"""Seconds of training: what one token costs one GPU, summed over what the GPU does for it.

    work  = (matrix products + attention + elementwise traffic + exposed tensor and context exchange) · (1 + bubble)
    busy  = work · (1 + σ·log2 servers) + exposed data-parallel exchange + optimizer + dequantisation + offload
    t     = (busy³ + launch³)^(1/3),  launch: host time of the layers' kernels
    tokens/s/GPU = 1/t

Everything is GPU-seconds per token and broadcasts over arrays of layouts, rates and micro batches. Shares and factors
are data: resources/calibration/training_speed.toml.
"""

from dataclasses import dataclass

import numpy as np

from desktop.architectures import DenseDecoder
from desktop.catalog.training_speed_table import SpeedFamily, TrainingSpeedTable
from desktop.sizing.numbers import Number
from desktop.sizing.training_layout import TrainingLayout, bubble_share
from desktop.sizing.training_memory import TrainingJob

BYTES_16_BIT = 2
LAUNCH_POWER = 3  # smooth maximum of device and host time
ATTENTION_BACKWARD = 2.5  # a fused backward recomputes the scores: five products against two (arXiv:2307.08691)
RING_NODE_LIMIT = 8  # GPUs of a server that share an exchange between servers, one card each


@dataclass(frozen=True, slots=True)
class TrainingRates:
    """What a GPU and its server reach, as numbers or arrays.

    `matrix_flops` in the arithmetic of the run and `wide_flops` in 16 bits [FLOP/s], with the shares training reaches;
    `bus_*` bandwidth inside the NVLink domain over 2, 4 and 8 GPUs, `pcie_bytes_per_s` inside the server beyond it,
    `nic_bytes_per_s` between servers for each GPU [B/s]; `domain_gpus` on one NVLink fabric, `node_gpus` in a server.
    """

    matrix_flops: Number
    wide_flops: Number
    matrix_share: Number
    attention_share: Number
    memory_bytes_per_s: Number
    bus_2: Number
    bus_4: Number
    bus_8: Number
    pcie_bytes_per_s: Number
    nic_bytes_per_s: Number
    domain_gpus: Number
    node_gpus: Number

    def bus(self, ranks: Number) -> Number:
        """Bus bandwidth of a collective over `ranks` GPUs [B/s]; between servers each card carries its share
        (hierarchical)."""
        inside = np.where(np.asarray(ranks) <= 2, self.bus_2, np.where(np.asarray(ranks) <= 4, self.bus_4, self.bus_8))
        inside = np.where(np.asarray(ranks) <= self.domain_gpus, inside, self.pcie_bytes_per_s)
        server = np.where(np.asarray(self.domain_gpus) >= self.node_gpus, self.bus_8, self.pcie_bytes_per_s)
        between = np.minimum(server, self.nic_bytes_per_s * np.minimum(RING_NODE_LIMIT, self.node_gpus))
        return np.where(np.asarray(ranks) <= self.node_gpus, inside, between)


@dataclass(frozen=True, slots=True)
class TokenCost:
    """GPU-seconds of one token by cause; `busy` is all but launch, `bubble` is inside of it."""

    compute: Number
    memory: Number
    interconnect: Number
    bubble: Number
    busy: Number
    launch: Number

    def seconds(self) -> Number:
        """GPU-seconds per token [s]."""
        larger = np.maximum(self.busy, self.launch)
        powers = (self.busy / larger) ** LAUNCH_POWER + (self.launch / larger) ** LAUNCH_POWER
        return larger * powers ** (1 / LAUNCH_POWER)

    def tokens_per_s_per_gpu(self) -> Number:
        """Tokens a second, each GPU of the run [1/s]."""
        return 1 / self.seconds()


def model_flops_per_token(
    architecture: DenseDecoder, sequence: Number, trains_all: bool, full_attention: bool
) -> Number:
    """FLOP a token as TFLOP/s and MFU count it: 6·N (4·N where the weights are frozen) + 6·L·a·D·s causal, 12 in full.

    N: matrix parameters with the head, without the input embedding (arXiv:2104.04473 eq. 3; NVIDIA Megatron-Bridge).
    """
    pairs = 12 if full_attention else 6
    attention = pairs * architecture.layers * architecture.heads * architecture.head_dim * sequence
    return (6 if trains_all else 4) * architecture.matmul_parameters() + attention


def token_cost(
    job: TrainingJob, layout: TrainingLayout, rates: TrainingRates, family: SpeedFamily, table: TrainingSpeedTable
) -> TokenCost:
    """What one token costs one GPU, by cause."""
    work, exchange = table.work, table.communication
    data = layout.data()
    tokens = job.micro_batch * job.sequence
    again = _recomputed_share(job, table)
    compute = _compute_seconds(job, layout, rates, table, again)
    memory = _elementwise_bytes(job, family, table, again) / (rates.memory_bytes_per_s * work.memory_share)
    chosen = _tuned_slowdown(job, table) * (1 + work.yearly_gain * job.release_age)
    compute, memory = compute * chosen, memory * chosen
    cut = _cut_seconds(job, layout, rates, table, again)
    bubble = bubble_share(layout.pipeline, layout.pipeline_chunks, job.micro_batches)
    filled = (compute + memory + cut) * (1 + bubble)
    exchanged = _data_seconds(job, layout, rates, table)
    fast = np.asarray(rates.domain_gpus) >= 4
    hidden = np.where(fast, exchange.overlap, exchange.overlap_pcie) * filled
    exposed = exchange.data_exposed * exchanged + np.maximum(0.0, (1 - exchange.data_exposed) * exchanged - hidden)
    servers = np.log2(np.maximum(1.0, layout.gpus / np.asarray(rates.node_gpus, dtype=float)))
    trained = _trained_parameters(job, table)
    replicas = data * layout.context
    step_tokens = tokens * job.micro_batches * data
    spread = np.where(np.asarray(layout.optimizer_shards) > 1, layout.optimizer_shards, 1.0)
    updated = work.optimizer_bytes * trained * replicas / spread / step_tokens
    widened = work.dequantised_bytes * job.architecture.parameters() * (2 + again) / tokens if job.quantised() else 0.0
    written = (updated + widened) / (rates.memory_bytes_per_s * work.memory_share)
    moved = _offload_seconds(job, layout, rates, table, step_tokens)
    launch = family.layer_host_s * job.architecture.layers * layout.tensor * layout.context * (3 + again) / 3 / tokens
    return TokenCost(
        compute=compute,
        memory=memory + written,
        interconnect=cut + exposed + moved,
        bubble=(compute + memory + cut) * bubble,
        busy=filled * (1 + exchange.rank_slowdown * servers) + exposed + written + moved,
        launch=launch * (1 + work.yearly_gain * job.release_age),
    )


def _recomputed_share(job: TrainingJob, table: TrainingSpeedTable) -> float:
    """Forward passes computed again, where the plan says so."""
    if job.recompute_chosen:
        return 0.0
    if job.recompute == "selective":
        return table.work.operator_recompute if job.framework.selective == "operators" else 0.0
    return 1.0 if job.recompute == "full" else 0.0


def _tuned_slowdown(job: TrainingJob, table: TrainingSpeedTable) -> float:
    """1 and a share of a forward pass where the recipe chose how much to recompute."""
    if not job.recompute_chosen:
        return 1.0
    share = {"full": 1.0, "modules": table.work.tuned_modules}.get(job.recompute, 0.0)
    return 1 + table.work.tuned_recompute * share / (1 + _backward(job))


def _backward(job: TrainingJob) -> float:
    """Backward against forward matrix products: input gradients, and weight gradients where weights are trained."""
    return 2.0 if job.trains_all else 1.0


def _compute_seconds(
    job: TrainingJob, layout: TrainingLayout, rates: TrainingRates, table: TrainingSpeedTable, again: float
) -> Number:
    """Matrix products, head and attention [s/token]; narrow matrices and few tokens reach less of the rate."""
    model, work, backward = job.architecture, table.work, _backward(job)
    width = min(model.hidden, model.intermediate) / np.asarray(layout.tensor, dtype=float)
    tokens = job.micro_batch * job.sequence / np.asarray(layout.context, dtype=float)
    shape = width / (width + work.width_half) * tokens / (tokens + work.tokens_half)
    layers = 2 * model.linear_parameters() * (1 + backward + again) / (rates.matrix_flops * rates.matrix_share * shape)
    head_rate = rates.wide_flops * work.head_share * np.minimum(1.0, rates.matrix_share * 1.2)
    head = 2 * model.embedding_parameters() * (1 + backward) / head_rate
    scores = 2 * model.layers * model.heads * model.head_dim * job.sequence
    attention = scores * (1 + ATTENTION_BACKWARD + again) / (rates.wide_flops * rates.attention_share)
    return layers + head + attention


def _elementwise_bytes(job: TrainingJob, family: SpeedFamily, table: TrainingSpeedTable, again: float) -> Number:
    """Traffic of norms, activation functions, residuals and the loss, and of unfused attention scores [B/token]."""
    model = job.architecture
    traffic = family.elementwise * model.layers * model.hidden * BYTES_16_BIT * (1 + again / 3)
    traffic += table.work.vocabulary_bytes * model.vocab
    if job.flash_attention:
        return traffic
    return traffic + model.layers * model.heads * job.sequence * BYTES_16_BIT * (6 + 2 * (again or 0.5))


def _cut_seconds(
    job: TrainingJob, layout: TrainingLayout, rates: TrainingRates, table: TrainingSpeedTable, again: float
) -> Number:
    """Exposed exchange of tensor parallelism (four reductions a layer) and of context parallelism (keys and values)
    [s/token]."""
    model, exchange = job.architecture, table.communication
    tensor, context = np.asarray(layout.tensor, dtype=float), np.asarray(layout.context, dtype=float)
    reduced = model.layers * (4 + 2 * again) * BYTES_16_BIT * model.hidden * 2 * (tensor - 1) / rates.bus(tensor)
    passed = model.layers * 4 * model.kv_heads * model.head_dim * (context - 1) * 3 / rates.bus(context * tensor)
    return exchange.tensor_exposed * reduced + exchange.context_exposed * passed


def _trained_parameters(job: TrainingJob, table: TrainingSpeedTable) -> float:
    """Parameters whose gradients are exchanged and updated."""
    if job.trains_all:
        return float(job.architecture.parameters())
    return table.communication.adapter_share * job.architecture.parameters()


def _data_seconds(job: TrainingJob, layout: TrainingLayout, rates: TrainingRates, table: TrainingSpeedTable) -> Number:
    """Exchange of the data-parallel group before overlap [s/token].

    Weights gathered twice and gradients scattered every micro batch (FSDP, ZeRO-3); once a step a reduction of fp32
    gradients and the gather of updated weights, among copies of the sharded model (HSDP) or of the whole.
    """
    group = np.asarray(layout.data() * layout.context, dtype=float)
    sharded = np.maximum(1.0, np.asarray(layout.weight_shards, dtype=float))
    tokens = job.micro_batch * job.sequence
    trained = _trained_parameters(job, table)
    each = (job.architecture.parameters() * job.gathered_bytes * 2 + trained * BYTES_16_BIT) * layout.context
    each = each / (rates.bus(np.minimum(group, sharded) * layout.tensor) * tokens)
    once = trained * 6 * layout.context / (rates.bus(group * layout.tensor) * tokens * job.micro_batches)
    gathered = each + np.where(group > sharded, once, 0.0)
    return np.where(group > 1, np.where(np.asarray(layout.gathers) > 0, gathered, once), 0.0)


def _offload_seconds(
    job: TrainingJob, layout: TrainingLayout, rates: TrainingRates, table: TrainingSpeedTable, step_tokens: Number
) -> Number:
    """Weights read over PCIe twice each micro batch, and the optimizer's step on the host once a step [s/token]."""
    seconds: Number = 0.0
    if job.offload == "parameters":
        share = job.architecture.parameters() / np.asarray(layout.weight_shards, dtype=float)
        seconds = share * job.gathered_bytes * 2 / (table.offload.link_bytes_per_s * job.micro_batch * job.sequence)
    if job.offload in ("parameters", "optimizer") and job.trains_all:
        servers = np.maximum(1.0, layout.gpus / np.asarray(rates.node_gpus, dtype=float))
        step = job.architecture.parameters() / (servers * table.offload.optimizer_parameters_per_s)
        seconds = seconds + step * layout.gpus / step_tokens
    return seconds
