"""How valid files are damaged: bytes changed, lengths made huge, pieces cut out, doubled and moved."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from tests.architectures.files.test_gguf_facts import MODELS
from tests.architectures.files.written import ARRAY, TEXT, U32, U64, facts_pairs, gguf, pair, tensor_info

LENGTHS = [0, 1, 2**16, 2**31, 2**32 - 1, 2**40, 2**61, 2**62, 2**63, 2**64 - 1]
ODD_VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([0, -1, 1, 2**31, 10**19, 1e308, 0.5, 8.0, "8", "", "auto", "\ud800"]),
    st.lists(st.integers(-1, 100), max_size=70),
    st.dictionaries(st.sampled_from(["bits", "model_type", "a"]), st.integers(0, 9), max_size=3),
)


@st.composite
def damaged(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """A valid file with one to four injuries."""
    data = bytearray(draw(st.sampled_from(list(seeds))))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(["bytes", "length", "cut", "doubled", "digit", "truncated"]))
        if kind == "bytes":
            data[at : at + 1] = draw(st.binary(max_size=4))
        elif kind == "length":
            data[at : at + 8] = draw(st.sampled_from(LENGTHS)).to_bytes(8, draw(st.sampled_from(["little", "big"])))
        elif kind == "cut":
            del data[at : at + draw(st.integers(1, 64))]
        elif kind == "doubled":
            piece = data[at : at + draw(st.integers(1, 64))]
            data[at:at] = piece
        elif kind == "digit":
            digits = [place for place, sign in enumerate(data) if 48 <= sign <= 57]
            if digits:
                place = draw(st.sampled_from(digits))
                data[place : place + 1] = draw(
                    st.sampled_from([b"0", b"9" * 20, b"-1", b"1e9", b"1.5", b"true", b"[]"])
                )
        else:
            del data[at:]
    return bytes(data)


@st.composite
def spliced_config(draw: st.DrawFn, seeds: Sequence[bytes]) -> bytes:
    """A valid config with one to three fields of another kind."""
    config: dict[str, Any] = json.loads(draw(st.sampled_from(list(seeds))))
    names = st.sampled_from([*config, "layer_types", "sliding_window", "text_config", "vision_config", "num_experts"])
    for _ in range(draw(st.integers(1, 3))):
        config[draw(names)] = draw(ODD_VALUES)
    return json.dumps(config).encode()


@st.composite
def odd_gguf(draw: st.DrawFn) -> bytes:
    """A valid header with one to three keys of another value, and some tensors."""
    architecture, keys, _ = MODELS[draw(st.sampled_from(sorted(MODELS)))]
    keys = dict(keys)
    pairs = []
    for name in draw(
        st.sets(st.sampled_from([*keys, "nextn_predict_layers", "ssm.inner_size"]), min_size=1, max_size=3)
    ):
        keys.pop(name, None)
        kind = draw(st.sampled_from([U32, U64, TEXT, ARRAY]))
        small, whole = st.sampled_from([0, 1, 2, 3, 5, 62, 2**31]), st.integers(0, 2**64 - 1)
        if kind == ARRAY:
            pairs.append(pair(f"{architecture}.{name}", U32, draw(st.lists(small, max_size=70))))
        else:
            value = draw(st.text(max_size=8)) if kind == TEXT else draw(small if kind == U32 else whole)
            pairs.append(pair(f"{architecture}.{name}", kind, value))
    names = draw(
        st.lists(st.sampled_from(["output.weight", "token_embd.weight", "blk.61.nextn.a", "a.bias"]), unique=True)
    )
    infos = [tensor_info(tensor, [32, draw(st.integers(1, 4))], 8, 0) for tensor in names]
    return gguf([*facts_pairs(architecture, keys), *pairs], infos)
