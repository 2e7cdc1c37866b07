"""Parts of the peak of a training step: invariants over models, cuts and batches."""

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from desktop.architectures import DenseDecoder
from desktop.catalog.training_calibration import load_training_calibration
from desktop.sizing.optimizer_states import adapter_parameters, states_per_parameter
from desktop.sizing.training_layout import TrainingLayout, training_layout
from desktop.sizing.training_memory import MemoryParts, TrainingJob, memory_parts, stage_parameters, worst_parts

MEMORY = load_training_calibration().memory
NAMES = sorted(MEMORY.frameworks)


def decoder(
    layers: int, heads: int, kv_heads: int, head_dim: int, widening: int, vocab: int, gated: bool, tied: bool
) -> DenseDecoder:
    hidden = heads * head_dim
    return DenseDecoder(
        name="decoder",
        model_type="llama",
        layers=layers,
        hidden=hidden,
        intermediate=widening * hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        vocab=vocab,
        max_context=8192,
        gated_mlp=gated,
        tied_embeddings=tied,
        qkv_bias=False,
        output_bias=False,
        mlp_bias=False,
        norms_per_layer=2,
        norm_width=hidden,
        qk_norm_width=0,
    )


DECODERS = st.builds(
    decoder,
    layers=st.integers(2, 120),
    heads=st.sampled_from([8, 16, 32, 64]),
    kv_heads=st.sampled_from([1, 4, 8]),
    head_dim=st.sampled_from([64, 128]),
    widening=st.integers(2, 5),
    vocab=st.integers(1000, 300_000),
    gated=st.booleans(),
    tied=st.booleans(),
)


def full_job(architecture: DenseDecoder, framework: str, sequence: float = 2048.0, micro: float = 1.0) -> TrainingJob:
    row = MEMORY.frameworks[framework]
    states = states_per_parameter(MEMORY.state_bytes(row.states, "bf16-mixed"), MEMORY.optimizers["adamw"])
    return TrainingJob(
        architecture=architecture,
        framework=row,
        states=states,
        sequence=sequence,
        micro_batch=micro,
        micro_batches=4.0,
        recompute="none",
        logit_bytes_per_entry=row.logit_bytes,
    )


def adapter_job(job: TrainingJob, base: str, rank: int) -> TrainingJob:
    shapes = [(matrix.columns, matrix.rows) for matrix in job.architecture.matrices()]
    return replace(
        job,
        trains_all=False,
        base_bytes=MEMORY.base_bytes[base],
        base_is_nf4=base.startswith("nf4"),
        adapters=adapter_parameters(job.architecture.layers, rank, shapes),
        adapter_state_bytes=job.framework.adapter_state_bytes,
    )


def states_of(parts: MemoryParts) -> float:
    return float(np.max(parts.weights + parts.optimizer + parts.gradients + parts.adapters))


@settings(max_examples=60, deadline=None)
@given(
    architecture=DECODERS,
    framework=st.sampled_from(NAMES),
    gpus=st.sampled_from([1, 2, 8, 64]),
    sharding=st.sampled_from(["none", "zero1", "zero2", "zero3", "fsdp", "hsdp"]),
    recompute=st.sampled_from(["none", "selective", "modules", "full"]),
    micro=st.integers(1, 32),
)
def test_parts_are_never_negative_and_add_up(
    architecture: DenseDecoder, framework: str, gpus: int, sharding: str, recompute: str, micro: int
) -> None:
    job = replace(full_job(architecture, framework, micro=float(micro)), recompute=recompute)
    parts = worst_parts(job, training_layout(float(gpus), sharding), MEMORY)
    numbers = [float(np.max(getattr(parts, field.name))) for field in fields(parts)]
    assert min(numbers) >= 0
    assert float(np.max(parts.total())) == pytest.approx(sum(numbers))
    assert sum(parts.at(0).values()) == pytest.approx(sum(numbers))
    assert float(np.max(parts.torch_peak())) == pytest.approx(sum(numbers) - numbers[-1])


@settings(max_examples=60, deadline=None)
@given(
    architecture=DECODERS,
    framework=st.sampled_from(NAMES),
    flash=st.booleans(),
    recompute=st.sampled_from(["none", "selective", "full"]),
    tensor=st.sampled_from([1, 2, 4, 8]),
)
def test_memory_grows_with_batch_and_sequence(
    architecture: DenseDecoder, framework: str, flash: bool, recompute: str, tensor: int
) -> None:
    layout = training_layout(64.0, "fsdp", tensor=tensor)
    batches, sequences = np.array([1.0, 2.0, 3.0, 8.0]), np.array([256.0, 1024.0, 4096.0, 32768.0])
    base = replace(full_job(architecture, framework), recompute=recompute, flash_attention=flash)
    for grown in (replace(base, micro_batch=batches), replace(base, sequence=sequences)):
        parts = worst_parts(grown, layout, MEMORY)
        total, saved = np.asarray(parts.total()), np.asarray(parts.activations + parts.logits)
        assert np.all(np.diff(saved) > 0)
        # the optimizer's step can be the peak, and does not see the batch
        assert np.all(np.diff(total) >= -1e-12 * total[:-1])


@settings(max_examples=60, deadline=None)
@given(architecture=DECODERS, framework=st.sampled_from(NAMES), optimizer=st.sampled_from(sorted(MEMORY.optimizers)))
def test_sharding_never_raises_the_states_of_a_gpu(architecture: DenseDecoder, framework: str, optimizer: str) -> None:
    states = states_per_parameter(
        MEMORY.state_bytes(MEMORY.frameworks[framework].states, "bf16-mixed"), MEMORY.optimizers[optimizer]
    )
    job = replace(full_job(architecture, framework), states=states)
    ladder = [
        states_of(worst_parts(job, training_layout(gpus, word), MEMORY))
        for word, gpus in (("none", 16.0), ("zero1", 16.0), ("zero2", 16.0), ("fsdp", 16.0), ("fsdp", 64.0))
    ]
    assert all(less <= more for more, less in pairwise(ladder))


@settings(max_examples=60, deadline=None)
@given(
    architecture=DECODERS,
    framework=st.sampled_from(NAMES),
    rank=st.integers(1, 32),
    gpus=st.sampled_from([1, 8]),
    recompute=st.sampled_from(["none", "full"]),
)
def test_adapters_take_less_than_full_training_and_a_quantised_base_less_still(
    architecture: DenseDecoder, framework: str, rank: int, gpus: int, recompute: str
) -> None:
    """The states of QLoRA are below those of LoRA; its activations may be above: 4-bit matrices keep their inputs."""
    assume(rank * 8 <= architecture.kv_heads * architecture.head_dim)
    full = replace(full_job(architecture, framework), recompute=recompute)
    layout = training_layout(float(gpus), "fsdp" if gpus > 1 else "none")
    lora, qlora = (worst_parts(adapter_job(full, base, rank), layout, MEMORY) for base in ("bf16", "nf4-dq"))
    assert states_of(qlora) <= states_of(lora) <= states_of(worst_parts(full, layout, MEMORY))


@settings(max_examples=60, deadline=None)
@given(architecture=DECODERS, framework=st.sampled_from(NAMES), micro=st.integers(1, 16))
def test_recomputation_never_takes_more(architecture: DenseDecoder, framework: str, micro: int) -> None:
    layout = training_layout(8.0, "fsdp")
    none, some, full = (
        float(
            np.max(
                worst_parts(
                    replace(full_job(architecture, framework, micro=float(micro)), recompute=word), layout, MEMORY
                ).total()
            )
        )
        for word in ("none", "selective", "full")
    )
    assert full <= some * (1 + 1e-12) and some <= none * (1 + 1e-12)


@settings(max_examples=40, deadline=None)
@given(architecture=DECODERS, framework=st.sampled_from(NAMES))
def test_arrays_give_what_numbers_give(architecture: DenseDecoder, framework: str) -> None:
    gpus, micros = np.array([[1.0], [8.0], [64.0]]), np.array([[1.0, 2.0, 4.0]])
    job = full_job(architecture, framework)
    table = worst_parts(replace(job, micro_batch=micros), training_layout(gpus, "fsdp"), MEMORY).total()
    assert np.shape(table) == (3, 3)
    for row, column in ((0, 0), (1, 2), (2, 1)):
        one = worst_parts(
            replace(job, micro_batch=float(micros[0, column])), training_layout(float(gpus[row, 0]), "fsdp"), MEMORY
        )
        assert float(np.max(one.total())) == pytest.approx(float(np.asarray(table)[row, column]))


def test_a_stage_holds_its_layers_and_its_end(llama_70b: DenseDecoder) -> None:
    """Llama-3.1-70B, tensor 8 x pipeline 4: 20 layers a stage, the embedding on the first, the head on the last."""
    job = full_job(llama_70b, "megatron-lm")
    stages = stage_parameters(job, TrainingLayout(gpus=32, tensor=8, pipeline=4), np.arange(4.0))
    assert np.allclose(stages.body, 20 * llama_70b.layer_parameters() / 8)
    end = 128_256 * 8192 / 8
    assert np.allclose(stages.ends, [end + 8192 / 8, 0, 0, end])


def test_whole_model_on_one_gpu_counts_every_parameter(llama_70b: DenseDecoder) -> None:
    stage = stage_parameters(full_job(llama_70b, "pytorch"), TrainingLayout(gpus=1), 0.0)
    assert float(np.max(stage.all())) == 70_553_706_496


def test_gradients_appear_as_activations_die(llama_70b: DenseDecoder) -> None:
    """Without accumulation only the gradients beyond the activations count; with it all of them do."""
    job = replace(full_job(llama_70b, "pytorch-fsdp"), micro_batches=1.0)
    layout = training_layout(64.0, "fsdp")
    once = memory_parts(job, layout, 0.0, MEMORY)
    accumulated = memory_parts(replace(job, micro_batches=4.0), layout, 0.0, MEMORY)
    assert float(np.max(once.gradients)) == 0
    assert float(np.max(accumulated.gradients)) == pytest.approx(70_553_706_496 * 4 / 64)


def test_optimizer_in_backward_keeps_one_gradient(llama_70b: DenseDecoder) -> None:
    job = replace(full_job(llama_70b, "deepspeed"), in_backward=True)
    largest = max(llama_70b.embedding_parameters(), llama_70b.layer_parameters())
    assert float(np.max(memory_parts(job, training_layout(1.0, "none"), 0.0, MEMORY).gradients)) == largest * 2


@pytest.mark.parametrize(
    ("offload", "empty"), [("optimizer", ("optimizer",)), ("parameters", ("weights", "optimizer"))]
)
def test_offload_empties_the_card(llama_70b: DenseDecoder, offload: str, empty: tuple[str, ...]) -> None:
    job = replace(full_job(llama_70b, "deepspeed"), offload=offload)
    parts = memory_parts(job, training_layout(8.0, "zero3"), 0.0, MEMORY)
    assert [float(np.max(getattr(parts, name))) for name in empty] == [0.0] * len(empty)


def test_ddp_holds_a_second_copy_of_the_gradients(llama_70b: DenseDecoder) -> None:
    """torch.nn.parallel.DistributedDataParallel without gradient_as_bucket_view: buckets as large as the gradients."""
    job = full_job(llama_70b, "pytorch")
    alone, pair = (memory_parts(job, training_layout(gpus, "none"), 0.0, MEMORY) for gpus in (1.0, 2.0))
    assert float(np.max(pair.buffers)) - float(np.max(alone.buffers)) == pytest.approx(70_553_706_496 * 4)


def test_zero3_spreads_the_temporaries_of_the_step(llama_70b: DenseDecoder) -> None:
    """A rank updates only the states it holds: their temporaries shrink with the ranks, and are gone with the states
    on the host (DeepSpeed ZeRO-3, arXiv:1910.02054)."""
    job = replace(full_job(llama_70b, "deepspeed"), recompute="full")
    few, many = (memory_parts(job, training_layout(gpus, "zero3"), 0.0, MEMORY) for gpus in (16.0, 1024.0))
    assert float(np.max(many.total())) < 64 * 2**30 < float(np.max(few.total()))
    away = memory_parts(replace(job, offload="optimizer"), training_layout(16.0, "zero3"), 0.0, MEMORY)
    assert float(np.max(away.total())) < float(np.max(few.total())) - 70_553_706_496 * 12 / 16
