"""A fixed training plan answered, and what is said of plans that cannot exist."""

from typing import Any

import pytest

from desktop.advisor.training_plan import estimate_training
from desktop.catalog import Catalog
from desktop.catalog.training_calibration import load_training_calibration
from desktop.quote import EstimateResult, TrainingSpeed
from desktop.request import Problem, TrainingPlan
from desktop.words.sentences import message_sentence, problem_sentence

H100 = "NVIDIA H100 SXM5 80GB"
PARTS = ("weights", "gradients", "optimizer", "adapters", "activations", "logits", "buffers", "runtime")
GIB = 2**30


def plan_of(**changes: Any) -> TrainingPlan:
    given: dict[str, Any] = {
        "mode": "training",
        "method": "full",
        "model": "Llama-3.1-8B",
        "gpu": H100,
        "gpus": 8,
        "sequence_length": 8192,
        "global_batch": 64,
        "tokens": 15_000_000_000,
    }
    return TrainingPlan.model_validate({**given, **changes})


def answer_of(catalog: Catalog, **changes: Any) -> EstimateResult:
    return estimate_training(plan_of(**changes), catalog)


def speed_of(answer: EstimateResult) -> TrainingSpeed:
    assert isinstance(answer.speed, TrainingSpeed)
    return answer.speed


def test_every_component_explains_itself(catalog: Catalog) -> None:
    memory = answer_of(catalog).memory
    parts = memory.worst().components
    assert tuple(part.component for part in parts) == PARTS
    assert all(part.source and part.bytes >= 0 for part in parts)
    assert {part.component for part in parts if not part.formula} == {"runtime"}, "a measured part has no formula"
    assert sum(part.bytes for part in parts) == memory.required_bytes.value
    assert memory.required_bytes.low < memory.required_bytes.value < memory.required_bytes.high
    assert sum(rank.ranks for rank in memory.per_gpu) == 8


def test_states_of_an_8b_full_fine_tune_over_eight_gpus(catalog: Catalog) -> None:
    """FSDP in mixed precision: 16 bytes over 8 GPUs (arXiv:1910.02054), 8,030,261,248 parameters."""
    memory = answer_of(catalog).memory
    states = sum(memory.part_bytes(part) for part in ("weights", "gradients", "optimizer"))
    assert states == pytest.approx(8_030_261_248 * 16 / 8, abs=3)


def test_speed_tells_one_story(catalog: Catalog) -> None:
    speed = speed_of(answer_of(catalog))
    rate = speed.tokens_per_s_per_gpu
    assert speed.step_s.value == pytest.approx(64 * 8192 / (8 * rate.value))
    assert speed.hours_total is not None
    assert speed.hours_total.value == pytest.approx(15e9 / (8 * rate.value) / 3600)
    assert speed.hours_total.low == pytest.approx(15e9 / (8 * rate.high) / 3600)
    assert speed.tflops_per_gpu.value == pytest.approx(speed.mfu.value * 989, rel=0.01)
    assert 0.3 < speed.mfu.value < 0.55  # published MFU of 7B-class models on H100: 36-48 % (llm-foundry, Megatron-LM)
    assert 0 <= speed.exposed_communication_share < 0.1


def test_the_article_one_h100_for_full_training_of_7b(catalog: Catalog) -> None:
    """Tier 1 names one H100 for full training to 7B: its 112 GB of states do not fit; an 8-bit optimizer does."""
    asked = {"model": "Llama-2-7B", "gpus": 1, "sequence_length": 2048, "global_batch": None}
    plain = answer_of(catalog, **asked)
    assert plain.memory.verdict == "does_not_fit"
    assert plain.speed is None
    assert sum(plain.memory.part_bytes(part) for part in ("weights", "gradients", "optimizer")) > 80e9
    small = answer_of(catalog, **asked, precision="bf16", optimizer="adamw-8bit", framework={"name": "torchtune"})
    assert small.memory.verdict in ("fits", "tight")


def test_adapters_fit_where_full_training_does_not(catalog: Catalog) -> None:
    asked = {
        "model": "Llama-2-70B",
        "gpus": 1,
        "sequence_length": 2048,
        "framework": {"name": "peft"},
        "global_batch": None,
    }
    full, lora, qlora = (answer_of(catalog, **asked, method=method) for method in ("full", "lora", "qlora"))
    assert full.memory.required_bytes.value > lora.memory.required_bytes.value > qlora.memory.required_bytes.value
    assert (full.memory.verdict, lora.memory.verdict) == ("does_not_fit", "does_not_fit")
    assert qlora.memory.verdict in ("fits", "tight")
    assert qlora.memory.part_bytes("weights") == pytest.approx(68.98e9 * 0.5625, rel=0.03)
    assert qlora.memory.part_bytes("gradients") == qlora.memory.part_bytes("optimizer") == 0


def test_least_recomputation_that_fits_is_chosen_and_told(catalog: Catalog) -> None:
    roomy = answer_of(catalog, sequence_length=2048)
    tight = answer_of(catalog, sequence_length=32768, global_batch=8)
    assert "recompute_chosen" not in {message.code for message in roomy.warnings}
    told = [message for message in tight.warnings if message.code == "recompute_chosen"]
    assert [message.values["recompute"] for message in told] == ["full"]
    stated = answer_of(catalog, sequence_length=32768, global_batch=8, recompute="full")
    assert stated.memory.required_bytes == tight.memory.required_bytes


def test_checkpoints(catalog: Catalog) -> None:
    """Llama-3.1-70B: 141 GB of 16-bit weights, Megatron resumes from 14 bytes a parameter; peft saves fp32 adapters."""
    plan = {"model": "Llama-3.1-70B", "gpus": 64, "framework": {"name": "megatron-lm"}, "parallel": {"tensor": 8}}
    sizes = answer_of(catalog, **plan).memory.checkpoint_bytes
    assert sizes == {"weights_only": 2 * 70_553_706_496, "resumable": 14 * 70_553_706_496}
    adapters = answer_of(
        catalog, method="lora", framework={"name": "peft"}, lora={"rank": 8, "targets": ["q_proj", "v_proj"]}
    )
    assert adapters.memory.checkpoint_bytes is not None
    assert adapters.memory.checkpoint_bytes["weights_only"] == 4 * 32 * 8 * (4096 + 4096 + 4096 + 1024)


def test_offload_moves_states_to_the_host(catalog: Catalog) -> None:
    asked = {
        "model": "Llama-3.1-8B",
        "gpus": 2,
        "framework": {"name": "deepspeed"},
        "global_batch": 2,
        "recompute": "full",
    }
    kept, moved = answer_of(catalog, **asked), answer_of(catalog, **asked, offload="optimizer")
    assert moved.memory.part_bytes("optimizer") == 0 < kept.memory.part_bytes("optimizer")
    gained = moved.memory.host_ram_bytes - kept.memory.host_ram_bytes
    factor = load_training_calibration().memory.host.offload_factor
    assert gained == pytest.approx(factor * 2 * kept.memory.part_bytes("optimizer"), rel=0.001)


def test_paged_optimizer_spills_to_the_host(catalog: Catalog) -> None:
    """torchtune README: the recipe that takes 37.4 GiB on a 48 GB card takes 18.9 GiB on one of 24 GB."""
    recipe = {
        "gpus": 1,
        "precision": "bf16",
        "optimizer": "paged-adamw-8bit+in-backward",
        "framework": {"name": "torchtune"},
        "sequence_length": 2048,
        "micro_batch": 2,
        "global_batch": 2,
        "recompute": "full",
    }
    large, small = answer_of(catalog, **recipe, gpu="RTX A6000"), answer_of(catalog, **recipe, gpu="GeForce RTX 4090")
    assert large.memory.required_bytes.value / GIB == pytest.approx(37.4, rel=0.1)
    assert small.memory.verdict in ("fits", "tight")
    assert small.memory.required_bytes.value <= small.memory.usable_bytes + 8
    spilled = large.memory.part_bytes("optimizer") - small.memory.part_bytes("optimizer")
    assert small.memory.host_ram_bytes - large.memory.host_ram_bytes >= spilled > 0


def test_pipeline_stages_are_told_apart(catalog: Catalog) -> None:
    answer = answer_of(
        catalog,
        model="Llama-3.1-70B",
        gpus=64,
        framework={"name": "megatron-lm"},
        sequence_length=4096,
        global_batch=128,
        parallel={"tensor": 4, "pipeline": 4},
        recompute="none",
    )
    ranks = answer.memory.per_gpu
    assert [(rank.rank, rank.ranks) for rank in ranks] == [(0, 16), (16, 16), (32, 16), (48, 16)]
    activations = [next(part.bytes for part in rank.components if part.component == "activations") for rank in ranks]
    assert activations == sorted(activations, reverse=True)
    assert [next(part.bytes for part in rank.components if part.component == "logits") > 0 for rank in ranks] == [
        False,
        False,
        False,
        True,
    ]
    assert answer.memory.worst_rank == 0


def test_framework_defaults(catalog: Catalog) -> None:
    """Left out: FSDP on several GPUs, none on one; the distributed optimizer in Megatron, ZeRO-3 in DeepSpeed."""
    weights = {
        name: answer_of(catalog, framework={"name": name}).memory.part_bytes("weights") / 8_030_261_248
        for name in ("pytorch-fsdp", "megatron-lm", "deepspeed")
    }
    assert weights == pytest.approx({"pytorch-fsdp": 4 / 8, "megatron-lm": 2, "deepspeed": 2 / 8}, rel=0.001)
    alone = answer_of(catalog, gpus=1, global_batch=1).memory.part_bytes("weights")
    assert alone == pytest.approx(8_030_261_248 * 5, rel=0.001)  # fp32 weights and what autocast keeps of 16-bit copies


def test_an_unmeasured_gpu_gets_the_widest_range(catalog: Catalog) -> None:
    asked = {"model": "Llama-3.2-1B", "sequence_length": 2048}
    known, unknown = answer_of(catalog, **asked), answer_of(catalog, **asked, gpu="NVIDIA L40S")
    widths = [speed_of(answer).step_s.high / speed_of(answer).step_s.low for answer in (known, unknown)]
    assert widths[1] > widths[0]
    assert "training_unmeasured_gpu" in {message.code for message in unknown.warnings}


def test_the_nvlink_rule_is_shown_with_what_was_computed(catalog: Catalog) -> None:
    answer = answer_of(catalog, model="Qwen3-32B", gpu="NVIDIA L40S", gpus=16, sequence_length=2048, recompute="full")
    told = [message for message in answer.warnings if message.rule == "article_10"]
    assert len(told) == 1
    assert told[0].values["exposed_share"] == pytest.approx(speed_of(answer).exposed_communication_share)


@pytest.mark.parametrize(
    ("changes", "field", "rule"),
    [
        ({"parallel": {"tensor": 3}, "gpus": 6}, "parallel.tensor", "heads_divisible"),
        ({"parallel": {"tensor": 16}, "gpus": 8}, "gpus", "gpus_divisible"),
        ({"nodes": 3}, "nodes", "nodes_divisible"),
        ({"parallel": {"pipeline": 64}, "gpus": 64, "global_batch": 64}, "parallel.pipeline", "stages_within_layers"),
        ({"parallel": {"pipeline": 2, "sharding": "zero3"}}, "parallel.sharding", "pipeline_without_zero"),
        ({"parallel": {"context": 8}, "sequence_length": 8191}, "parallel.context", "sequence_divisible"),
        ({"parallel": {"expert": 2}}, "parallel.expert", "dense_has_no_experts"),
        ({"global_batch": 65}, "global_batch", "batch_divisible"),
        ({"global_batch": 4}, "global_batch", "batch_divisible"),
        ({"optimizer": "adamw+in-backward"}, "optimizer", "in_backward_without_accumulation"),
        ({"lora": {"rank": 8}}, "lora", "lora_without_method"),
        ({"base_weights": "nf4"}, "base_weights", "quantised_base_is_frozen"),
        ({"method": "qlora", "base_weights": "bf16"}, "base_weights", "qlora_needs_quantised_base"),
        ({"method": "lora", "lora": {"targets": ["no_such"]}}, "lora.targets", "unknown_target"),
        ({"method": "lora", "lora": {"modules_to_save": ["norm"]}}, "lora.modules_to_save", "unknown_target"),
        ({"precision": "fp8", "gpu": "NVIDIA A100 SXM4 80GB"}, "precision", "precision_not_on_gpu"),
        ({"precision": "bf16-mixed", "gpu": "NVIDIA T4"}, "precision", "precision_not_on_gpu"),
    ],
)
def test_a_plan_that_cannot_exist_names_field_and_rule(
    changes: dict[str, Any], field: str, rule: str, catalog: Catalog
) -> None:
    with pytest.raises(Problem) as caught:
        answer_of(catalog, **changes)
    assert (caught.value.code, caught.value.field, caught.value.values["rule"]) == ("invalid_plan", field, rule)
    for language in ("en", "ru"):
        assert field in problem_sentence(caught.value, language)


@pytest.mark.parametrize(
    ("changes", "field", "what"),
    [
        ({"image": 224}, "image", "vision"),
        ({"method": "qlora", "parallel": {"tensor": 2}}, "parallel", "quantised_base_cut"),
    ],
)
def test_what_has_no_formula_is_refused(changes: dict[str, Any], field: str, what: str, catalog: Catalog) -> None:
    with pytest.raises(Problem) as caught:
        answer_of(catalog, **changes)
    assert (caught.value.code, caught.value.field, caught.value.values["what"]) == ("unsupported", field, what)
    for language in ("en", "ru"):
        assert problem_sentence(caught.value, language)


@pytest.mark.parametrize("model", ["Mixtral-8x7B", "DeepSeek-V3"])
def test_no_guess_for_other_architectures(model: str, catalog: Catalog) -> None:
    with pytest.raises(Problem) as caught:
        answer_of(catalog, model=model)
    assert caught.value.code == "unsupported_model"


def test_remarks_have_sentences(catalog: Catalog) -> None:
    answers = (
        answer_of(catalog, sequence_length=32768, global_batch=8),
        answer_of(catalog, method="qlora", gpu="GeForce RTX 4090", global_batch=None, sequence_length=512),
        answer_of(catalog, model="Qwen3-32B", gpu="NVIDIA L40S", gpus=16, sequence_length=2048),
    )
    messages = [message for answer in answers for message in answer.warnings]
    assert {"recompute_chosen", "base_weights_chosen", "training_unmeasured_gpu", "nvlink_advised"} <= {
        message.code for message in messages
    }
    for message in messages:
        assert message_sentence(message, "en") != message_sentence(message, "ru")
