"""Changes of a request that would make a plan possible where none is: tried one by one, offered where they work."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from desktop.quote import Configuration, Quote
from desktop.request import InferenceNeed, Problem, RecommendRequest

OFFERED = 3
SMALLER_FORMATS = ("fp8", "awq-int4")


@dataclass(frozen=True)
class WayOut:
    """One change: what it is by code, the request it leads to, and the plan that becomes possible."""

    code: str
    request: RecommendRequest
    plan: Configuration


def ways_out(request: RecommendRequest, recommend: Callable[[RecommendRequest], Quote]) -> list[WayOut]:
    """The first changes after which the first need has a plan."""
    found: list[WayOut] = []
    for code, changed in _changes(request):
        if len(found) == OFFERED:
            break
        try:
            plan = recommend(changed).best()
        except Problem:
            continue
        if plan is not None:
            found.append(WayOut(code, changed, plan))
    return found


def _changes(request: RecommendRequest) -> Iterator[tuple[str, RecommendRequest]]:
    policy, need = request.policy, request.needs[0]
    if policy.gpus_allowed or policy.gpus_banned:
        yield (
            "gpus",
            request.model_copy(update={"policy": policy.model_copy(update={"gpus_allowed": (), "gpus_banned": ()})}),
        )
    if isinstance(need, InferenceNeed):
        for code, update in _serving_changes(need):
            yield code, request.model_copy(update={"needs": (need.model_copy(update=update), *request.needs[1:])})
    roomier = policy.model_copy(update={"max_rack_kw": policy.max_rack_kw * 2})
    yield "rack", request.model_copy(update={"policy": roomier})
    yield "cooling", request.model_copy(update={"policy": roomier.model_copy(update={"cooling": "liquid"})})


def _serving_changes(need: InferenceNeed) -> Iterator[tuple[str, dict[str, object]]]:
    for smaller in SMALLER_FORMATS:
        if smaller not in need.weights:
            yield f"format_{smaller}", {"weights": (*need.weights, smaller)}
    if need.context is not None and need.context > need.input_tokens + need.output_tokens:
        yield "context", {"context": None}
    yield "ttft", {"ttft_s": need.ttft_s * 2}
    yield "tpot", {"tpot_s": need.tpot_s * 2}
