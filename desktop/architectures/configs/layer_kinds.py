"""How each layer of a decoder mixes tokens, from every way a config says it."""

from collections.abc import Callable

from desktop.architectures.config_fields import LAYERS, WIDTH, Fields
from desktop.architectures.configs.family_habits import Habits

FULL, SLIDING, CHUNKED, LINEAR, CROSS = "full", "sliding", "chunked", "linear", "cross"
# words of `layer_types` and `layers_block_type` in transformers 5.24.0, configuration_utils.py and models
KINDS = {
    "full_attention": FULL,
    "attention": FULL,
    "deepseek_sparse_attention": FULL,
    "compressed_sparse_attention": FULL,
    "heavily_compressed_attention": FULL,
    "sliding_attention": SLIDING,
    "chunked_attention": CHUNKED,
    "linear_attention": LINEAR,
    "mamba": LINEAR,
    "cross_attention": CROSS,
}
WITHOUT_ROTATION_EVERY = 4  # Llama 4; transformers 5.24.0, configuration_llama4.py


def layer_kinds(fields: Fields, habits: Habits, layers: int) -> list[str]:
    """One word a layer: full, sliding, chunked, linear (a fixed state, whatever its form), cross.

    The list of layer types wins over patterns, a pattern over the habit of the family. Raises Problem for a list of
    the wrong length or with an unknown word.
    """
    for reading in READINGS:
        kinds = reading(fields, layers)
        if kinds is not None:
            return kinds
    return _windowed(fields, habits, layers)


def window_of(fields: Fields) -> int | None:
    """Tokens of the sliding window; None where there is none or it is switched off."""
    if fields.yes("use_sliding_window") is False:
        return None
    return fields.whole("sliding_window", "sliding_window_size", within=(0, 100_000_000)) or None


def _listed(fields: Fields, layers: int) -> list[str] | None:
    words = fields.listed("layer_types", layers)
    if words is None:
        return None
    for word in words:
        if not isinstance(word, str) or word not in KINDS:
            raise fields.bad("layer_types", word, "unknown_layer_kind")
    return [KINDS[word] for word in words]


def _full_every(fields: Fields, layers: int) -> list[str] | None:
    """Qwen3-Next: every n-th layer is full, the others are linear."""
    interval = fields.whole("full_attention_interval", within=LAYERS)
    return None if interval is None else _every(interval, layers, LINEAR)


def _periodic(fields: Fields, layers: int) -> list[str] | None:
    """Jamba: layers at the offset in each period are full."""
    period = fields.whole("attn_layer_period", within=LAYERS)
    if period is None:
        return None
    offset = fields.whole("attn_layer_offset") or 0
    return [FULL if layer % period == offset else LINEAR for layer in range(layers)]


def _numbered(fields: Fields, layers: int) -> list[str] | None:
    """MiniMax: 1 is full, 0 is lightning attention."""
    kinds = fields.wholes("attn_type_list", (0, 1), layers)
    return None if kinds is None else [FULL if kind else LINEAR for kind in kinds]


def _kimi(fields: Fields, layers: int) -> list[str] | None:
    """Kimi: the full layers are listed, counted from 1."""
    part = fields.part("linear_attn_config")
    full = None if part is None else part.wholes("full_attn_layers", (1, layers))
    return None if full is None else [FULL if layer + 1 in set(full) else LINEAR for layer in range(layers)]


def _hybrid_pattern(fields: Fields, layers: int) -> list[str] | None:
    """MiMo-V2: 0 is full, 1 has a window."""
    kinds = fields.wholes("hybrid_layer_pattern", (0, 1), layers)
    return None if kinds is None else [SLIDING if kind else FULL for kind in kinds]


def _chunked(fields: Fields, layers: int) -> list[str] | None:
    """Llama 4: a layer with rotary positions is chunked, one without attends to everything."""
    if not fields.has("attention_chunk_size") or fields.has("hybrid_layer_pattern"):
        return None
    if not fields.listed("no_rope_layers"):
        interval = fields.whole("no_rope_layer_interval", within=LAYERS) or WITHOUT_ROTATION_EVERY
        return _every(interval, layers, CHUNKED)
    rotates = fields.wholes("no_rope_layers", (0, 1), layers) or []
    return [CHUNKED if rotated else FULL for rotated in rotates]


def _crossing(fields: Fields, layers: int) -> list[str] | None:
    """Mllama: the listed layers look at the picture."""
    crossing = fields.wholes("cross_attention_layers", (0, layers - 1))
    return None if crossing is None else [CROSS if layer in set(crossing) else FULL for layer in range(layers)]


def _windowed(fields: Fields, habits: Habits, layers: int) -> list[str]:
    """What a window alone says: a pattern, the family's habit, layers from `max_window_layers` on, or all layers."""
    window = window_of(fields)
    context = fields.whole("max_position_embeddings", within=(1, 100_000_000)) or 0
    if not window or (context and window >= context):
        return [FULL] * layers
    if isinstance(fields.values.get("sliding_window_pattern"), str):
        pattern = fields.text("sliding_window_pattern")
        if set(pattern) - {"L", "G"} or not pattern:
            raise fields.bad("sliding_window_pattern", pattern, "unknown_layer_kind")
        return [SLIDING if pattern[layer % len(pattern)] == "L" else FULL for layer in range(layers)]
    interval = fields.whole("sliding_window_pattern", "_sliding_window_pattern", within=LAYERS)
    interval = interval or habits.get("full_every")
    if interval:
        return _every(interval, layers, SLIDING)
    if fields.yes("use_sliding_window") and fields.has("max_window_layers"):  # Qwen2 writes the switch, Mistral not
        first = fields.whole("max_window_layers", within=(0, WIDTH[1])) or 0
        return [FULL if layer < first else SLIDING for layer in range(layers)]
    return [SLIDING] * layers


def _every(interval: int, layers: int, other: str) -> list[str]:
    return [FULL if (layer + 1) % interval == 0 else other for layer in range(layers)]


READINGS: tuple[Callable[[Fields, int], list[str] | None], ...] = (
    _listed,
    _full_every,
    _periodic,
    _numbered,
    _kimi,
    _hybrid_pattern,
    _chunked,
    _crossing,
)
