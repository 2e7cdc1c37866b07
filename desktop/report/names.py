"""How a plan is cut, as an engineer writes it."""

from desktop.quote import Configuration
from desktop.report.wording import Wording
from desktop.request import ServingParallel


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
