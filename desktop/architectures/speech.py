"""Speech models: Whisper, wav2vec 2.0 and HuBERT."""

from collections.abc import Callable, Mapping

from desktop.architectures.architecture import Part
from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import layer_norm, linear
from desktop.architectures.encoders import Fields, reading_layers
from desktop.architectures.feed_forward import Mlp
from desktop.architectures.layers import LayerGroup
from desktop.architectures.mixers import Attention, CrossAttention

WHISPER_BIASES = ("q", "v", "o")  # its keys have none


def speech_fields(row: Dimensions) -> Fields:
    """Layers and parts of a speech model. Raises MissingDimension."""
    return SPEECH[row.text("model_type")](row)


def _whisper(row: Dimensions) -> Fields:
    """Encoder and decoder with the output head tied to the token table; decoder layers look at the sound.

    Source: arXiv:2212.04356; transformers modelling code of whisper.
    """
    hidden, heads, head_dim = row.whole("hidden_size"), row.whole("num_heads"), row.whole("head_dim")
    mlp = Mlp(hidden, row.whole("intermediate_size"), gated=False, bias=True)
    reading = Attention(hidden, heads, heads, head_dim, both_ways=True, biases=WHISPER_BIASES)
    writing = Attention(hidden, heads, heads, head_dim, biases=WHISPER_BIASES)
    looking = CrossAttention(hidden, heads, heads, head_dim, biases=WHISPER_BIASES)
    read, written = row.whole("num_layers"), row.whole("decoder_layers")
    norm = layer_norm(hidden)
    groups = (
        LayerGroup(read, tuple(range(read)), (reading,), (mlp,), 2 * norm, stack="encoder"),
        LayerGroup(written, tuple(range(written)), (writing, looking), (mlp,), 3 * norm),
    )
    others = (
        Part("convolutions", linear(3 * row.whole("mel_bins"), hidden) + linear(3 * hidden, hidden)),
        Part("audio_positions", row.whole("audio_positions") * hidden),
        Part("positions", row.whole("text_positions") * hidden),
        Part("encoder_norm", norm),
        Part("final_norm", norm),
    )
    return {"layers": groups, "embedding_elements": row.whole("vocab_size") * hidden, "others": others}


def _wav2vec2(row: Dimensions) -> Fields:
    """Convolutions over the wave, a projection, a positional convolution with weight norm, a transformer.

    Source: arXiv:2006.11477; transformers modelling code of wav2vec2 and hubert.
    """
    hidden, channels = row.whole("hidden_size"), row.whole("conv_channels")
    kernels, bias = row.wholes("conv_kernels"), row.yes("conv_bias")
    norms = len(kernels) if row.yes("conv_layer_norms") else 1  # a GroupNorm on the first layer alone
    front = channels * kernels[0] + sum(channels * channels * kernel for kernel in kernels[1:])
    front += (channels * len(kernels) if bias else 0) + norms * layer_norm(channels)
    positions = row.whole("position_kernel")
    others = (
        Part("convolutions", front),
        Part("projection", layer_norm(channels) + linear(channels, hidden)),
        Part("positions", hidden * (hidden // row.whole("position_groups")) * positions + positions + hidden),
        Part("final_norm", layer_norm(hidden)),
        Part("mask", hidden),
    )
    return {"layers": (reading_layers(row),), "others": others}


SPEECH: Mapping[str, Callable[[Dimensions], Fields]] = {
    "whisper": _whisper,
    "wav2vec2": _wav2vec2,
    "hubert": _wav2vec2,
}
