"""Bytes a training step keeps for its backward pass: activations of the layers, attention scores, logits."""

from dataclasses import dataclass

import numpy as np

from desktop.catalog.training_calibration import ActivationConstants
from desktop.sizing.numbers import Number


@dataclass(frozen=True, slots=True)
class LayerActivations:
    """Bytes one decoder layer keeps for one token on one GPU [B/token].

    `linear` grows with the tokens only, `quadratic` is what attention without a fused kernel keeps for every pair,
    `input` is the layer's input alone, `operators` what a recompute by operators still keeps.
    """

    linear: Number
    quadratic: Number
    input: Number
    operators: Number

    def all(self) -> Number:
        return self.linear + self.quadratic


def layer_activations(
    hidden: int,
    intermediate: int,
    heads: int,
    kv_heads: int,
    head_dim: int,
    gated: bool,
    sequence: Number,
    tensor: Number,
    residual_shards: Number,
    context: Number,
    factor: float,
    attention_bytes: float,
    fused_attention: bool = True,
    frozen_mlp: bool = False,
    dropout_masks: bool = False,
    kept_inputs: float = 0.0,
    element_scale: float = 1.0,
) -> LayerActivations:
    """Saved bytes per token and layer, 16-bit elements unless `element_scale` is 2.

    linear     factor·(8h/r + (4aD + 4kD + 8f)/t), 4f without a gate: inputs of the norms and projections, query,
               key, value, attention output, gate, up, their product. Llama-3-8B: 41·h.
    quadratic  attention_bytes·a·s/(c·t): scores and softmax, none with a fused kernel (arXiv:2205.05198: 5·a·s)
    operators  2h/r + (4aD + 2kD + 2f)/t + 2h/r: layer input, query, value, attention output, gate, output of down
               (every second matrix product and the attention, as torchtitan keeps them)
    A frozen matrix keeps no input: adapters off the MLP drop 2f of the MLP and 2h of its norm (`frozen_mlp`).
    GPT-style layers of fused code keep two one-byte dropout masks, 2h. `kept_inputs` is added for 4-bit linears.
    """
    query, key = heads * head_dim, kv_heads * head_dim
    mlp = (8 if gated else 4) * intermediate - (2 * intermediate if frozen_mlp else 0)
    whole = (6 if frozen_mlp else 8) * hidden + (2 * hidden if dropout_masks and not gated else 0)
    linear = factor * ((4 * query + 4 * key + mlp) / tensor + whole / residual_shards)
    operators = (4 * query + 2 * key + 2 * intermediate) / tensor + 4 * hidden / residual_shards
    quadratic = 0.0 if fused_attention else attention_bytes * heads * sequence / (context * tensor)
    return LayerActivations(
        linear=element_scale * linear + kept_inputs * (10 * hidden + 5 * intermediate) / tensor,
        quadratic=element_scale * quadratic,
        input=element_scale * 2 * hidden / residual_shards,
        operators=element_scale * operators,
    )


def gpt_layer_bytes(sequence: Number, micro_batch: Number, hidden: Number, heads: Number, tensor: Number = 1) -> Number:
    """Korthikanti's GPT layer with dropout, tensor and sequence parallel [B]: s·b·h/t·(34 + 5·a·s/h).

    arXiv:2205.05198 equation 2 and table 2; the cross-check of `layer_activations`.

    >>> round(gpt_layer_bytes(2048, 1, 12288, 96) / 2**20)
    2736
    """
    return sequence * micro_batch * hidden / tensor * (34 + 5 * heads * sequence / hidden)


def activation_bytes(
    layer: LayerActivations,
    tokens: Number,
    layers: Number,
    held: Number,
    recompute: str,
    selective: str,
    constants: ActivationConstants,
    offloaded: bool = False,
) -> Number:
    """Activations of one pipeline stage at the peak [B].

    `tokens` of one micro batch on the GPU, `layers` of the stage, `held` micro batches at once; n = layers·held.
    none       tokens·n·all
    selective  attention: tokens·(n·linear + quadratic); operators: tokens·(n·operators + all)
    modules    tokens·(n·(input + share·linear) + all): norms, MLP or activation functions are computed again
    full       tokens·(n·input + live·all)
    A recomputation that would keep more than a milder one is not used, so each is at most the one before it.
    """
    if offloaded:
        return tokens * constants.offload_layers * layer.all()
    n = layers * held
    none = tokens * n * layer.all()
    attention = np.minimum(none, tokens * (n * layer.linear + layer.quadratic))
    modules = np.minimum(none, tokens * (n * (layer.input + constants.module_share * layer.linear) + layer.all()))
    operators = np.minimum(none, tokens * (n * layer.operators + layer.all()))
    chosen = attention if selective == "attention" else operators
    full = np.minimum(np.minimum(chosen, modules), tokens * (n * layer.input + constants.live_layers * layer.all()))
    result: Number = {"none": none, "selective": chosen, "modules": modules, "full": full}[recompute]
    return result


def logit_bytes(tokens: Number, vocab: int, bytes_per_entry: Number, tensor: Number = 1, chunks: float = 1.0) -> Number:
    """Logits, loss and gradient of the logits [B]: tokens·V·λ/t.

    λ of unfused code is 2 (16 bit) + 4 (fp32 copy) + 4 (its gradient) = 10, and up to 27 where copies pile up; that of
    each framework stands in training_memory.toml. A chunked loss holds one chunk at a time.
    """
    return tokens * vocab * bytes_per_entry / tensor / chunks
