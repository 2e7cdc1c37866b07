"""The feed-forward parts of a decoder: dense widths, experts, shared experts, and which layers have which."""

from typing import Any

from desktop.architectures.config_fields import EXPERTS, LAYERS, WIDTH, Fields
from desktop.architectures.configs.family_habits import Habits

DENSE_WIDTH = ("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim", "d_ff")
EXPERT_COUNT = ("n_routed_experts", "num_experts", "num_local_experts", "moe_num_experts")
TOP_K = ("num_experts_per_tok", "num_experts_per_token", "experts_per_token", "moe_topk", "moe_k", "top_k_experts")
SHARED_COUNT = ("n_shared_experts", "num_shared_experts", "num_shared_expert")
SHARED_WIDTH = (
    "moe_shared_expert_intermediate_size",
    "shared_expert_intermediate_size",
    "shared_intermediate_size",
    "share_expert_dim",
)
SPARSE_WORDS = {"sparse": True, "moe": True, "dense": False}


def feed_forward_facts(fields: Fields, habits: Habits, layers: int, hidden: int) -> dict[str, Any]:
    """Width of the dense MLPs; experts, their width, how many a token is sent to, shared ones, and which layers have
    them. Raises Problem for what is missing or out of range."""
    nested = fields.part("ffn_config")  # DBRX
    experts = _uniform(fields, EXPERT_COUNT, EXPERTS)
    if experts is None and nested is not None:
        experts = nested.whole("moe_num_experts", within=EXPERTS)
    if not experts or experts == 1:
        return {"intermediate_size": _dense_width(fields, habits, hidden), "dimensions": {}}
    if nested is not None:
        used, width = nested.whole("moe_top_k", within=EXPERTS), nested.whole("ffn_hidden_size", within=WIDTH)
    else:
        used, width = _uniform(fields, TOP_K, EXPERTS), _expert_width(fields, habits)
    if used is None:
        raise fields.missing(TOP_K[0])
    if width is None:
        raise fields.missing("moe_intermediate_size")
    if not 1 <= used <= experts:
        raise fields.bad(next((name for name in TOP_K if fields.has(name)), TOP_K[0]), used, "more_than_experts")
    facts: dict[str, Any] = {
        "num_experts": experts,
        "experts_per_tok": used,
        "moe_intermediate_size": width,
        "shared_experts": _shared(fields, habits, width),
        "intermediate_size": fields.whole(*DENSE_WIDTH, within=WIDTH),
    }
    sparse = sparse_layers(fields, layers)
    facts["first_dense_layers"], step = _regular(sparse)
    dimensions: dict[str, Any] = {} if step == 1 else {"moe_layer_step": step}
    if not all(sparse):
        dimensions["sparse_layers"] = sparse
    dense = fields.whole(habits["dense_in"], within=WIDTH) if "dense_in" in habits else None
    if dense is not None and not all(sparse):
        dimensions["dense_intermediate_size"] = dense
    return {**facts, "dimensions": dimensions}


def sparse_layers(fields: Fields, layers: int) -> list[bool]:
    """Whether each layer has experts, from every way a config says it."""
    words = fields.listed("mlp_layer_types", layers)
    if words is not None:
        for word in words:
            if word not in SPARSE_WORDS:
                raise fields.bad("mlp_layer_types", word, "unknown_layer_kind")
        return [SPARSE_WORDS[word] for word in words]
    if isinstance(fields.values.get("moe_layer_freq"), list):
        return [flag == 1 for flag in fields.wholes("moe_layer_freq", (0, 1), layers) or []]
    numbered = fields.wholes("moe_layers", (0, layers - 1))
    if numbered is not None:
        return [layer in set(numbered) for layer in range(layers)]
    if fields.has("expert_layer_period"):  # Jamba
        period, offset = fields.need("expert_layer_period", within=LAYERS), fields.whole("expert_layer_offset") or 0
        return [layer % period == offset for layer in range(layers)]
    first = fields.whole("first_k_dense_replace", "num_dense_layers", within=(0, layers)) or 0
    step = fields.whole("interleave_moe_layer_step", "decoder_sparse_step", within=LAYERS)
    if step is not None:  # Llama 4, Qwen2-MoE: the last of each group is sparse
        dense = set(fields.wholes("mlp_only_layers", (0, layers - 1)) or [])
        return [layer >= first and layer not in dense and (layer + 1) % step == 0 for layer in range(layers)]
    every = fields.whole("moe_layer_freq", within=LAYERS) or 1  # DeepSeek: the first of each group is
    return [layer >= first and layer % every == 0 for layer in range(layers)]


def _regular(sparse: list[bool]) -> tuple[int, int]:
    """Dense layers at the start and the step between sparse ones, where there is one: the list says the rest."""
    count, layers = sum(sparse), len(sparse)
    first = sparse.index(True) if count else layers
    if count == layers - first:
        return first, 1
    for step in range(2, layers + 1):
        offset = first % step
        if layers // step == count and sparse == [layer % step == offset for layer in range(layers)]:
            return 0, step
    return first, 1


def _dense_width(fields: Fields, habits: Habits, hidden: int) -> int:
    if fields.text("model_type") == "granitemoehybrid":  # without experts the shared one is the MLP
        return fields.need("shared_intermediate_size", within=WIDTH)
    width = fields.whole(*DENSE_WIDTH, within=WIDTH)
    if width is None and habits.get("four_hidden"):
        return (fields.whole("expansion_ratio", within=(1, 64)) or 4) * hidden
    if width is None:
        raise fields.missing(DENSE_WIDTH[0])
    # the first Qwen counts gate and up together
    return width // 2 if fields.text("model_type") == "qwen" else width


def _expert_width(fields: Fields, habits: Habits) -> int | None:
    width = _uniform(fields, ("moe_intermediate_size", "expert_ffn_hidden_size"), WIDTH)
    if width is None and "experts_in" in habits:
        return fields.whole(habits["experts_in"], within=WIDTH)
    return width


def _shared(fields: Fields, habits: Habits, width: int) -> int | str:
    """How many experts of the routed width every token passes, or `1x5632` for one of another width."""
    count = _uniform(fields, SHARED_COUNT, EXPERTS)
    own = fields.whole(*SHARED_WIDTH, within=(0, WIDTH[1]))
    if own == 0 or (count == 0 and own is None):
        return 0
    if own is not None:
        return count if count and own == width * count else f"1x{own}"
    return int(habits.get("shared", 0)) if count is None else count


def _uniform(fields: Fields, names: tuple[str, ...], within: tuple[int, int]) -> int | None:
    """A whole number, or the one value of a list per layer (Hunyuan). Raises Problem where layers differ."""
    for name in names:
        value = fields.values.get(name)
        if isinstance(value, list):
            values = fields.wholes(name, within) or []
            if len(set(values)) != 1:
                raise fields.bad(name, str(values), "layers_differ")
            return values[0]
        if value is not None:
            return fields.whole(name, within=within)
    return None
