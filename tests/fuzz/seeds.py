"""Valid files that fuzzing begins with."""

import json

from tests.architectures.files.test_gguf_facts import LLAMA, MODELS
from tests.architectures.files.written import TEXT, facts_pairs, gguf, header_of, pair, safetensors, tensor_info

TENSORS = {
    "model.embed_tokens.weight": ("BF16", (64, 32), 4096),
    "model.layers.0.mlp.experts.3.up_proj.weight": ("U8", (8, 16), 128),
    "model.layers.0.mlp.experts.3.up_proj.weight_scale": ("F8_E4M3", (8, 2), 16),
    "model.layers.1.a.qweight": ("I32", (4, 8), 128),
    "model.layers.1.a.qzeros": ("I32", (1, 1), 4),
    "model.layers.1.a.scales": ("F16", (1, 8), 16),
}
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "num_hidden_layers": 32,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "rope_scaling": {"factor": 8.0, "rope_type": "llama3"},
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128},
}
MOE = {
    **CONFIG,
    "model_type": "deepseek_v3",
    "kv_lora_rank": 512,
    "q_lora_rank": 1536,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
    "n_routed_experts": 256,
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 2048,
    "n_shared_experts": 1,
    "first_k_dense_replace": 3,
    "quantization_config": {
        "quant_method": "fp8",
        "weight_block_size": [128, 128],
        "modules_to_not_convert": ["lm_head"],
    },
}
SEEDS: dict[str, list[bytes]] = {
    "safetensors": [
        safetensors(header_of(TENSORS)),
        safetensors({"__metadata__": {"format": "pt"}, **header_of(TENSORS)}),
        safetensors(json.dumps(header_of(TENSORS)).encode()),
    ],
    "index": [
        json.dumps({"metadata": {"total_size": 4388}, "weight_map": dict.fromkeys(TENSORS, "a.safetensors")}).encode()
    ],
    "gguf": [
        *(gguf(facts_pairs(architecture, keys)) for architecture, keys, _ in MODELS.values()),
        gguf(
            [*facts_pairs("llama", LLAMA), pair("tokenizer.ggml.tokens", TEXT, ["a", "b"] * 50)],
            [tensor_info("token_embd.weight", [256, 8], 12, 0), tensor_info("blk.0.attn_q.bias", [32], 0, 1152)],
        ),
        gguf(facts_pairs("llama", LLAMA, ">"), order=">"),
    ],
    "config": [json.dumps(CONFIG).encode(), json.dumps(MOE).encode()],
}
