"""The layers of a GGUF file's model that keep a fixed state, under the names a catalog row has for their family.

Source of what each key holds: conversion/*.py of llama.cpp as vendored in llama-cpp-python 0.3.36.
"""

from collections.abc import Callable, Mapping
from typing import Any

from desktop.architectures.config_fields import HEAD_DIM, HEADS, HIDDEN, Fields
from desktop.architectures.files.gguf_families import gguf_family
from desktop.architectures.files.gguf_header import GgufHeader


def state_facts(header: GgufHeader, fields: Fields, layers: int, hidden: int) -> dict[str, Any]:
    """`ssm_dims` of a family whose layers keep a state, empty for the others. Raises Problem for what is missing."""
    state = gguf_family(header).get("state")
    if state is None:
        return {}
    facts: dict[str, Any] = {"ssm_dims": READINGS[state](fields, header.architecture, hidden)}
    return facts | (_blocks(fields, layers) if state == "nemotron" else {})


def _size(fields: Fields, name: str) -> int:
    return fields.need(f"ssm.{name}", within=(1, HIDDEN[1]))


def _inner_of(fields: Fields, parts: int) -> int:
    """Inner width of one of `parts` equal parts."""
    inner = _size(fields, "inner_size")
    if inner % parts:
        raise fields.bad("ssm.inner_size", inner, "heads_not_inner", heads=parts, inner=inner)
    return inner // parts


def _mamba(fields: Fields, architecture: str, hidden: int) -> dict[str, Any]:
    inner = _size(fields, "inner_size")
    if inner % hidden:
        raise fields.bad("ssm.inner_size", inner, "heads_not_inner", heads=hidden, inner=inner)
    names = (
        ("mamba_d_state", "mamba_d_conv", "mamba_expand", "mamba_dt_rank")
        if architecture == "jamba"
        else ("state_size", "conv_kernel", "expand", "time_step_rank")
    )
    sizes = (_size(fields, "state_size"), _size(fields, "conv_kernel"), inner // hidden)
    return dict(zip(names, (*sizes, _size(fields, "time_step_rank")), strict=True))


def _mamba2(fields: Fields, _: str, __: int) -> dict[str, Any]:
    heads = _size(fields, "time_step_rank")
    return {
        "mamba_n_heads": heads,
        "mamba_d_head": _inner_of(fields, heads),
        "mamba_n_groups": _size(fields, "group_count"),
        "mamba_d_state": _size(fields, "state_size"),
        "mamba_d_conv": _size(fields, "conv_kernel"),
    }


def _nemotron(fields: Fields, _: str, __: int) -> dict[str, Any]:
    heads = _size(fields, "time_step_rank")
    return {
        "mamba_num_heads": heads,
        "mamba_head_dim": _inner_of(fields, heads),
        "n_groups": _size(fields, "group_count"),
        "ssm_state_size": _size(fields, "state_size"),
        "conv_kernel": _size(fields, "conv_kernel"),
        "moe_latent_size": fields.whole("moe_latent_size", within=HIDDEN),
    }


def _gated_delta(fields: Fields, _: str, __: int) -> dict[str, Any]:
    value_heads = _size(fields, "time_step_rank")
    return {
        "linear_num_key_heads": _size(fields, "group_count"),
        "linear_num_value_heads": value_heads,
        "linear_key_head_dim": _size(fields, "state_size"),
        "linear_value_head_dim": _inner_of(fields, value_heads),
        "linear_conv_kernel_dim": _size(fields, "conv_kernel"),
    }


def _kimi_delta(fields: Fields, _: str, __: int) -> dict[str, Any]:
    return {
        "num_heads": fields.need("attention.head_count", within=HEADS),
        "head_dim": fields.need("kda.head_dim", within=HEAD_DIM),
        "short_conv_kernel_size": _size(fields, "conv_kernel"),
    }


def _blocks(fields: Fields, layers: int) -> dict[str, Any]:
    """What each layer of Nemotron-H is: one with heads attends, one with a width is an MLP or experts, the others are
    Mamba."""
    heads = fields.wholes("attention.head_count_kv", (0, HEADS[1])) or []
    widths = fields.wholes("feed_forward_length") or []
    if min(len(heads), len(widths)) < layers:
        short = "attention.head_count_kv" if len(heads) < layers else "feed_forward_length"
        raise fields.bad(short, min(len(heads), len(widths)), "wrong_length", layers=layers)
    passing = "moe" if fields.whole("expert_count") else "mlp"
    blocks = ["attention" if heads[i] else passing if widths[i] else "mamba" for i in range(layers)]
    counted = {f"{block}_layers": blocks.count(block) for block in ("mamba", "mlp", "moe") if block in blocks}
    return {"full_attn_layers": blocks.count("attention"), "dimensions": {**counted, "blocks": blocks}}


READINGS: Mapping[str, Callable[[Fields, str, int], dict[str, Any]]] = {
    "mamba": _mamba,
    "mamba2": _mamba2,
    "nemotron": _nemotron,
    "gated_delta": _gated_delta,
    "kimi_delta": _kimi_delta,
}
