"""Attention through a latent: what is cached is one narrow vector a token, whatever the number of heads."""

from dataclasses import dataclass

from desktop.architectures.matrix import Matrix
from desktop.architectures.mixers import Mixer, Reach


@dataclass(frozen=True, slots=True)
class SparseIndexer:
    """What picks the tokens DeepSeek sparse attention looks at: queries from the latent, one key with a LayerNorm, a
    weight for each head. Source: transformers modelling code of deepseek_v32."""

    heads: int
    head_dim: int

    def matrices(self, hidden: int, query_rank: int) -> tuple[Matrix, ...]:
        return (
            Matrix("index_q", self.heads * self.head_dim, query_rank, "replicated"),
            Matrix("index_k", self.head_dim, hidden, "replicated"),
            Matrix("index_weights", self.heads, hidden, "replicated"),
        )

    def other_elements(self) -> int:
        """The norm of its key."""
        return 2 * self.head_dim

    def elements(self, hidden: int, query_rank: int) -> int:
        """All its elements, in a layer of that width."""
        return sum(matrix.elements for matrix in self.matrices(hidden, query_rank)) + self.other_elements()


@dataclass(frozen=True, slots=True)
class LatentAttention(Mixer):
    """Multi-head latent attention: keys and values from one latent of `kv_rank`, queries from one of `query_rank`, or
    straight from the hidden state where that is 0. Each latent has a norm. `gated` adds a gate of the heads (Kimi K3).

    The latent and the part of the key that carries the position are cached, one copy for each tensor-parallel rank;
    a layer that borrows another layer's indexer has no key of its own. Source: DeepSeek-V2, arXiv:2405.04434, section
    2.1; transformers modelling code of deepseek_v3.
    """

    hidden: int
    heads: int
    kv_rank: int
    query_rank: int
    nope_dim: int
    rope_dim: int
    value_dim: int
    gated: bool = False
    indexer: SparseIndexer | None = None

    @property
    def reach(self) -> Reach:
        return "full"

    def matrices(self) -> tuple[Matrix, ...]:
        query, output = self.heads * (self.nope_dim + self.rope_dim), self.heads * self.value_dim
        queries = (
            (
                Matrix("q_down", self.query_rank, self.hidden, "replicated"),
                Matrix("q_up", query, self.query_rank, "heads"),
            )
            if self.query_rank
            else (Matrix("q", query, self.hidden, "heads"),)
        )
        rest = (
            Matrix("kv_down", self.kv_rank + self.rope_dim, self.hidden, "replicated"),
            Matrix("kv_up", self.heads * (self.nope_dim + self.value_dim), self.kv_rank, "heads"),
            Matrix("o", self.hidden, output, "heads"),
        )
        gate = (Matrix("output_gate", output, self.hidden, "heads"),) if self.gated else ()
        index = self.indexer.matrices(self.hidden, self.query_rank) if self.indexer else ()
        return queries + rest + gate + index

    def other_elements(self) -> int:
        return self.query_rank + self.kv_rank + (self.indexer.other_elements() if self.indexer else 0)

    def cached_elements_per_token(self) -> int:
        return self.kv_rank + self.rope_dim + (self.indexer.head_dim if self.indexer else 0)


@dataclass(frozen=True, slots=True)
class Compression:
    """Folds `tokens` tokens into one cached entry: key and gate matrices, a bias for each position, a norm. Where
    windows overlap the matrices are twice as wide as the entry. Source: transformers modelling code of deepseek_v4."""

    tokens: int
    overlaps: bool

    def matrices(self, role: str, hidden: int, entry: int) -> tuple[Matrix, ...]:
        width = self._width(entry)
        return Matrix(f"{role}_k", width, hidden, "replicated"), Matrix(f"{role}_gate", width, hidden, "replicated")

    def other_elements(self, entry: int) -> int:
        return self.tokens * self._width(entry) + entry

    def _width(self, entry: int) -> int:
        return entry * (2 if self.overlaps else 1)


@dataclass(frozen=True, slots=True)
class CompressedAttention(Mixer):
    """DeepSeek-V4: one KV head that serves as key and value, low-rank queries, a low-rank output in groups, a sink for
    each head. Every layer sees the last `span` tokens; `compression` adds entries for all tokens before them, and an
    indexer, where there is one, picks among those. Source: transformers modelling code of deepseek_v4.
    """

    hidden: int
    heads: int
    head_dim: int
    query_rank: int
    output_groups: int
    output_rank: int
    span: int
    compression: Compression | None = None
    indexer: SparseIndexer | None = None

    @property
    def reach(self) -> Reach:
        return "full" if self.compression else "window"

    @property
    def window(self) -> int:
        return 0 if self.compression else self.span

    def matrices(self) -> tuple[Matrix, ...]:
        query, narrow = self.heads * self.head_dim, self.output_groups * self.output_rank
        made: tuple[Matrix, ...] = (
            Matrix("q_down", self.query_rank, self.hidden, "replicated"),
            Matrix("q_up", query, self.query_rank, "heads"),
            Matrix("k", self.head_dim, self.hidden, "kv_heads"),
            Matrix("o_down", narrow, query // self.output_groups, "heads"),
            Matrix("o_up", self.hidden, narrow, "heads"),
        )
        if self.compression:
            made += self.compression.matrices("compress", self.hidden, self.head_dim)
        if self.compression and self.indexer:
            made += self.compression.matrices("index", self.hidden, self.indexer.head_dim)
            index_width = self.indexer.heads * self.indexer.head_dim
            made += (
                Matrix("index_q", index_width, self.query_rank, "replicated"),
                Matrix("index_weights", self.indexer.heads, self.hidden, "replicated"),
            )
        return made

    def other_elements(self) -> int:
        elements = self.query_rank + self.head_dim + self.heads
        if self.compression:
            elements += self.compression.other_elements(self.head_dim)
            elements += self.compression.other_elements(self.indexer.head_dim) if self.indexer else 0
        return elements

    def cached_elements_per_token(self) -> int:
        """A token's share of a compressed entry, rounded up; without compression the entry of the token itself."""
        return -(-self._entry() // self.compression.tokens) if self.compression else self.head_dim

    def cached_elements(self, context: int) -> int:
        """The window, and one entry for every whole group of tokens."""
        groups = context // self.compression.tokens if self.compression else 0
        return min(context, self.span) * self.head_dim + groups * self._entry()

    def _entry(self) -> int:
        return self.head_dim + (self.indexer.head_dim if self.indexer else 0)
