"""What each token passes by itself in a layer: an MLP, or experts of which it sees a few."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from desktop.architectures.matrix import Matrix


class FeedForward(ABC):
    """What every feed-forward part answers."""

    __slots__ = ()

    @abstractmethod
    def matrices(self) -> tuple[Matrix, ...]:
        """Its weight matrices."""

    def other_elements(self) -> int:
        """What is no matrix and no bias of one."""
        return 0

    def elements(self) -> int:
        """All elements, biases among them."""
        return sum(matrix.elements + matrix.bias_elements for matrix in self.matrices()) + self.other_elements()

    def active_elements(self) -> int:
        """Elements one token touches."""
        return self.elements()


@dataclass(frozen=True, slots=True)
class Mlp(FeedForward):
    """Up and down matrices, and a gate beside up in a gated one.

    >>> Mlp(4096, 14336).elements() == 3 * 4096 * 14336
    True
    """

    hidden: int
    width: int
    gated: bool = True
    bias: bool = False

    def matrices(self) -> tuple[Matrix, ...]:
        gate = (Matrix("gate", self.width, self.hidden, "heads", self.bias),) if self.gated else ()
        return (
            *gate,
            Matrix("up", self.width, self.hidden, "heads", self.bias),
            Matrix("down", self.hidden, self.width, "heads", self.bias),
        )


@dataclass(frozen=True, slots=True)
class Experts(FeedForward):
    """A router, `experts` MLPs of `width` of which a token is sent to `experts_per_token`, and a shared one of
    `shared_width` that every token passes.

    `narrow` is the width experts work at where it is not the hidden one: a matrix leads down to it, normed if
    `narrow_norm`, and one up again. `router_bias` balances the experts, or is a plain bias; `router_scale` are scales
    of the router's input and of each expert (Gemma-4); `shared_gate` weighs the shared expert.
    """

    hidden: int
    experts: int
    experts_per_token: int
    width: int
    gated: bool = True
    bias: bool = False
    router_bias: bool = False
    router_scale: bool = False
    shared_width: int = 0
    shared_gate: bool = False
    narrow: int = 0
    narrow_norm: bool = False

    def expert(self) -> Mlp:
        """One expert."""
        return Mlp(self.narrow or self.hidden, self.width, self.gated, self.bias)

    def matrices(self) -> tuple[Matrix, ...]:
        shared = Mlp(self.hidden, self.shared_width, self.gated).matrices() if self.shared_width else ()
        made = [Matrix("router", self.experts, self.hidden, "replicated", self.router_bias)]
        made += [_renamed(matrix, "shared", 1) for matrix in shared]
        if self.shared_width and self.shared_gate:
            made.append(Matrix("shared_weight", 1, self.hidden, "replicated"))
        if self.narrow:
            made.append(Matrix("narrow_down", self.narrow, self.hidden, "replicated"))
            made.append(Matrix("narrow_up", self.hidden, self.narrow, "replicated"))
        return (*made, *(_renamed(matrix, "expert", self.experts) for matrix in self.expert().matrices()))

    def other_elements(self) -> int:
        return (self.narrow if self.narrow_norm else 0) + (self.hidden + self.experts if self.router_scale else 0)

    def active_elements(self, top_k: int | None = None) -> int:
        """Router, shared expert and `top_k` experts; as many as the model itself uses when it is not given."""
        used = self.experts_per_token if top_k is None else top_k
        return self.elements() - (self.experts - used) * self.expert().elements()


@dataclass(frozen=True, slots=True)
class ChannelMixing(FeedForward):
    """Channel mixing of RWKV-4: key, value and receptance, two mixes. Source: RWKV, arXiv:2305.13048."""

    hidden: int
    width: int

    def matrices(self) -> tuple[Matrix, ...]:
        return (
            Matrix("up", self.width, self.hidden, "heads"),
            Matrix("down", self.hidden, self.width, "heads"),
            Matrix("receptance", self.hidden, self.hidden, "heads"),
        )

    def other_elements(self) -> int:
        return 2 * self.hidden


def _renamed(matrix: Matrix, prefix: str, copies: int) -> Matrix:
    return Matrix(f"{prefix}_{matrix.role}", matrix.rows, matrix.columns, matrix.cut, matrix.bias, copies)
