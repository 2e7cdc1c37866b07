"""The layers that keep a fixed state instead of a KV cache: Mamba, gated delta, Kimi delta, lightning, RWKV."""

import math
from typing import Any

from desktop.architectures.config_fields import COUNT, HEAD_DIM, HEADS, HIDDEN, Fields

GATED_DELTA = (
    "linear_num_key_heads",
    "linear_num_value_heads",
    "linear_key_head_dim",
    "linear_value_head_dim",
    "linear_conv_kernel_dim",
)
MAMBA2 = ("mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state", "mamba_d_conv")
NEMOTRON = ("mamba_num_heads", "mamba_head_dim", "ssm_state_size", "n_groups", "conv_kernel")
STEP_RANK_OF_HIDDEN = 16  # "auto" is hidden / 16 rounded up; Mamba, arXiv:2312.00752, section 3.6


def state_facts(fields: Fields, model_type: str, hidden: int) -> dict[str, Any]:
    """`ssm_dims` of a family whose layers keep a state, empty for the others. Raises Problem for what is missing."""
    if model_type in ("qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"):
        return {"ssm_dims": {name: fields.need(name, within=(1, HIDDEN[1])) for name in GATED_DELTA}}
    if model_type == "minimax":
        heads = fields.need("num_attention_heads", within=HEADS)
        return {"ssm_dims": {"lightning_heads": heads, "head_dim": fields.need("head_dim", within=HEAD_DIM)}}
    if model_type == "kimi_linear":
        return {"ssm_dims": _kimi_delta(fields)}
    if model_type == "jamba":
        dims = {name: fields.need(name, within=COUNT) for name in ("mamba_d_state", "mamba_d_conv", "mamba_expand")}
        return {"ssm_dims": {**dims, "mamba_dt_rank": _step_rank(fields, "mamba_dt_rank", hidden)}}
    if model_type in ("granitemoehybrid", "falcon_h1"):
        return {"ssm_dims": _mamba2(fields, hidden)}
    if model_type in ("mamba", "falcon_mamba"):
        dims = {name: fields.need(name, within=COUNT) for name in ("state_size", "conv_kernel", "expand")}
        return {"ssm_dims": {**dims, "time_step_rank": _step_rank(fields, "time_step_rank", hidden)}}
    if model_type == "nemotron_h":
        dims = {name: fields.need(name, within=(1, HIDDEN[1])) for name in NEMOTRON}
        return {"ssm_dims": {**dims, "moe_latent_size": fields.whole("moe_latent_size", within=HIDDEN)}}
    return {}


def _mamba2(fields: Fields, hidden: int) -> dict[str, int]:
    """Width of a head is `auto` in some configs: the inner width over the heads."""
    stated = fields.values.get("mamba_d_head")
    dims = {name: fields.need(name, within=(1, HIDDEN[1])) for name in MAMBA2 if name != "mamba_d_head"}
    inner = fields.whole("mamba_d_ssm", within=HIDDEN) or (fields.whole("mamba_expand") or 2) * hidden
    width = inner // dims["mamba_n_heads"] if stated in (None, "auto") else fields.need("mamba_d_head", within=HEAD_DIM)
    if width * dims["mamba_n_heads"] != inner:
        raise fields.bad("mamba_d_head", width, "heads_not_inner", heads=dims["mamba_n_heads"], inner=inner)
    return {**dims, "mamba_d_head": width}


def _kimi_delta(fields: Fields) -> dict[str, Any]:
    part = fields.part("linear_attn_config")
    if part is None:  # transformers 5 writes them flat
        return {
            "num_heads": fields.need("linear_num_heads", within=HEADS),
            "head_dim": fields.need("linear_head_dim", within=HEAD_DIM),
            "short_conv_kernel_size": fields.need("linear_conv_kernel_dim", within=COUNT),
        }
    return {
        "num_heads": part.need("num_heads", within=HEADS),
        "head_dim": part.need("head_dim", within=HEAD_DIM),
        "short_conv_kernel_size": part.need("short_conv_kernel_size", within=COUNT),
        "use_full_rank_gate": part.yes("use_full_rank_gate") or False,
    }


def _step_rank(fields: Fields, name: str, hidden: int) -> int:
    if fields.values.get(name) in (None, "auto"):
        return math.ceil(hidden / STEP_RANK_OF_HIDDEN)
    return fields.need(name, within=HIDDEN)
