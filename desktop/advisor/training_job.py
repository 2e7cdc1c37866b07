"""The words of a training plan become the numbers the formulas take; every rule of the cut is checked on the way."""

from desktop.advisor.training_targets import adapted_shapes, reaches_mlp, saved_module_parameters
from desktop.architectures import DenseDecoder
from desktop.catalog.training_calibration import FrameworkMemory, StateRegime, TrainingCalibration, TrainingMemory
from desktop.request import Framework, Lora, Problem, TrainingPlan
from desktop.sizing.optimizer_states import adapter_parameters, prompt_adapter_parameters, states_per_parameter
from desktop.sizing.training_layout import TrainingLayout, training_layout
from desktop.sizing.training_memory import TrainingJob

ADAPTER_METHODS = ("lora", "qlora", "adapter")
NARROW = ("fp8", "mxfp8", "nvfp4")
GPUS_PER_NODE = 8
SPARE_STAGES = 2  # Megatron may count embedding and loss as layers of the first and last stage
IN_BACKWARD = "+in-backward"
LONGEST_VERSION = 20  # characters; a longer text is not a version


def check_plan(plan: TrainingPlan, architecture: DenseDecoder) -> None:
    """Raises Problem: invalid_plan with the rule a plan breaks, unsupported for what has no formula yet."""
    parallel = plan.parallel
    if plan.image is not None:
        raise Problem("unsupported", field="image", what="vision")
    if parallel.expert > 1:
        raise Problem("invalid_plan", field="parallel.expert", rule="dense_has_no_experts")
    cut = parallel.tensor * parallel.pipeline * parallel.context
    if plan.gpus % cut:
        raise Problem("invalid_plan", field="gpus", rule="gpus_divisible", gpus=plan.gpus, product=cut)
    if plan.nodes is not None and plan.gpus % plan.nodes:
        raise Problem("invalid_plan", field="nodes", rule="nodes_divisible", gpus=plan.gpus, nodes=plan.nodes)
    _check_model_cut(plan, architecture)
    _check_batch(plan)
    _check_method(plan)


def sharding_of(plan: TrainingPlan, framework: FrameworkMemory) -> str:
    """The sharding of a plan; left out, the framework's own for several replicas and none for one."""
    if plan.parallel.sharding is not None:
        return plan.parallel.sharding
    spread = plan.gpus > plan.parallel.tensor * plan.parallel.pipeline
    return framework.default_sharding if spread else "none"


def regime_of(plan: TrainingPlan, framework: FrameworkMemory) -> StateRegime:
    """Whose accounting of states holds: ZeRO is DeepSpeed's, the distributed optimizer Megatron's."""
    sharding = sharding_of(plan, framework)
    if sharding in ("zero1", "zero2", "zero3"):
        return "deepspeed"
    return "megatron" if sharding == "megatron-distributed-optimizer" else framework.states


def wide_moment_share(architecture: DenseDecoder, framework: FrameworkMemory) -> float:
    """Share of embedding and head that keeps 32-bit moments under an 8-bit optimizer: the embedding's, or none."""
    if not framework.keeps_embedding_moments:
        return 0.0
    return 1.0 if architecture.tied_embeddings else 0.5


def layout_of(plan: TrainingPlan, framework: FrameworkMemory) -> TrainingLayout:
    """The cut of a plan as numbers."""
    parallel = plan.parallel
    stated = parallel.sequence_parallel
    sequence_parallel = framework.sequence_parallel if stated is None else stated
    per_node = plan.gpus / plan.nodes if plan.nodes else GPUS_PER_NODE
    return training_layout(
        float(plan.gpus),
        sharding_of(plan, framework),
        float(parallel.tensor),
        float(parallel.pipeline),
        float(parallel.pipeline_chunks),
        float(parallel.context),
        sequence_parallel,
        per_node,
    )


def training_job(
    plan: TrainingPlan, architecture: DenseDecoder, calibration: TrainingCalibration, recompute: str
) -> TrainingJob:
    """The job of a checked plan with one way of recomputation."""
    memory = calibration.memory
    framework = memory.frameworks[plan.framework.name]
    sharding = sharding_of(plan, framework)
    regime = regime_of(plan, framework)
    kind = memory.optimizers[plan.optimizer.removesuffix(IN_BACKWARD)]
    mixed = plan.precision.endswith("-mixed") and regime == "pytorch" and sharding == "none"
    copy = memory.activation.autocast_copy if mixed else 0.0
    adapters, saved, frozen_mlp = _adapters(plan, architecture, memory)
    trains_all = plan.method not in ADAPTER_METHODS
    base = base_format(plan)
    gptq_engine = framework.name == "deepspeed" and base.startswith("gptq")
    compiled = framework.compiled and trains_all if plan.compiled is None else plan.compiled
    narrow = plan.precision in NARROW and framework.name != "llm-foundry"
    bytes_of_base = memory.base_bytes[base]
    return TrainingJob(
        architecture=architecture,
        framework=framework,
        states=states_per_parameter(
            memory.state_bytes(regime, plan.precision), kind, copy, wide_moment_share(architecture, framework)
        ),
        sequence=float(plan.sequence_length),
        micro_batch=float(plan.micro_batch),
        micro_batches=_micro_batches(plan),
        recompute=recompute,
        trains_all=trains_all,
        base_bytes=bytes_of_base,
        base_is_nf4=base.startswith("nf4"),
        adapters=adapters,
        saved_modules=saved,
        frozen_mlp=frozen_mlp and bytes_of_base >= 2,
        adapter_state_bytes=memory.adapters.gptq_engine_state_bytes if gptq_engine else framework.adapter_state_bytes,
        fp32=plan.precision == "fp32",
        flash_attention=plan.flash_attention,
        compiled=compiled,
        chunked_loss=plan.chunked_loss,
        logit_bytes_per_entry=memory.adapters.gptq_engine_logit_bytes if gptq_engine else framework.logit_bytes,
        in_backward=plan.optimizer.endswith(IN_BACKWARD),
        offload=plan.offload,
        recompute_chosen=plan.recompute is None,
        gathered_bytes=1.0 if trains_all and narrow else 2.0 if trains_all else min(2.0, bytes_of_base),
        release_age=release_age(plan.framework, calibration.speed.work.newest_release),
    )


def release_age(framework: Framework, newest: float) -> float:
    """Years by which a dated release (26.04: April 2026) is behind the newest known; an undated one is the newest."""
    version = framework.version
    year, _, month = version.partition(".")
    month = month.partition(".")[0]
    if framework.name != "nemo" or not (year.isdecimal() and month.isdecimal() and len(version) <= LONGEST_VERSION):
        return 0.0
    return max(0.0, newest - int(year) - int(month) / 12)


def base_format(plan: TrainingPlan) -> str:
    """Storage of the frozen base weights: nf4 for QLoRA and bf16 for LoRA where the plan leaves it open."""
    return plan.base_weights or ("nf4" if plan.method == "qlora" else "bf16")


def recompute_ladder(plan: TrainingPlan, framework: FrameworkMemory) -> tuple[str, ...]:
    """Ways of recomputation to try, the cheapest first; the first that fits is the plan's.

    Where the plan is silent the least that fits is taken, as the recipes do. "selective" in PyTorch recipes is a share
    of the blocks that the user tunes, so there too the least that fits.
    """
    if plan.recompute is None:
        fully = framework.recomputes_when_sharded and sharding_of(plan, framework) == "fsdp"
        return ("full",) if fully else ("none", "modules", "full")
    if plan.recompute == "selective" and framework.selective == "operators" and framework.eager_code:
        return ("selective", "full")
    return (plan.recompute,)


def _micro_batches(plan: TrainingPlan) -> float:
    data = plan.gpus // (plan.parallel.tensor * plan.parallel.pipeline * plan.parallel.context)
    return 1.0 if plan.global_batch is None else plan.global_batch / (plan.micro_batch * data)


def _adapters(plan: TrainingPlan, architecture: DenseDecoder, memory: TrainingMemory) -> tuple[int, int, bool]:
    """Parameters of the adapters, of fully trained modules, and whether the MLP stays untouched."""
    if plan.method not in ADAPTER_METHODS:
        return 0, 0, False
    if plan.method == "adapter":
        constants = memory.adapters
        count = prompt_adapter_parameters(
            architecture.layers,
            architecture.hidden,
            architecture.heads,
            constants.prompt_tokens,
            constants.first_adapted_layer,
        )
        return count, 0, True
    lora = plan.lora or Lora()
    shapes = adapted_shapes(architecture, lora.targets)
    saved = saved_module_parameters(architecture, lora.modules_to_save)
    return (
        adapter_parameters(architecture.layers, lora.rank, shapes),
        saved,
        not reaches_mlp(architecture, lora.targets),
    )


def _check_model_cut(plan: TrainingPlan, architecture: DenseDecoder) -> None:
    tensor, pipeline = plan.parallel.tensor, plan.parallel.pipeline
    if architecture.heads % tensor:
        raise Problem(
            "invalid_plan", field="parallel.tensor", rule="heads_divisible", heads=architecture.heads, tensor=tensor
        )
    if architecture.kv_heads % tensor and tensor % architecture.kv_heads:
        raise Problem(
            "invalid_plan",
            field="parallel.tensor",
            rule="kv_heads_divisible",
            heads=architecture.kv_heads,
            tensor=tensor,
        )
    if architecture.intermediate % tensor:
        raise Problem(
            "invalid_plan",
            field="parallel.tensor",
            rule="width_divisible",
            width=architecture.intermediate,
            tensor=tensor,
        )
    stages = pipeline * plan.parallel.pipeline_chunks
    if stages > architecture.layers + SPARE_STAGES:
        raise Problem(
            "invalid_plan",
            field="parallel.pipeline",
            rule="stages_within_layers",
            layers=architecture.layers,
            pipeline=stages,
        )
    if pipeline > 1 and plan.parallel.sharding in ("zero2", "zero3"):
        raise Problem(
            "invalid_plan", field="parallel.sharding", rule="pipeline_without_zero", sharding=plan.parallel.sharding
        )
    if plan.sequence_length % plan.parallel.context:
        raise Problem(
            "invalid_plan",
            field="parallel.context",
            rule="sequence_divisible",
            tokens=plan.sequence_length,
            context=plan.parallel.context,
        )


def _check_batch(plan: TrainingPlan) -> None:
    micro_batches = _micro_batches(plan)
    if plan.global_batch is not None and micro_batches != int(micro_batches):
        data = plan.gpus // (plan.parallel.tensor * plan.parallel.pipeline * plan.parallel.context)
        raise Problem(
            "invalid_plan",
            field="global_batch",
            rule="batch_divisible",
            batch=plan.global_batch,
            micro=plan.micro_batch,
            replicas=data,
        )
    if plan.optimizer.endswith(IN_BACKWARD) and micro_batches > 1:
        raise Problem(
            "invalid_plan", field="optimizer", rule="in_backward_without_accumulation", steps=int(micro_batches)
        )


def _check_method(plan: TrainingPlan) -> None:
    adapts = plan.method in ADAPTER_METHODS
    quantised = base_format(plan) not in ("fp32", "bf16", "fp16")
    if plan.lora is not None and plan.method not in ("lora", "qlora"):
        raise Problem("invalid_plan", field="lora", rule="lora_without_method", method=plan.method)
    if plan.base_weights is not None and not adapts and quantised:
        raise Problem("invalid_plan", field="base_weights", rule="quantised_base_is_frozen", method=plan.method)
    if plan.method == "qlora" and not quantised:
        raise Problem("invalid_plan", field="base_weights", rule="qlora_needs_quantised_base")
    if adapts and quantised and plan.parallel.tensor * plan.parallel.pipeline > 1:
        raise Problem("unsupported", field="parallel", what="quantised_base_cut")
