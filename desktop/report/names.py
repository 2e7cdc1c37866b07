"""Names as an engineer writes them: engines, number formats, how a plan is cut."""

from desktop.quote import Configuration
from desktop.report.wording import Wording
from desktop.request import ServingParallel


def engine_name(wording: Wording, engine: str) -> str:
    """`vllm 0.19.0` as vLLM 0.19.0."""
    name, _, version = engine.partition(" ")
    return f"{wording.known(f'engine.{name}', name)} {version}".strip()


def format_name(wording: Wording, code: str) -> str:
    """`awq-int4` as AWQ INT4; a GGUF type keeps its own name."""
    if code.startswith("gguf:"):
        return f"GGUF {code.removeprefix('gguf:')}"
    return wording.known(f"format.{code}", code.upper())


def plan_name(wording: Wording, plan: Configuration) -> str:
    """How the model is cut: TP 2 × PP 1 is written TP 2; a model whole on one GPU says so."""
    parallel = plan.parallel
    if isinstance(parallel, ServingParallel):
        degrees = [("TP", parallel.tensor), ("PP", parallel.pipeline), ("EP", parallel.expert), ("DP", parallel.data)]
    else:
        degrees = [
            ("TP", parallel.tensor),
            ("PP", parallel.pipeline),
            ("CP", parallel.context),
            ("EP", parallel.expert),
        ]
    cut = " × ".join(f"{name}\u00a0{degree}" for name, degree in degrees if degree > 1)
    if not isinstance(parallel, ServingParallel) and parallel.sharding not in (None, "none"):
        sharding = wording.known(f"sharding.{parallel.sharding}", str(parallel.sharding))
        return f"{cut}, {sharding}" if cut else sharding
    return cut or wording.label("requirement.whole")


def gpus_of_replica(plan: Configuration) -> int:
    return max(plan.gpus // max(plan.replicas, 1), 1)
