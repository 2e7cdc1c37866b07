"""Why a file holds more or fewer elements than the formula of its model: the usual reasons, tried to the element."""

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from desktop.architectures.architecture import Architecture
from desktop.architectures.mixers import Attention
from desktop.architectures.quantization import Quantization
from desktop.architectures.weight_bytes import ModuleClass, classes_of_architecture

DRAFT, DRAFT_COPY = "draft", "draft_copy"
GPT_NEOX = "gpt_neox"
MASKED = ("gpt2", GPT_NEOX)  # their attention stores the mask of a whole context in every layer
ROTARY_SHARE = {GPT_NEOX: 4}  # of a head's width a quarter is turned; EleutherAI/pythia, rotary_pct 0.25


class Reason(NamedTuple):
    """`elements` are those a file has beyond the formula; negative where it lacks some."""

    code: str
    elements: int


def reasons_for(
    difference: int, architecture: Architecture, quantization: Quantization | None = None
) -> tuple[Reason, ...]:
    """The fewest reasons that make up `difference` (elements of the file less those of the formula) exactly; empty
    where there is none, or none is needed.

    Codes: stored_head, head_not_stored, draft_stored, draft_copies, rotary_stored, masks_stored, scales_stored,
    position_ids_stored, balance_not_counted. Source: published counts of the Hub against formulas, model by model.
    """
    candidates = [reason for reason in _candidates(architecture, quantization) if reason.elements]
    for number in range(1, len(candidates) + 1):
        for chosen in combinations(candidates, number):
            if sum(reason.elements for reason in chosen) == difference:
                return _joined(chosen)
    return ()


def _joined(chosen: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """Reasons of one code as one: scales of the model and of its draft layer."""
    sums: dict[str, int] = {}
    for reason in chosen:
        sums[reason.code] = sums.get(reason.code, 0) + reason.elements
    return tuple(Reason(code, elements) for code, elements in sums.items())


def _candidates(architecture: Architecture, quantization: Quantization | None) -> list[Reason]:
    embedding, head = architecture.embedding_elements, architecture.head_elements
    classes = classes_of_architecture(architecture, "bf16", quantization)
    balance = sum(
        group.count * matrix.bias_elements
        for group in architecture.layers
        for part in group.feed_forwards
        for matrix in part.matrices()
        if matrix.role == "router"
    )
    return [
        Reason("stored_head", 0 if head else embedding),
        Reason("head_not_stored", -head),
        Reason("draft_stored", sum(part.elements for part in classes if part.name == DRAFT)),
        Reason("draft_copies", sum(part.elements for part in classes if part.name == DRAFT_COPY)),
        Reason("scales_stored", sum(_beside(part) for part in classes if part.name != DRAFT)),
        Reason("scales_stored", sum(_beside(part) for part in classes if part.name == DRAFT)),
        Reason("rotary_stored", _rotary(architecture)),
        Reason("masks_stored", _masks(architecture)),
        Reason("position_ids_stored", 0 if architecture.depth == 0 else _position_ids(architecture)),
        Reason("balance_not_counted", -balance),
    ]


def _beside(part: ModuleClass) -> int:
    return part.stored_elements - part.elements


def _rotary(architecture: Architecture) -> int:
    """Frequencies stored with every layer: half of hidden / heads, as transformers built them, whatever the width of a
    head."""
    turned = 0
    for group in architecture.layers:
        for mixer in group.mixers:
            heads = getattr(mixer, "heads", 0)
            if heads and mixer.reach in ("full", "window"):
                turned += group.count * (architecture.hidden // heads // 2)
    return turned // ROTARY_SHARE.get(architecture.model_type, 1)


def _masks(architecture: Architecture) -> int:
    if architecture.model_type not in MASKED:
        return 0
    return architecture.depth * architecture.max_context**2


def _position_ids(architecture: Architecture) -> int:
    """BERT and its kin store the numbers of the positions themselves."""
    reads = all(
        isinstance(mixer, Attention) and mixer.both_ways for group in architecture.layers for mixer in group.mixers
    )
    positions = architecture.part("positions")
    return positions // architecture.hidden if reads and architecture.hidden else 0


def stated(reasons: tuple[Reason, ...]) -> Mapping[str, int]:
    """Elements by code."""
    return {reason.code: reason.elements for reason in reasons}
