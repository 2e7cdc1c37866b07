"""What files hold beyond the formula of a model is told by name, to the element."""

from typing import Any

import pytest

from desktop.architectures.build import architecture_of
from desktop.architectures.configs import facts_of_config
from desktop.architectures.files import Tensor, TensorList
from desktop.architectures.files.safetensors_entry import kind_of
from desktop.architectures.inspection import Doubt
from desktop.architectures.inspection.comparison import name_doubts, tensor_doubts
from tests.architectures.inspection.hub_folder import CONFIG, ELEMENTS, SHAPES, layer

Given = dict[str, tuple[str, tuple[int, ...]]]
MODEL: Given = {name: ("BF16", shape) for name, shape in SHAPES.items()}
LINEAR = "mlp.up_proj"  # of 128 x 64


def listed(tensors: Given) -> TensorList:
    return TensorList.of((Tensor(name, kind_of(dtype, shape, "x")) for name, (dtype, shape) in tensors.items()), "x")


def doubts(tensors: Given, **changes: Any) -> dict[str, dict[str, object]]:
    said = facts_of_config({**CONFIG, **changes}, "tiny", "config.json")
    made = architecture_of(said.facts, "tiny", "config.json")
    found: tuple[Doubt, ...] = tensor_doubts(listed(tensors), made, said.quantization)
    return {doubt.code: dict(doubt.values) for doubt in found}


def test_nothing_is_said_where_nothing_differs() -> None:
    assert doubts(MODEL) == {}


def test_a_head_stored_although_it_is_the_embedding() -> None:
    assert doubts(MODEL, tie_word_embeddings=True) == {"stored_head": {"elements": 16_384}}


def test_a_head_the_config_promises_and_no_file_holds() -> None:
    tied = {name: kind for name, kind in MODEL.items() if name != "lm_head.weight"}
    assert doubts(tied) == {"head_not_stored": {"elements": 16_384}}


def test_rotary_frequencies_are_buffers() -> None:
    stored = {f"model.layers.{n}.self_attn.rotary_emb.inv_freq": ("F32", (8,)) for n in range(2)}
    assert doubts({**MODEL, **stored}) == {"rotary_stored": {"elements": 16}}


def test_draft_layers_behind_the_last_one_with_copies() -> None:
    """As GLM-4.5 stores them: layer 2 of a model of two, its joint and norms, and both ends of the model again."""
    draft: Given = {name: ("BF16", shape) for name, shape in layer(2).items()}
    draft |= {"model.layers.2.eh_proj.weight": ("BF16", (64, 128)), "model.layers.2.enorm.weight": ("BF16", (64,))}
    copies: Given = {
        "model.layers.2.embed_tokens.weight": ("BF16", (256, 64)),
        "model.layers.2.shared_head.head.weight": ("BF16", (256, 64)),
    }
    own = 12_288 + 24_576 + 128 + 8_192 + 64
    assert doubts({**MODEL, **draft}) == {"draft_stored": {"elements": own}}
    assert doubts({**MODEL, **draft, **copies}) == {
        "draft_stored": {"elements": own},
        "draft_copies": {"elements": 2 * 16_384},
    }
    assert doubts({**MODEL, "mtp.fc.weight": ("BF16", (64, 128))}) == {"draft_stored": {"elements": 8_192}}


def test_a_part_that_sees_and_is_not_counted() -> None:
    assert doubts({**MODEL, "vision_tower.blocks.7.a.weight": ("BF16", (3, 5))}) == {"tower_stored": {"elements": 15}}


def test_scales_of_blocks() -> None:
    stored = {}
    for name, (_, shape) in MODEL.items():
        linear = "_proj" in name
        stored[name] = ("F8_E4M3" if linear else "BF16", shape)
        if linear:
            stored[f"{name}_scale_inv"] = ("F32", (1, 1))
    assert doubts(stored, quantization_config={"quant_method": "fp8", "weight_block_size": [128, 128]}) == {
        "scales_stored": {"elements": 14}
    }


def test_two_weights_in_one_byte() -> None:
    """NVFP4 as modelopt packs it: U8 of half the columns, a scale for 16 weights and one for the matrix."""
    stored: Given = {}
    for name, (_, shape) in MODEL.items():
        if "_proj" not in name:
            stored[name] = ("BF16", shape)
            continue
        rows, columns = shape
        stored[name] = ("U8", (rows, columns // 2))
        stored[f"{name}_scale"] = ("F8_E4M3", (rows, columns // 16))
        stored[f"{name}_scale_2"] = ("F32", ())
    linear = 2 * (12_288 + 24_576)
    assert doubts(stored, quantization_config={"quant_method": "modelopt", "quant_algo": "NVFP4"}) == {
        "weights_packed": {"stored": ELEMENTS - linear // 2, "elements": ELEMENTS},
        "scales_stored": {"elements": linear // 16 + 14},
    }


def test_a_difference_without_a_reason_is_said_to_be_one() -> None:
    more: Given = {**MODEL, "model.extra.weight": ("BF16", (7,))}
    assert doubts(more) == {"count_unexplained": {"counted": ELEMENTS, "stored": ELEMENTS + 7, "difference": 7}}
    found = doubts(MODEL, num_hidden_layers=5)
    assert found["layers_differ"] == {"stored": 2, "counted": 5}
    assert found["count_unexplained"]["difference"] == -3 * 36_992


@pytest.mark.parametrize(
    ("name", "counted", "active", "doubted"),
    [
        ("Llama-3.1-8B-Instruct", 8_030_261_248, 8_030_261_248, False),
        ("gemma-7b", 8_537_680_896, 8_537_680_896, False),
        ("Llama-4-Scout-17B-16E", 108_641_793_536, 18_044_827_136, False),  # the name states the active ones
        ("Llama-3.1-8B-Instruct", 70_553_706_496, 70_553_706_496, True),
        ("Mixtral-8x7B-v0.1", 46_702_792_704, 12_879_925_248, False),
        ("whatever", 5, 5, False),
    ],
)
def test_a_name_may_round_but_not_lie(name: str, counted: int, active: int, doubted: bool) -> None:
    assert bool(name_doubts(name, counted, active)) is doubted
