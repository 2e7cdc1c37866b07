"""How to start a planned server: every figure of the plan becomes a flag, none is left to the engine's own default."""

from dataclasses import dataclass

from desktop.catalog.stack_facts import ServingStack

WIDE = ("bf16", "fp16", "fp32")  # formats an engine converts between while loading


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What one replica runs with: `checkpoint` is how the model is stored, `fp16_instead` tells a GPU without bf16."""

    model: str
    checkpoint: str
    weights: str
    kv_cache: str
    tensor: int
    pipeline: int
    memory_fraction: float
    max_context: int
    max_sequences: int
    max_batched_tokens: int
    cuda_graphs: bool
    fp16_instead: bool = False


def launch_command(plan: LaunchPlan, stack: ServingStack) -> tuple[str, ...]:
    """Words of the command that starts one replica; none where the engine has no word for the plan, or where the
    weights would have to be quantised beforehand and the named checkpoint is not.
    """
    quantization = stack.quantization.get(plan.weights, "")
    stored = plan.weights == plan.checkpoint or plan.weights in WIDE
    if not stack.kv_cache.get(plan.kv_cache) or not (stored or quantization):
        return ()
    flags = stack.flags
    words = [*stack.command, plan.model]
    words += [flags.tensor_parallel, str(plan.tensor), flags.pipeline_parallel, str(plan.pipeline)]
    words += [flags.max_context, str(plan.max_context), flags.memory_fraction, f"{plan.memory_fraction:g}"]
    words += [flags.max_sequences, str(plan.max_sequences), flags.max_batched_tokens, str(plan.max_batched_tokens)]
    words += [flags.kv_cache, stack.kv_cache[plan.kv_cache]]
    if quantization and plan.weights != plan.checkpoint:
        words += [flags.quantization, quantization]
    dtype = stack.dtype.get("fp16" if plan.fp16_instead else plan.weights, "")
    if dtype:
        words += [flags.dtype, dtype]
    if not plan.cuda_graphs:
        words.append(flags.eager)
    return (*words, flags.port, str(stack.port))
