"""From a platform and a GPU count to the parts of one server: what is needed, by which rule."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Literal

from desktop.catalog.calibration import ServerRules
from desktop.catalog.records import Cpu, Drive, Gpu, MemoryModule, Nic, Platform
from desktop.units import round_up

Group = Literal["chassis", "system", "gpu", "cpu", "memory", "storage", "boot", "network", "companions"]


@dataclass(frozen=True, slots=True)
class PartLine:
    """One part of a server: its catalog id (empty where none is known), how many, and the rule that sized it."""

    group: Group
    part: str
    name: str
    quantity: int
    rule: str
    values: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Parts:
    """Catalog parts a server can be built from, smallest capacity first, and what one module of memory costs."""

    memory: tuple[MemoryModule, ...]
    drives: tuple[Drive, ...]
    boot: tuple[Drive, ...]
    network: tuple[Nic, ...]
    memory_price: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ServerBuild:
    """One server: its lines and what they add up to."""

    lines: tuple[PartLine, ...]
    ram_bytes: int
    cores: int
    nvme_bytes: int
    dimms: int
    drives: int
    cards: int


def build_server(
    platform: Platform,
    gpu: Gpu,
    cpu: Cpu,
    gpus: int,
    gpu_bytes: int,
    model_bytes: int,
    parts: Parts,
    rules: ServerRules,
) -> ServerBuild | None:
    """Parts of one server with `gpus` GPUs of `gpu_bytes` each that keeps `model_bytes` of checkpoint; None where the
    memory slots of the platform cannot hold the rule's minimum.

    RAM: at least ram_per_gpu_memory·ΣGPU memory, all channels equally filled. Drives: kept revisions / fill share,
    mirrored. Network: one card for each gpus_per_card GPUs. A system comes whole: its memory and drives are what its
    source says.
    """
    cores = cpu.cores * platform.cpu_sockets
    processors = PartLine(
        "cpu",
        cpu.id,
        cpu.name,
        platform.cpu_sockets,
        "cpu_cores",
        (("cores", cores), ("needed", rules.cpu.cores_per_gpu * gpus)),
    )
    accelerators = PartLine("gpu", gpu.id, gpu.name, gpus, "gpus_of_the_plan")
    name = f"{platform.vendor} {platform.model}"
    if platform.pricing == "system":
        whole = PartLine("system", platform.id, name, 1, "whole_system", (("gpus", gpus),))
        return ServerBuild(
            lines=(whole, accelerators, processors),
            ram_bytes=platform.included_ram_bytes or 0,
            cores=cores,
            nvme_bytes=platform.included_nvme_bytes or 0,
            dimms=platform.dimm_slots,
            drives=platform.nvme_bays,
            cards=gpus,
        )
    wanted_ram = rules.memory.ram_per_gpu_memory * gpus * gpu_bytes
    memory = _modules(platform, parts, wanted_ram, rules.memory.minimum_ram_per_gpu_memory * gpus * gpu_bytes)
    if memory is None:
        return None
    module, dimms = memory
    ram = dimms * module.capacity_bytes
    wanted_disk = model_bytes * rules.storage.checkpoints_kept / rules.storage.fill_share
    drive, pairs = _drives(parts.drives, wanted_disk)
    drives = pairs * rules.storage.mirrored
    cards = ceil(gpus / rules.network.gpus_per_card)
    boot, card = parts.boot[0], parts.network[0]
    lines = (
        PartLine("chassis", platform.id, name, 1, "chassis", (("slots", platform.max_gpus),)),
        accelerators,
        processors,
        PartLine(
            "memory",
            module.id,
            module.name,
            dimms,
            "ram_twice_gpu_memory",
            (("ram_bytes", ram), ("gpu_bytes", gpus * gpu_bytes)),
        ),
        PartLine("storage", drive.id, drive.name, drives, "model_store", (("needed_bytes", wanted_disk),)),
        PartLine("boot", boot.id, boot.name, rules.storage.mirrored, "boot_mirrored"),
        PartLine(
            "network", card.id, card.name, cards, "network_25g", (("gpus_per_card", rules.network.gpus_per_card),)
        ),
        PartLine("companions", "", "", 1, "companions"),
    )
    return ServerBuild(
        lines=lines,
        ram_bytes=ram,
        cores=cores,
        nvme_bytes=drives * drive.capacity_bytes,
        dimms=dimms,
        drives=drives + rules.storage.mirrored,
        cards=cards,
    )


def _modules(platform: Platform, parts: Parts, wanted: float, minimum: float) -> tuple[MemoryModule, int] | None:
    """Module and count: the cheapest that reaches `wanted` with all channels equal, else the largest above
    `minimum`."""
    options = [
        (module, count, count * module.capacity_bytes)
        for module in parts.memory
        for count in range(platform.dimm_channels, platform.dimm_slots + 1, platform.dimm_channels)
    ]
    enough = [option for option in options if option[2] >= wanted]
    if enough:
        price = parts.memory_price
        module, count, _ = min(enough, key=lambda option: (option[1] * price.get(option[0].id, 0.0), option[1]))
        return module, count
    largest = max(options, key=lambda option: option[2], default=None)
    return (largest[0], largest[1]) if largest and largest[2] >= minimum else None


def _drives(drives: tuple[Drive, ...], wanted: float) -> tuple[Drive, int]:
    """Drive and number of pairs: the smallest drive of which one holds `wanted`, else as many of the largest as
    needed."""
    for drive in drives:
        if drive.capacity_bytes >= wanted:
            return drive, 1
    largest = drives[-1]
    return largest, ceil(wanted / largest.capacity_bytes)


def servers_for(gpus: int, platform: Platform, tensor: int) -> tuple[int, int]:
    """Servers and GPUs in each, so that no replica is cut between two: whole boards where the platform has them.

    >>> from desktop.catalog.records import Platform
    >>> hgx = Platform(id="x", vendor="", model="", pricing="system", gpus=(), max_gpus=8, gpu_step=8, rack_units=8,
    ...     cpu_sockets=2, cpu="", dimm_slots=32, dimm_channels=16, nvme_bays=8)
    >>> servers_for(6, hgx, 2), servers_for(9, hgx, 1)
    ((1, 8), (2, 8))
    """
    room = platform.max_gpus // tensor * tensor
    servers = ceil(gpus / room)
    each = round_up(ceil(gpus / servers), tensor)
    return servers, min(platform.max_gpus, round_up(each, platform.gpu_step))
