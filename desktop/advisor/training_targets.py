"""Which matrices of a layer adapters sit on, by the names that peft, litgpt and torchtune use."""

from collections.abc import Mapping

from desktop.architectures import DenseDecoder
from desktop.request import Problem

Targets = str | tuple[str, ...]
ATTENTION = ("q", "k", "v", "o")
MLP = ("gate", "up", "down")
# one name may stand for several matrices stored as one
ROLES: Mapping[str, tuple[str, ...]] = {
    "q_proj": ("q",),
    "k_proj": ("k",),
    "v_proj": ("v",),
    "o_proj": ("o",),
    "out_proj": ("o",),
    "wq": ("q",),
    "wk": ("k",),
    "wv": ("v",),
    "wo": ("o",),
    "output_proj": ("o",),
    "qkv_proj": ("q", "k", "v"),
    "qkv": ("q", "k", "v"),
    "query_key_value": ("q", "k", "v"),
    "c_attn": ("q", "k", "v"),
    "dense": ("o",),
    "gate_proj": ("gate",),
    "w1": ("gate",),
    "up_proj": ("up",),
    "w3": ("up",),
    "fc1": ("up",),
    "c_fc": ("up",),
    "dense_h_to_4h": ("up",),
    "down_proj": ("down",),
    "w2": ("down",),
    "fc2": ("down",),
    "dense_4h_to_h": ("down",),
    "gate_up_proj": ("gate", "up"),
}
EMBEDDINGS = ("embed_tokens", "wte", "tok_embeddings", "word_embeddings", "embed_in")
HEADS = ("lm_head", "output", "embed_out")


def adapted_shapes(architecture: DenseDecoder, targets: Targets) -> tuple[tuple[int, int], ...]:
    """(inputs, outputs) of every adapted matrix of one layer; matrices stored as one get one adapter.

    Raises Problem("invalid_plan", rule="unknown_target") for a name the model has no matrix of.
    """
    return tuple(
        (_shape(architecture, group[0])[0], sum(_shape(architecture, role)[1] for role in group))
        for group in _groups(architecture, targets)
    )


def reaches_mlp(architecture: DenseDecoder, targets: Targets) -> bool:
    """Whether an adapter sits on a matrix of the MLP, whose input must then be kept."""
    return any(role in MLP for group in _groups(architecture, targets) for role in group)


def saved_module_parameters(architecture: DenseDecoder, modules: tuple[str, ...]) -> int:
    """Parameters of modules trained in full beside the adapters: embedding and output head.

    Raises Problem("invalid_plan", rule="unknown_target") for any other module.
    """
    known = {**dict.fromkeys(EMBEDDINGS, 1), **dict.fromkeys(HEADS, 1)}
    for name in modules:
        if name not in known:
            raise Problem(
                "invalid_plan", field="lora.modules_to_save", rule="unknown_target", name=name, known=", ".join(known)
            )
    return len(set(modules)) * architecture.embedding_parameters()


def _groups(architecture: DenseDecoder, targets: Targets) -> tuple[tuple[str, ...], ...]:
    has = {matrix.role for matrix in architecture.matrices()}
    if isinstance(targets, str):
        roles = ATTENTION if targets == "attention" else ATTENTION + MLP
        return tuple((role,) for role in roles if role in has)
    groups: list[tuple[str, ...]] = []
    for name in targets:
        group = tuple(role for role in ROLES.get(name, ()) if role in has)
        if not group:
            raise Problem(
                "invalid_plan", field="lora.targets", rule="unknown_target", name=name, known=", ".join(ROLES)
            )
        if group not in groups:
            groups.append(group)
    return tuple(groups)


def _shape(architecture: DenseDecoder, role: str) -> tuple[int, int]:
    matrix = next(matrix for matrix in architecture.matrices() if matrix.role == role)
    return matrix.columns, matrix.rows
