"""What the files of a model say of it: the record of an inspection, and the doubts it leaves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from desktop.architectures.architecture import Architecture
from desktop.architectures.dense import DenseDecoder
from desktop.architectures.weight_bytes import ModuleClass
from desktop.request import Problem

# weights: tensors without a description; pipeline: parts of a diffusion model; the rest as GGUF files name them
Kind = Literal["model", "weights", "pipeline", "adapter", "vision_tower", "vocabulary", "importance_matrix"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something about the files that a reader should know; `resources/translations/messages.toml` keeps its sentence
    under the code, which `values` fill."""

    code: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredPart:
    """Weights of a part: a component of a pipeline, an adapter, a tower in a file of its own, one of several
    checkpoints. `elements` as stored and `bytes` are None where its files are not there; `made` is its class."""

    name: str
    made: str = ""
    elements: int | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Adapter:
    """A LoRA or the like: what it is laid over, its rank, the modules it changes."""

    method: str
    base_model: str
    rank: int | None
    modules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is known of the model at `path`; None where something is not known, never a guess.

    `parameters` are what a server loads to answer: no draft layers, no head stored twice. `stored_elements` and
    `weight_bytes` are what the files hold, or follow from the config where they are not there. `dense` is the decoder
    that can be sized. A cached token is told in 16 bit: `kv_bytes_per_token` of a text of `kv_context_tokens` tokens,
    which is None where the figure is the same for every length; `state_bytes` is the state one text keeps beside it,
    in 16 bit too. `problem` says why there is no architecture.
    """

    path: str
    kind: Kind
    name: str
    files: tuple[str, ...]
    architecture: Architecture | None = None
    dense: DenseDecoder | None = None
    parameters: int | None = None
    active_parameters: int | None = None
    stored_elements: int | None = None
    weight_bytes: int | None = None
    bytes_by_type: Mapping[str, int] = field(default_factory=dict)
    classes: tuple[ModuleClass, ...] = ()
    kv_bytes_per_token: int | None = None
    kv_context_tokens: int | None = None
    state_bytes: int | None = None
    licence: str = ""
    licence_source: str = ""
    adapter: Adapter | None = None
    parts: tuple[StoredPart, ...] = ()
    problem: Problem | None = None
    doubts: tuple[Doubt, ...] = ()


def once(doubts: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Each code once: the first of its doubts."""
    kept: dict[str, Doubt] = {}
    for doubt in doubts:
        kept.setdefault(doubt.code, doubt)
    return tuple(kept.values())
