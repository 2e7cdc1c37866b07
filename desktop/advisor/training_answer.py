"""Numbers of the training formulas become records of the quote: memory that explains itself, speed with its range."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from desktop.advisor.card import Card
from desktop.advisor.training_job import regime_of, wide_moment_share
from desktop.advisor.unverified import doubts_of_gpu
from desktop.catalog.training_calibration import TrainingCalibration
from desktop.catalog.training_speed_table import Span, TrainingSpeedTable
from desktop.quote import (
    Bound,
    ByteRange,
    Component,
    Memory,
    Message,
    Range,
    RankMemory,
    TrainingSpeed,
    Verdict,
)
from desktop.request import TrainingPlan
from desktop.sizing.optimizer_states import (
    host_ram_bytes,
    resumable_checkpoint_bytes,
    weights_checkpoint_bytes,
)
from desktop.sizing.training_layout import TrainingLayout
from desktop.sizing.training_memory import MemoryParts, TrainingJob, memory_parts
from desktop.sizing.training_speed import TokenCost, model_flops_per_token

SECONDS_PER_HOUR = 3600
TERA = 1e12
NVLINK_RULE_PARAMETERS = 30e9  # from here the article asks for NVLink
INTENDED_GPUS_PER_NODE = 8
FORMULAS: Mapping[str, str] = {
    "weights": "P·w/d_w",
    "gradients": "P·g/d_g, or max(0, P·g/d_g − A) in one micro batch",
    "optimizer": "P·(m_32 + n·b)/d_o",
    "adapters": "n·(w + g + o)/(t·p·d_w)",
    "activations": "τ·L/p·m·[κ·(8h/r + (4aD + 4kD + 8f)/t) + β·a·s/(c·t)], τ = b·s/c",
    "logits": "τ·V·λ/t",
    "buffers": "u·2·P_l/t + 2·V·h/t + B + max(0, S_step − S_fwd)",
    "runtime": "",
}


def memory_answer(
    plan: TrainingPlan,
    job: TrainingJob,
    layout: TrainingLayout,
    parts: MemoryParts,
    paged_bytes: float,
    card: Card,
    calibration: TrainingCalibration,
) -> Memory:
    """Memory record of a plan; `parts` has one element a pipeline stage."""
    table = calibration.memory
    totals = np.ravel(parts.total())
    stages = len(totals)
    per_stage = plan.gpus // stages
    worst = int(np.argmax(totals))
    ranks = tuple(
        RankMemory(
            rank=stage * per_stage,
            ranks=per_stage,
            components=_components(plan, job, layout, parts.at(stage), calibration),
        )
        for stage in range(stages)
    )
    value = ranks[worst].total_bytes()
    low, high = table.ranges[job.framework.range]
    required = ByteRange(low=round(value * low), value=value, high=round(value * high))
    weights_only, resumable = checkpoints(plan, job, calibration)
    base = round(float(weights_checkpoint_bytes(job.architecture.parameters(), job.fp32)))
    offloaded = paged_bytes + _offloaded_bytes(job, layout, calibration)
    node_gpus = plan.gpus / plan.nodes if plan.nodes else min(plan.gpus, INTENDED_GPUS_PER_NODE)
    return Memory(
        verdict=verdict_of(required, card.visible_bytes, table.verdict.does_not_fit_above),
        card_bytes=card.card_bytes,
        usable_bytes=card.visible_bytes,
        required_bytes=required,
        reserved_bytes=value,
        worst_rank=worst * per_stage,
        per_gpu=ranks,
        host_ram_bytes=round(float(host_ram_bytes(node_gpus, offloaded, base, table.host))),
        disk_bytes=base,
        checkpoint_bytes={"resumable": resumable, "weights_only": weights_only},
    )


def verdict_of(required: ByteRange, usable_bytes: float, does_not_fit_above: float) -> Verdict:
    """does_not_fit beyond the margin of the median error, tight while the range reaches past the card, fits below."""
    if required.value > does_not_fit_above * usable_bytes:
        return "does_not_fit"
    return "tight" if required.high > usable_bytes else "fits"


def checkpoints(plan: TrainingPlan, job: TrainingJob, calibration: TrainingCalibration) -> tuple[int, int]:
    """(weights only, resumable) bytes of one checkpoint; of the adapters alone where only they are trained.

    Adapters: weights are a quarter of their states (4 of 16 or 2 of 8 bytes); a checkpoint leaves out the gradients.
    """
    table = calibration.memory
    if not job.trains_all:
        adapted, saved = job.adapters * job.adapter_state_bytes, job.saved_modules * 2
        moments = table.adapters.saved_module_bytes - 4
        return round(adapted / 4 + saved), round(adapted * 3 / 4 + saved + job.saved_modules * moments)
    model, framework = job.architecture, job.framework
    ends = model.embedding_parameters() + model.head_parameters() + model.other_parameters()
    kind = table.optimizers[plan.optimizer.removesuffix("+in-backward")]
    states = table.state_bytes(regime_of(plan, framework), plan.precision)
    wide = wide_moment_share(model, framework)
    resumable = resumable_checkpoint_bytes(model.parameters() - ends, ends, states, kind, wide)
    return round(float(weights_checkpoint_bytes(model.parameters(), job.fp32))), round(float(resumable))


def speed_answer(
    plan: TrainingPlan,
    job: TrainingJob,
    layout: TrainingLayout,
    cost: TokenCost,
    span: Span,
    datasheet_flops: float,
    table: TrainingSpeedTable,
) -> TrainingSpeed:
    """Speed record; low and high of a time are those of the rate turned round."""
    rate = float(cost.tokens_per_s_per_gpu())
    full = plan.framework.name in table.accounting.full_attention
    flops = float(model_flops_per_token(job.architecture, job.sequence, job.trains_all, full))
    step_tokens = job.micro_batch * job.micro_batches * job.sequence * layout.data()
    step = float(step_tokens / (rate * plan.gpus))
    hours = None if plan.tokens is None else plan.tokens / (rate * plan.gpus) / SECONDS_PER_HOUR
    seconds = float(cost.seconds())
    return TrainingSpeed(
        tokens_per_s_per_gpu=_spread(rate, span),
        step_s=_spread(step, _inverse(span)),
        mfu=_spread(rate * flops / datasheet_flops, span),
        tflops_per_gpu=_spread(rate * flops / TERA, span),
        hours_total=None if hours is None else _spread(hours, _inverse(span)),
        exposed_communication_share=float(cost.interconnect) / seconds,
        pipeline_bubble_share=float(cost.bubble) / seconds,
        bound_by=bound_of(cost),
    )


def bound_of(cost: TokenCost) -> Bound:
    """What a token spends most of its time on."""
    times: dict[Bound, float] = {
        "compute": float(cost.compute),
        "memory": float(cost.memory),
        "interconnect": float(cost.interconnect),
    }
    return "host" if float(cost.launch) > float(cost.busy) else max(times, key=lambda bound: times[bound])


def training_warnings(
    plan: TrainingPlan,
    job: TrainingJob,
    card: Card,
    memory: Memory,
    speed: TrainingSpeed | None,
    base: str,
    calibration: TrainingCalibration,
) -> tuple[Message, ...]:
    """What a reader of the answer should know beside the figures."""
    found: list[Message] = []
    if plan.recompute is None and job.recompute != "none":
        found.append(
            Message(code="recompute_chosen", severity="info", field="recompute", values={"recompute": job.recompute})
        )
    if plan.method in ("lora", "qlora") and plan.base_weights is None:
        found.append(
            Message(code="base_weights_chosen", severity="info", field="base_weights", values={"format": base})
        )
    unmeasured = card.gpu.id not in calibration.speed.measured.gpus
    if speed is not None and unmeasured:
        found.append(
            Message(code="training_unmeasured_gpu", severity="info", field="gpu", values={"gpu": card.gpu.short})
        )
    large = job.architecture.parameters() >= NVLINK_RULE_PARAMETERS
    if large and plan.gpus > 1 and not card.rates.has_nvlink:
        share = speed.exposed_communication_share if speed else 0.0
        found.append(
            Message(
                code="nvlink_advised",
                rule="article_10",
                field="gpu",
                severity="info" if share < 0.1 else "warning",
                values={"gpu": card.gpu.short, "exposed_share": share},
            )
        )
    if "GeForce" in card.gpu.name:
        found.append(Message(code="geforce_licence", rule="article_11", field="gpu", values={"gpu": card.gpu.name}))
    if doubts_of_gpu(card.gpu):
        found.append(Message(code="gpu_unverified", field="gpu", values={"gpu": card.gpu.name}))
    return tuple(found)


def _components(
    plan: TrainingPlan,
    job: TrainingJob,
    layout: TrainingLayout,
    parts: Mapping[str, float],
    calibration: TrainingCalibration,
) -> tuple[Component, ...]:
    model, framework, table = job.architecture, job.framework, calibration.memory
    shards = {"t": float(layout.tensor), "p": float(layout.pipeline), "c": float(layout.context)}
    states, regime = job.states, regime_of(plan, framework)
    inputs: dict[str, dict[str, float | int | str]] = {
        "weights": {
            "P": model.parameters(),
            "w": states.weights if job.trains_all else job.base_bytes,
            "d_w": float(np.max(layout.weight_shards)),
            **shards,
        },
        "gradients": {
            "g": states.gradients,
            "d_g": float(np.max(layout.gradient_shards)),
            "micro_batches": float(job.micro_batches),
        },
        "optimizer": {
            "bytes": states.optimizer,
            "end_bytes": states.end_optimizer,
            "d_o": float(np.max(layout.optimizer_shards)),
            "optimizer": plan.optimizer,
        },
        "adapters": {"n": job.adapters, "bytes": job.adapter_state_bytes, "saved_modules": job.saved_modules},
        "activations": {
            "b": plan.micro_batch,
            "s": plan.sequence_length,
            "L": model.layers,
            "h": model.hidden,
            "a": model.heads,
            "k": model.kv_heads,
            "D": model.head_dim,
            "f": model.intermediate,
            "κ": framework.activation_factor,
            "recompute": job.recompute,
            "r": float(np.max(layout.residual_shards)),
            **shards,
        },
        "logits": {"V": model.vocab, "λ": job.logit_bytes_per_entry, **shards},
        "buffers": {"gathered_layers": table.buffers.gathered_units if np.max(layout.gathers) else 0},
        "runtime": {
            "context": table.runtime.measured_by_driver_bytes if framework.driver_view else table.runtime.context_bytes
        },
    }
    sources = {
        "weights": table.state_sources[regime] if job.trains_all else table.base_source,
        "gradients": table.state_sources[regime],
        "optimizer": table.optimizers[plan.optimizer.removesuffix("+in-backward")].source,
        "adapters": "arXiv:2106.09685",
        "activations": f"arXiv:2205.05198; {framework.source}",
        "logits": framework.source,
        "buffers": table.buffers.source,
        "runtime": table.runtime.source,
    }
    return tuple(
        Component(
            component=name, bytes=round(parts[name]), formula=FORMULAS[name], inputs=inputs[name], source=sources[name]
        )
        for name in FORMULAS
    )


def _offloaded_bytes(job: TrainingJob, layout: TrainingLayout, calibration: TrainingCalibration) -> float:
    """Bytes of one GPU that an offload word moves to the host."""
    if job.offload == "none":
        return 0.0
    kept = memory_parts(job, layout, 0.0, calibration.memory)
    whole = memory_parts(replace(job, offload="none"), layout, 0.0, calibration.memory)
    if job.offload == "activations":
        return max(0.0, float(np.max(whole.activations - kept.activations)))
    moved = sum(
        getattr(whole, name) - getattr(kept, name) for name in ("weights", "gradients", "optimizer", "adapters")
    )
    return max(0.0, float(np.max(moved)))


def _spread(value: float, span: Span) -> Range:
    return Range(low=value * span[0], value=value, high=value * span[1])


def _inverse(span: Span) -> Span:
    return 1 / span[1], 1 / span[0]
