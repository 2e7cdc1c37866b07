"""DeepSeek-V3 as the Hub holds it: 163 shards, 91,991 tensors, 684,531,386,000 elements for 671,026,419,200 weights.

Names and shapes: headers of deepseek-ai/DeepSeek-V3; counts: catalog, resources/catalog/models.jsonl.
"""

import json
from pathlib import Path

from desktop.architectures import inspect_path
from tests.architectures.files.written import header_of, safetensors
from tests.architectures.inspection.hub_folder import write_json

PUBLISHED = Path(__file__).parents[1] / "configs" / "published_configs.jsonl"
FP8 = {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": [128, 128]}
HIDDEN, VOCABULARY, EXPERTS, EXPERT_WIDTH, DENSE_WIDTH = 7168, 129_280, 256, 2048, 18_432
LAYERS, DENSE_LAYERS, SHARDS = 61, 3, 163
Tensors = dict[str, tuple[str, tuple[int, ...], int]]


def linear(name: str, rows: int, columns: int) -> Tensors:
    blocks = (-(-rows // 128), -(-columns // 128))
    return {
        f"{name}.weight": ("F8_E4M3", (rows, columns), rows * columns),
        f"{name}.weight_scale_inv": ("F32", blocks, 4 * blocks[0] * blocks[1]),
    }


def wide(name: str, *shape: int) -> Tensors:
    elements = shape[0] * (shape[1] if len(shape) > 1 else 1)
    return {f"{name}.weight": ("BF16", shape, 2 * elements)}


def mlp(name: str, width: int) -> Tensors:
    made = linear(f"{name}.gate_proj", width, HIDDEN) | linear(f"{name}.up_proj", width, HIDDEN)
    return made | linear(f"{name}.down_proj", HIDDEN, width)


def layer(number: int) -> Tensors:
    name = f"model.layers.{number}"
    attention = f"{name}.self_attn"
    made = linear(f"{attention}.q_a_proj", 1536, HIDDEN) | linear(f"{attention}.q_b_proj", 128 * 192, 1536)
    made |= linear(f"{attention}.kv_a_proj_with_mqa", 576, HIDDEN) | linear(f"{attention}.kv_b_proj", 128 * 256, 512)
    made |= linear(f"{attention}.o_proj", HIDDEN, 128 * 128)
    made |= wide(f"{attention}.q_a_layernorm", 1536) | wide(f"{attention}.kv_a_layernorm", 512)
    made |= wide(f"{name}.input_layernorm", HIDDEN) | wide(f"{name}.post_attention_layernorm", HIDDEN)
    if number < DENSE_LAYERS:
        return made | mlp(f"{name}.mlp", DENSE_WIDTH)
    made |= wide(f"{name}.mlp.gate", EXPERTS, HIDDEN) | mlp(f"{name}.mlp.shared_experts", EXPERT_WIDTH)
    made[f"{name}.mlp.gate.e_score_correction_bias"] = ("F32", (EXPERTS,), 4 * EXPERTS)
    for expert in range(EXPERTS):
        made |= mlp(f"{name}.mlp.experts.{expert}", EXPERT_WIDTH)
    return made


def draft() -> Tensors:
    name = f"model.layers.{LAYERS}"
    made = layer(LAYERS) | wide(f"{name}.eh_proj", HIDDEN, 2 * HIDDEN)
    made |= wide(f"{name}.embed_tokens", VOCABULARY, HIDDEN) | wide(f"{name}.shared_head.head", VOCABULARY, HIDDEN)
    for norm in ("enorm", "hnorm", "shared_head.norm"):
        made |= wide(f"{name}.{norm}", HIDDEN)
    return made


def write_headers(folder: Path) -> None:
    tensors = wide("model.embed_tokens", VOCABULARY, HIDDEN) | wide("model.norm", HIDDEN)
    tensors |= wide("lm_head", VOCABULARY, HIDDEN) | draft()
    for number in range(LAYERS):
        tensors |= layer(number)
    names, shard_of = list(tensors), {}
    for number in range(SHARDS):
        file = f"model-{number + 1:05}-of-{SHARDS:06}.safetensors"
        own = names[number::SHARDS]
        shard_of |= dict.fromkeys(own, file)
        (folder / file).write_bytes(safetensors(header_of({name: tensors[name] for name in own})))
    total = sum(size for _, _, size in tensors.values())
    write_json(folder / "model.safetensors.index.json", {"metadata": {"total_size": total}, "weight_map": shard_of})


def test_every_element_of_the_checkpoint_has_its_reason(tmp_path: Path) -> None:
    rows = map(json.loads, PUBLISHED.read_text(encoding="utf-8").splitlines())
    config = next(row["config"] for row in rows if row["name"] == "DeepSeek-V3")
    write_json(tmp_path / "config.json", {**config, "quantization_config": FP8})
    write_headers(tmp_path)
    found = inspect_path(tmp_path)
    assert (found.parameters, found.stored_elements) == (671_026_419_200, 684_531_386_000)
    reasons = {doubt.code: doubt.values.get("elements") for doubt in found.doubts}
    assert reasons == {
        "data_absent": None,
        "draft_copies": 1_853_358_080,
        "draft_stored": 11_610_068_224,
        "scales_stored": 41_540_496,
    }
    assert sum(part.bytes for part in found.classes) == found.weight_bytes == sum(found.bytes_by_type.values())
