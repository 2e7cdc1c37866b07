"""The vision part of a config: the tower and what joins it to the language model, in the words of the catalog."""

from collections.abc import Callable
from typing import Any

from desktop.architectures.config_fields import COUNT, HIDDEN, LAYERS, WIDTH, Fields
from desktop.architectures.configs.nesting import with_defaults

CLASS_TOKEN = 1
MLLAMA_TILE_SHAPES = 8  # ways to lay up to four tiles; transformers 5.24.0, configuration_mllama.py
DEFAULT_CLASSES = {
    "siglip": "siglip_vision_model",
    "clip": "clip_vision_model",
    "mllama": "mllama_vision_model",
    "llama4": "llama4_vision_model",
}
TowerFacts = dict[str, Any]


def vision_facts(config: Fields, tower: str) -> TowerFacts:
    """Dimensions of the vision part of `config`, whose tower is of the kind `tower`. Raises Problem."""
    part = config.part("vision_config")
    if part is None:
        raise config.missing("vision_config")
    if tower in DEFAULT_CLASSES:
        part = Fields(with_defaults(part.values, DEFAULT_CLASSES[tower], config), part.field, config.doubts)
    return {"tower": tower, **TOWERS[tower](part, config)}


def _body(part: Fields, layers: str = "num_hidden_layers", patch: str = "patch_size") -> TowerFacts:
    return {
        "layers": part.need(layers, within=LAYERS),
        "hidden": part.need("hidden_size", within=HIDDEN),
        "intermediate": part.need("intermediate_size", within=WIDTH),
        "patch": _side(part, patch),
    }


def _side(part: Fields, name: str) -> int:
    """A side of a square, given once or twice."""
    value = part.values.get(name)
    if isinstance(value, list) and len(value) == 2 and value[0] == value[1]:
        return part.checked(value[0], name, (1, COUNT[1]))
    return part.need(name, within=(1, COUNT[1]))


def _patches(part: Fields) -> int:
    return (_side(part, "image_size") // _side(part, "patch_size")) ** 2


def _qwen2(part: Fields, _: Fields) -> TowerFacts:
    hidden = part.need("embed_dim", within=HIDDEN)
    ratio = part.values.get("mlp_ratio", 4)
    if not isinstance(ratio, int | float) or isinstance(ratio, bool) or not 0 < ratio <= 64:
        raise part.bad("mlp_ratio", ratio, "not_whole")
    return {
        "layers": part.need("depth", within=LAYERS),
        "hidden": hidden,
        "intermediate": int(ratio * hidden),
        "patch": _side(part, "patch_size"),
        "temporal_patch": part.need("temporal_patch_size"),
        "merge": part.need("spatial_merge_size"),
    }


def _qwen2_5(part: Fields, _: Fields) -> TowerFacts:
    return {
        **_body(part, "depth"),
        "temporal_patch": part.need("temporal_patch_size"),
        "merge": part.need("spatial_merge_size"),
    }


def _qwen3(part: Fields, config: Fields) -> TowerFacts:
    return {
        **_qwen2_5(part, config),
        "positions": part.need("num_position_embeddings"),
        "deep_mergers": len(part.listed("deepstack_visual_indexes") or []),
    }


def _kimi(part: Fields, _: Fields) -> TowerFacts:
    merge = part.wholes("merge_kernel_size", (1, 64))
    if merge is None:
        raise part.missing("merge_kernel_size")
    return {
        "layers": part.need("vt_num_hidden_layers", "num_hidden_layers", within=LAYERS),
        "hidden": part.need("vt_hidden_size", "hidden_size", within=HIDDEN),
        "intermediate": part.need("vt_intermediate_size", "intermediate_size", within=WIDTH),
        "patch": _side(part, "patch_size"),
        "positions": part.need("init_pos_emb_height", "pos_emb_height")
        * part.need("init_pos_emb_width", "pos_emb_width"),
        "merge": merge[0],
    }


def _kimi3(part: Fields, config: Fields) -> TowerFacts:
    return {**_kimi(part, config), "heads_width": part.need("qkv_hidden_size", within=HIDDEN)}


def _siglip(part: Fields, _: Fields) -> TowerFacts:
    return {**_body(part), "positions": _patches(part)}


def _clip(part: Fields, _: Fields) -> TowerFacts:
    return {**_body(part), "positions": _patches(part) + CLASS_TOKEN}


def _intern(part: Fields, config: Fields) -> TowerFacts:
    ratio = config.values.get("downsample_ratio", 0.5)
    return {
        **_body(part),
        "positions": _patches(part) + CLASS_TOKEN,
        "merge": _inverse(config, "downsample_ratio", ratio),
        "qk_norm": bool(part.yes("qk_normalization") or part.yes("use_qk_norm")),
    }


def _llama4(part: Fields, _: Fields) -> TowerFacts:
    return {
        **_body(part),
        "positions": _patches(part) + CLASS_TOKEN,
        "merge": _inverse(part, "pixel_shuffle_ratio", part.values.get("pixel_shuffle_ratio")),
        "joint": part.need("projector_output_dim", within=HIDDEN),
    }


def _inverse(fields: Fields, name: str, ratio: object) -> int:
    """Patches on a side that become one: a ratio of 0.5 merges two."""
    if not isinstance(ratio, int | float) or isinstance(ratio, bool) or not 0 < ratio <= 1:
        raise fields.bad(name, ratio, "not_whole")
    return fields.checked(1 / ratio, name, (1, 64))


def _mllama(part: Fields, _: Fields) -> TowerFacts:
    shapes = part.listed("supported_aspect_ratios")
    return {
        **_body(part),
        "global_layers": part.need("num_global_layers", within=LAYERS),
        "positions": _patches(part) + CLASS_TOKEN,
        "tiles": part.need("max_num_tiles"),
        "tile_shapes": MLLAMA_TILE_SHAPES if shapes is None else len(shapes),
        "output": part.need("vision_output_dim", within=HIDDEN),
    }


def _step(part: Fields, _: Fields) -> TowerFacts:
    """The width of the MLP is a ratio of the hidden width, rounded as its code does."""
    hidden = part.need("hidden_size", "width", within=HIDDEN)
    ratio = part.values.get("mlp_ratio")
    if not isinstance(ratio, int | float) or isinstance(ratio, bool) or not 0 < ratio <= 64:
        raise part.missing("mlp_ratio") if ratio is None else part.bad("mlp_ratio", ratio, "not_whole")
    return {
        "layers": part.need("num_hidden_layers", "layers", within=LAYERS),
        "hidden": hidden,
        "intermediate": round(ratio * hidden),
        "patch": _side(part, "patch_size"),
        "positions": _patches(part),
    }


def _minimax(part: Fields, config: Fields) -> TowerFacts:
    folding = part.part("img_token_compression_config") or config.part("img_token_compression_config")
    if folding is None:
        raise part.missing("img_token_compression_config")
    return {
        **_body(part),
        "temporal_patch": folding.need("temporal_patch_size"),
        "merge": folding.need("spatial_merge_size"),
        "joint": config.need("projector_hidden_size", within=HIDDEN),
    }


def _gemma4(part: Fields, _: Fields) -> TowerFacts:
    return {
        **_body(part),
        "head_dim": part.need("head_dim", within=HIDDEN),
        "positions": part.need("position_embedding_size"),
    }


TOWERS: dict[str, Callable[[Fields, Fields], TowerFacts]] = {
    "qwen2": _qwen2,
    "qwen2_5": _qwen2_5,
    "qwen3": _qwen3,
    "kimi": _kimi,
    "kimi3": _kimi3,
    "siglip": _siglip,
    "clip": _clip,
    "intern": _intern,
    "llama4": _llama4,
    "mllama": _mllama,
    "step": _step,
    "minimax": _minimax,
    "gemma4": _gemma4,
}
