"""Everything a customer may hand over of one small model, and what is said of it."""

from pathlib import Path

import pytest

from desktop.architectures import Inspection, inspect_path
from desktop.catalog import load_catalog
from desktop.request import Problem
from tests.architectures.files.written import TEXT, facts_pairs, gguf, pair, tensor_info
from tests.architectures.inspection.hub_folder import (
    CONFIG,
    ELEMENTS,
    SHAPES,
    gguf_of,
    weights,
    write_folder,
    write_json,
    write_shards,
)

BF16 = 2


def codes(found: Inspection) -> list[str]:
    return [doubt.code for doubt in found.doubts]


def values(found: Inspection, code: str) -> dict[str, object]:
    return next(dict(doubt.values) for doubt in found.doubts if doubt.code == code)


@pytest.mark.parametrize("shards", [1, 3])
def test_a_hub_folder_is_read_as_one(tmp_path: Path, shards: int) -> None:
    found = inspect_path(write_folder(tmp_path / "tiny", shards=shards))
    assert (found.kind, found.name, found.doubts) == ("model", "tiny", ())
    assert found.parameters == found.active_parameters == found.stored_elements == ELEMENTS == 106_816
    assert (found.weight_bytes, found.bytes_by_type) == (BF16 * ELEMENTS, {"BF16": BF16 * ELEMENTS})
    assert (found.kv_bytes_per_token, found.kv_context_tokens) == (2 * 2 * 2 * 16 * BF16, None)  # K and V, 2 layers
    assert found.dense is not None and found.dense.parameters() == ELEMENTS
    assert {part.name: part.elements for part in found.classes} == {
        "embedding": 16_384,
        "attention": 2 * 12_288,
        "mlp": 2 * 24_576,
        "norms": 5 * 64,
        "head": 16_384,
    }


def test_a_config_alone_gives_the_same_figures(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", shapes=None)
    for path in (folder, folder / "config.json"):
        found = inspect_path(path)
        assert (found.parameters, found.weight_bytes) == (ELEMENTS, BF16 * ELEMENTS)
        assert (found.name, found.files, found.doubts) == ("tiny", ("config.json",), ())


def test_the_head_of_a_file_is_enough(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(weights(SHAPES, data=False))
    found = inspect_path(tmp_path / "model.safetensors")
    assert (found.kind, found.architecture, found.dense) == ("weights", None, None)
    assert (found.parameters, found.weight_bytes) == (ELEMENTS, BF16 * ELEMENTS)
    assert codes(found) == ["no_config", "data_absent"]


def test_weights_are_read_with_the_config_beside_them(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny")
    found = inspect_path(folder / "model.safetensors")
    assert (found.kind, found.files) == ("model", ("config.json", "model.safetensors"))


def test_one_shard_of_several_does_not_pass_for_the_model(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", shards=3)
    found = inspect_path(folder / "model-00002-of-00003.safetensors")
    assert (found.parameters, found.weight_bytes) == (ELEMENTS, BF16 * ELEMENTS)  # of the config
    assert codes(found) == ["shards_missing"]
    (folder / "config.json").unlink()
    found = inspect_path(folder / "model-00002-of-00003.safetensors")
    assert (found.parameters, found.weight_bytes) == (None, None)
    assert codes(found) == ["no_config", "shards_missing"]


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", shards=3)
    (folder / "model-00003-of-00003.safetensors").unlink()
    found = inspect_path(folder)
    assert found.parameters == ELEMENTS
    assert values(found, "shard_missing") == {"names": ("model-00003-of-00003.safetensors",), "count": 1}


def test_an_index_without_its_shards_is_held_against_the_formula(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", {**CONFIG, "tie_word_embeddings": True}, None)
    write_shards(folder, SHAPES, 2)
    for file in folder.glob("*.safetensors"):
        file.unlink()
    found = inspect_path(folder)
    assert found.parameters == ELEMENTS - 16_384
    assert codes(found) == ["shard_missing", "stored_head"]
    assert values(found, "stored_head") == {"elements": 16_384}


def test_an_index_of_another_size_or_depth_is_doubted(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", {**CONFIG, "num_hidden_layers": 5}, None)
    total = {"metadata": {"total_size": 2 * ELEMENTS}, "weight_map": dict.fromkeys(SHAPES, "gone.safetensors")}
    write_json(folder / "model.safetensors.index.json", total)
    found = inspect_path(folder)
    assert codes(found) == ["shard_missing", "layers_differ", "total_size_unexplained"]
    assert values(found, "layers_differ") == {"stored": 2, "counted": 5}


def test_broken_config_beside_weights_leaves_the_weights(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", {**CONFIG, "model_type": "nobody_knows", "hidden_act": "strange"})
    found = inspect_path(folder)
    assert (found.kind, found.parameters, found.architecture) == ("weights", ELEMENTS, None)
    assert found.problem is not None and found.problem.code == "unsupported_model"
    (folder / "model.safetensors").unlink()
    with pytest.raises(Problem, match="unknown_family"):
        inspect_path(folder)


def test_several_sets_of_weights_have_no_one_size(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", shapes=None)
    for name, dtype, size in (("a", "BF16", 2), ("b", "F32", 4)):
        (folder / f"{name}.safetensors").write_bytes(weights(SHAPES, dtype, size))
    found = inspect_path(folder)
    assert (found.parameters, found.weight_bytes) == (ELEMENTS, None)
    assert codes(found) == ["several_checkpoints"]
    assert [(part.name, part.bytes) for part in found.parts] == [
        ("a.safetensors", 2 * ELEMENTS),
        ("b.safetensors", 4 * ELEMENTS),
    ]


def test_consolidated_weights_beside_the_usual_ones_are_the_same_again(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny")
    (folder / "consolidated.safetensors").write_bytes(weights({"x": (5,)}))
    assert inspect_path(folder).doubts == ()


def test_a_gguf_file_gives_the_figures_of_its_config(tmp_path: Path) -> None:
    file = tmp_path / "tiny-F16.gguf"
    file.write_bytes(gguf_of(pairs=(pair("general.license", TEXT, "mit"),)))
    found = inspect_path(file)
    assert (found.kind, found.doubts, found.parameters) == ("model", (), ELEMENTS)
    assert (found.weight_bytes, found.bytes_by_type) == (BF16 * ELEMENTS, {"F16": BF16 * ELEMENTS})
    assert (found.licence, found.licence_source) == ("mit", "tiny-F16.gguf")
    assert found.dense is not None and found.dense.checkpoint_format == "fp16"


def test_gguf_files_beside_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(gguf_of())
    tower = facts_pairs("clip", {"general.type": "mmproj"})
    (tmp_path / "mmproj-a.gguf").write_bytes(gguf(tower, [tensor_info("v.a", [8, 4], 0, 0)], data=b"\0" * 128))
    found = inspect_path(tmp_path)
    assert (found.parameters, found.weight_bytes) == (ELEMENTS, BF16 * ELEMENTS)
    assert [(part.name, part.made, part.elements) for part in found.parts] == [("mmproj-a.gguf", "vision_tower", 32)]
    alone = inspect_path(tmp_path / "mmproj-a.gguf")
    assert (alone.kind, alone.stored_elements, alone.parameters) == ("vision_tower", 32, None)
    (tmp_path / "b.gguf").write_bytes(gguf_of())
    assert codes(inspect_path(tmp_path)) == ["several_checkpoints"]


def test_a_vocabulary_is_no_model(tmp_path: Path) -> None:
    facts = {"block_count": 2, "context_length": 512, "embedding_length": 64, "feed_forward_length": 128}
    facts |= {"attention.head_count": 4, "vocab_size": 256}
    (tmp_path / "vocab.gguf").write_bytes(gguf(facts_pairs("llama", facts)))
    found = inspect_path(tmp_path / "vocab.gguf")
    assert (found.kind, found.dense, found.parameters, found.weight_bytes) == ("vocabulary", None, None, None)
    assert found.architecture is not None and found.kv_bytes_per_token == 2 * 2 * 4 * 16 * BF16
    assert codes(found) == ["tie_not_stated"]


def test_an_adapter_folder(tmp_path: Path) -> None:
    config = {"peft_type": "LORA", "r": 16, "lora_alpha": 32, "base_model_name_or_path": "org/base"}
    write_json(tmp_path / "adapter_config.json", {**config, "target_modules": ["q_proj"]})
    (tmp_path / "adapter_model.safetensors").write_bytes(weights({"a.lora_A.weight": (16, 64)}, "F32", 4))
    found = inspect_path(tmp_path)
    assert (found.kind, found.stored_elements, found.weight_bytes, found.parameters) == ("adapter", 1024, 4096, None)
    assert found.adapter is not None
    assert (found.adapter.base_model, found.adapter.rank, found.adapter.modules) == ("org/base", 16, ("q_proj",))


def test_a_pipeline_is_counted_part_by_part(tmp_path: Path) -> None:
    parts = {"unet": ["diffusers", "UNet2DConditionModel"], "vae": ["diffusers", "AutoencoderKL"]}
    index = {"_class_name": "StableDiffusionPipeline", **parts, "scheduler": ["diffusers", "PNDMScheduler"]}
    write_json(tmp_path / "model_index.json", index)
    for part, name in (("unet", "diffusion_pytorch_model"), ("unet", "diffusion_pytorch_model.fp16")):
        (tmp_path / part).mkdir(exist_ok=True)
        (tmp_path / part / f"{name}.safetensors").write_bytes(weights({"conv_in.weight": (4, 8, 3, 3)}, "F32", 4))
    found = inspect_path(tmp_path)
    assert (found.kind, found.parameters) == ("pipeline", None)
    assert values(found, "parts_without_weights") == {"names": ("vae",), "count": 1}
    (tmp_path / "vae").mkdir()
    (tmp_path / "vae" / "diffusion_pytorch_model.safetensors").write_bytes(weights({"a.weight": (6,)}, "F16", 2))
    found = inspect_path(tmp_path)
    assert (found.parameters, found.weight_bytes, found.doubts) == (288 + 6, 4 * 288 + 2 * 6, ())
    assert [(part.name, part.elements) for part in found.parts] == [("unet", 288), ("vae", 6), ("scheduler", None)]


def test_a_quantisation_config_of_its_own_counts(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "tiny", shapes=None)
    write_json(folder / "hf_quant_config.json", {"quantization": {"quant_algo": "FP8", "exclude_modules": ["lm_head"]}})
    found = inspect_path(folder)
    assert found.files == ("config.json", "hf_quant_config.json")
    linear = 2 * (12_288 + 24_576)
    # a byte for each weight, one FP32 scale for each of 14 matrices; embedding, head and norms in 16 bit
    assert found.weight_bytes == linear + 14 * 4 + 2 * (ELEMENTS - linear)


def test_licence_of_the_card_before_that_of_the_catalog(tmp_path: Path) -> None:
    """Llama-3.1-8B: 8,030,261,248 elements, licence llama3.1 on the Hub."""
    config = {**CONFIG, "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "head_dim": 128}
    config |= {"num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256}
    folder = write_folder(tmp_path / "Llama-3.1-8B", config, None)
    found = inspect_path(folder, load_catalog())
    assert (found.parameters, found.licence, found.licence_source) == (8_030_261_248, "llama3.1", "catalog")
    (folder / "README.md").write_text("---\nlicense: other\nlicense_name: own\n---\nlicense: no", encoding="utf-8")
    found = inspect_path(folder, load_catalog())
    assert (found.licence, found.licence_source) == ("own", "README.md")
    write_json(folder / "config.json", {**config, "num_hidden_layers": 31})
    (folder / "README.md").unlink()
    found = inspect_path(folder, load_catalog())
    assert found.licence == ""  # a changed model may have another
