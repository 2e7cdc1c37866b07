"""Elements of picture models made of transformer layers: ViT and its kin, Swin, CLIP.

Sources: timm 1.0.31, vision_transformer.py, eva.py, swin_transformer.py, swin_transformer_v2.py.
"""

from collections.abc import Callable

from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import layer_norm, linear, mlp
from desktop.architectures.counting.vision_tower import CHANNELS, transformer_layers

COORDINATE_WIDTH = 512  # of the MLP that turns relative coordinates into a bias: arXiv:2111.09883, section 3.3


def vit(picture: Dimensions) -> int:
    """A vision transformer: `positions` counts the patches and, where they have one, the class token's."""
    hidden, layers, width = picture.whole("hidden"), picture.whole("layers"), picture.whole("intermediate")
    patches = linear(CHANNELS * picture.whole("patch") ** 2, hidden)
    body = layers * (linear(hidden, 4 * hidden, bias=False) + hidden + 2 * layer_norm(hidden))
    body += 0 if picture.facts.get("qkv_bias") is False else layers * 3 * hidden
    body += layers * mlp(hidden, width, gated=picture.yes("gated"), bias=True)
    body += layers * 2 * hidden if picture.yes("layer_scale") else 0
    tokens = (picture.whole_or("tokens", 1) + picture.whole("positions")) * hidden
    classes = picture.whole_or("classes", 0)
    head = linear(hidden, classes) if classes else 0
    pooling = _pooling(hidden, width) if picture.yes("attention_pooling") else 0
    return patches + tokens + body + layer_norm(hidden) + head + pooling


def _pooling(hidden: int, width: int) -> int:
    """One learned query attends to all patches, then an MLP (SigLIP)."""
    return hidden + linear(hidden, hidden) * 4 + layer_norm(hidden) + mlp(hidden, width, gated=False, bias=True)


def swin(picture: Dimensions) -> int:
    """Swin: attention in windows with a table of relative positions, four stages that double the width."""
    window = picture.whole("window")
    return _swin(picture, lambda hidden, heads: 3 * hidden + (2 * window - 1) ** 2 * heads, norm_first=True)


def swin2(picture: Dimensions) -> int:
    """Swin V2: a small MLP makes the bias of positions, each head has a learned scale, keys have no bias."""

    def attention_extra(hidden: int, heads: int) -> int:
        return 2 * hidden + heads + linear(2, COORDINATE_WIDTH) + COORDINATE_WIDTH * heads

    return _swin(picture, attention_extra, norm_first=False)


def _swin(picture: Dimensions, attention_extra: Callable[[int, int], int], norm_first: bool) -> int:
    hidden, depths, heads = picture.whole("hidden"), picture.wholes("depths"), picture.wholes("heads")
    total = linear(CHANNELS * picture.whole("patch") ** 2, hidden) + layer_norm(hidden)
    for stage, (depth, stage_heads) in enumerate(zip(depths, heads, strict=True)):
        if stage:  # four neighbours become one of twice the width, normed before or after
            total += linear(4 * hidden, 2 * hidden, bias=False) + layer_norm(4 * hidden if norm_first else 2 * hidden)
            hidden *= 2
        layer = linear(hidden, 4 * hidden, bias=False) + hidden + attention_extra(hidden, stage_heads)
        total += depth * (layer + mlp(hidden, 4 * hidden, gated=False, bias=True) + 2 * layer_norm(hidden))
    return total + layer_norm(hidden) + linear(hidden, picture.whole("classes"))


def clip(picture: Dimensions) -> int:
    """Both towers of CLIP, their projections and the learned scale. Source: arXiv:2103.00020."""
    vision, text, joint = picture.part("vision"), picture.part("text"), picture.whole("joint")
    hidden, width = vision.whole("hidden"), text.whole("hidden")
    seen = linear(CHANNELS * vision.whole("patch") ** 2, hidden, bias=False) + hidden
    seen += vision.whole("positions") * hidden + 2 * layer_norm(hidden)
    seen += transformer_layers(vision.whole("layers"), hidden, vision.whole("intermediate"))
    read = (text.whole("vocab") + text.whole("positions")) * width + layer_norm(width)
    read += transformer_layers(text.whole("layers"), width, text.whole("intermediate"))
    return seen + read + (hidden + width) * joint + 1
