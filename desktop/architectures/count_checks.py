"""The parameter count of every model of the catalog, recomputed from its dimensions, against the published one."""

from collections.abc import Iterator, Sequence

from desktop.architectures.parameter_count import recomputed_active_parameters, recomputed_parameters
from desktop.catalog.checks import Finding
from desktop.catalog.records import ModelRecord

COUNT, ACTIVE, HEADS = "parameter_count", "active_count", "heads_of_hidden"


def count_findings(models: Sequence[ModelRecord]) -> Iterator[Finding]:
    """Every model whose count differs or cannot be recomputed, or whose heads do not make up its hidden width.

    A model without a published count is not looked at.
    """
    for place, model in enumerate(models):
        for rule, said in _model(model):
            yield Finding(rule, "models", place, model.id, said)


def count_difference(model: ModelRecord) -> int | None:
    """Published less recomputed count; 0 where the published one is rounded to what the recomputed one rounds to,
    None where either is missing."""
    counted = recomputed_parameters(model.facts)
    if counted is None or model.params_total is None:
        return None
    difference = model.params_total - counted
    rounded_to = model.facts.get("params_total_rounded_to", 1)
    return 0 if 2 * abs(difference) <= rounded_to and rounded_to > 1 else difference


def _model(model: ModelRecord) -> Iterator[tuple[str, str]]:
    if model.params_total is None:
        return
    difference = count_difference(model)
    if difference is None:
        yield COUNT, "not recomputable"
    elif difference:
        yield COUNT, f"published less recomputed is {difference}"
    elif model.params_active and "num_experts" in model.facts:
        active = recomputed_active_parameters(model.facts)
        if active != model.params_active:
            yield ACTIVE, f"active parameters are {model.params_active}, recomputed {active}"
    if difference:
        return
    yield from _heads(model, proved=difference == 0)


def _heads(model: ModelRecord, proved: bool) -> Iterator[tuple[str, str]]:
    """An exact count proves heads x head_dim, whatever the hidden width is; latent attention has no one head_dim."""
    facts = model.facts
    heads, head_dim, hidden = facts.get("num_heads"), facts.get("head_dim"), facts.get("hidden_size")
    if proved or not heads or not head_dim or not hidden or facts.get("kv_lora_rank"):
        return
    if heads * head_dim != hidden:
        yield HEADS, f"{heads} heads of {head_dim} are not the hidden width {hidden}"
