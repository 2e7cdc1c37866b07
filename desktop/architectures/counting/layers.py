"""Elements of the plain layers every network is made of. Widths in, elements out."""

from desktop.architectures.feed_forward import Mlp


def linear(inputs: int, outputs: int, bias: bool = True) -> int:
    """Elements of a matrix and, where there is one, its bias.

    >>> linear(4, 3), linear(4, 3, bias=False)
    (15, 12)
    """
    return inputs * outputs + (outputs if bias else 0)


def layer_norm(width: int) -> int:
    """Weight and bias of a LayerNorm, a BatchNorm or a GroupNorm; an RMSNorm has `width` elements."""
    return 2 * width


def mlp(hidden: int, width: int, gated: bool = True, bias: bool = False) -> int:
    """Up and down matrices, the gate beside up in a gated one, and their biases.

    >>> mlp(4096, 14336) == 3 * 4096 * 14336
    True
    """
    return Mlp(hidden, width, gated, bias).elements()


def convolution(inputs: int, outputs: int, kernel: int, groups: int = 1, bias: bool = False) -> int:
    """Elements of a square two-dimensional convolution.

    >>> convolution(3, 64, 7)  # the stem of a ResNet
    9408
    """
    return outputs * (inputs // groups) * kernel * kernel + (outputs if bias else 0)
