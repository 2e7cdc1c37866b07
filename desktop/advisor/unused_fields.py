"""Fields of a request that were given and change nothing: said, not swallowed."""

from collections.abc import Iterable

from desktop.quote import Message
from desktop.request import Engine, InferencePlan, Strict, TrainingPlan

# what the profile of the only serving engine so far does not have, or what the formulas do not yet take
ENGINE_UNUSED = ("flash_attention", "gpu_layers", "ubatch", "batch", "parallel_slots", "compiled")
TRAFFIC_UNUSED = ("steps",)
PLAN_UNUSED = ("prefix_hit_rate",)


def unused_in_engine(engine: Engine, prefix: str) -> tuple[Message, ...]:
    """Engine settings that change nothing; `prefix` is the path of the engine in the request."""
    return _messages(engine, ENGINE_UNUSED, prefix)


def unused_in_serving(plan: InferencePlan) -> tuple[Message, ...]:
    """Fields of a serving plan that change nothing."""
    return (
        *_messages(plan, PLAN_UNUSED, ""),
        *unused_in_engine(plan.engine, "engine"),
        *_messages(plan.traffic, TRAFFIC_UNUSED, "traffic"),
    )


def unused_in_training(plan: TrainingPlan) -> tuple[Message, ...]:
    """Fields of a training plan that change nothing: storage of frozen weights where none are frozen."""
    whole = plan.method in ("full", "pretrain")
    return _messages(plan, ("base_weights", "lora") if whole else (), "")


def _messages(record: Strict, names: Iterable[str], prefix: str) -> tuple[Message, ...]:
    given = [name for name in names if name in record.model_fields_set and getattr(record, name) is not None]
    paths = [f"{prefix}.{name}" if prefix else name for name in given]
    return tuple(Message(code="field_not_used", severity="info", field=path, values={"name": path}) for path in paths)
