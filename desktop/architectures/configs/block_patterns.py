"""Decoders whose layers are blocks of different kinds or widths: Nemotron-H and Nemotron-NAS."""

from collections import Counter
from typing import Any

from desktop.architectures.config_fields import HEADS, LAYERS, WIDTH, Fields
from desktop.request import Problem

BLOCKS = {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}
WIDTH_STEP = 256  # MLP widths of Nemotron-NAS are rounded up to it; model's own configuration code


def block_counts(fields: Fields) -> tuple[int, dict[str, Any]]:
    """Layers of a Nemotron-H model, by kind, from its pattern string or its list; the list need not come with a
    number of layers. Raises Problem: missing_model_field, bad_model_field."""
    stated = fields.whole("num_hidden_layers", within=LAYERS)
    words = fields.listed("layers_block_type", stated)
    if words is None:
        pattern = fields.text("hybrid_override_pattern")
        if not pattern:
            raise fields.missing("hybrid_override_pattern")
        if set(pattern) - set(BLOCKS):
            raise fields.bad("hybrid_override_pattern", pattern, "unknown_layer_kind")
        if stated is not None and len(pattern) != stated:
            raise fields.bad("hybrid_override_pattern", len(pattern), "wrong_length", layers=stated)
        words = [BLOCKS[letter] for letter in pattern]
    for word in words:
        if word not in BLOCKS.values():
            raise fields.bad("layers_block_type", word, "unknown_layer_kind")
    if not LAYERS[0] <= len(words) <= LAYERS[1]:
        raise fields.bad("layers_block_type", len(words), "out_of_range", low=LAYERS[0], high=LAYERS[1])
    count = Counter(words)
    kinds = {"mamba_layers": count["mamba"], "mlp_layers": count["mlp"], "moe_layers": count["moe"]}
    facts: dict[str, Any] = {
        "full_attn_layers": count["attention"],
        "attention": "hybrid",
        "dimensions": {name: layers for name, layers in kinds.items() if layers} | {"layer_blocks": words},
    }
    if count["moe"]:
        facts["dimensions"]["shared_intermediate_size"] = fields.need(
            "moe_shared_expert_intermediate_size", within=(0, WIDTH[1])
        )
    return len(words), facts


def searched_layers(fields: Fields, layers: int, hidden: int, heads: int) -> dict[str, Any]:
    """What the search behind Nemotron-NAS left of each layer: attention or none, an MLP of some width or none.

    KV heads and MLP widths are lists, 0 where the part is left out. Raises Problem where a layer holds something else.
    """
    blocks = fields.listed("block_configs", layers)
    if blocks is None:
        raise fields.missing("block_configs")
    kv_heads: list[int] = []
    widths: list[int] = []
    for block in blocks:
        layer = Fields(block if isinstance(block, dict) else {}, f"{fields.field}.block_configs", fields.doubts)
        attention, mlp = layer.part("attention"), layer.part("ffn")
        if attention is None or mlp is None:
            raise layer.missing("attention" if attention is None else "ffn")
        for part in (attention, mlp):
            if part.yes("replace_with_linear") or part.has("sparsify") or part.has("window_length"):
                raise Problem(
                    "unsupported_model", field=part.field, what="uneven_layers", model_type=fields.text("model_type")
                )
        group = 0 if attention.yes("no_op") else attention.need("n_heads_in_group", within=HEADS)
        if group and heads % group:
            raise attention.bad("n_heads_in_group", group, "heads_not_divisible", heads=heads)
        kv_heads.append(heads // group if group else 0)
        widths.append(0 if mlp.yes("no_op") else _width(mlp, hidden))
    return {
        "num_kv_heads": kv_heads,
        "intermediate_size": widths,
        "full_attn_layers": layers - kv_heads.count(0),
        "attention": "gqa",
        "dimensions": {},
    }


def _width(mlp: Fields, hidden: int) -> int:
    """Two thirds of the multiple of hidden, up to a whole step."""
    multiple = mlp.values.get("ffn_mult")
    if not isinstance(multiple, int | float) or isinstance(multiple, bool) or not 0 < multiple <= 64:
        raise mlp.bad("ffn_mult", multiple, "not_whole") if multiple is not None else mlp.missing("ffn_mult")
    width = int(2 * multiple * hidden / 3)
    return -(-width // WIDTH_STEP) * WIDTH_STEP
