"""How to start a planned server: every figure of the plan becomes a flag, none is left to the engine's own default."""

from dataclasses import dataclass

from desktop.catalog.stack_facts import ServingStack


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What one replica runs with. `fp16_instead` says that the GPU has no bf16."""

    model: str
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
    """Words of the command that starts one replica.

    A format that the stack can make of a 16-bit checkpoint by itself is asked for by name; the others must be in the
    checkpoint. Raises KeyError for a format the stack's file does not know.
    """
    flags = stack.flags
    words = [*stack.command, plan.model]
    words += [flags.tensor_parallel, str(plan.tensor), flags.pipeline_parallel, str(plan.pipeline)]
    words += [flags.max_context, str(plan.max_context), flags.memory_fraction, f"{plan.memory_fraction:g}"]
    words += [flags.max_sequences, str(plan.max_sequences), flags.max_batched_tokens, str(plan.max_batched_tokens)]
    words += [flags.kv_cache, plan.kv_cache]
    quantization = stack.quantization[plan.weights]
    if quantization:
        words += [flags.quantization, quantization]
    dtype = stack.dtype.get("fp16" if plan.fp16_instead else plan.weights, "")
    if dtype:
        words += [flags.dtype, dtype]
    if not plan.cuda_graphs:
        words.append(flags.eager)
    return (*words, flags.port, str(stack.port))
