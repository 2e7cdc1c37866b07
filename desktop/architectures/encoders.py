"""Text encoders: BERT and its kin, ModernBERT, the encoder of T5. They read a text whole and cache nothing."""

from collections.abc import Callable, Mapping
from typing import Any

from desktop.architectures.architecture import Part
from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import layer_norm, linear
from desktop.architectures.feed_forward import Mlp
from desktop.architectures.layers import LayerGroup
from desktop.architectures.mixers import Attention

RELATIVE_BUCKETS = 32  # of T5's relative positions; arXiv:1910.10683, section 2.1
GLOBAL_EVERY, LOCAL_TOKENS = 3, 128  # of ModernBERT; arXiv:2412.13663, section 2.1
EVERY_BIAS = ("q", "k", "v", "o")

Fields = dict[str, Any]  # of an Architecture


def encoder_fields(row: Dimensions) -> Fields:
    """Layers and parts of a text encoder.

    Raises MissingDimension for a row that lacks one.
    """
    return ENCODERS[row.text("model_type")](row)


def reading_layers(row: Dimensions) -> LayerGroup:
    """Plain layers that read both ways: multi-head, biases everywhere, two LayerNorms."""
    hidden, layers, heads = row.whole("hidden_size"), row.whole("num_layers"), row.whole("num_heads")
    attention = Attention(hidden, heads, heads, row.whole("head_dim"), both_ways=True, biases=EVERY_BIAS)
    mlp = Mlp(hidden, row.whole("intermediate_size"), gated=False, bias=True)
    places = tuple(range(layers))
    return LayerGroup(layers, places, (attention,), (mlp,), 2 * layer_norm(hidden), stack="encoder")


def _bert(row: Dimensions) -> Fields:
    """BERT with its pooler. Source: arXiv:1810.04805; transformers modelling code of bert."""
    hidden, labels = row.whole("hidden_size"), row.whole_or("labels", 0)
    others = [
        Part("positions", row.whole("positions") * hidden),
        Part("token_types", row.whole("token_types") * hidden),
        Part("embedding_norm", layer_norm(hidden)),
    ]
    others += [] if row.facts.get("pooler") is False else [Part("pooler", linear(hidden, hidden))]
    others += [Part("classifier", linear(hidden, labels))] if labels else []
    tokens = row.whole("vocab_size") * hidden
    return {"layers": (reading_layers(row),), "embedding_elements": tokens, "others": tuple(others)}


def _modernbert(row: Dimensions) -> Fields:
    """Gated, without bias, every third layer global, the others local; the norm behind the embedding serves the first
    layer. Source: arXiv:2412.13663; transformers modelling code of modernbert."""
    hidden, heads, layers = row.whole("hidden_size"), row.whole("num_heads"), row.whole("num_layers")
    mlp = Mlp(hidden, row.whole("intermediate_size"))

    def group(places: tuple[int, ...], span: int, norms: int) -> LayerGroup:
        attention = Attention(hidden, heads, heads, row.whole("head_dim"), span=span, both_ways=True)
        return LayerGroup(len(places), places, (attention,), (mlp,), norms * hidden, stack="encoder")

    everything = tuple(place for place in range(1, layers) if place % GLOBAL_EVERY == 0)
    local = tuple(place for place in range(layers) if place % GLOBAL_EVERY)
    groups = (group((0,), 0, 1), group(local, LOCAL_TOKENS, 2), group(everything, 0, 2))
    others = (Part("embedding_norm", hidden), Part("final_norm", hidden))
    return {"layers": groups, "embedding_elements": row.whole("vocab_size") * hidden, "others": others}


def _t5(row: Dimensions) -> Fields:
    """The encoder of T5 v1.1: gated, RMSNorms, relative positions in the first layer. Source: transformers modelling
    code of t5."""
    hidden, heads, layers = row.whole("hidden_size"), row.whole("num_heads"), row.whole("num_layers")
    attention = Attention(hidden, heads, heads, row.whole("head_dim"), both_ways=True)
    mlp = Mlp(hidden, row.whole("intermediate_size"))
    group = LayerGroup(layers, tuple(range(layers)), (attention,), (mlp,), 2 * hidden, stack="encoder")
    others = (Part("positions", RELATIVE_BUCKETS * heads), Part("final_norm", hidden))
    return {"layers": (group,), "embedding_elements": row.whole("vocab_size") * hidden, "others": others}


ENCODERS: Mapping[str, Callable[[Dimensions], Fields]] = {
    "bert": _bert,
    "xlm-roberta": _bert,
    "modernbert": _modernbert,
    "t5 (encoder)": _t5,
}
