"""Facts of serving stacks, read from resources/stacks: one file a stack, with the version it holds for."""

import tomllib
from functools import cache

from desktop.request.base import Strict
from desktop.resources import resource


class ServingFlags(Strict):
    """Names of the flags that carry a plan."""

    served_name: str
    dtype: str
    max_context: str
    tensor_parallel: str
    pipeline_parallel: str
    memory_fraction: str
    max_sequences: str
    max_batched_tokens: str
    kv_cache: str
    quantization: str
    eager: str
    port: str


class ServingStack(Strict):
    """One serving engine: its command, its flags, and what its flags must say for a format."""

    name: str
    version: str
    command: tuple[str, ...]
    port: int
    source: str
    flags: ServingFlags
    quantization: dict[str, str]
    kv_cache: dict[str, str]
    dtype: dict[str, str]


@cache
def load_stack(name: str) -> ServingStack:
    """Facts of a stack by its name."""
    return ServingStack.model_validate(tomllib.loads(resource("stacks", f"{name}.toml").read_text(encoding="utf-8")))
