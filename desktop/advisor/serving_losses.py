"""Why a GPU lost: the first reason, and how far it was from the need."""

from desktop.advisor.serving_search import Outcome
from desktop.catalog.calibration import EngineEra
from desktop.catalog.records import Gpu
from desktop.quote import Message
from desktop.request import InferenceNeed

ENGINE_VENDORS = ("NVIDIA", "AMD")
NOT_FITTING = 10.0  # any plan that fits is nearer than every plan that does not


def engine_refuses(gpu: Gpu, era: EngineEra) -> Message | None:
    """Why the engine's version has no kernels for a GPU, if it has none."""
    old = gpu.vendor == "NVIDIA" and (gpu.cuda_compute_capability or 0) < era.minimum_compute_capability
    if gpu.vendor not in ENGINE_VENDORS or old:
        return Message(code="lost_engine", severity="info", values={"vendor": gpu.vendor})
    return None


def shortfall(outcomes: list[Outcome], need: InferenceNeed) -> tuple[float, Outcome | None, Message]:
    """How far the best plan of a GPU is from the need: the first reason, and a distance to compare GPUs by."""
    if not outcomes:
        return float("inf"), None, Message(code="lost_no_format", severity="info", values={"weights": need.weights})
    fitting = [one for one in outcomes if one.candidate.sequences]
    if not fitting:
        best = min(outcomes, key=lambda one: one.candidate.required_bytes / one.candidate.memory.usable)
        memory = best.candidate.memory
        over = best.candidate.required_bytes / memory.usable
        return (
            NOT_FITTING + over,
            best,
            Message(
                code="lost_does_not_fit",
                severity="info",
                values={
                    "required_bytes": best.candidate.required_bytes,
                    "usable_bytes": memory.usable,
                    "gpus": best.candidate.tensor,
                    "format": best.candidate.storage.name,
                },
            ),
        )
    best = min(fitting, key=lambda one: max(one.ttft_s / need.ttft_s, one.tpot_s / need.tpot_s))
    if best.tpot_s / need.tpot_s >= best.ttft_s / need.ttft_s:
        code, value, limit = "lost_tpot", best.tpot_s, need.tpot_s
    else:
        code, value, limit = "lost_ttft", best.ttft_s, need.ttft_s
    return (
        value / limit,
        best,
        Message(
            code=code,
            severity="info",
            values={
                "value_s": value,
                "limit_s": limit,
                "gpus": best.candidate.tensor,
                "format": best.candidate.storage.name,
            },
        ),
    )
