"""The page flow without a window: what each page is, what it lacks, and where a problem shows."""

from datetime import date
from typing import Any, get_args

import pytest

from desktop.project.document import Party, Project
from desktop.project.flow import STEP_NAMES, Step, StepName, flow, next_step, page_of, previous_step
from desktop.quote import (
    ArticleRule,
    BreakEven,
    ByteRange,
    CatalogStamp,
    Component,
    Configuration,
    CostResult,
    Memory,
    Message,
    NeedAnswer,
    Quote,
    RankMemory,
    RuleCheck,
)
from desktop.request import Economics, InferenceNeed, Policy, Problem, RecommendRequest, ServingParallel, TrainingNeed
from desktop.words import message_sentence

ASKED = Project(request=RecommendRequest(needs=(InferenceNeed(model="Qwen3-32B"),)))
COMPLETE = ASKED.model_copy(
    update={
        "number": "RW-1",
        "issued_on": date(2026, 12, 1),
        "supplier": Party(name="S"),
        "customer": Party(name="C"),
    }
)


def memory(verdict: Any = "fits") -> Memory:
    weights = RankMemory(rank=0, ranks=1, components=(Component(component="weights", bytes=32 * 2**30),))
    return Memory(
        verdict=verdict,
        card_bytes=80 * 2**30,
        usable_bytes=72 * 2**30,
        reserved_bytes=72 * 2**30,
        worst_rank=0,
        required_bytes=ByteRange(low=40 * 2**30, value=41 * 2**30, high=43 * 2**30),
        per_gpu=(weights,),
    )


def plan(verdict: str = "fits", **other: Any) -> Configuration:
    given = {"meets": "meets", **other}
    return Configuration(
        gpu="nvidia-h100-sxm5-80gb",
        gpu_short="H100 SXM",
        gpus=2,
        replicas=2,
        nodes=1,
        parallel=ServingParallel(),
        weights="fp8",
        engine="vllm 0.19.0",
        memory=memory(verdict),
        **given,
    )


def schemes(*warnings: Message) -> CostResult:
    return CostResult(
        horizon_months=36,
        break_even=BreakEven(state="never"),
        totals={},
        monthly={},
        warnings=warnings,
        article_rule=ArticleRule(
            fifty_percent_says_buy=None, payback_12_18_months=None, computed_months=None, agrees=None
        ),
    )


def quote(*plans: Configuration, costs: CostResult | None = None, warnings: tuple[Message, ...] = ()) -> Quote:
    request = ASKED.request
    answer = NeedAnswer(
        need=request.needs[0],
        model_name="Qwen3-32B",
        parameters=32_762_123_264,
        active_parameters=32_762_123_264,
        configurations=plans,
    )
    return Quote(
        answers=(answer,),
        policy=request.policy,
        economics=request.economics,
        schemes=costs,
        warnings=warnings,
        catalog=CatalogStamp(version="2026-12", built=date(2026, 12, 1), sha256="0" * 64),
    )


def states(steps: tuple[Step, ...]) -> dict[str, str]:
    return {step.name: step.state for step in steps}


def reasons(steps: tuple[Step, ...], name: StepName) -> list[str]:
    return [reason.code for step in steps if step.name == name for reason in step.reasons]


def test_empty_project_waits_for_a_model() -> None:
    steps = flow(Project())
    assert states(steps) == {
        "model": "waits",
        "workload": "done",
        "site": "done",
        "result": "waits",
        "costs": "waits",
        "spec": "waits",
    }
    for name in ("model", "result", "costs", "spec"):
        assert reasons(steps, name) == ["model_missing"]


def test_second_need_without_a_model_is_named() -> None:
    project = Project(request=RecommendRequest(needs=(InferenceNeed(model="Qwen3-32B"), TrainingNeed(mode="training"))))
    (reason,) = flow(project)[0].reasons
    assert (reason.code, reason.field) == ("model_missing", "needs.1.model")


def test_asked_but_not_computed() -> None:
    steps = flow(ASKED)
    assert states(steps)["model"] == "done"
    assert [reasons(steps, name) for name in ("result", "costs", "spec")] == [["not_computed"]] * 3


def test_complete_answer_is_done_on_every_page() -> None:
    assert set(states(flow(COMPLETE, quote(plan(), costs=schemes()))).values()) == {"done"}


def test_blank_document_fields_warn_and_are_named() -> None:
    spec = flow(ASKED, quote(plan(), costs=schemes()))[-1]
    assert spec.state == "warn"
    assert [reason.field for reason in spec.reasons] == ["number", "issued_on", "supplier.name", "customer.name"]


@pytest.mark.parametrize(
    ("field", "name", "state"),
    [
        ("needs.0.model", "model", "bad"),
        ("needs.0.model.hf_config.num_hidden_layers", "model", "bad"),
        ("needs.0.context", "workload", "bad"),
        ("policy.gpus_allowed.0", "site", "bad"),
        ("economics.region", "site", "bad"),
        ("economics.exchange_rate", "costs", "bad"),
        ("", "result", "bad"),
        ("customer.name", "spec", "bad"),
    ],
)
def test_problem_shows_on_the_page_of_its_field(field: str, name: StepName, state: str) -> None:
    problem = Problem("out_of_range", field)
    steps = flow(COMPLETE, quote(plan()), problem)
    assert states(steps)[name] == state
    assert [step.name for step in steps if step.problem is problem] == [name]


def test_answer_to_an_impossible_request_waits() -> None:
    steps = flow(COMPLETE, quote(plan(), costs=schemes()), Problem("unknown_gpu", "policy.gpus_banned.0"))
    assert [states(steps)[name] for name in ("result", "costs", "spec")] == ["waits"] * 3
    assert reasons(steps, "result") == ["step_bad"]


@pytest.mark.parametrize(
    ("best", "state", "code"),
    [
        (plan("tight"), "warn", "best_is_tight"),
        (plan("does_not_fit"), "bad", "nothing_proposed"),
        (plan(meets="misses"), "bad", "best_misses"),
        (plan(meets="crosses"), "warn", "best_crosses"),
        (plan(rules=(RuleCheck(rule="rack_power", state="broken"),)), "warn", "best_breaks_rule"),
        (plan(warnings=(Message(code="kv_exceeds_weights", severity="info"),)), "done", None),
    ],
)
def test_result_page_says_how_good_the_plan_is(best: Configuration, state: str, code: str | None) -> None:
    steps = flow(COMPLETE, quote(best, costs=schemes()))
    assert states(steps)["result"] == state
    assert reasons(steps, "result") == ([code] if code else [])


def test_nothing_proposed_is_bad_and_everything_after_waits() -> None:
    steps = flow(COMPLETE, quote())
    assert [states(steps)[name] for name in ("result", "costs", "spec")] == ["bad", "waits", "waits"]
    assert [reasons(steps, name) for name in ("result", "costs", "spec")] == [["nothing_proposed"]] * 3


def test_what_is_said_of_money_shows_on_the_costs_page() -> None:
    unpriced = plan(warnings=(Message(code="lines_without_price", severity="error", values={"count": 1}),))
    steps = flow(COMPLETE, quote(unpriced, warnings=(Message(code="no_cloud_offer"),)))
    assert (states(steps)["result"], states(steps)["costs"], states(steps)["spec"]) == ("done", "bad", "warn")
    assert reasons(steps, "costs") == ["lines_without_price", "no_cloud_offer"]
    assert reasons(steps, "spec") == ["costs_incomplete"]


def test_word_of_the_advisor_stands_instead_of_our_own() -> None:
    tight = plan("tight", warnings=(Message(code="ttft_range_crosses", field="needs.0.ttft_s"),))
    steps = flow(COMPLETE, quote(tight, costs=schemes()))
    assert (states(steps)["workload"], reasons(steps, "result")) == ("done", ["ttft_range_crosses"])


def test_warning_shows_on_the_page_of_its_field() -> None:
    warning = Message(code="context_beyond_model", field="needs.0.context")
    steps = flow(COMPLETE, quote(plan(), costs=schemes(), warnings=(warning,)))
    assert {name for name, state in states(steps).items() if state == "warn"} == {"workload"}


def test_order_has_two_ends() -> None:
    assert [previous_step(name) for name in STEP_NAMES] == [None, *STEP_NAMES[:-1]]
    assert [next_step(name) for name in STEP_NAMES] == [*STEP_NAMES[1:], None]


def test_every_field_of_the_request_has_a_page() -> None:
    request_fields = [
        *(f"needs.0.{name}" for name in InferenceNeed.model_fields),
        *(f"policy.{name}" for name in Policy.model_fields),
        *(f"economics.{name}" for name in Economics.model_fields),
    ]
    assert all(page_of(field) != "result" for field in request_fields)
    assert all(page_of(field) in get_args(StepName) for field in Project.model_fields)


def test_every_reason_is_said_in_both_languages() -> None:
    codes = [
        "model_missing",
        "not_computed",
        "step_bad",
        "nothing_proposed",
        "best_misses",
        "best_crosses",
        "best_is_tight",
        "best_breaks_rule",
        "costs_incomplete",
        "not_filled",
    ]
    for code in codes:
        said = {message_sentence(Message(code=code, field="number"), language) for language in ("en", "ru")}
        assert len(said) == 2
