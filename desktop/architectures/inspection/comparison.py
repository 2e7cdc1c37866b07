"""The tensors of a model against the formula of its layers: what the files hold beyond it, and what they lack."""

import re
from collections.abc import Callable

from desktop.architectures.architecture import Architecture
from desktop.architectures.feed_forward import Experts
from desktop.architectures.files import Tensor, TensorList, stored_weights
from desktop.architectures.files.safetensors_index import SafetensorsIndex
from desktop.architectures.files.stored_weights import CAUSAL_MASK
from desktop.architectures.files.tensor_list import BESIDE_TEXT, LAYER, has_head
from desktop.architectures.inspection.inspection import Doubt
from desktop.architectures.inspection.reasons import Reason, reasons_for
from desktop.architectures.inspection.stated_size import agrees, stated_size
from desktop.architectures.quantization import Quantization
from desktop.architectures.stored_matrix import plain_bytes, plain_format

DRAFT = re.compile(r"(?:^|\.)(?:mtp|nextn)(?:\.|_|$)")
DRAFT_COPY = re.compile(r"(?:embed_tokens|shared_head\.head|shared_head_head|lm_head)\.weight$")
ROTARY = re.compile(r"(?:inv_freq|rope_freqs\.weight|rope_factors_(?:long|short)\.weight)$")  # of GGUF files too
POSITION_IDS = re.compile(r"position_ids$")


def tensor_doubts(
    found: TensorList, architecture: Architecture, quantization: Quantization | None
) -> tuple[Doubt, ...]:
    """What a whole list of tensors holds beyond the formula, part by part, and what remains unexplained.

    Codes: those of `reasons_for`, tower_stored, buffers_stored, weights_packed, packed_bits_unknown,
    count_unexplained, layers_differ.
    """
    bits = quantization.weights.bits if quantization and quantization.weights else None
    stored = stored_weights(found, bits)
    if stored.elements is None:
        return (Doubt("packed_bits_unknown"),)
    parts, explained = _beside(found, architecture, bits)
    rest = stored.elements - explained - architecture.parameters()
    reasons = reasons_for(rest, architecture) if rest else ()
    doubts = [Doubt(reason.code, {"elements": reason.elements}) for reason in (*parts, *_of_any(reasons))]
    packed = sum(stored.schemes.values())
    raw = found.elements - stored.scales - stored.buffers
    if packed and raw != stored.elements:
        doubts.append(Doubt("weights_packed", {"stored": raw, "elements": stored.elements}))
    if stored.scales:
        doubts.append(Doubt("scales_stored", {"elements": stored.scales}))
    if rest and not reasons:
        doubts.append(_unexplained(architecture.parameters(), architecture.parameters() + rest))
        doubts += layer_doubts(found.layers(), architecture)
    return tuple(doubts)


def index_doubts(
    index: SafetensorsIndex, architecture: Architecture, dtype: str, quantization: Quantization | None
) -> tuple[Doubt, ...]:
    """What an index says, whose shards are not there, against the formula: names and `total_size` alone.

    Codes: as above, and total_size_unexplained, head_not_stored, stored_head, experts_differ.
    """
    doubts = list(layer_doubts(index.layers(), architecture))
    parts = (part for group in architecture.layers for part in group.feed_forwards)
    experts = max((part.experts for part in parts if isinstance(part, Experts)), default=0)
    if index.experts() and experts and index.experts() != experts:
        doubts.append(Doubt("experts_differ", {"stored": index.experts(), "counted": experts}))
    if index.total_size_bytes is None or quantization is not None:
        return tuple(doubts)
    elements, left = divmod(index.total_size_bytes, plain_bytes(plain_format(dtype)))
    difference = elements - architecture.parameters()
    if not difference and not left:
        return tuple(doubts)
    reasons = () if left else reasons_for(difference, architecture)
    doubts += [Doubt(reason.code, {"elements": reason.elements}) for reason in _of_any(reasons)]
    if not reasons:
        said = {"stated_bytes": index.total_size_bytes, "counted": architecture.parameters()}
        doubts.append(Doubt("total_size_unexplained", said))
    return tuple(doubts)


def layer_doubts(stored: int, architecture: Architecture) -> tuple[Doubt, ...]:
    """Layers that the names of tensors count against those the model says it has, drafts allowed."""
    if not stored or not architecture.depth or _reads(architecture):
        return ()
    most = architecture.depth + architecture.draft_layers
    if architecture.depth <= stored <= most:
        return ()
    return (Doubt("layers_differ", {"stored": stored, "counted": architecture.depth}),)


def name_doubts(name: str, counted: int, active: int | None = None) -> tuple[Doubt, ...]:
    """A size in the model's name that its elements, or those a token touches, cannot be rounded to."""
    stated = stated_size(name)
    if stated is None or any(agrees(stated, count) for count in (counted, active or counted)):
        return ()
    return (Doubt("name_differs", {"name": name, "stated": int(stated), "counted": counted}),)


def _beside(found: TensorList, architecture: Architecture, bits: int | None) -> tuple[tuple[Reason, ...], int]:
    """What stands in the files beside the model itself, told by its names: each part, and the weights among them.

    Buffers are no weights; a draft's scales are told with all others.
    """
    tied = architecture.embedding_elements > 0 and architecture.head_elements == 0
    towers = not architecture.towers and architecture.depth > 0
    drafted = _is_draft(architecture)
    tests: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("draft_copies", lambda name: drafted(name) and bool(DRAFT_COPY.search(name))),
        ("draft_stored", drafted),
        ("stored_head", lambda name: tied and has_head([name])),
        ("tower_stored", lambda name: towers and bool(BESIDE_TEXT.search(name)) and not ROTARY.search(name)),
        ("rotary_stored", lambda name: bool(ROTARY.search(name))),
        ("masks_stored", lambda name: bool(CAUSAL_MASK.search(name)) and architecture.model_type.startswith("gpt")),
        ("position_ids_stored", lambda name: bool(POSITION_IDS.search(name))),
    )
    sorted_out: dict[str, list[Tensor]] = {code: [] for code, _ in tests}
    for tensor in found:
        for code, fits in tests:
            if fits(tensor.name):
                sorted_out[code].append(tensor)
                break
    parts, weights = [], 0
    for code, tensors in sorted_out.items():
        held = stored_weights(TensorList.of(tensors, found.source), bits)
        weights += held.elements or 0
        if tensors:
            parts.append(Reason(code, (held.elements or 0) + held.buffers))
    return tuple(parts), weights


def _is_draft(architecture: Architecture) -> Callable[[str], bool]:
    """Whether a tensor is of a draft layer: it says so, or its layer stands behind the last one."""
    depth = 0 if _reads(architecture) else architecture.depth

    def drafted(name: str) -> bool:
        if DRAFT.search(name):
            return True
        match = LAYER.search(name) if depth else None
        if match is None or len(match[1]) > 6 or int(match[1]) < depth:
            return False
        return not BESIDE_TEXT.search(name[: match.start() + 1])

    return drafted


def _reads(architecture: Architecture) -> bool:
    """Whether there is an encoder, whose layers are numbered beside those of a decoder."""
    return any(group.stack == "encoder" for group in architecture.layers)


def _of_any(reasons: tuple[Reason, ...]) -> tuple[Reason, ...]:
    return tuple(Reason(reason.code, abs(reason.elements)) for reason in reasons)


def _unexplained(counted: int, stored: int) -> Doubt:
    return Doubt("count_unexplained", {"counted": counted, "stored": stored, "difference": stored - counted})
