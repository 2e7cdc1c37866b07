"""What mixes tokens in a layer by attention: heads with a cache of keys and values, all of it or a window.

Norms before and after a mixer belong to its layer, norms inside it to the mixer.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from desktop.architectures.matrix import Matrix

# full: everything before a token; window, chunk: a fixed number of tokens at most; both_ways: a whole text at once,
# nothing is cached; source: a picture or a sound; state: a state of fixed size
Reach = Literal["full", "window", "chunk", "both_ways", "source", "state"]
HeadNorm = Literal["none", "head", "width"]
OutputGate = Literal["none", "head", "width"]


class Mixer(ABC):
    """What every mixer answers; a subclass says what differs from nothing."""

    __slots__ = ()

    @property
    @abstractmethod
    def reach(self) -> Reach:
        """What a token sees."""

    @property
    def window(self) -> int:
        """Tokens a query sees at most; 0 where there is no limit."""
        return 0

    @abstractmethod
    def matrices(self) -> tuple[Matrix, ...]:
        """Its weight matrices."""

    def other_elements(self) -> int:
        """Norms, sinks, convolutions and whatever else is no matrix and no bias of one."""
        return 0

    def elements(self) -> int:
        """All elements, biases and inner norms among them."""
        return sum(matrix.elements + matrix.bias_elements for matrix in self.matrices()) + self.other_elements()

    def cached_elements_per_token(self) -> int:
        """Elements one more token of text adds to the cache, as long as its window is not full."""
        return 0

    def cached_elements(self, context: int) -> int:
        """Elements cached for a text of `context` tokens."""
        held = min(context, self.window) if self.window else context
        return held * self.cached_elements_per_token()

    def cached_elements_per_source_token(self) -> int:
        """Elements cached for one token of a picture or a sound."""
        return 0

    def state_elements(self) -> int:
        """Elements of the state one text keeps, however long it is."""
        return 0


@dataclass(frozen=True, slots=True)
class BlockIndexer:
    """What picks the blocks that block-sparse attention looks at: its own queries and one key, each with an RMSNorm.

    Source: transformers modelling code of minimax_m3_vl.
    """

    heads: int
    head_dim: int

    def matrices(self, hidden: int) -> tuple[Matrix, ...]:
        return (
            Matrix("index_q", self.heads * self.head_dim, hidden, "replicated"),
            Matrix("index_k", self.head_dim, hidden, "replicated"),
        )


@dataclass(frozen=True, slots=True)
class Attention(Mixer):
    """Multi-head, grouped-query or multi-query attention.

    `value_dim` is the width of a value head where it differs from a key head; `biases` are the roles of the matrices
    that have one; `shared_key_value` means keys serve as values, so there is no value matrix. `span` limits what a
    query sees, `chunked` by chunks of that many tokens instead of a sliding window.

    >>> Attention(4096, 32, 8, 128).elements()  # a layer of Llama-3.1-8B
    41943040
    """

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    value_dim: int = 0
    span: int = 0
    chunked: bool = False
    both_ways: bool = False
    biases: tuple[str, ...] = ()
    head_norm: HeadNorm = "none"
    output_gate: OutputGate = "none"
    sinks: bool = False
    shared_key_value: bool = False
    indexer: BlockIndexer | None = None

    @property
    def reach(self) -> Reach:
        if self.both_ways:
            return "both_ways"
        return ("chunk" if self.chunked else "window") if self.span else "full"

    @property
    def window(self) -> int:
        return self.span

    @property
    def value_width(self) -> int:
        """Width of one value head."""
        return self.value_dim or self.head_dim

    def matrices(self) -> tuple[Matrix, ...]:
        query, key, value = self.heads * self.head_dim, self.kv_heads * self.head_dim, self.kv_heads * self.value_width
        output = self.heads * self.value_width
        shapes = [("q", query, self.hidden), ("k", key, self.hidden)]
        shapes += [] if self.shared_key_value else [("v", value, self.hidden)]
        shapes += [("o", self.hidden, output)]
        gate = {"none": 0, "head": self.heads, "width": output}[self.output_gate]
        shapes += [("output_gate", gate, self.hidden)] if gate else []
        made = tuple(
            Matrix(role, rows, columns, "kv_heads" if role in ("k", "v") else "heads", role in self.biases)
            for role, rows, columns in shapes
        )
        return made + (self.indexer.matrices(self.hidden) if self.indexer else ())

    def other_elements(self) -> int:
        norms = {"none": 0, "head": 2 * self.head_dim, "width": (self.heads + self.kv_heads) * self.head_dim}
        index = 2 * self.indexer.head_dim if self.indexer else 0
        return norms[self.head_norm] + (self.heads if self.sinks else 0) + index

    def cached_elements_per_token(self) -> int:
        """Keys and values of all KV heads, one key of the indexer; nothing where a text is read whole, at once."""
        if self.both_ways:
            return 0
        # keys that serve as values are cached twice: once turned by their position, once not
        return self.kv_heads * (self.head_dim + self.value_width) + (self.indexer.head_dim if self.indexer else 0)


@dataclass(frozen=True, slots=True)
class CrossAttention(Mixer):
    """Attention of a text to a picture or a sound, whose keys and values are computed once.

    `gated` are the two scalars Llama-3.2 learns for each such layer. Source: transformers modelling code of mllama and
    whisper.
    """

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    biases: tuple[str, ...] = ()
    head_norm: HeadNorm = "none"
    gated: bool = False

    @property
    def reach(self) -> Reach:
        return "source"

    def matrices(self) -> tuple[Matrix, ...]:
        return Attention(self.hidden, self.heads, self.kv_heads, self.head_dim, biases=self.biases).matrices()

    def other_elements(self) -> int:
        inner = Attention(self.hidden, self.heads, self.kv_heads, self.head_dim, head_norm=self.head_norm)
        return inner.other_elements() + (2 if self.gated else 0)

    def cached_elements_per_source_token(self) -> int:
        return 2 * self.kv_heads * self.head_dim
