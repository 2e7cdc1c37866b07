"""Text encoders and speech models: BERT and its kin, ModernBERT, the encoder of T5, Whisper, wav2vec 2.0, HuBERT."""

from collections.abc import Callable
from typing import Any

from desktop.architectures.config_fields import HEAD_DIM, HEADS, HIDDEN, LAYERS, VOCABULARY, WIDTH, Fields
from desktop.request import Problem


def encoder_facts(fields: Fields, model_type: str) -> dict[str, Any]:
    """Facts of a config whose facts are of `model_type`. Raises Problem for what is missing or no encoder."""
    return ENCODERS[model_type](fields)


def _stack(
    fields: Fields, layers: str = "num_hidden_layers", hidden: str = "hidden_size", heads: str = "num_attention_heads"
) -> dict[str, Any]:
    width, count = fields.need(hidden, within=HIDDEN), fields.need(heads, within=HEADS)
    if width % count:
        raise fields.bad(heads, count, "hidden_not_divisible", hidden=width)
    return {
        "kind": "encoder",
        "num_layers": fields.need(layers, within=LAYERS),
        "hidden_size": width,
        "num_heads": count,
        "num_kv_heads": count,
        "head_dim": width // count,
        "vocab_size": fields.need("vocab_size", within=VOCABULARY),
        "tie_embeddings": True,
        "attention": "mha (bidirectional, no KV cache)",
    }


def _bert(fields: Fields) -> dict[str, Any]:
    positions = fields.need("max_position_embeddings", within=(1, VOCABULARY[1]))
    dimensions = {"positions": positions, "token_types": fields.need("type_vocab_size", within=(0, 1024))}
    if any("ForSequenceClassification" in str(name) for name in fields.listed("architectures") or []):
        # as many elements as its first layer would have as a pooler
        labels = fields.part("id2label")
        dimensions["labels"] = len(labels.values) if labels else 2
    return {
        **_stack(fields),
        "intermediate_size": fields.need("intermediate_size", within=WIDTH),
        "max_position": positions,
        "biases": "qkv+o+mlp",
        "dimensions": dimensions,
    }


def _modernbert(fields: Fields) -> dict[str, Any]:
    """Most layers look at a window, every n-th at everything; all of them have the same elements."""
    window, every = fields.whole("local_attention"), fields.whole("global_attn_every_n_layers", within=LAYERS)
    local = {"attention": f"local({window})+global every {every}"} if window and every else {}
    return {
        **_stack(fields),
        **local,
        "intermediate_size": fields.need("intermediate_size", within=WIDTH),
        "max_position": fields.whole("max_position_embeddings", within=(1, VOCABULARY[1])),
        "biases": "none",
        "dimensions": {},
    }


def _t5(fields: Fields) -> dict[str, Any]:
    """The encoder alone; with its decoder, or without the gate of v1.1, it is another model."""
    alone = fields.listed("architectures") == ["T5EncoderModel"]
    if not alone or not fields.text("feed_forward_proj").startswith("gated"):
        raise Problem("unsupported_model", field=fields.field, what="encoder_decoder", model_type="t5")
    stack = _stack(fields, "num_layers", "d_model", "num_heads")
    return {
        **stack,
        "head_dim": fields.need("d_kv", within=HEAD_DIM),
        "intermediate_size": fields.need("d_ff", within=WIDTH),
        "max_position": fields.whole("n_positions", within=(1, VOCABULARY[1])),
        "biases": "none",
        "dimensions": {},
    }


def _whisper(fields: Fields) -> dict[str, Any]:
    return {
        **_stack(fields, "encoder_layers", "d_model", "encoder_attention_heads"),
        "kind": "speech",
        "attention": "mha",
        "intermediate_size": fields.need("encoder_ffn_dim", within=WIDTH),
        "max_position": fields.need("max_target_positions"),
        "dimensions": {
            "mel_bins": fields.need("num_mel_bins"),
            "decoder_layers": fields.need("decoder_layers", within=LAYERS),
            "audio_positions": fields.need("max_source_positions"),
            "text_positions": fields.need("max_target_positions"),
        },
    }


def _wav2vec2(fields: Fields) -> dict[str, Any]:
    channels, kernels = fields.wholes("conv_dim", HIDDEN), fields.wholes("conv_kernel", (1, 1024))
    if not channels or not kernels:
        raise fields.missing("conv_kernel" if channels else "conv_dim")
    if len(set(channels)) > 1 or len(channels) != len(kernels):
        raise fields.bad("conv_dim", str(channels), "layers_differ")
    return {
        **_stack(fields),
        "kind": "speech",
        "attention": "mha",
        "intermediate_size": fields.need("intermediate_size", within=WIDTH),
        "dimensions": {
            "conv_channels": channels[0],
            "conv_kernels": kernels,
            "position_kernel": fields.need("num_conv_pos_embeddings"),
            "position_groups": fields.need("num_conv_pos_embedding_groups", within=HEADS),
            "conv_bias": fields.yes("conv_bias") or False,
            "conv_layer_norms": fields.text("feat_extract_norm") == "layer",
        },
    }


ENCODERS: dict[str, Callable[[Fields], dict[str, Any]]] = {
    "bert": _bert,
    "xlm-roberta": _bert,
    "modernbert": _modernbert,
    "t5 (encoder)": _t5,
    "whisper": _whisper,
    "wav2vec2": _wav2vec2,
    "hubert": _wav2vec2,
}
