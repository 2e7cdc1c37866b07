"""Speed of a dense decoder under load: a roofline for each phase, collectives, launch gaps, and a closed loop around.

Step time    T(M, B, ctx) = linear(M) + attention(B, ctx) + communication(M) + overhead(B), M tokens a rank in a step.
Closed loop  C requests always in flight. One request costs OSL decode steps and, of its neighbours, B prefills; whether
             they arrive spread or in waves moves waiting between TTFT and TPOT but not their sum, so throughput is the
             surer figure.
Every function takes numbers or arrays. Constants and their ranges: resources/calibration/serving_speed.toml.
"""

from dataclasses import dataclass

import numpy as np

from desktop.catalog.calibration import ServingConstants
from desktop.sizing.collectives import all_reduce_seconds
from desktop.sizing.numbers import Number
from desktop.sizing.roofline import roof

BYTES_16_BIT = 2


@dataclass(frozen=True, slots=True)
class SpeedPlan:
    """What one replica is made of, as numbers or arrays that broadcast together.

    Parameters in elements, bytes in B, rates in FLOP/s and B/s. `linear_*` are all layer matrices of the model before
    any cut; `kv_bytes_per_token` is that of one rank over all layers; `bus_bytes_per_s` is achieved by an all-reduce
    over `tensor` ranks; `alpha_factor` is above 1 on PCIe; `block_scales` and `fp4` are 1 where the format has that
    overhead, `eager` where decoding runs without captured graphs.
    """

    layers: Number
    hidden: Number
    parameters: Number
    linear_parameters: Number
    linear_bytes: Number
    head_parameters: Number
    head_bytes: Number
    attention_width: Number
    kv_bytes_per_token: Number
    tensor: Number
    pipeline: Number
    flops_linear: Number
    flops_16_bit: Number
    memory_bytes_per_s: Number
    bus_bytes_per_s: Number
    alpha_factor: Number
    block_scales: Number
    fp4: Number
    input_tokens: Number
    output_tokens: Number
    eager: Number = 0.0


@dataclass(frozen=True, slots=True)
class LoopResult:
    """Means over requests in a closed loop, of one replica: seconds and tokens per second."""

    ttft_s: Number
    tpot_s: Number
    output_tokens_per_s: Number
    requests_per_s: Number
    prefill_s: Number


def linear_seconds(plan: SpeedPlan, constants: ServingConstants, tokens: Number, head_rows: Number) -> Number:
    """Seconds of all matrix products of one step [s]: weights read once against 2·P·M FLOP, layers and head apart."""
    bandwidth = plan.memory_bytes_per_s * constants.mbu
    layers = roof(
        plan.linear_bytes / plan.tensor / bandwidth,
        2 * plan.linear_parameters * tokens / plan.tensor / (plan.flops_linear * constants.mfu),
        constants.roof_power,
    )
    head = roof(
        plan.head_bytes / plan.tensor / bandwidth,
        2 * plan.head_parameters * head_rows / plan.tensor / (plan.flops_16_bit * constants.mfu),
        constants.roof_power,
    )
    return layers + head


def communication_seconds(plan: SpeedPlan, constants: ServingConstants, tokens: Number) -> Number:
    """Seconds of the two all-reduces a layer that tensor parallel needs [s]; zero on one GPU."""
    alpha = constants.alpha_s * np.sqrt(np.maximum(plan.tensor, 2) / 2) * plan.alpha_factor
    one = all_reduce_seconds(
        tokens * plan.hidden * BYTES_16_BIT, plan.tensor, alpha, plan.bus_bytes_per_s * constants.beta_share
    )
    return 2 * plan.layers * one * np.where(np.asarray(plan.tensor) > 1, 1.0, 0.0)


def overhead_seconds(plan: SpeedPlan, constants: ServingConstants, sequences: Number) -> Number:
    """Launch gaps, scheduler and detokeniser of one step [s]."""
    layer = constants.layer_s + plan.block_scales * constants.block_layer_s + plan.fp4 * constants.fp4_layer_s
    return plan.layers * layer + constants.step_s + sequences * constants.sequence_s


def decode_seconds(plan: SpeedPlan, constants: ServingConstants, sequences: Number, context: Number) -> Number:
    """Seconds of one decode step over `sequences` of `context` tokens each [s]."""
    read = sequences * context * plan.kv_bytes_per_token / (plan.memory_bytes_per_s * constants.mbu_kv)
    work = (
        sequences
        * context
        * 4
        * plan.attention_width
        * plan.layers
        / plan.tensor
        / (plan.flops_16_bit * constants.mfu_attention)
    )
    return (
        linear_seconds(plan, constants, sequences, sequences)
        + roof(read, work, constants.roof_power)
        + communication_seconds(plan, constants, sequences)
        + overhead_seconds(plan, constants, sequences)
        + plan.eager * plan.layers * constants.eager_layer_s
    )


def prefill_attention_seconds(plan: SpeedPlan, constants: ServingConstants, tokens: Number) -> Number:
    """Seconds of causal attention over a prompt [s]: half of the tokens² pairs, 4·heads·head_dim FLOP each and
    layer."""
    pairs = tokens * plan.layers * tokens / 2
    return pairs * 4 * plan.attention_width / plan.tensor / (plan.flops_16_bit * constants.mfu_attention)


def prefill_seconds(plan: SpeedPlan, constants: ServingConstants, tokens: Number) -> Number:
    """Seconds of one prompt on an idle engine [s]; a step that carries prompts runs without captured graphs."""
    return (
        linear_seconds(plan, constants, tokens, 1.0)
        + prefill_attention_seconds(plan, constants, tokens)
        + communication_seconds(plan, constants, tokens)
        + overhead_seconds(plan, constants, 1.0)
        + plan.layers * constants.eager_layer_s
    )


def prefill_added_seconds(plan: SpeedPlan, constants: ServingConstants, sequences: Number) -> Number:
    """Seconds that one prompt adds to an engine busy decoding `sequences`, mixed in by chunks [s]."""
    chunks = np.maximum(1.0, plan.input_tokens / constants.chunk_tokens)
    tokens = plan.input_tokens / chunks
    mixed = (
        linear_seconds(plan, constants, sequences + tokens, sequences + 1.0)
        + communication_seconds(plan, constants, sequences + tokens)
        - linear_seconds(plan, constants, sequences, sequences)
        - communication_seconds(plan, constants, sequences)
        + plan.layers * constants.eager_layer_s
    )
    return prefill_attention_seconds(plan, constants, plan.input_tokens) + chunks * mixed


def closed_loop(plan: SpeedPlan, constants: ServingConstants, concurrency: Number, batch: Number) -> LoopResult:
    """Mean TTFT, TPOT and throughput with `concurrency` requests always in flight, of which `batch` run and the rest
    wait.

    TTFT = t_first + T_prefill + σ·(B−1)/2·T_added + ½·T_decode + queue
    TPOT = T_decode + (1−σ/2)·(B−1)·T_added/OSL,  σ: share of arrivals that come in waves (more when answers are short)
    """
    running = np.maximum(1.0, batch / plan.pipeline)  # micro batches fill the stages; one stream fills one at a time
    decode = decode_seconds(plan, constants, running, plan.input_tokens + plan.output_tokens / 2)
    added = prefill_added_seconds(plan, constants, running) / plan.pipeline
    alone = prefill_seconds(plan, constants, plan.input_tokens)
    first = (
        constants.first_s
        + constants.first_per_tera_parameter_s * plan.parameters / 1e12
        + constants.first_token_s * plan.input_tokens
        + alone
    )
    waves = np.minimum(
        constants.wave_share + constants.wave_share_short * np.exp(-plan.output_tokens / constants.wave_tokens), 1.0
    )
    tpot = decode + (1 - waves / 2) * (batch - 1) * added / plan.output_tokens
    busy = np.where(np.asarray(batch) > 1, 0.5, 0.0)
    ttft = first + waves * (batch - 1) / 2 * added + busy * decode
    ttft = ttft + (concurrency - batch) / batch * (ttft + tpot * (plan.output_tokens - 1))
    requests = concurrency / (ttft + tpot * (plan.output_tokens - 1))
    return LoopResult(
        ttft_s=ttft,
        tpot_s=tpot,
        output_tokens_per_s=requests * plan.output_tokens,
        requests_per_s=requests,
        prefill_s=alone,
    )
