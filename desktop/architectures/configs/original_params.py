"""`params.json` of Mistral and of Meta: the same decoders under their makers' own names."""

from typing import Any

from desktop.architectures.config_fields import (
    CONTEXT,
    EXPERTS,
    HEAD_DIM,
    HEADS,
    HIDDEN,
    LAYERS,
    VOCABULARY,
    WIDTH,
    Fields,
)
from desktop.request import Problem


def mistral_facts(fields: Fields) -> dict[str, Any]:
    """Facts of a Mistral `params.json`: `hidden_dim` is the width of the MLP, `dim` the hidden width.

    Source: PyPI mistral_inference, src/mistral_inference/args.py. Raises Problem.
    """
    for name, what in (("vision_encoder", "vision_language"), ("kv_lora_rank", "latent_attention")):
        if fields.has(name):
            raise Problem("unsupported_model", field=f"{fields.field}.{name}", what=what, model_type="mistral")
    experts = fields.part("moe")
    facts = {**_heads(fields), "model_type": "mistral" if experts is None else "mixtral"}
    facts["intermediate_size"] = width = fields.need("hidden_dim", within=WIDTH)
    facts["max_position"] = fields.whole("max_seq_len", "max_position_embeddings", within=CONTEXT)
    tied = fields.yes("tied_embeddings")
    facts["tie_embeddings"] = bool(tied)
    window = fields.whole("sliding_window", within=(0, CONTEXT[1]))
    if window:
        facts |= {"sliding_window": window, "attention": "swa (all layers)", "full_attn_layers": 0}
    if experts is not None:
        count = experts.need("num_experts", within=EXPERTS)
        facts |= {
            "num_experts": count,
            "experts_per_tok": experts.need("num_experts_per_tok", within=(1, count)),
            "moe_intermediate_size": width,
            "first_dense_layers": 0,
        }
    return facts


def meta_facts(fields: Fields) -> dict[str, Any]:
    """Facts of a Meta `params.json`: the width of the MLP is not stated but follows from three fields.

    Source: github meta-llama/llama-models, models/llama3/model.py, class FeedForward. The code has an output matrix of
    its own; whether it is stored twice, `params.json` does not say. Raises Problem.
    """
    for name, what in (("moe_args", "mixture_of_experts"), ("vision_args", "vision_language")):
        if fields.has(name):
            raise Problem("unsupported_model", field=f"{fields.field}.{name}", what=what, model_type="llama")
    fields.doubt("tie_not_stated")
    return {
        **_heads(fields),
        "model_type": "llama",
        "intermediate_size": _mlp_width(fields),
        "max_position": fields.whole("max_seq_len", within=CONTEXT),
        "tie_embeddings": False,
    }


def _heads(fields: Fields) -> dict[str, Any]:
    hidden = fields.need("dim", within=HIDDEN)
    heads = fields.need("n_heads", within=HEADS)
    kv_heads = fields.whole("n_kv_heads", within=HEADS) or heads
    if heads % kv_heads:
        raise fields.bad("n_kv_heads", kv_heads, "heads_not_divisible", heads=heads)
    head_dim = fields.whole("head_dim", within=HEAD_DIM)
    if head_dim is None and hidden % heads:
        raise fields.bad("n_heads", heads, "hidden_not_divisible", hidden=hidden)
    if fields.values.get("vocab_size") == -1:  # Llama 1 and 2: the tokenizer knows
        raise fields.missing("vocab_size")
    layers = fields.need("n_layers", within=LAYERS)
    if not (fields.has("max_seq_len") or fields.has("max_position_embeddings")):
        fields.doubt("max_context_not_stated")
    return {
        "num_layers": layers,
        "hidden_size": hidden,
        "num_heads": heads,
        "num_kv_heads": kv_heads,
        "head_dim": head_dim or hidden // heads,
        "vocab_size": fields.need("vocab_size", within=VOCABULARY),
        "attention": {heads: "mha", 1: "mqa"}.get(kv_heads, "gqa"),
        "full_attn_layers": layers,
        "biases": "none",
        "dimensions": {},
    }


def _mlp_width(fields: Fields) -> int:
    """Two thirds of 4 x dim, times the multiplier, up to a whole multiple."""
    step = fields.need("multiple_of", within=WIDTH)
    multiplier = fields.values.get("ffn_dim_multiplier")
    width = int(2 * 4 * fields.need("dim", within=HIDDEN) / 3)
    if multiplier is not None:
        if not isinstance(multiplier, int | float) or isinstance(multiplier, bool) or not 0 < multiplier <= 64:
            raise fields.bad("ffn_dim_multiplier", multiplier, "not_whole")
        width = int(multiplier * width)
    return -(-width // step) * step
