"""Layers that are made alike, and what such a layer holds."""

from dataclasses import dataclass
from typing import Literal

from desktop.architectures.feed_forward import FeedForward
from desktop.architectures.mixers import Mixer, Reach

Stack = Literal["decoder", "encoder"]


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """`count` layers of one make. `indices` are their places in the stack, counted from 0; empty where the order of
    the layers is not known.

    A layer holds any number of mixers (two where attention and a state space work side by side, or where a decoder
    looks at a sound) and of feed-forward parts (none in a pure mixer). `norm_elements` are the norms around them,
    `stream_elements` what mixes several residual streams.
    """

    count: int
    indices: tuple[int, ...]
    mixers: tuple[Mixer, ...]
    feed_forwards: tuple[FeedForward, ...]
    norm_elements: int
    stream_elements: int = 0
    stack: Stack = "decoder"

    def elements(self) -> int:
        """All elements of one layer."""
        mixing = sum(mixer.elements() for mixer in self.mixers)
        feeding = sum(part.elements() for part in self.feed_forwards)
        return mixing + feeding + self.norm_elements + self.stream_elements

    def active_elements(self) -> int:
        """Elements of one layer that a token touches."""
        idle = sum(part.elements() - part.active_elements() for part in self.feed_forwards)
        return self.elements() - idle

    def cached_elements_per_token(self) -> int:
        """Elements one more token adds to the cache of one layer, as long as no window is full."""
        return sum(mixer.cached_elements_per_token() for mixer in self.mixers)

    def cached_elements(self, context: int) -> int:
        """Elements one layer caches for a text of `context` tokens."""
        return sum(mixer.cached_elements(context) for mixer in self.mixers)

    def cached_elements_per_source_token(self) -> int:
        """Elements one layer caches for a token of a picture or a sound."""
        return sum(mixer.cached_elements_per_source_token() for mixer in self.mixers)

    def state_elements(self) -> int:
        """Elements of the state one layer keeps for a text, however long it is."""
        return sum(mixer.state_elements() for mixer in self.mixers)

    def reaches(self, reach: Reach) -> bool:
        """Whether one of its mixers sees that far."""
        return any(mixer.reach == reach for mixer in self.mixers)
