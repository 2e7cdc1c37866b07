"""What a training plan sets beyond its GPUs: batch, recomputation, sharding and how the GPUs divide the work."""

from desktop.request import TrainingPlan
from desktop.ui.look import Look


def training_facts(look: Look, plan: TrainingPlan, gpus: int) -> list[tuple[str, str]]:
    """Names and values, in the order in which somebody would set them up."""
    say, number, cut = look.say, look.numerals.number, plan.parallel
    shared = cut.tensor * cut.pipeline * cut.context
    sharding = cut.sharding or ("fsdp" if gpus > 1 else "none")
    ways = {"data": gpus // shared, "tensor": cut.tensor, "pipeline": cut.pipeline, "context": cut.context}
    if cut.expert > 1:
        ways["expert"] = cut.expert  # lies across the others: experts are spread over ranks that exist already
    facts = [
        (say("fact.framework"), " ".join((say(f"framework.{plan.framework.name}"), plan.framework.version)).strip()),
        (say("fact.micro_batch"), number(plan.micro_batch)),
        (say("fact.global_batch"), "—" if plan.global_batch is None else number(plan.global_batch)),
        (say("fact.recompute"), say(f"recompute.{plan.recompute or 'auto'}")),
        (say("fact.sharding"), say(f"sharding.{sharding}")),
        (
            say("fact.parallel"),
            " × ".join(f"{say(f'parallel.{way}')} {number(ranks)}" for way, ranks in ways.items() if ranks > 1) or "—",
        ),
        (say("fact.optimizer"), say(f"optimizer.{plan.optimizer.removesuffix('+in-backward')}")),
        (say("fact.precision"), say(f"precision.{plan.precision}")),
    ]
    if plan.offload != "none":
        facts.append((say("fact.offload"), say(f"offload.{plan.offload}")))
    return facts
