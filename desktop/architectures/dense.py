"""A decoder whose layers are all alike and dense: what the sizing formulas take."""

from dataclasses import dataclass
from functools import lru_cache

from desktop.architectures.matrix import Matrix


@dataclass(frozen=True, slots=True)
class DenseDecoder:
    """A dense decoder with multi-head, grouped-query or multi-query attention in every layer.

    Widths are elements. `*_bias` say which linear layers carry a bias; `norm_width` is the elements of one norm
    (hidden for RMSNorm, 2 x hidden for LayerNorm with bias); `qk_norm_width` the elements of the query and key norms
    of a layer.
    """

    name: str
    model_type: str
    layers: int
    hidden: int
    intermediate: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    max_context: int
    gated_mlp: bool
    tied_embeddings: bool
    qkv_bias: bool
    output_bias: bool
    mlp_bias: bool
    norms_per_layer: int
    norm_width: int
    qk_norm_width: int
    position_width: int = 0
    embedding_norm_width: int = 0
    head_bias: bool = False
    checkpoint_format: str = "bf16"
    source: str = ""

    def matrices(self) -> tuple[Matrix, ...]:
        """The weight matrices of one layer; their biases are told by `bias_elements`."""
        query, key = self.heads * self.head_dim, self.kv_heads * self.head_dim
        attention = (
            Matrix("q", query, self.hidden, "heads"),
            Matrix("k", key, self.hidden, "kv_heads"),
            Matrix("v", key, self.hidden, "kv_heads"),
            Matrix("o", self.hidden, query, "heads"),
        )
        up = (
            Matrix("up", self.intermediate, self.hidden, "heads"),
            Matrix("down", self.hidden, self.intermediate, "heads"),
        )
        gate = (Matrix("gate", self.intermediate, self.hidden, "heads"),) if self.gated_mlp else ()
        return attention + gate + up

    def bias_elements(self) -> int:
        """Biases of one layer: q, k, v; attention output; MLP."""
        qkv = (self.heads + 2 * self.kv_heads) * self.head_dim if self.qkv_bias else 0
        output = self.hidden if self.output_bias else 0
        widened = self.intermediate * (2 if self.gated_mlp else 1)
        return qkv + output + (widened + self.hidden if self.mlp_bias else 0)

    def norm_elements(self) -> int:
        """Norm weights of one layer."""
        return self.norms_per_layer * self.norm_width + self.qk_norm_width

    def linear_parameters(self) -> int:
        """Elements of all weight matrices of all layers, embedding and head not counted."""
        return self.layers * _matrix_elements(self)

    def layer_parameters(self) -> int:
        """Elements of one layer."""
        return _matrix_elements(self) + self.bias_elements() + self.norm_elements()

    def embedding_parameters(self) -> int:
        """Elements of the token embedding."""
        return self.vocab * self.hidden

    def head_parameters(self) -> int:
        """Elements of the output head; zero when it is the embedding itself."""
        return 0 if self.tied_embeddings else self.embedding_parameters()

    def other_parameters(self) -> int:
        """Final norm, embedding norm, learned positions and the bias of the head."""
        return self.norm_width + self.embedding_norm_width + self.position_width + (self.vocab if self.head_bias else 0)

    def parameters(self) -> int:
        """All elements of the model: what a server loads to answer."""
        return (
            self.layers * self.layer_parameters()
            + self.embedding_parameters()
            + self.head_parameters()
            + self.other_parameters()
        )

    def matmul_parameters(self) -> int:
        """Elements that take part in a matrix product for every token: the layers and the output head, not the
        lookup."""
        return self.linear_parameters() + self.embedding_parameters()


@lru_cache(maxsize=64)  # a search asks for the same model a thousand times
def _matrix_elements(architecture: DenseDecoder) -> int:
    """Elements of the weight matrices of one layer."""
    return sum(matrix.elements for matrix in architecture.matrices())
