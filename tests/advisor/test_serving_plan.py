"""Fixed serving plans, as the headless contract asks them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.advisor.serving_plan import estimate_serving
from desktop.catalog import Catalog, load_catalog
from desktop.quote import EstimateResult, ServingSpeed
from desktop.request import InferencePlan, Problem
from desktop.units import MIB

CATALOG = load_catalog()
NEW = {"name": "vllm", "version": "0.20.0", "max_context": 8192}  # needs compute capability 7.5, a V100 has 7.0
H100 = "NVIDIA H100 SXM5 80GB"
CONTRACT: dict[str, Any] = {
    "id": "a1",
    "mode": "inference",
    "model": "Llama-3.1-70B",
    "gpu": H100,
    "gpus": 4,
    "weights": "fp8",
    "kv_cache": "auto",
    "engine": {
        "name": "vllm",
        "version": "0.19.0",
        "memory_fraction": 0.9,
        "max_context": 32768,
        "max_sequences": 256,
        "max_batched_tokens": 8192,
        "cuda_graphs": True,
        "flash_attention": True,
    },
    "parallel": {"tensor": 4, "pipeline": 1, "data": 1, "expert": 1},
    "traffic": {"input_tokens": 2000, "output_tokens": 500, "concurrency": 64},
}


def answer(**changes: Any) -> EstimateResult:
    return estimate_serving(InferencePlan.model_validate({**CONTRACT, **changes}), CATALOG)


def test_the_contract_example() -> None:
    found = answer()
    assert found.id == "a1"
    assert found.memory.verdict == "fits"
    assert found.memory.kv_bytes_per_token == 81_920  # 327,680 B over 4 ranks
    assert sum(part.bytes for part in found.memory.worst().components) == found.memory.required_bytes.value
    assert {part.component for part in found.memory.worst().components} >= {
        "weights",
        "kv_cache",
        "activations",
        "cuda_graphs",
        "runtime",
    }
    parts = found.memory.worst().components
    assert all(part.source for part in parts)
    measured = {part.component for part in parts if not part.formula}
    assert measured == {"communication", "runtime"}, "what is measured has no formula"
    assert isinstance(found.speed, ServingSpeed)
    assert found.speed.ttft_s.low < found.speed.ttft_s.value < found.speed.ttft_s.high


def test_cache_of_2048_tokens_is_640_mib() -> None:
    """Llama-3.1-70B in 16 bit on one card that could hold it: 640 MiB for one sequence of 2,048 tokens."""
    found = answer(
        gpu="NVIDIA B300 SXM",
        gpus=1,
        weights="bf16",
        parallel={},
        traffic={"input_tokens": 2000, "output_tokens": 48, "concurrency": 1},
    )
    assert found.memory.part_bytes("kv_cache") == 640 * MIB
    assert found.memory.disk_bytes == 141_107_412_992


def test_what_does_not_fit_has_no_speed() -> None:
    found = answer(gpus=1, weights="bf16", parallel={"tensor": 1})
    assert found.memory.verdict == "does_not_fit"
    assert found.speed is None
    assert found.memory.required_bytes.value > found.memory.usable_bytes


def test_replicas_multiply_rates_and_capacity() -> None:
    one = answer()
    two = answer(
        gpus=8,
        parallel={"tensor": 4, "data": 2},
        traffic={"input_tokens": 2000, "output_tokens": 500, "concurrency": 128},
    )
    assert isinstance(one.speed, ServingSpeed) and isinstance(two.speed, ServingSpeed)
    assert two.memory.kv_capacity_tokens == 2 * one.memory.kv_capacity_tokens
    assert two.speed.requests_per_s.value == pytest.approx(2 * one.speed.requests_per_s.value)
    assert two.speed.tpot_s.value == pytest.approx(one.speed.tpot_s.value)
    assert sum(rank.ranks for rank in two.memory.per_gpu) == 8


def test_concurrency_max_is_what_the_pool_holds() -> None:
    found = answer(traffic={"input_tokens": 8000, "output_tokens": 192, "concurrency": "max"})
    sequences = found.memory.part_bytes("kv_cache") / (8192 * 81_920)
    assert sequences == found.memory.kv_capacity_tokens // 8192


def test_a_rate_becomes_the_concurrency_that_carries_it() -> None:
    """Little: requests in flight = rate x time in the system."""
    found = answer(traffic={"input_tokens": 2000, "output_tokens": 500, "requests_per_s": 2.0})
    assert isinstance(found.speed, ServingSpeed)
    assert found.speed.requests_per_s.value >= 2.0
    in_flight = found.memory.part_bytes("kv_cache") / (2512 * 81_920)
    expected = found.speed.requests_per_s.value * (found.speed.ttft_s.value + 499 * found.speed.tpot_s.value)
    assert in_flight == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(
    ("changes", "field", "rule"),
    [
        ({"gpus": 5}, "gpus", "gpus_product"),
        ({"gpus": 3, "parallel": {"tensor": 3}}, "parallel.tensor", "heads_divisible"),
        ({"gpus": 81, "parallel": {"pipeline": 81}}, "parallel.pipeline", "stages_within_layers"),
        ({"parallel": {"tensor": 4, "expert": 2}}, "parallel.expert", "dense_has_no_experts"),
        ({"gpus": 64, "parallel": {"tensor": 64}, "weights": "awq-int4"}, "parallel.tensor", "group_divisible"),
    ],
)
def test_plans_that_cannot_exist_name_their_rule(changes: dict[str, Any], field: str, rule: str) -> None:
    """28,672 / 64 = 448 is not a multiple of the group of 128; 64 heads do not divide by 3."""
    with pytest.raises(Problem) as raised:
        answer(**changes)
    assert (raised.value.code, raised.value.field, raised.value.values["rule"]) == ("invalid_plan", field, rule)


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"gpu": "NVIDIA H1000"}, "unknown_gpu", "gpu"),
        ({"model": "Llama-7-70B"}, "unknown_model", "model"),
        ({"weights": "fp3"}, "unsupported_weights", "weights"),
        ({"engine": {"name": "sglang"}}, "unsupported", "engine.name"),
        ({"gpu": "NVIDIA B200 SXM", "weights": "w8a8"}, "unsupported_weights_on_gpu", "weights"),
        ({"model": "Mixtral-8x7B"}, "unsupported_model", "model"),
        ({"model": "Mixtral-8x7B", "parallel": {"tensor": 4, "expert": 4}}, "unsupported_model", "model"),
        ({"gpu": "MI250X"}, "unsupported", "gpu"),
    ],
)
def test_what_is_not_known_is_named(changes: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(Problem) as raised:
        answer(**changes)
    assert (raised.value.code, raised.value.field) == (code, field)


def test_unknown_names_come_with_the_closest() -> None:
    with pytest.raises(Problem) as raised:
        answer(gpu="NVIDIA H100 SXM 80")
    assert len(raised.value.values["closest"]) == 3  # type: ignore[arg-type]
    assert any("H100" in name for name in raised.value.values["closest"])  # type: ignore[attr-defined]


def test_a_changed_gpu_is_sized_as_changed() -> None:
    """The H100 with 96 GB and 2.4 TB/s that some benchmarks ran on: a larger pool, slower tokens."""
    usual, changed = answer(), answer(gpu={"base": H100, "memory_gb": 96, "mem_bandwidth_gbs": 2400})
    assert isinstance(usual.speed, ServingSpeed) and isinstance(changed.speed, ServingSpeed)
    assert changed.memory.kv_pool_bytes > usual.memory.kv_pool_bytes
    assert changed.speed.tpot_s.value > usual.speed.tpot_s.value


def test_fp8_on_ampere_is_widened_and_said_so() -> None:
    found = answer(gpu="NVIDIA A100 SXM4 80GB")
    assert "format_widened" in {warning.code for warning in found.warnings}


def test_a_context_beyond_the_pool_is_a_warning() -> None:
    """The engine itself refuses to start with it: its error names the largest context that its cache holds."""
    found = answer(
        gpu="NVIDIA H200 SXM 141GB",
        gpus=1,
        parallel={},
        engine={"name": "vllm", "max_context": 131072, "memory_fraction": 0.6},
    )
    warning = next(warning for warning in found.warnings if warning.code == "context_beyond_pool")
    assert warning.values == {"asked": 131072, "capacity": found.memory.kv_capacity_tokens}
    assert 0 < found.memory.kv_capacity_tokens < 131072


def test_inline_config_and_catalog_agree(catalog: Catalog) -> None:
    config = {
        "model_type": "llama",
        "hidden_size": 8192,
        "intermediate_size": 28672,
        "max_position_embeddings": 131072,
        "num_attention_heads": 64,
        "num_hidden_layers": 80,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "torch_dtype": "bfloat16",
    }
    assert answer(model={"hf_config": config}).memory.required_bytes == answer().memory.required_bytes


def test_traffic_beyond_the_stated_context() -> None:
    """vLLM refuses a request longer than --max-model-len; a plan with such traffic has no speed to state."""
    with pytest.raises(Problem) as refused:
        answer(traffic={"input_tokens": 32_000, "output_tokens": 1000, "concurrency": 1})
    assert (refused.value.code, refused.value.field) == ("context_too_short", "traffic.input_tokens")
    assert refused.value.values["context"] == 32_768


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 2000), st.integers(1, 22_000), st.integers(1, 10_000))
def test_every_plan_is_consistent(concurrency: int, input_tokens: int, output_tokens: int) -> None:
    """Components sum to the requirement, ranges are ordered, what fits is fast and what does not has no speed."""
    found = answer(traffic={"input_tokens": input_tokens, "output_tokens": output_tokens, "concurrency": concurrency})
    memory = found.memory
    assert memory.worst().total_bytes() == memory.required_bytes.value
    assert memory.required_bytes.low <= memory.required_bytes.value <= memory.required_bytes.high
    assert memory.usable_bytes <= memory.card_bytes
    assert (found.speed is None) == (memory.verdict == "does_not_fit")
    if isinstance(found.speed, ServingSpeed):
        assert 0 < found.speed.tpot_s.low <= found.speed.tpot_s.value <= found.speed.tpot_s.high < float("inf")


def test_one_request_is_not_answered_by_eight_replicas() -> None:
    """Replicas add speed only for requests that exist; rate = in flight / latency (Little) on a line that is not full
    too."""
    one = answer(traffic={"input_tokens": 2000, "output_tokens": 500, "concurrency": 1}).speed
    for concurrency, same in ((1, one), (5, None)):
        speed = answer(
            gpus=32,
            parallel={"tensor": 4, "data": 8},
            traffic={"input_tokens": 2000, "output_tokens": 500, "concurrency": concurrency},
        ).speed
        assert isinstance(speed, ServingSpeed)
        latency_s = speed.ttft_s.value + 499 * speed.tpot_s.value
        assert speed.requests_per_s.value * latency_s == pytest.approx(concurrency)
        if isinstance(same, ServingSpeed):
            assert speed.requests_per_s.value == pytest.approx(same.requests_per_s.value)


def test_a_pool_below_one_request_is_no_fit() -> None:
    """70 GB of fp8 weights on one 80 GB card: whatever share is set, the pool holds a request or nothing runs."""
    verdicts = set()
    for share in (0.91, 0.93, 0.934, 0.938, 0.94, 0.95, 0.97):
        found = answer(
            gpus=1,
            parallel={"tensor": 1},
            traffic={"input_tokens": 1000, "output_tokens": 200, "concurrency": 1},
            engine={"name": "vllm", "memory_fraction": share, "max_context": 2048},
        )
        assert (found.memory.verdict == "does_not_fit") == (found.memory.kv_capacity_tokens < 1200)
        verdicts.add(found.memory.verdict)
    assert verdicts == {"does_not_fit", "tight"}


def test_an_a100_keeps_the_small_defaults() -> None:
    """vLLM get_batch_defaults: 70 GiB or more and no "a100" in the name, 1,024 sequences; else 256."""
    plan = {"gpus": 4, "weights": "bf16", "engine": {"name": "vllm", "version": "0.19.0", "max_context": 8192}}
    sequences = {}
    for gpu in (H100, "NVIDIA A100 SXM4 80GB"):
        parts = answer(gpu=gpu, **plan).memory.worst().components
        sequences[gpu] = next(part for part in parts if part.component == "activations").inputs["S"]
    assert sequences == {H100: 1024, "NVIDIA A100 SXM4 80GB": 256}


def test_an_automatic_cache_follows_the_computing_type() -> None:
    """Llama-3.1-8B: 2 x 32 layers x 8 heads x 128 elements, 2 B each in 16 bit, 4 B with fp32 weights."""
    changes: dict[str, Any] = {"model": "Llama-3.1-8B", "gpus": 1, "parallel": {"tensor": 1}, "kv_cache": "auto"}
    assert answer(weights="bf16", **changes).memory.kv_bytes_per_token == 131_072
    assert answer(weights="fp32", **changes).memory.kv_bytes_per_token == 262_144


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"kv_cache": "q4_0"}, "unsupported_kv_cache", "kv_cache"),
        ({"kv_cache": {"k": "fp8", "v": "bf16"}}, "unsupported_kv_cache", "kv_cache"),
        ({"gpu": "NVIDIA V100 SXM2 32GB", "weights": "fp16", "engine": NEW}, "engine_refuses_gpu", "gpu"),
        ({"gpu": "NVIDIA T4", "kv_cache": "fp8"}, "unsupported_cache_on_gpu", "kv_cache"),
        ({"engine": {**NEW, "max_batched_tokens": 128}}, "invalid_plan", "engine.max_batched_tokens"),
        ({"gpu": "Intel Max 1550", "weights": "bf16"}, "engine_refuses_gpu", "gpu"),
    ],
)
def test_what_the_engine_does_not_run(changes: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(Problem) as refused:
        answer(**changes)
    assert (refused.value.code, refused.value.field) == (code, field)


def test_a_rate_beyond_the_line_is_said_to() -> None:
    found = answer(traffic={"input_tokens": 2000, "output_tokens": 500, "requests_per_s": 10_000})
    assert isinstance(found.speed, ServingSpeed)
    said = next(warning for warning in found.warnings if warning.code == "rate_not_reached")
    assert said.values == {"asked": 10_000, "reached": found.speed.requests_per_s.value}


def test_decoding_without_graphs_is_slower() -> None:
    """Launching the kernels of 80 layers one by one costs milliseconds a step."""
    engine = {"name": "vllm", "max_context": 8192}
    graphs, eager = (answer(engine={**engine, "cuda_graphs": on}).speed for on in (True, False))
    assert isinstance(graphs, ServingSpeed) and isinstance(eager, ServingSpeed)
    assert eager.tpot_s.value > graphs.tpot_s.value + 80 * 20e-6


def test_what_a_gpu_runs_of_a_format() -> None:
    """vLLM 0.33: NVFP4 natively from compute capability 10, as 16-bit arithmetic on 7.5 to 9.0 (saves memory only)."""
    found = answer(model="Llama-3.1-8B", weights="nvfp4", gpus=1, parallel={"tensor": 1})
    assert "format_widened" in {warning.code for warning in found.warnings}
