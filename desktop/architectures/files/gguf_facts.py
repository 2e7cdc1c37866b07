"""The header of a GGUF file becomes the facts of a catalog row: the same that a config.json gives."""

from collections import Counter
from typing import Any

from desktop.architectures.config_fields import CONTEXT, EXPERTS, HIDDEN, LAYERS, VOCABULARY, WIDTH, Fields
from desktop.architectures.files.gguf_attention import attention_facts
from desktop.architectures.files.gguf_families import gguf_family, model_type_of
from desktop.architectures.files.gguf_header import GgufHeader, LongArray
from desktop.architectures.files.gguf_state import state_facts
from desktop.architectures.files.gguf_types import FILE_TYPES
from desktop.architectures.files.tensor_list import TensorList
from desktop.request import Problem

STORED_AS = {"F32": "float32", "F16": "float16", "BF16": "bfloat16"}
GUESSED = 1024  # flag beside the file type; llama.h
BIASES = {"qkv": (".attn_q.bias", ".attn_qkv.bias"), "o": (".attn_output.bias",), "mlp": (".ffn_up.bias",)}


def facts_of_gguf(header: GgufHeader) -> dict[str, Any]:
    """Facts of the model under the names of the catalog's model table.

    A file without tensors (a vocabulary) says what it says; whether embedding and head are one is then not known.
    Raises Problem: not_a_whole_model for a vision tower, an adapter or an importance matrix, missing_model_field,
    bad_model_field.
    """
    if header.kind not in ("model", "vocabulary"):
        raise Problem("not_a_whole_model", field=header.tensors.source, what=header.kind)
    fields = _fields(header)
    if not header.architecture:
        raise Problem("missing_model_field", field=f"{fields.field}.general.architecture", name="general.architecture")
    model_type = model_type_of(header)
    hidden = fields.need("embedding_length", within=HIDDEN)
    layers, drafts = _layers(header, fields)
    facts: dict[str, Any] = {
        "name": _text(header, "general.name"),
        "model_type": model_type,
        "num_layers": layers,
        "hidden_size": hidden,
        "vocab_size": _vocabulary(header, fields),
        "max_position": fields.whole("context_length", within=CONTEXT),
        **_stored(header),
    }
    if drafts:
        facts["mtp_layers"] = drafts
    parts = (
        attention_facts(header, fields, layers, hidden),
        _feed_forward(header, fields, layers),
        state_facts(header, fields, layers, hidden),
    )
    dimensions: dict[str, Any] = {}
    for part in parts:
        dimensions |= part.pop("dimensions", {})
        facts |= part
    if facts.get("ssm_dims"):
        facts["attention"] = "hybrid" if facts.get("full_attn_layers") else "none(ssm)"
    facts["kind"] = gguf_family(header).get("kind") or _kind(facts)
    return {**facts, "dimensions": dimensions, "source": header.tensors.source}


def _fields(header: GgufHeader) -> Fields:
    """Fields of this architecture, its name left out. A long array stays behind: no figure by layer is one."""
    start = f"{header.architecture}."
    values = {
        key.removeprefix(start): value
        for key, value in header.metadata.items()
        if key.startswith(start) and not isinstance(value, LongArray)
    }
    return Fields(values, header.tensors.source)


def _layers(header: GgufHeader, fields: Fields) -> tuple[int, int]:
    """Layers of the model and the draft layers that follow them: `block_count` counts both, a file may lack the
    latter."""
    blocks = fields.need("block_count", within=LAYERS)
    drafts = fields.whole("nextn_predict_layers", within=(0, blocks - 1)) or 0
    drafted = any(".nextn." in name for name in header.tensors.names)
    if not drafts or drafted or not header.all_listed:
        return blocks - drafts, drafts
    return min(blocks, header.tensors.layers()), 0


def _vocabulary(header: GgufHeader, fields: Fields) -> int:
    """Rows of the embedding, or what the file says, or the number of its tokens."""
    for tensor in header.tensors:
        if tensor.name == "token_embd.weight" and len(tensor.shape) == 2:
            return fields.checked(tensor.shape[0], "vocab_size", VOCABULARY)
    tokens = header.metadata.get("tokenizer.ggml.tokens")
    stated = fields.whole("vocab_size", within=VOCABULARY)
    if stated is None and isinstance(tokens, LongArray | list):
        stated = fields.checked(
            tokens.length if isinstance(tokens, LongArray) else len(tokens), "vocab_size", VOCABULARY
        )
    if stated is None:
        raise fields.missing("vocab_size")
    return stated


def _feed_forward(header: GgufHeader, fields: Fields, layers: int) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    dimensions: dict[str, Any] = {}
    widths = fields.values.get("feed_forward_length")
    if isinstance(widths, list):
        listed = (fields.wholes("feed_forward_length", (0, WIDTH[1])) or [])[:layers]
        present = sorted({width for width in listed if width})
        facts["intermediate_size"] = present[0] if len(present) == 1 else None
        if len(present) > 1 or 0 in listed:
            dimensions["mlp_layers_by_width"] = [
                {"width": width, "layers": number} for width, number in sorted(Counter(listed).items()) if width
            ]
    else:
        facts["intermediate_size"] = fields.whole("feed_forward_length", within=(0, WIDTH[1])) or None
    experts = fields.whole("expert_count", within=EXPERTS)
    if not experts or experts == 1:
        return {**facts, "dimensions": dimensions}
    width = fields.whole("expert_feed_forward_length", within=WIDTH) or facts["intermediate_size"]
    if width is None:
        raise fields.missing("expert_feed_forward_length")
    shared, dims = _shared(fields, header)
    facts |= {
        "num_experts": experts,
        "experts_per_tok": fields.need("expert_used_count", within=(1, experts)),
        "moe_intermediate_size": width,
        "first_dense_layers": fields.whole("leading_dense_block_count", within=(0, layers)) or 0,
        **shared,
    }
    step = fields.whole("interleave_moe_layer_step", "moe_every_n_layers", within=(0, layers)) or 1
    step = _jamba_step(header, layers) if header.architecture == "jamba" else step
    dimensions |= dims | ({"moe_layer_step": step} if step > 1 else {})
    return {**facts, "dimensions": dimensions}


def _shared(fields: Fields, header: GgufHeader) -> tuple[dict[str, Any], dict[str, Any]]:
    """Shared experts: their number where they are as wide as the routed ones, `1x5632` where the width is stated."""
    count = fields.whole("expert_shared_count", within=EXPERTS)
    width = fields.whole("expert_shared_feed_forward_length", within=(0, WIDTH[1]))
    if header.architecture == "nemotron_h_moe":
        return {"shared_experts": count}, {"shared_intermediate_size": width}
    if width:
        return {"shared_experts": f"1x{width}"}, {}
    return ({"shared_experts": count} if count else {}), {}


def _jamba_step(header: GgufHeader, layers: int) -> int:
    """A Jamba file has no key for it: of how many layers one has a router."""
    routed = sum(".ffn_gate_inp." in tensor.name for tensor in header.tensors)
    return layers // routed if routed else 1


def _stored(header: GgufHeader) -> dict[str, Any]:
    """What the tensors themselves tell, and how most of them are stored."""
    facts: dict[str, Any] = {}
    stated = header.metadata.get("general.file_type")
    stored = FILE_TYPES.get(stated & ~GUESSED) if type(stated) is int else None
    tensors = header.tensors
    if stored in STORED_AS:
        facts["torch_dtype"] = STORED_AS[stored]
    elif stored and len(tensors):
        facts["quantization_config"] = {"quant_method": "gguf", "file_type": stored}
    licence = _text(header, "general.license")
    if licence:
        facts["licence"] = licence
    if header.all_listed:
        facts |= {"tie_embeddings": not tensors.has_lm_head(), "biases": _biases(tensors)}
        facts["params_checkpoint"] = tensors.elements
    return facts


def _biases(tensors: TensorList) -> str:
    names = [tensor.name for tensor in tensors if tensor.name.endswith(".bias")]
    found = [part for part, endings in BIASES.items() if any(name.endswith(endings) for name in names)]
    return "+".join(found) or "none"


def _text(header: GgufHeader, key: str) -> str:
    value = header.metadata.get(key)
    return value if isinstance(value, str) else ""


def _kind(facts: dict[str, Any]) -> str:
    if facts.get("ssm_dims"):
        return "ssm_hybrid"
    return "moe_lm" if facts.get("num_experts") else "decoder_lm"
