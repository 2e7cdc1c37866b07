"""Elements of a picture model by the design its row names."""

from collections.abc import Callable, Mapping

from desktop.architectures.counting.dimensions import Dimensions, MissingDimension
from desktop.architectures.counting.picture_convolution import convnext, densenet, resnet, vgg
from desktop.architectures.counting.picture_transformer import clip, swin, swin2, vit

DESIGNS: Mapping[str, Callable[[Dimensions], int]] = {
    "vit": vit,
    "swin": swin,
    "swin2": swin2,
    "clip": clip,
    "resnet": resnet,
    "convnext": convnext,
    "vgg": vgg,
    "densenet": densenet,
}


def picture_model(picture: Dimensions) -> int:
    """Elements of what a row describes under `picture`. Raises MissingDimension, also for a design without formula."""
    design = picture.text("design")
    if design not in DESIGNS:
        raise MissingDimension(f"design {design}")
    return DESIGNS[design](picture)
