"""Launch commands carry the plan, flag by flag."""

from dataclasses import replace

from desktop.catalog.calibration import load_calibration
from desktop.catalog.stack_facts import load_stack
from desktop.stacks.launch import LaunchPlan, launch_command

PLAN = LaunchPlan(
    model="meta-llama/Llama-3.1-70B-Instruct",
    checkpoint="bf16",
    weights="fp8",
    kv_cache="auto",
    tensor=2,
    pipeline=1,
    memory_fraction=0.9,
    max_context=32768,
    max_sequences=256,
    max_batched_tokens=8192,
    cuda_graphs=True,
)


def test_every_figure_is_a_flag() -> None:
    """Flag names of vLLM 0.33.0, from its own argparse dump."""
    words = launch_command(PLAN, load_stack("vllm"))
    assert words[:3] == ("vllm", "serve", "meta-llama/Llama-3.1-70B-Instruct")
    told = dict(zip(words[3::2], words[4::2], strict=True))
    assert told == {
        "--tensor-parallel-size": "2",
        "--pipeline-parallel-size": "1",
        "--max-model-len": "32768",
        "--gpu-memory-utilization": "0.9",
        "--max-num-seqs": "256",
        "--max-num-batched-tokens": "8192",
        "--kv-cache-dtype": "auto",
        "--quantization": "fp8",
        "--port": "8000",
    }


def test_16_bit_needs_no_quantisation_and_old_cards_get_fp16() -> None:
    """A Turing card has no bf16: vLLM refuses bfloat16 below compute capability 8.0."""
    words = launch_command(replace(PLAN, weights="bf16", fp16_instead=True, cuda_graphs=False), load_stack("vllm"))
    assert "--quantization" not in words
    assert words[words.index("--dtype") + 1] == "float16"
    assert "--enforce-eager" in words


def test_every_weight_format_has_its_word() -> None:
    assert set(load_stack("vllm").quantization) == set(load_calibration().weight_formats)


def test_no_command_that_would_load_something_else() -> None:
    """vLLM quantises 16-bit weights to fp8 while loading; an AWQ model has to be made before. It has no q8_0 cache."""
    stack = load_stack("vllm")
    assert launch_command(replace(PLAN, weights="awq-int4"), stack) == ()
    assert launch_command(replace(PLAN, weights="awq-int4", checkpoint="awq-int4"), stack)
    assert launch_command(replace(PLAN, kv_cache="q8_0"), stack) == ()
    assert "--quantization" not in launch_command(replace(PLAN, checkpoint="fp8"), stack)
