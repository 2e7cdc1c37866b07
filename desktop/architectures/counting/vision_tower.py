"""Elements of the vision part of a vision-language model: the tower and what joins it to the language model.

Sources: transformers 5.24.0 modelling code of the family each function names.
"""

from collections.abc import Callable, Mapping

from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import convolution, layer_norm, linear, mlp
from desktop.architectures.mixers import Attention

CHANNELS = 3


def vision_tower(tower: Dimensions, text_hidden: int) -> int:
    """Elements of the tower a row describes under `vision`, joined to a language model of `text_hidden`.

    Raises MissingDimension.
    """
    return TOWERS[tower.text("tower")](tower, text_hidden)


def transformer_layers(
    layers: int, hidden: int, width: int, attention_bias: bool = True, gated: bool = False, rms: bool = False
) -> int:
    """Plain multi-head layers with two norms; a gated MLP has three matrices."""
    biases = ("q", "k", "v", "o") if attention_bias else ()
    attention = Attention(hidden, 1, 1, hidden, biases=biases).elements()
    norms = 2 * (hidden if rms else layer_norm(hidden))
    return layers * (attention + mlp(hidden, width, gated, bias=True) + norms)


def _layers(tower: Dimensions) -> int:
    return transformer_layers(tower.whole("layers"), tower.whole("hidden"), tower.whole("intermediate"))


def _patches(tower: Dimensions, bias: bool) -> int:
    frames = tower.whole_or("temporal_patch", 1)
    return frames * CHANNELS * tower.whole("patch") ** 2 * tower.whole("hidden") + (
        tower.whole("hidden") if bias else 0
    )


def _positions(tower: Dimensions) -> int:
    return tower.whole("positions") * tower.whole("hidden")


def _merger(tower: Dimensions, text_hidden: int, norm: int) -> int:
    """Four neighbouring patches become one token of the language model."""
    merged = tower.whole("merge") ** 2 * tower.whole("hidden")
    return norm + linear(merged, merged) + linear(merged, text_hidden)


def _qwen2(tower: Dimensions, text_hidden: int) -> int:
    norm = layer_norm(tower.whole("hidden"))
    return _patches(tower, bias=False) + _layers(tower) + _merger(tower, text_hidden, norm)


def _qwen2_5(tower: Dimensions, text_hidden: int) -> int:
    hidden = tower.whole("hidden")
    layers = transformer_layers(tower.whole("layers"), hidden, tower.whole("intermediate"), gated=True, rms=True)
    return _patches(tower, bias=False) + layers + _merger(tower, text_hidden, hidden)


def _qwen3(tower: Dimensions, text_hidden: int) -> int:
    """Mergers of deeper layers norm the merged patches, the last merger each patch."""
    hidden = tower.whole("hidden")
    deep = _merger(tower, text_hidden, layer_norm(tower.whole("merge") ** 2 * hidden))
    last = _merger(tower, text_hidden, layer_norm(hidden))
    body = _patches(tower, bias=True) + _positions(tower) + _layers(tower)
    return body + tower.whole_or("deep_mergers", 0) * deep + last


def _kimi(tower: Dimensions, text_hidden: int) -> int:
    norms = 2 * layer_norm(tower.whole("hidden"))
    body = _patches(tower, bias=True) + _positions(tower) + _layers(tower)
    return body + _merger(tower, text_hidden, norms)


def _kimi3(tower: Dimensions, text_hidden: int) -> int:
    """Kimi K3: RMSNorms, no bias, heads wider than the hidden state. Source: the model's config."""
    hidden, heads_width = tower.whole("hidden"), tower.whole("heads_width")
    layer = 4 * hidden * heads_width + mlp(hidden, tower.whole("intermediate"), gated=False) + 2 * hidden
    body = _patches(tower, bias=False) + _positions(tower) + tower.whole("layers") * layer
    return body + _merger(tower, text_hidden, hidden)


def _siglip(tower: Dimensions, text_hidden: int) -> int:
    """SigLIP without its pooling head, joined by an RMSNorm and one matrix (Gemma-3)."""
    hidden = tower.whole("hidden")
    body = _patches(tower, bias=True) + _positions(tower) + _layers(tower) + layer_norm(hidden)
    return body + hidden + linear(hidden, text_hidden, bias=False)


def _clip(tower: Dimensions, text_hidden: int) -> int:
    """CLIP with a class token and norms before and after, joined by two matrices (LLaVA)."""
    hidden = tower.whole("hidden")
    body = _patches(tower, bias=False) + hidden + _positions(tower) + _layers(tower) + 2 * layer_norm(hidden)
    return body + linear(hidden, text_hidden) + linear(text_hidden, text_hidden)


def _intern(tower: Dimensions, text_hidden: int) -> int:
    """InternViT with layer scales; the large one has RMSNorms, norms of queries and keys and no query bias."""
    hidden, layers, large = tower.whole("hidden"), tower.whole("layers"), tower.yes("qk_norm")
    body = transformer_layers(layers, hidden, tower.whole("intermediate"), rms=large)
    body += layers * 2 * hidden + (layers * (2 * hidden - 3 * hidden) if large else 0)
    merged = tower.whole("merge") ** 2 * hidden
    joint = layer_norm(merged) + linear(merged, text_hidden) + linear(text_hidden, text_hidden)
    return _patches(tower, bias=True) + hidden + _positions(tower) + body + joint


def _llama4(tower: Dimensions, text_hidden: int) -> int:
    hidden, joint = tower.whole("hidden"), tower.whole("joint")
    body = _patches(tower, bias=False) + hidden + _positions(tower) + _layers(tower) + 2 * layer_norm(hidden)
    shuffled = tower.whole("merge") ** 2 * hidden
    adapter = linear(shuffled, joint, bias=False) + linear(joint, joint, bias=False)
    return body + adapter + linear(joint, text_hidden, bias=False)


def _mllama(tower: Dimensions, text_hidden: int) -> int:
    """Llama-3.2: a picture is cut into tiles; position, tile and shape of the cut are learned, the global layers
    gated."""
    hidden, tiles, shapes = tower.whole("hidden"), tower.whole("tiles"), tower.whole("tile_shapes") + 1
    layers = tower.whole("layers") + tower.whole("global_layers")
    body = transformer_layers(layers, hidden, tower.whole("intermediate"), attention_bias=False)
    body += 2 * tower.whole("global_layers") + 2 * layer_norm(hidden) + hidden + _patches(tower, bias=False)
    positions = _positions(tower) * (1 + shapes * tiles) + 1
    tile_embeddings = 2 * (shapes * tiles * hidden + 1)
    return body + positions + tile_embeddings + linear(tower.whole("output"), text_hidden)


def _step(tower: Dimensions, text_hidden: int) -> int:
    """Step-3.7: layer scales, and two convolutions that each halve the grid and double the width."""
    hidden = tower.whole("hidden")
    body = _patches(tower, bias=False) + _positions(tower) + _layers(tower) + tower.whole("layers") * 2 * hidden
    narrowing = convolution(hidden, 2 * hidden, 3, bias=True) + convolution(2 * hidden, 4 * hidden, 3, bias=True)
    return body + layer_norm(hidden) + narrowing + linear(4 * hidden, text_hidden, bias=False)


def _minimax(tower: Dimensions, text_hidden: int) -> int:
    """MiniMax-M3: each patch is projected, then four are merged."""
    hidden, joint = tower.whole("hidden"), tower.whole("joint")
    body = _patches(tower, bias=False) + _layers(tower) + layer_norm(hidden)
    each = linear(hidden, joint) + linear(joint, text_hidden)
    return body + each + linear(tower.whole("merge") ** 2 * text_hidden, joint) + linear(joint, text_hidden)


def _gemma4(tower: Dimensions, text_hidden: int) -> int:
    """Gemma-4: a position table for each axis, four RMSNorms a layer, norms of queries and keys, no bias."""
    hidden, head_dim = tower.whole("hidden"), tower.whole("head_dim")
    layer = 4 * hidden * hidden + 2 * head_dim + mlp(hidden, tower.whole("intermediate")) + 4 * hidden
    body = _patches(tower, bias=False) + 2 * _positions(tower) + tower.whole("layers") * layer
    return body + linear(hidden, text_hidden, bias=False)


TOWERS: Mapping[str, Callable[[Dimensions, int], int]] = {
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
