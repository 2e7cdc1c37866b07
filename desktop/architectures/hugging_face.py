"""A Hugging Face `config.json` becomes a DenseDecoder, or a clear sentence about what is missing. Nothing is
guessed."""

import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from desktop.architectures.dense import DenseDecoder
from desktop.architectures.families import family_of
from desktop.request import Problem
from desktop.request.strict_json import parse_strict

MAX_CONFIG_BYTES = 4 * 2**20
# spellings of one fact across families, the usual one first
SPELLINGS = {
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model", "dim"),
    "intermediate": ("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim", "d_ff"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"),
    "head_dim": ("head_dim", "kv_channels", "attention_head_dim"),
    "vocab": ("vocab_size", "padded_vocab_size"),
    "max_context": (
        "max_position_embeddings",
        "n_positions",
        "max_seq_len",
        "seq_length",
        "n_ctx",
        "max_sequence_length",
    ),
}
LIMITS = {  # widest values seen in public models, with room: outside of them a file is broken, not unusual
    "layers": (1, 1000),
    "hidden": (1, 262_144),
    "intermediate": (1, 1_048_576),
    "heads": (1, 4096),
    "kv_heads": (1, 4096),
    "head_dim": (1, 8192),
    "vocab": (1, 4_194_304),
    "max_context": (1, 100_000_000),
}
LONGEST_NAME = 120
STORED_AS = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "auto": "bf16"}
FALCON_LIKE = ("falcon",)
FOUR_TIMES_HIDDEN = ("gpt2", "falcon", "bloom")


def read_config_file(path: Path, name: str | None = None) -> DenseDecoder:
    """Decoder of a config.json on disk (or of the folder that holds one).

    Raises Problem: file_missing, file_unreadable, file_too_large, bad_json, not_a_model_config, unsupported_model,
    missing_model_field, bad_model_field.
    """
    try:
        if path.is_dir():
            path = path / "config.json"
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a device never ends, a pipe may never begin
            raise Problem("file_unreadable", field=path.name, reason="other")
        if status.st_size > MAX_CONFIG_BYTES:
            raise Problem("file_too_large", field=path.name, limit_mib=MAX_CONFIG_BYTES // 2**20)
        data = path.read_bytes()
    except FileNotFoundError:
        raise Problem("file_missing", field=path.name) from None
    except (OSError, ValueError) as error:  # a path too long for the system, or with a null byte in it
        denied = isinstance(error, PermissionError)
        raise Problem("file_unreadable", field=path.name[:80], reason="permission" if denied else "other") from None
    config = parse_strict(data, path.name)
    if not isinstance(config, dict):
        raise Problem("not_a_model_config", field=path.name)
    return read_config(config, name or model_name(config) or path.resolve().parent.name, path.name)


def model_name(config: Mapping[str, Any]) -> str:
    """What a config calls its model: the last part of `_name_or_path`, since a path tells where somebody keeps it.

    >>> model_name({"_name_or_path": "/data/models/Llama-3.1-70B/"}), model_name({})
    ('Llama-3.1-70B', '')
    """
    parts = [part for part in re.split(r"[\\/]", str(config.get("_name_or_path") or "")) if part]
    return parts[-1][:LONGEST_NAME] if parts else ""


def read_config(config: Mapping[str, Any], name: str, field: str = "hf_config") -> DenseDecoder:
    """Decoder of a config given as a mapping. `field` prefixes the field names of problems."""
    family = family_of(config, field)
    facts = {key: _whole(config, key, field) for key in SPELLINGS}
    return build(name, str(config["model_type"]), facts, family, config, field, source=field)


def build(
    name: str,
    model_type: str,
    facts: Mapping[str, int | None],
    family: Mapping[str, Any],
    config: Mapping[str, Any],
    field: str,
    source: str,
) -> DenseDecoder:
    """Decoder from whole-number facts, the family's habits and the switches of the config."""

    def need(key: str) -> int:
        value = facts[key]
        if value is None:
            raise Problem("missing_model_field", field=f"{field}.{SPELLINGS[key][0]}", name=SPELLINGS[key][0])
        return value

    def switch(setting: Any) -> bool:
        return config.get(setting, False) is True if isinstance(setting, str) else bool(setting)

    layers, hidden, heads, vocab = need("layers"), need("hidden"), need("heads"), need("vocab")
    head_dim = facts["head_dim"] or hidden // heads
    kv_heads = _kv_heads(model_type, facts["kv_heads"], heads, config)
    if heads % kv_heads:
        raise Problem(
            "bad_model_field",
            field=f"{field}.num_key_value_heads",
            value=kv_heads,
            reason="heads_not_divisible",
            heads=heads,
        )
    if not facts["head_dim"] and hidden % heads:
        raise Problem(
            "bad_model_field",
            field=f"{field}.num_attention_heads",
            value=heads,
            reason="hidden_not_divisible",
            hidden=hidden,
        )
    intermediate = facts["intermediate"] or (4 * hidden if model_type in FOUR_TIMES_HIDDEN else need("intermediate"))
    width = {"rms": hidden, "weight_layer": hidden, "layer": 2 * hidden}[family["norm"]]
    qk_norm = family["qk_norm"]
    if qk_norm not in ("none", "head", "width"):
        qk_norm = "width" if switch(qk_norm) else "none"
    norms = 2 if model_type in FALCON_LIKE and config.get("new_decoder_architecture") else family["norms"]
    max_context = facts["max_context"] or 0
    tied = config.get("tie_word_embeddings")
    if tied is not None and not isinstance(tied, bool):
        raise Problem(
            "bad_model_field", field=f"{field}.tie_word_embeddings", value=str(tied)[:40], reason="not_yes_or_no"
        )
    return DenseDecoder(
        name=name,
        model_type=model_type,
        layers=layers,
        hidden=hidden,
        intermediate=intermediate,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        vocab=vocab,
        max_context=max_context,
        gated_mlp=family["gated"],
        tied_embeddings=family["tied"] if tied is None else tied,
        qkv_bias=switch(family["qkv_bias"]),
        output_bias=switch(family["output_bias"]),
        mlp_bias=switch(family["mlp_bias"]),
        norms_per_layer=norms,
        norm_width=width,
        qk_norm_width={"none": 0, "head": 2 * head_dim, "width": (heads + kv_heads) * head_dim}[qk_norm],
        position_width=max_context * hidden if family["positions"] == "learned" else 0,
        embedding_norm_width=width if family["embedding_norm"] else 0,
        head_bias=family["head_bias"],
        checkpoint_format=checkpoint_format(config, field),
        source=source,
    )


def checkpoint_format(config: Mapping[str, Any], field: str) -> str:
    """Weight format the checkpoint itself is stored in, in the contract's words.

    Raises Problem("unsupported_model", what="quantization") for a scheme that has no word there.
    """
    scheme = config.get("quantization_config")
    if isinstance(scheme, dict):
        method = str(scheme.get("quant_method") or scheme.get("quant_algo") or "").lower()
        bits = scheme.get("bits") or scheme.get("w_bit")
        if method == "fp8":
            return "fp8-block" if scheme.get("weight_block_size") else "fp8"
        if method == "gptq" and bits in (4, 8):
            return f"gptq-int{bits}"
        if method == "awq" and bits in (4, None):
            return "awq-int4"
        if method == "bitsandbytes" and scheme.get("load_in_4bit"):
            return "nf4-dq" if scheme.get("bnb_4bit_use_double_quant") else "nf4"
        raise Problem(
            "unsupported_model", field=f"{field}.quantization_config", what="quantization", model_type=method or "?"
        )
    dtype = str(config.get("torch_dtype") or config.get("dtype") or "auto").removeprefix("torch.")
    if dtype not in STORED_AS:
        raise Problem("bad_model_field", field=f"{field}.torch_dtype", value=dtype[:40], reason="unknown_dtype")
    return STORED_AS[dtype]


def _kv_heads(model_type: str, given: int | None, heads: int, config: Mapping[str, Any]) -> int:
    if model_type in FALCON_LIKE:
        if config.get("new_decoder_architecture"):
            return given or heads
        return 1 if config.get("multi_query", True) else heads
    return given or heads


def _whole(config: Mapping[str, Any], key: str, field: str) -> int | None:
    """The first spelling that holds a value, as a whole number inside its limits; None when no spelling does."""
    for spelling in SPELLINGS[key]:
        value = config.get(spelling)
        if value is None:
            continue
        low, high = LIMITS[key]
        whole = value if isinstance(value, int) and not isinstance(value, bool) else None
        if isinstance(value, float) and value.is_integer():
            whole = int(value)
        if whole is None:
            raise Problem("bad_model_field", field=f"{field}.{spelling}", value=str(value)[:40], reason="not_whole")
        if not low <= whole <= high:
            raise Problem(
                "bad_model_field", field=f"{field}.{spelling}", value=whole, reason="out_of_range", low=low, high=high
            )
        return whole
    return None
