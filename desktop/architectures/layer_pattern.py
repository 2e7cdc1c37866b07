"""Which layer is of which kind: listed one by one, or by the habit of the family and the counts of a catalog row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from desktop.architectures.counting.dimensions import Dimensions, MissingDimension

Family = Mapping[str, Any]

# kinds of `layer_kinds`; `light` and `heavy` are the compressed layers of DeepSeek-V4
FULL, SLIDING, CHUNKED, LINEAR, CROSS = "full", "sliding", "chunked", "linear", "cross"
LIGHT, HEAVY = "light", "heavy"
HALF_BLOCKS = {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}  # Nemotron-H, hybrid_override_pattern


class UnfitLayers(ValueError):
    """Layers are listed that the family does not have."""


@dataclass(frozen=True, slots=True)
class LayerPlan:
    """What tells the layers of one decoder apart."""

    kind: str
    sparse: bool = False
    balanced: bool = True  # the router learns a bias; not where a fixed table routes
    indexed: bool = False


def layer_plans(row: Dimensions, family: Family) -> tuple[tuple[LayerPlan, ...], bool]:
    """One plan a layer, and whether their order is known. Raises MissingDimension."""
    kinds, kinds_ordered = layer_kinds(row, family)
    sparse = sparse_layers(row)
    indexed, indexed_ordered = _indexed(row, family, sparse)
    fixed = row.whole_or("hash_layers", 0)
    plans = tuple(
        LayerPlan(kind, sparse[place], balanced=place >= fixed, indexed=indexed[place])
        for place, kind in enumerate(kinds)
    )
    return plans, kinds_ordered and indexed_ordered


def layer_kinds(row: Dimensions, family: Family) -> tuple[tuple[str, ...], bool]:
    """The kind of each layer: `layer_kinds` where they are listed, else `full_attn_layers` of them by the habit of the
    family, and the others of the family's other kind.

    Raises MissingDimension, UnfitLayers.
    """
    layers = row.whole("num_layers")
    listed = _listed(row, family, layers)
    if listed:
        return listed, True
    if family["mixer"] == "compressed":
        return _compressed(row, layers)
    other = family["other_layers"] or SLIDING
    full = _full_layers(row, family, layers)
    if family["other_at"]:
        flags, ordered = marked(layers, layers - full, family["other_at"], ())
        return tuple(other if flag else FULL for flag in flags), ordered
    flags, ordered = marked(layers, full, family["full_at"], family["full_also"])
    return tuple(FULL if flag else other for flag in flags), ordered


def sparse_layers(row: Dimensions) -> tuple[bool, ...]:
    """Which layers have experts: those of `sparse_layers`, or all but the first dense ones, every
    `moe_layer_step`-th."""
    layers = row.whole("num_layers")
    if row.facts.get("num_experts") is None:
        return (False,) * layers
    listed = row.facts.get("sparse_layers")
    if listed:
        return tuple(bool(flag) for flag in _of_length("sparse_layers", listed, layers))
    first, step = row.whole_or("first_dense_layers", 0), row.whole_or("moe_layer_step", 1)
    return tuple(place >= first and (place - first + 1) % step == 0 for place in range(layers))


def block_kinds(row: Dimensions) -> tuple[str, ...] | None:
    """Nemotron-H: what the one block of each layer is (mamba, attention, mlp, moe); None where only counts are known.

    `layer_blocks` is a list of these words or the pattern `M-M*E` of a config. Raises MissingDimension, UnfitLayers.
    """
    blocks = row.facts.get("layer_blocks")
    if not blocks:
        return None
    words = [HALF_BLOCKS.get(sign, sign) for sign in blocks]
    if set(words) - set(HALF_BLOCKS.values()):
        raise UnfitLayers
    return _of_length("layer_blocks", words, row.whole("num_layers"))


def marked(layers: int, count: int, at: Sequence[int], also: Sequence[int]) -> tuple[tuple[bool, ...], bool]:
    """`count` layers marked, and whether it is known that they are these: all, none, or those `at` (period, offset)
    and `also` where that gives as many; else simply the last ones."""
    if count in (0, layers):
        return (count == layers,) * layers, True
    if at:
        chosen = {place for place in range(layers) if place % at[0] == at[1]} | {place % layers for place in also}
        if len(chosen) == count:
            return tuple(place in chosen for place in range(layers)), True
    return tuple(place >= layers - count for place in range(layers)), False


def _listed(row: Dimensions, family: Family, layers: int) -> tuple[str, ...] | None:
    """`layer_kinds`, or a KV head count for each layer where those without one keep a state."""
    kinds, kv_heads = row.facts.get("layer_kinds"), row.facts.get("num_kv_heads")
    if kinds:
        allowed = {FULL, SLIDING, CHUNKED} if family["mixer"] == "grouped_query" else {FULL, family["other_layers"]}
        if set(kinds) - (allowed if family["mixer"] != "compressed" else {SLIDING, LIGHT, HEAVY}):
            raise UnfitLayers
        return _of_length("layer_kinds", kinds, layers)
    if isinstance(kv_heads, list) and family["other_layers"] == LINEAR:
        return tuple(FULL if heads else LINEAR for heads in _of_length("num_kv_heads", kv_heads, layers))
    return None


def _indexed(row: Dimensions, family: Family, sparse: Sequence[bool]) -> tuple[tuple[bool, ...], bool]:
    """Which layers have an indexer of their own."""
    layers, owners = row.whole("num_layers"), row.whole_or("indexer_layers", 0)
    listed = row.facts.get("indexer_kinds")
    if family["mixer"] == "compressed":
        return (False,) * layers, True  # the indexer comes with light compression
    if listed:
        return tuple(word == "full" for word in _of_length("indexer_kinds", listed, layers)), True
    if owners == sum(sparse) and family["indexer_in"] == "sparse_layers":
        return tuple(sparse), True
    return marked(layers, owners, family["indexer_at"], family["indexer_also"])


def _full_layers(row: Dimensions, family: Family, layers: int) -> int:
    """How many layers attend to everything: as stated; without a statement all of them, or none where there is a window
    and the family has no habit."""
    if family["mixer"] != "grouped_query":
        return row.whole("full_attn_layers") if family["other_layers"] else layers
    if not (row.facts.get("sliding_window") or family["span"] or "swa" in row.text("attention")):
        return layers  # nothing speaks of a window
    if row.facts.get("full_attn_layers") is not None:
        return row.whole("full_attn_layers")
    at = family["full_at"]
    return sum(place % at[0] == at[1] for place in range(layers)) if at else 0


def _compressed(row: Dimensions, layers: int) -> tuple[tuple[str, ...], bool]:
    """DeepSeek-V4: after two layers light and heavy compression take turns; the first two are heavy or have none."""
    light, heavy = row.whole("light_compression_layers"), row.whole("heavy_compression_layers")
    first = SLIDING if light + heavy < layers else HEAVY
    kinds = tuple(first if place < 2 else (HEAVY if place % 2 else LIGHT) for place in range(layers))
    if (kinds.count(LIGHT), kinds.count(HEAVY)) == (light, heavy):
        return kinds, True
    return (SLIDING,) * (layers - light - heavy) + (LIGHT,) * light + (HEAVY,) * heavy, False


def _of_length(name: str, listed: Any, layers: int) -> tuple[Any, ...]:
    if not isinstance(listed, list | tuple) or len(listed) != layers:
        raise MissingDimension(name)
    return tuple(listed)
