"""Elements of picture models made of convolutions, each with its norm: ResNet, ResNeXt, ConvNeXt, VGG, DenseNet.

Sources: timm 1.0.31, resnet.py, convnext.py, vgg.py, densenet.py.
"""

from desktop.architectures.counting.dimensions import Dimensions
from desktop.architectures.counting.layers import convolution, layer_norm, linear
from desktop.architectures.counting.vision_tower import CHANNELS


def resnet(picture: Dimensions) -> int:
    """ResNet and ResNeXt: basic blocks of two convolutions, or bottlenecks of three whose middle one may be grouped.

    Source: arXiv:1512.03385, table 1; arXiv:1611.05431, table 1.
    """
    bottleneck, groups = picture.yes("bottleneck"), picture.whole_or("groups", 1)
    stem = picture.whole("hidden")
    total, inputs = _normed(CHANNELS, stem, 7), stem
    for stage, depth in enumerate(picture.wholes("depths")):
        planes = stem * 2**stage
        outputs = 4 * planes if bottleneck else planes
        middle = planes * picture.whole_or("base_width", 64) // 64 * groups
        for block in range(depth):
            if bottleneck:
                total += _normed(inputs, middle, 1) + _normed(middle, middle, 3, groups) + _normed(middle, outputs, 1)
            else:
                total += _normed(inputs, planes, 3) + _normed(planes, planes, 3)
            if block == 0 and inputs != outputs:
                total += _normed(inputs, outputs, 1)
            inputs = outputs
    return total + linear(inputs, picture.whole("classes"))


def convnext(picture: Dimensions) -> int:
    """ConvNeXt: depthwise convolution, LayerNorm, MLP; V2 norms the response of the MLP instead of scaling it.

    Source: arXiv:2201.03545; arXiv:2301.00808.
    """
    widths, depths = picture.wholes("widths"), picture.wholes("depths")
    total = convolution(CHANNELS, widths[0], picture.whole("patch"), bias=True) + layer_norm(widths[0])
    for stage, (width, depth) in enumerate(zip(widths, depths, strict=True)):
        if stage:
            total += layer_norm(widths[stage - 1]) + convolution(widths[stage - 1], width, 2, bias=True)
        depthwise = convolution(width, width, 7, groups=width, bias=True)
        scale = 2 * 4 * width if picture.yes("response_norm") else width
        total += depth * (depthwise + layer_norm(width) + linear(width, 4 * width) + linear(4 * width, width) + scale)
    return total + layer_norm(widths[-1]) + linear(widths[-1], picture.whole("classes"))


def vgg(picture: Dimensions) -> int:
    """VGG: stages of 3 x 3 convolutions with bias, then three full matrices. Source: arXiv:1409.1556, table 1."""
    total, inputs = 0, CHANNELS
    for width, depth in zip(picture.wholes("widths"), picture.wholes("depths"), strict=True):
        for _ in range(depth):
            total += convolution(inputs, width, 3, bias=True)
            inputs = width
    hidden = picture.whole("hidden")
    grid = picture.whole("grid") ** 2
    return total + linear(inputs * grid, hidden) + linear(hidden, hidden) + linear(hidden, picture.whole("classes"))


def densenet(picture: Dimensions) -> int:
    """DenseNet: every layer adds `growth` channels to all before it; a transition halves them. Source:
    arXiv:1608.06993, table 1."""
    growth, channels = picture.whole("growth"), picture.whole("hidden")
    depths = picture.wholes("depths")
    total = _normed(CHANNELS, channels, 7)
    for stage, depth in enumerate(depths):
        for _ in range(depth):
            total += layer_norm(channels) + _normed(channels, 4 * growth, 1) + convolution(4 * growth, growth, 3)
            channels += growth
        if stage < len(depths) - 1:
            total += layer_norm(channels) + convolution(channels, channels // 2, 1)
            channels //= 2
    return total + layer_norm(channels) + linear(channels, picture.whole("classes"))


def _normed(inputs: int, outputs: int, kernel: int, groups: int = 1) -> int:
    """A convolution and the BatchNorm behind it."""
    return convolution(inputs, outputs, kernel, groups) + layer_norm(outputs)
