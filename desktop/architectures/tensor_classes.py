"""Bytes of a model's weights by class of module, from the tensors its files hold."""

import re
from collections.abc import Callable
from functools import lru_cache

from desktop.architectures.files.stored_weights import sorted_tensor
from desktop.architectures.files.tensor_list import LAYER, TensorKind, TensorList
from desktop.architectures.weight_bytes import ModuleClass
from desktop.architectures.weight_pieces import ClassName

Found = Callable[[str], object]
NUMBER = re.compile(r"(?<=\.)\d+(?=\.)")
PLAIN_WORDS = {"F32": "fp32", "F16": "fp16", "BF16": "bf16"}
BESIDE = re.compile(  # what a quantised module stores beside its weight, cut off to find the module
    r"[._](?:weight|qweight|qzeros|scales|biases|blocks|g_idx|SCB|absmax|nested_absmax|quant_map|nested_quant_map"
    r"|weight_format|weight_packed|weight_shape|weight_scale(?:_inv|_2)?|weight_zero_point|weight_g_idx|zero_point"
    r"|(?:input|weight|output)_global_scale|(?:input|output)_scale|scale|quant_state\.[\w-]+)$"
)
# the first that fits; what a draft layer or a tower holds belongs there whatever it is
CLASSES: tuple[tuple[ClassName, Found], ...] = (
    ("draft", re.compile(r"(?:^|\.)(?:mtp|nextn)(?![a-z])").search),
    (
        "vision",
        re.compile(
            r"(?:^|[._])(?:vision|visual|vit|image|mm_projector|multi_modal_projector|projector)|^v\.|^mm\."
        ).search,
    ),
    ("other", re.compile(r"(?:^|[._])(?:audio|speech|talker)").search),
    ("norms", re.compile(r"norm[^.]*(?:\.(?:weight|bias))?$|(?:^|\.)ln_\w+\.", re.IGNORECASE).search),
    ("router", re.compile(r"\.(?:gate|router|shared_expert_gate|ffn_gate_inp(?:_shexp)?|exp_probs_b)(?:\.|$)").search),
    ("shared_experts", re.compile(r"shared_expert|shared_mlp|share_expert|_shexp\.").search),
    ("experts", re.compile(r"\.experts\.|_exps\.|block_sparse_moe\.|\.moe\.").search),
    (
        "state_space",
        re.compile(
            r"mamba|linear_attn|\.ssm_|A_log|conv1d|time_mix|\.attention\.(?:time_|receptance)"
            r"|\.mixer\.(?:D$|dt_bias|in_proj|out_proj|x_proj|dt_proj)"
        ).search,
    ),
    ("attention", re.compile(r"attn|attention|\.mixer\.[qkvo]_proj|\.self\.(?:query|key|value)").search),
    (
        "mlp",
        re.compile(r"mlp|ffn|feed_forward|\.fc\d|up_proj|down_proj|gate_proj|(?:intermediate|output)\.dense").search,
    ),
)
BESIDE_LAYERS = ("draft", "vision", "norms", "other")
EMBEDDING = re.compile(
    r"(?:^|\.)(?:embed_tokens|wte|word_embeddings|embeddings?|embed_in|token_embd|tok_embeddings|embed)\."
)
DRAFT_COPY = re.compile(r"\.(?:embed_tokens|shared_head\.head)\.")
HEAD = re.compile(r"(?:^|\.)(?:lm_head|embed_out|output|output_layer|proj_out|head)\.")


def classes_of_tensors(
    found: TensorList, layers: int | None = None, packed_bits: int | None = None
) -> tuple[ModuleClass, ...]:
    """Exact bytes by class and format of what the files hold; the sum is that of the tensors.

    A layer numbered `layers` or higher is a draft layer. Formats are named as `stored_weights` names packings, else by
    the type in the file; buffers count as `other` without weights. Weights whose packing is not understood count as no
    elements. `packed_bits` is what the quantisation config says of weights packed into words.
    """
    kinds = dict(zip(found.names, found.kinds, strict=True))
    bits = packed_bits or found.packed_bits
    schemes: dict[str, str] = {}
    scales: list[tuple[str, TensorKind]] = []
    sums: dict[tuple[ClassName, str], list[int]] = {}

    def add(name: ClassName, word: str, *values: int) -> None:
        total = sums.setdefault((name, word), [0, 0, 0, 0])
        for index, value in enumerate(values):
            total[index] += value

    for tensor in found:
        role, scheme, true = sorted_tensor(tensor, kinds, bits)
        if role == "scale":
            scales.append((tensor.name, tensor.kind))
            continue
        word = scheme or _plain_word(tensor.dtype)
        if scheme:
            schemes[_module(tensor.name)] = word
        name = "other" if role == "buffer" else module_class(tensor.name, layers)
        add(name, word, true or 0, tensor.bytes, 0, tensor.elements)
    for scale, kind in scales:
        word = schemes.get(_module(scale)) or _plain_word(kind.dtype)
        add(module_class(_module(scale), layers), word, 0, 0, kind.bytes, kind.elements)
    return tuple(ModuleClass(name, word, *total) for (name, word), total in sums.items())


def module_class(name: str, layers: int | None = None) -> ClassName:
    """Class of a tensor by its name; a layer numbered `layers` or higher is a draft layer.

    >>> module_class("model.layers.3.mlp.experts.7.up_proj.weight"), module_class("blk.0.attn_q.weight")
    ('experts', 'attention')
    >>> module_class("model.layers.61.eh_proj.weight", layers=61), module_class("lm_head.weight")
    ('draft', 'head')
    """
    numbered = LAYER.search(name)
    drafted = numbered is not None and layers is not None and len(numbered[1]) <= 6 and int(numbered[1]) >= layers
    # numbers tell nothing more: a model has some hundred different names without them
    found = _class_of(NUMBER.sub("0", name), numbered is not None)
    if not drafted or found == "vision":
        return found
    return "draft_copy" if DRAFT_COPY.search(name) else "draft"


@lru_cache(maxsize=8192)
def _class_of(name: str, in_layer: bool) -> ClassName:
    found: ClassName | None = next((label for label, fits in CLASSES if fits(name)), None)
    if in_layer or found in BESIDE_LAYERS:
        return found or "other"
    dotted = f"{name}."
    if EMBEDDING.search(dotted):
        return "embedding"
    return "head" if HEAD.search(dotted) else found or "other"


def _module(name: str) -> str:
    """The module a tensor belongs to, whatever the quantiser calls the tensor."""
    while (cut := BESIDE.sub("", name)) != name:
        name = cut
    return name


def _plain_word(dtype: str) -> str:
    return PLAIN_WORDS.get(dtype, dtype.lower())
