"""Folders as the Hub keeps them, of a decoder small enough to be written by a test."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.architectures.files.written import facts_pairs, gguf, header_of, safetensors, tensor_info

F16 = 1  # of GGUF
Shapes = Mapping[str, tuple[int, ...]]

# embedding and head 2 x 256 x 64, layers 2 x (q 4096 + k 2048 + v 2048 + o 4096 + 3 x 8192 + 2 norms of 64), a norm
ELEMENTS = 2 * 256 * 64 + 2 * (4096 + 2048 + 2048 + 4096 + 3 * 8192 + 2 * 64) + 64
CONFIG: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 256,
    "max_position_embeddings": 512,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "hidden_act": "silu",
    "rms_norm_eps": 1e-5,
}


def layer(number: int, stem: str = "model.layers") -> dict[str, tuple[int, ...]]:
    name = f"{stem}.{number}"
    return {
        f"{name}.self_attn.q_proj.weight": (64, 64),
        f"{name}.self_attn.k_proj.weight": (32, 64),
        f"{name}.self_attn.v_proj.weight": (32, 64),
        f"{name}.self_attn.o_proj.weight": (64, 64),
        f"{name}.mlp.gate_proj.weight": (128, 64),
        f"{name}.mlp.up_proj.weight": (128, 64),
        f"{name}.mlp.down_proj.weight": (64, 128),
        f"{name}.input_layernorm.weight": (64,),
        f"{name}.post_attention_layernorm.weight": (64,),
    }


SHAPES: dict[str, tuple[int, ...]] = {
    "model.embed_tokens.weight": (256, 64),
    **layer(0),
    **layer(1),
    "model.norm.weight": (64,),
    "lm_head.weight": (256, 64),
}


def weights(shapes: Shapes, dtype: str = "BF16", element_bytes: int = 2, data: bool = True) -> bytes:
    """A safetensors file of zeros; without `data` its header alone."""
    tensors = {name: (dtype, shape, math.prod(shape) * element_bytes) for name, shape in shapes.items()}
    return safetensors(header_of(tensors), b"\0" * (sum(size for _, _, size in tensors.values()) if data else 0))


def write_folder(
    folder: Path, config: Mapping[str, Any] | None = CONFIG, shapes: Shapes | None = SHAPES, shards: int = 1
) -> Path:
    """A folder with a config.json and weights in one file or, with an index, in several."""
    folder.mkdir(parents=True, exist_ok=True)
    if config is not None:
        write_json(folder / "config.json", config)
    if shapes is not None and shards == 1:
        (folder / "model.safetensors").write_bytes(weights(shapes))
    elif shapes is not None:
        write_shards(folder, shapes, shards)
    return folder


def write_shards(folder: Path, shapes: Shapes, shards: int) -> None:
    names = list(shapes)
    shard_of: dict[str, str] = {}
    for number in range(shards):
        file = f"model-{number + 1:05}-of-{shards:05}.safetensors"
        own = names[number::shards]
        shard_of |= dict.fromkeys(own, file)
        (folder / file).write_bytes(weights({name: shapes[name] for name in own}))
    total = 2 * sum(math.prod(shape) for shape in shapes.values())
    index = {"metadata": {"total_size": total}, "weight_map": shard_of}
    write_json(folder / "model.safetensors.index.json", index)


def write_json(file: Path, content: Mapping[str, Any]) -> Path:
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def gguf_of(architecture: str = "llama", tied: bool = False, pairs: tuple[bytes, ...] = ()) -> bytes:
    """The small model as llama.cpp writes it, with as many zeros as its tensors take."""
    names: dict[str, tuple[int, ...]] = {"token_embd.weight": (256, 64), "output_norm.weight": (64,)}
    names |= {} if tied else {"output.weight": (256, 64)}
    roles = {"q_proj": "attn_q", "k_proj": "attn_k", "v_proj": "attn_v", "o_proj": "attn_output"}
    roles |= {"gate_proj": "ffn_gate", "up_proj": "ffn_up", "down_proj": "ffn_down"}
    roles |= {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
    for number in range(2):
        for name, shape in layer(number).items():
            names[f"blk.{number}.{roles[name.split('.')[-2]]}.weight"] = shape
    infos: list[bytes] = []
    at = 0
    for name, shape in names.items():
        infos.append(tensor_info(name, list(reversed(shape)), F16, at))
        size = 2 * math.prod(shape)
        at += -(-size // 32) * 32
    facts = {
        "block_count": 2,
        "context_length": 512,
        "embedding_length": 64,
        "feed_forward_length": 128,
        "attention.head_count": 4,
        "attention.head_count_kv": 2,
        "attention.key_length": 16,
        "attention.value_length": 16,
        "general.file_type": 1,
    }
    return gguf([*facts_pairs(architecture, facts), *pairs], infos, data=b"\0" * at)
