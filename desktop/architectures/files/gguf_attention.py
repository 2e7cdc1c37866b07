"""The attention of a GGUF file's model: heads by layer, latents, windows and their pattern."""

from typing import Any

from desktop.architectures.config_fields import CONTEXT, HEAD_DIM, HEADS, HIDDEN, Fields
from desktop.architectures.files.gguf_families import gguf_family
from desktop.architectures.files.gguf_header import GgufHeader

FULL, SLIDING, LINEAR = "full", "sliding", "linear"


def attention_facts(header: GgufHeader, fields: Fields, layers: int, hidden: int) -> dict[str, Any]:
    """Heads of the attention layers, and which layers attend to what.

    Raises Problem for a figure that is missing, out of range or at odds with another.
    """
    heads = _by_layer(fields, "attention.head_count", layers)
    if heads is None:
        raise fields.missing("attention.head_count")
    if not any(heads):  # Mamba: written because a reader wants it
        return {"full_attn_layers": 0, "dimensions": {}}
    kv_heads = _by_layer(fields, "attention.head_count_kv", layers) or heads
    kinds = _kinds(header, fields, [min(pair) for pair in zip(heads, kv_heads, strict=True)])
    facts: dict[str, Any] = {
        "num_heads": _one(heads),
        "full_attn_layers": kinds.count(FULL),
        "dimensions": {"layer_kinds": kinds} if _differ(header, kinds) else {},
    }
    if SLIDING in kinds or "chunked" in kinds:
        facts["sliding_window"] = fields.whole("attention.sliding_window", within=CONTEXT)
    if fields.has("attention.kv_lora_rank"):
        facts |= _latents(fields) | {"num_kv_heads": facts["num_heads"]}
    else:
        _heads(header, fields, facts, kv_heads, kinds, hidden)
    facts["attention"] = _word(facts, kinds)
    return facts


def _differ(header: GgufHeader, kinds: list[str]) -> bool:
    """Whether a list of kinds says more than their number: the layers of Nemotron are told in other ways."""
    stateless = LINEAR in kinds and gguf_family(header).get("state") in (None, "nemotron")
    return len(set(kinds)) > 1 and not stateless


def _by_layer(fields: Fields, name: str, layers: int) -> list[int] | None:
    """A figure of each layer, whether the file gives one for all or a list; layers without attention have 0."""
    within = (0, HEADS[1])
    if isinstance(fields.values.get(name), list):
        listed = fields.wholes(name, within) or []
        if len(listed) < layers:
            raise fields.bad(name, len(listed), "wrong_length", layers=layers)
        return listed[:layers]  # draft layers follow
    one = fields.whole(name, within=within)
    return None if one is None else [one] * layers


def _one(values: list[int]) -> int | list[int]:
    """One figure where all layers that have any agree, the list where they do not."""
    present = sorted({value for value in values if value})
    return present[0] if len(present) == 1 else values


def _heads(
    header: GgufHeader, fields: Fields, facts: dict[str, Any], kv_heads: list[int], kinds: list[str], hidden: int
) -> None:
    """KV heads and their width; layers with a window may have others than those that see everything (Gemma 4)."""
    heads = facts["num_heads"]
    most = max(heads) if isinstance(heads, list) else heads
    if any(most % own for own in kv_heads if own):
        raise fields.bad("attention.head_count_kv", max(kv_heads), "heads_not_divisible", heads=most)
    head_dim = fields.whole("attention.key_length", within=HEAD_DIM)
    if head_dim is None and hidden % most:
        raise fields.bad("attention.head_count", most, "hidden_not_divisible", hidden=hidden)
    head_dim = head_dim or hidden // most
    narrow = fields.whole("attention.key_length_swa", within=HEAD_DIM)
    windowed = {own for own, kind in zip(kv_heads, kinds, strict=True) if kind == SLIDING}
    full = {own for own, kind in zip(kv_heads, kinds, strict=True) if kind == FULL and own}
    facts["num_kv_heads"], facts["head_dim"] = _one(kv_heads), head_dim
    if len(windowed) == len(full) == 1 and (windowed != full or narrow not in (None, head_dim)):
        if header.architecture == "mimo2":  # its row is that of the full layers
            facts["num_kv_heads"] = full.pop()
            facts["dimensions"]["window_kv_heads"] = windowed.pop()
        else:
            facts["num_kv_heads"], facts["head_dim"] = windowed.pop(), narrow or head_dim
            facts["dimensions"] |= {"full_kv_heads": full.pop(), "full_head_dim": head_dim}
    value_dim = fields.whole("attention.value_length", within=HEAD_DIM)
    if value_dim not in (None, head_dim):
        facts["v_head_dim"] = value_dim
    _norms(header, facts)


def _norms(header: GgufHeader, facts: dict[str, Any]) -> None:
    """Norms of queries, as wide as one head or as all of them."""
    for tensor in header.tensors:
        if tensor.name.endswith(".attn_q_norm.weight"):
            facts["qk_norm"] = True
            one_head = tensor.shape[-1:] in ((facts["head_dim"],), (facts["dimensions"].get("full_head_dim"),))
            facts["dimensions"]["qk_norm_kind"] = "head" if one_head else "width"
            return


def _latents(fields: Fields) -> dict[str, Any]:
    """Ranks of multi-head latent attention. Files since 2025 give the width of a cached key as `key_length` and that
    of a head as `key_length_mla`, older ones the width of a head as `key_length`."""
    rope = fields.need("rope.dimension_count", within=HEAD_DIM)
    key = fields.need("attention.key_length_mla", "attention.key_length", within=HEAD_DIM)
    if key <= rope:
        raise fields.bad("attention.key_length", key, "out_of_range", low=rope + 1, high=HEAD_DIM[1])
    facts: dict[str, Any] = {
        "kv_lora_rank": fields.need("attention.kv_lora_rank", within=HIDDEN),
        "q_lora_rank": fields.whole("attention.q_lora_rank", within=(0, HIDDEN[1])) or None,
        "qk_nope_head_dim": key - rope,
        "qk_rope_head_dim": rope,
        "v_head_dim": fields.need("attention.value_length_mla", "attention.value_length", within=HEAD_DIM),
        "head_dim": key,
    }
    return {name: value for name, value in facts.items() if value is not None}


def _kinds(header: GgufHeader, fields: Fields, attending: list[int]) -> list[str]:
    """One word a layer, in the vocabulary of `build.py`. A layer without heads keeps a state, or nothing."""
    family = gguf_family(header)
    if any(not heads for heads in attending):
        return [FULL if heads else LINEAR for heads in attending]
    layers = len(attending)
    other = family.get("other", SLIDING)
    if other == LINEAR:
        interval = fields.whole("full_attention_interval", within=(1, layers)) or family["full_every"]
        return _every(interval, layers, other, False)
    if not fields.whole("attention.sliding_window", within=(0, CONTEXT[1])) or family.get("window") is False:
        return [FULL] * layers
    pattern = fields.values.get("attention.sliding_window_pattern")
    if isinstance(pattern, list):
        if len(pattern) < layers or not all(isinstance(windowed, bool | int) for windowed in pattern):
            raise fields.bad("attention.sliding_window_pattern", len(pattern), "wrong_length", layers=layers)
        return [other if windowed else FULL for windowed in pattern[:layers]]
    interval = fields.whole("attention.sliding_window_pattern", within=(0, layers)) or family.get("full_every")
    if interval is None:  # a window and no word about a pattern: all layers have it
        return [other] * layers
    return _every(interval, layers, other, bool(family.get("full_first")))


def _every(interval: int, layers: int, other: str, first: bool) -> list[str]:
    place = 0 if first else interval - 1
    return [FULL if layer % interval == place else other for layer in range(layers)]


def _word(facts: dict[str, Any], kinds: list[str]) -> str:
    """The kind of attention in the words of the catalog."""
    if "kv_lora_rank" in facts:
        return "mla"
    if "chunked" in kinds:
        return "chunked+full"
    if SLIDING in kinds:
        return "swa+full" if FULL in kinds else "swa (all layers)"
    heads, kv_heads = facts["num_heads"], facts["num_kv_heads"]
    return "mha" if heads == kv_heads else "mqa" if kv_heads == 1 else "gqa"
