"""Elements of speech models: Whisper, wav2vec 2.0 and HuBERT."""

from collections.abc import Callable, Mapping

from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import layer_norm, linear, mlp
from desktop.architectures.counting.vision_tower import transformer_layers


def speech(row: Dimensions) -> int:
    """Elements of a speech model. Raises MissingDimension."""
    return SPEECH[row.text("model_type")](row)


def _whisper(row: Dimensions) -> int:
    """Encoder and decoder with the output head tied to the token table; keys have no bias.

    Source: arXiv:2212.04356; transformers modelling code of whisper.
    """
    hidden, width = row.whole("hidden_size"), row.whole("intermediate_size")
    attention = linear(hidden, 4 * hidden) - hidden
    feed_forward = mlp(hidden, width, gated=False, bias=True)
    encoder_layer = attention + feed_forward + 2 * layer_norm(hidden)
    decoder_layer = 2 * attention + feed_forward + 3 * layer_norm(hidden)
    stem = linear(3 * row.whole("mel_bins"), hidden) + linear(3 * hidden, hidden)
    tables = (row.whole("vocab_size") + row.whole("audio_positions") + row.whole("text_positions")) * hidden
    layers = row.whole("num_layers") * encoder_layer + row.whole("decoder_layers") * decoder_layer
    return stem + tables + layers + 2 * layer_norm(hidden)


def _wav2vec2(row: Dimensions) -> int:
    """Convolutions over the wave, a projection, a positional convolution with weight norm, a transformer.

    Source: arXiv:2006.11477; transformers modelling code of wav2vec2 and hubert.
    """
    hidden, channels = row.whole("hidden_size"), row.whole("conv_channels")
    kernels, bias = row.wholes("conv_kernels"), row.yes("conv_bias")
    norms = len(kernels) if row.yes("conv_layer_norms") else 1  # a GroupNorm on the first layer alone
    front = channels * kernels[0] + sum(channels * channels * kernel for kernel in kernels[1:])
    front += (channels * len(kernels) if bias else 0) + norms * layer_norm(channels)
    projection = layer_norm(channels) + linear(channels, hidden)
    positions = row.whole("position_kernel")
    positional = hidden * (hidden // row.whole("position_groups")) * positions + positions + hidden
    layers = transformer_layers(row.whole("num_layers"), hidden, row.whole("intermediate_size"))
    mask = hidden
    return front + projection + positional + layers + layer_norm(hidden) + mask


SPEECH: Mapping[str, Callable[[Dimensions], int]] = {
    "whisper": _whisper,
    "wav2vec2": _wav2vec2,
    "hubert": _wav2vec2,
}
