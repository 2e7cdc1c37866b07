"""One problem for a request that makes no sense, with the path of the field as its author wrote it."""

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from desktop.request import CostRequest, InferencePlan, Problem, RecommendRequest, TrainingPlan
from desktop.request.inference import KvFormat
from desktop.request.validation import KINDS, validated
from desktop.words import phrases_of, problem_sentence

PLAN: dict[str, Any] = {"model": "Qwen3-32B", "gpu": "H200"}
TRAINING: dict[str, Any] = {"mode": "training", "method": "lora", "model": "Qwen3-32B", "gpu": "H200", "gpus": 1}


def refusal(record: type[BaseModel], data: Any) -> Problem:
    with pytest.raises(Problem) as caught:
        validated(record, data)
    return caught.value


def needing(**change: Any) -> dict[str, Any]:
    return {"needs": [{"mode": "inference", **change}]}


@pytest.mark.parametrize(
    ("record", "data", "code", "field"),
    [
        (RecommendRequest, needing(users=0), "out_of_range", "needs.0.users"),
        (RecommendRequest, needing(context=10**12), "out_of_range", "needs.0.context"),
        (RecommendRequest, needing(users=float("inf")), "out_of_range", "needs.0.users"),
        (RecommendRequest, needing(ttft_s=float("nan")), "out_of_range", "needs.0.ttft_s"),
        (RecommendRequest, needing(model=5), "wrong_type", "needs.0.model"),
        (RecommendRequest, needing(model={"hf_config": {}, "foo": 1}), "unknown_field", "needs.0.model.foo"),
        (RecommendRequest, needing(model={"hf_config": 3}), "wrong_type", "needs.0.model.hf_config"),
        (RecommendRequest, needing(model={}), "contradiction", "needs.0.model"),
        (RecommendRequest, needing(inference={"users": 3}), "unknown_field", "needs.0.inference"),
        (RecommendRequest, needing(engine={"nam": "vllm"}), "unknown_field", "needs.0.engine.nam"),
        (RecommendRequest, {"needs": [{"mode": "inf"}]}, "wrong_value", "needs.0.mode"),
        (RecommendRequest, {"needs": [{"users": 4}]}, "missing_field", "needs.0.mode"),
        (RecommendRequest, {"needs": [4]}, "wrong_type", "needs.0"),
        (RecommendRequest, {"needs": {"mode": "inference"}}, "wrong_type", "needs"),
        (RecommendRequest, {"needs": []}, "wrong_length", "needs"),
        (RecommendRequest, {"needs": [{"mode": "inference"}] * 3}, "wrong_length", "needs"),
        (RecommendRequest, {"economics": {"currency": "EURO"}}, "wrong_value", "economics.currency"),
        (RecommendRequest, {"economics": {"vat": {"rate": 2}}}, "out_of_range", "economics.vat.rate"),
        (
            RecommendRequest,
            {"economics": {"exchange_rate": {"per_usd": 80, "date": "2026-13-01"}}},
            "wrong_type",
            "economics.exchange_rate.date",
        ),
        (InferencePlan, PLAN | {"gpu": {"base": "H200", "memory_gb": -1}}, "out_of_range", "gpu.memory_gb"),
        (InferencePlan, PLAN | {"gpu": {"memory_gb": 96}}, "missing_field", "gpu.base"),
        (InferencePlan, PLAN | {"kv_cache": "fp4"}, "wrong_value", "kv_cache"),
        (InferencePlan, PLAN | {"kv_cache": {"k": "fp8", "v": "fp4"}}, "wrong_value", "kv_cache.v"),
        (InferencePlan, PLAN | {"traffic": {"concurrency": "lots"}}, "wrong_type", "traffic.concurrency"),
        (InferencePlan, PLAN | {"traffic": {"image": [1024]}}, "missing_field", "traffic.image.1"),
        (InferencePlan, {"modle": "Qwen3-32B", "gpu": "H200"}, "unknown_field", "modle"),
        (TrainingPlan, TRAINING | {"lora": {"targets": 5}}, "wrong_type", "lora.targets"),
        (TrainingPlan, TRAINING | {"parallel": {"tensor": 0}}, "out_of_range", "parallel.tensor"),
        (CostRequest, {"capex": "much"}, "wrong_type", "capex"),
        (CostRequest, {"capex": "NaN"}, "out_of_range", "capex"),
        (CostRequest, {"capex": 1, "capex_items": [{"name": "x", "amount": 1}]}, "contradiction", ""),
        (CostRequest, {"capex_items": [{"name": "x", "amount": -1}]}, "out_of_range", "capex_items.0.amount"),
        (CostRequest, {"ranges": {"capex": {"low": 1}}}, "missing_field", "ranges.capex.high"),
        (CostRequest, {"id": 1.5}, "wrong_type", "id"),
        (CostRequest, [], "wrong_type", ""),
        (CostRequest, None, "wrong_type", ""),
    ],
)
def test_one_problem_names_the_field(record: type[BaseModel], data: Any, code: str, field: str) -> None:
    problem = refusal(record, data)
    assert (problem.code, problem.field) == (code, field)
    for language in ("en", "ru"):
        assert problem_sentence(problem, language)


def test_limit_and_side_are_told() -> None:
    problem = refusal(RecommendRequest, needing(context=10**12))
    assert problem.values == {"reason": "at_most", "limit": 100_000_000, "value": 10**12}


def test_mistyped_field_hints_at_the_right_one() -> None:
    assert refusal(RecommendRequest, needing(usres=3)).values == {"reason": "similar", "suggestion": "users"}
    assert refusal(InferencePlan, PLAN | {"engine": {"memory_fracton": 0.9}}).values["suggestion"] == "memory_fraction"
    assert refusal(InferencePlan, PLAN | {"colour": "red"}).values == {}


def test_unknown_field_comes_before_the_field_it_stands_for() -> None:
    assert refusal(InferencePlan, {"modle": "Qwen3-32B", "gpu": "H200"}).values["suggestion"] == "model"


def test_allowed_values_are_listed() -> None:
    assert refusal(InferencePlan, PLAN | {"kv_cache": "fp4"}).values["allowed"] == get_args(KvFormat)


def test_every_kind_of_wrong_type_has_a_sentence() -> None:
    known = phrases_of("cli")
    for kind in {*KINDS.values()}:
        assert f"problem.wrong_type.{kind}" in known


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10**13) | st.floats() | st.sampled_from(["", "max", "fp8", "vllm"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["mode", "model", "hf_config", "file", "users", "kv_cache", "k", "engine", "name", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(
    need=st.dictionaries(
        st.sampled_from(["mode", "model", "users", "kv_cache", "engine", "weights", "x"]), JSON, max_size=5
    )
)
def test_whatever_is_asked_the_answer_is_a_record_or_one_problem_that_can_be_said(need: dict[str, Any]) -> None:
    try:
        validated(RecommendRequest, {"needs": [{"mode": "inference", **need}]})
    except Problem as problem:
        assert problem.field.startswith("needs.0")
        path: Any = {"needs": [{"mode": "inference", **need}]}
        for step in problem.field.split(".")[:-1]:  # every step but the last was written by the user
            path = path[int(step)] if isinstance(path, list) else path[step]
        assert problem_sentence(problem, "ru").startswith(problem.field)
