"""The kinds of layers of a model, each with what it holds and keeps."""

from dataclasses import dataclass

from desktop.architectures.architecture import Architecture
from desktop.architectures.feed_forward import ChannelMixing, Experts, FeedForward
from desktop.architectures.inspection.figures import BYTES_16_BIT
from desktop.architectures.latent_attention import CompressedAttention, LatentAttention
from desktop.architectures.layers import LayerGroup
from desktop.architectures.mixers import Attention, CrossAttention, Mixer
from desktop.architectures.state_mixers import GatedDelta, KimiDelta, Lightning, Mamba1, Mamba2, Rwkv4

MIXERS: dict[type[Mixer], str] = {
    Attention: "attention",
    CrossAttention: "cross_attention",
    LatentAttention: "latent_attention",
    CompressedAttention: "compressed_attention",
    Mamba1: "mamba1",
    Mamba2: "mamba2",
    GatedDelta: "gated_delta",
    KimiDelta: "kimi_delta",
    Lightning: "lightning",
    Rwkv4: "rwkv4",
}


@dataclass(frozen=True, slots=True)
class LayerKind:
    """`layers` of one make. `window_tokens` is what a query sees at most, 0 without a limit; `experts` and
    `experts_per_token` are 0 in a dense layer; cache and state are of one layer, in 16 bit [B]."""

    layers: int
    mixers: tuple[str, ...]
    feed_forward: str
    window_tokens: int
    heads: int
    kv_heads: int
    head_dim: int
    experts: int
    experts_per_token: int
    elements: int
    kv_bytes_per_token: int
    state_bytes: int


def layer_kinds(made: Architecture) -> tuple[LayerKind, ...]:
    """Kinds in the order in which they first appear."""
    return tuple(_kind(group) for group in made.layers)


def _kind(group: LayerGroup) -> LayerKind:
    experts = next((part for part in group.feed_forwards if isinstance(part, Experts)), None)
    return LayerKind(
        layers=group.count,
        mixers=tuple(MIXERS[type(mixer)] for mixer in group.mixers),
        feed_forward=_feed_forward(group.feed_forwards),
        window_tokens=max((mixer.window for mixer in group.mixers), default=0),
        heads=_width(group, "heads"),
        kv_heads=_width(group, "kv_heads"),
        head_dim=_width(group, "head_dim"),
        experts=experts.experts if experts else 0,
        experts_per_token=experts.experts_per_token if experts else 0,
        elements=group.elements(),
        kv_bytes_per_token=group.cached_elements_per_token() * BYTES_16_BIT,
        state_bytes=group.state_elements() * BYTES_16_BIT,
    )


def _width(group: LayerGroup, name: str) -> int:
    """A width of the first mixer that has it; 0 where none does."""
    return next((int(getattr(mixer, name)) for mixer in group.mixers if hasattr(mixer, name)), 0)


def _feed_forward(parts: tuple[FeedForward, ...]) -> str:
    """experts, mlp, channel_mixing, mlp_and_experts, or empty in a pure mixer."""
    if any(isinstance(part, Experts) for part in parts):
        return "experts" if len(parts) == 1 else "mlp_and_experts"
    if any(isinstance(part, ChannelMixing) for part in parts):
        return "channel_mixing"
    return "mlp" if parts else ""
