"""What nobody has read in a document carries no proposal: the recalled facts that keep a GPU or a server out."""

from collections.abc import Sequence

from desktop.catalog import Catalog
from desktop.catalog.facts import PART_READ, Fact
from desktop.catalog.records import Cpu, Gpu, Platform
from desktop.quote import Message
from desktop.request import ModelReference

# the facts that figures of a quote are computed from; what is only printed beside them is left out of the print instead
OF_GPU = (
    "memory_gb",
    "usable_mib",
    "mem_bandwidth_gbs",
    "fp16_tflops",
    "bf16_tflops",
    "fp8_tflops",
    "fp4_tflops",
    "int8_tops",
    "tdp_w",
)
OF_PLATFORM = (
    "gpus",
    "max_gpus",
    "gpu_step",
    "cpu_sockets",
    "cpu",
    "dimm_slots",
    "dimm_channels",
    "cooling",
)
OF_CPU = ("cores", "tdp_w")
PRINTED_OF_PLATFORM = ("rack_units",)


def doubts_of_gpu(gpu: Gpu) -> tuple[str, ...]:
    """Recalled facts of a GPU that a quote would rest on."""
    return _doubts("gpu", gpu, OF_GPU)


def doubts_of_server(platform: Platform, cpu: Cpu) -> tuple[str, ...]:
    """Recalled facts of a server and its processor that a quote would rest on."""
    return _doubts("platform", platform, OF_PLATFORM) + _doubts("cpu", cpu, OF_CPU)


def unprinted_of_server(platform: Platform) -> tuple[str, ...]:
    """Recalled facts of a server that a document leaves out until they are confirmed."""
    return _doubts("platform", platform, PRINTED_OF_PLATFORM)


def doubts_of_model(reference: ModelReference | None, catalog: Catalog, field: str) -> tuple[Message, ...]:
    """That a catalog model, or its context and windows, are recalled; nothing for a model the customer brings."""
    if not isinstance(reference, str):
        return ()
    record = catalog.model(reference, field)
    if record.unverified():
        return (Message(code="model_unverified", field=field, values={"name": record.name}),)
    if record.verification == PART_READ:
        return (Message(code="model_part_recalled", field=field, values={"name": record.name}),)
    return ()


def _doubts(owner: str, fact: Fact, fields: Sequence[str]) -> tuple[str, ...]:
    """`owner` alone where the whole record is recalled, else `owner.field`."""
    if fact.unverified():
        return (owner,)
    return tuple(f"{owner}.{field}" for field in fields if getattr(fact, field) is not None and fact.unverified(field))
