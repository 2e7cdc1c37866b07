"""What an engine runs with where the request leaves a field open: the defaults of its own version."""

import re

from desktop.architectures import DenseDecoder
from desktop.catalog.calibration import EngineEra, ServingMemory
from desktop.quote import Message
from desktop.request import Engine, Problem
from desktop.sizing.serving_memory import EngineSettings
from desktop.units import GIB

A100 = "A100"
UNKNOWN_CONTEXT = 4096  # only for models whose file states no context at all


def era_of(engine: Engine, table: ServingMemory, field: str = "engine") -> tuple[EngineEra, tuple[Message, ...]]:
    """Constants of the engine's version. An empty version means the newest known; one past it is warned about.

    Raises Problem("unsupported", what=engine) for an engine whose profile the product does not have.
    """
    if engine.name != "vllm":
        raise Problem("unsupported", field=f"{field}.name", what=engine.name)
    newest = table.vllm[-1]
    if not engine.version:
        return newest, ()
    version = version_numbers(engine.version)
    if version is None:
        return newest, (
            Message(
                code="unknown_engine_version",
                severity="warning",
                field=f"{field}.version",
                values={"engine": engine.name, "version": engine.version, "used": newest.calibrated},
            ),
        )
    era = next((era for era in table.vllm if version < (version_numbers(era.until) or ())), newest)
    past = era is newest and version[:2] > (version_numbers(newest.calibrated) or ())[:2]
    if not past:
        return era, ()
    return era, (
        Message(
            code="engine_version_not_calibrated",
            severity="info",
            field=f"{field}.version",
            values={"engine": engine.name, "version": engine.version, "used": newest.calibrated},
        ),
    )


def settings_of(
    engine: Engine, era: EngineEra, architecture: DenseDecoder, visible_bytes: int, gpu_name: str, table: ServingMemory
) -> EngineSettings:
    """Every field filled in. Batched tokens and sequences grow with the card, except on an A100 (vLLM's own rule)."""
    blocks = table.vllm_blocks
    gib = visible_bytes / GIB
    large = gib >= blocks.small_below_gib
    large = large and A100 not in gpu_name
    sequences = era.max_sequences.large if large else era.max_sequences.small
    limit = era.max_batched_tokens
    tokens = limit.huge if gib >= blocks.huge_from_gib else limit.large if large else limit.small
    return EngineSettings(
        fraction=engine.memory_fraction or era.memory_fraction,
        max_context=engine.max_context or architecture.max_context or UNKNOWN_CONTEXT,
        max_sequences=engine.max_sequences or sequences,
        max_batched_tokens=engine.max_batched_tokens or tokens,
        cuda_graphs=True if engine.cuda_graphs is None else engine.cuda_graphs,
    )


def context_beyond_model(asked: int, architecture: DenseDecoder, field: str) -> tuple[Message, ...]:
    """Said of a context longer than the model was made for: the engine refuses it, or answers badly."""
    if not architecture.max_context or asked <= architecture.max_context:
        return ()
    return (
        Message(code="context_beyond_model", field=field, values={"asked": asked, "model": architecture.max_context}),
    )


def version_numbers(version: str) -> tuple[int, ...] | None:
    """Leading numbers of a version text, None where there are none.

    >>> version_numbers("0.19.0.post1"), version_numbers("v0.20"), version_numbers("nightly")
    ((0, 19, 0), (0, 20), None)
    """
    match = re.match(r"v?(\d{1,6}(?:\.\d{1,6})*)", version)
    return tuple(int(part) for part in match[1].split(".")) if match else None
