"""Elements of text encoders: BERT and its kin, ModernBERT, the encoder of T5."""

from collections.abc import Callable, Mapping

from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import layer_norm, linear, mlp
from desktop.architectures.counting.vision_tower import transformer_layers

RELATIVE_BUCKETS = 32  # of T5's relative positions; arXiv:1910.10683, section 2.1


def encoder(row: Dimensions) -> int:
    """Elements of a text encoder.

    Raises MissingDimension for a row that lacks one, or whose family is not known.
    """
    return ENCODERS[row.text("model_type")](row)


def _bert(row: Dimensions) -> int:
    """BERT with its pooler. Source: arXiv:1810.04805; transformers modelling code of bert."""
    hidden = row.whole("hidden_size")
    tables = row.whole("vocab_size") + row.whole("positions") + row.whole("token_types")
    body = transformer_layers(row.whole("num_layers"), hidden, row.whole("intermediate_size"))
    head = row.whole_or("labels", 0)
    pooler = 0 if row.facts.get("pooler") is False else linear(hidden, hidden)
    return tables * hidden + layer_norm(hidden) + body + pooler + (linear(hidden, head) if head else 0)


def _modernbert(row: Dimensions) -> int:
    """Gated, without bias; the norm behind the embedding serves the first layer, one norm follows the last.

    Source: arXiv:2412.13663; transformers modelling code of modernbert.
    """
    hidden, layers = row.whole("hidden_size"), row.whole("num_layers")
    layer = linear(hidden, 4 * hidden, bias=False) + mlp(hidden, row.whole("intermediate_size")) + 2 * hidden
    return row.whole("vocab_size") * hidden + layers * layer + hidden


def _t5(row: Dimensions) -> int:
    """The encoder of T5 v1.1: gated, RMSNorms, relative positions in the first layer. Source: transformers modelling
    code of t5."""
    hidden, heads = row.whole("hidden_size"), row.whole("num_heads")
    attention = linear(hidden, 4 * heads * row.whole("head_dim"), bias=False)
    layer = attention + mlp(hidden, row.whole("intermediate_size")) + 2 * hidden
    return row.whole("vocab_size") * hidden + row.whole("num_layers") * layer + RELATIVE_BUCKETS * heads + hidden


ENCODERS: Mapping[str, Callable[[Dimensions], int]] = {
    "bert": _bert,
    "xlm-roberta": _bert,
    "modernbert": _modernbert,
    "t5 (encoder)": _t5,
}
