"""What mixes tokens through a state of fixed size instead of a cache that grows.

The state of a short convolution is the `convolution - 1` tokens before the present one, as serving engines keep it;
source: vLLM, model_executor/layers/mamba/mamba_utils.py.
"""

from dataclasses import dataclass

from desktop.architectures.matrix import Matrix
from desktop.architectures.mixers import Mixer, Reach


class StateMixer(Mixer):
    """A mixer without a cache."""

    __slots__ = ()

    @property
    def reach(self) -> Reach:
        return "state"


@dataclass(frozen=True, slots=True)
class Mamba1(StateMixer):
    """A Mamba-1 mixer of width `inner`; `inner_norms` are the RMSNorms of step, B and C that Jamba adds.

    Source: Mamba, arXiv:2312.00752; transformers modelling code of mamba and jamba.
    """

    hidden: int
    inner: int
    state: int
    convolution: int
    step_rank: int
    inner_norms: bool = False

    def matrices(self) -> tuple[Matrix, ...]:
        return (
            Matrix("in", 2 * self.inner, self.hidden, "heads"),
            Matrix("selection", self.step_rank + 2 * self.state, self.inner, "heads"),
            Matrix("step", self.inner, self.step_rank, "heads", bias=True),
            Matrix("out", self.hidden, self.inner, "heads"),
        )

    def other_elements(self) -> int:
        decay = self.inner * self.state + self.inner  # A and D
        norms = self.step_rank + 2 * self.state if self.inner_norms else 0
        return self.inner * (self.convolution + 1) + decay + norms

    def state_elements(self) -> int:
        return self.inner * (self.convolution - 1 + self.state)


@dataclass(frozen=True, slots=True)
class Mamba2(StateMixer):
    """A Mamba-2 mixer with a gated RMSNorm before its output.

    Source: Mamba-2, arXiv:2405.21060; transformers modelling code of nemotron_h and granitemoehybrid.
    """

    hidden: int
    heads: int
    head_dim: int
    groups: int
    state: int
    convolution: int

    @property
    def inner(self) -> int:
        return self.heads * self.head_dim

    @property
    def mixed(self) -> int:
        """Width of what passes the convolution: the values, B and C."""
        return self.inner + 2 * self.groups * self.state

    def matrices(self) -> tuple[Matrix, ...]:
        return (
            Matrix("in", self.inner + self.mixed + self.heads, self.hidden, "heads"),
            Matrix("out", self.hidden, self.inner, "heads"),
        )

    def other_elements(self) -> int:
        return self.mixed * (self.convolution + 1) + 3 * self.heads + self.inner  # A, D and step bias; the norm

    def state_elements(self) -> int:
        return self.mixed * (self.convolution - 1) + self.inner * self.state


@dataclass(frozen=True, slots=True)
class GatedDelta(StateMixer):
    """A gated DeltaNet layer: queries, keys, values and output gate, two gates for each value head, a short
    convolution, an RMSNorm of the value head.

    Source: Gated Delta Networks, arXiv:2412.06464; transformers modelling code of qwen3_next.
    """

    hidden: int
    key_heads: int
    value_heads: int
    key_dim: int
    value_dim: int
    convolution: int

    @property
    def mixed(self) -> int:
        """Width of what passes the convolution: queries, keys and values."""
        return 2 * self.key_heads * self.key_dim + self.value_heads * self.value_dim

    def matrices(self) -> tuple[Matrix, ...]:
        values = self.value_heads * self.value_dim
        return (
            Matrix("in", self.mixed + values, self.hidden, "heads"),
            Matrix("gates", 2 * self.value_heads, self.hidden, "heads"),
            Matrix("out", self.hidden, values, "heads"),
        )

    def other_elements(self) -> int:
        return self.mixed * self.convolution + 2 * self.value_heads + self.value_dim  # step bias and A; the norm

    def state_elements(self) -> int:
        return self.mixed * (self.convolution - 1) + self.value_heads * self.key_dim * self.value_dim


@dataclass(frozen=True, slots=True)
class KimiDelta(StateMixer):
    """A Kimi delta attention layer: the forget gate goes through a bottleneck of one head, the output gate too unless
    it is of full rank.

    Source: Kimi Linear, arXiv:2510.26692; transformers modelling code of kimi_linear.
    """

    hidden: int
    heads: int
    head_dim: int
    convolution: int
    full_rank_gate: bool = False

    @property
    def inner(self) -> int:
        return self.heads * self.head_dim

    def matrices(self) -> tuple[Matrix, ...]:
        gate: tuple[Matrix, ...] = (Matrix("output_gate", self.inner, self.hidden, "heads"),)
        return (
            Matrix("in", 3 * self.inner, self.hidden, "heads"),
            Matrix("beta", self.heads, self.hidden, "heads"),
            *self._bottleneck("forget"),
            *(gate if self.full_rank_gate else self._bottleneck("output_gate")),
            Matrix("out", self.hidden, self.inner, "heads"),
        )

    def other_elements(self) -> int:
        forget = self.inner + self.heads  # step bias and A
        return 3 * self.inner * self.convolution + forget + self.head_dim

    def state_elements(self) -> int:
        return 3 * self.inner * (self.convolution - 1) + self.inner * self.head_dim

    def _bottleneck(self, role: str) -> tuple[Matrix, Matrix]:
        return (
            Matrix(f"{role}_down", self.head_dim, self.hidden, "replicated"),
            Matrix(f"{role}_up", self.inner, self.head_dim, "heads"),
        )


@dataclass(frozen=True, slots=True)
class Lightning(StateMixer):
    """A lightning attention layer: queries, keys and values, an output gate, an RMSNorm; its state is one matrix a
    head. Source: MiniMax-01, arXiv:2501.08313; transformers modelling code of minimax."""

    hidden: int
    heads: int
    head_dim: int

    def matrices(self) -> tuple[Matrix, ...]:
        inner = self.heads * self.head_dim
        return (
            Matrix("in", 3 * inner, self.hidden, "heads"),
            Matrix("output_gate", inner, self.hidden, "heads"),
            Matrix("out", self.hidden, inner, "heads"),
        )

    def other_elements(self) -> int:
        return self.heads * self.head_dim

    def state_elements(self) -> int:
        return self.heads * self.head_dim * self.head_dim


@dataclass(frozen=True, slots=True)
class Rwkv4(StateMixer):
    """Time mixing of RWKV-4: receptance, key, value and output, three mixes, a decay and a first step.

    Its state is four vectors; the one of the channel mixing beside it is counted here too. Source: RWKV,
    arXiv:2305.13048; transformers modelling code of rwkv.
    """

    hidden: int

    def matrices(self) -> tuple[Matrix, ...]:
        return tuple(Matrix(role, self.hidden, self.hidden, "heads") for role in ("r", "k", "v", "o"))

    def other_elements(self) -> int:
        return 5 * self.hidden

    def state_elements(self) -> int:
        return 5 * self.hidden
