"""What the catalog knows of hardware and models, one frozen record a row; its columns are the record's fields."""

from datetime import date
from typing import Any, Literal

from pydantic import Field

from desktop.catalog.facts import Fact
from desktop.request import Strict


class Stamp(Strict):
    """Which catalog this is: its version, the day it is of, and the hash of its file."""

    version: str
    built: date
    sha256: str


class Region(Strict):
    """A region by its plain name; what it lacks is taken from its parent."""

    name: str
    aliases: tuple[str, ...] = ()
    parent: str = ""


class Gpu(Fact):
    """An accelerator. Rates are dense, in TFLOP/s (TOP/s for int8); None where the vendor gives none."""

    id: str
    name: str
    short: str
    aliases: tuple[str, ...] = ()
    vendor: str
    architecture: str
    form_factor: str
    memory_gb: float | None = None
    usable_mib: float | None = None
    memory_type: str = ""
    mem_bandwidth_gbs: float | None = None
    fp64_tflops: float | None = None
    fp64_tensor_tflops: float | None = None
    fp32_tflops: float | None = None
    tf32_tflops: float | None = None
    fp16_tflops: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    int8_tops: float | None = None
    nvlink_gbs_total: float | None = None
    nvlink_domain_size: int | None = None
    nvlink_kind: str = Field(default="", description="bridge-2, bridge-4, nvswitch, mesh or none")
    pcie_gen: int | None = None
    pcie_lanes: int | None = None
    tdp_w: float | None = None
    slot_width: str = ""
    cooling: str = ""
    cuda_compute_capability: float | None = None
    max_mig: int | None = None
    ecc: str = ""
    release_year: int | None = None
    gpus_on_board: int = Field(default=1, description="each is seen as a GPU with its share of the memory")
    tflops_basis: str = ""


class MeasuredRate(Fact):
    """One measured rate of a GPU: achieved matmul, memory bandwidth or collective bus bandwidth."""

    gpu: str
    metric: str
    dtype: str = ""
    value: float
    unit: str
    conditions: str = ""


class ModelRecord(Fact):
    """A model of the catalog; `facts` are the columns of resources/catalog/models.jsonl as they stand there."""

    id: str
    name: str
    hf_id: str = ""
    family: str = ""
    kind: str
    model_type: str = ""
    licence: str = ""
    params_total: int | None = None
    params_active: int | None = None
    aliases: tuple[str, ...] = ()
    facts: dict[str, Any]


class Platform(Fact):
    """A server that can be quoted. A `system` platform is priced whole with its GPUs, a `barebone` part by part."""

    id: str
    vendor: str
    model: str
    pricing: Literal["system", "barebone"]
    gpus: tuple[str, ...] = Field(description="ids of the GPUs it takes")
    max_gpus: int
    gpu_step: int = Field(default=1, description="GPUs come in multiples of this: whole boards on HGX")
    rack_units: int
    cpu_sockets: int
    cpu: str = Field(description="id of the CPU quoted with it")
    dimm_slots: int
    dimm_channels: int = Field(description="memory channels of all sockets: modules are added in multiples of it")
    nvme_bays: int
    psu_count: int | None = None
    psu_rated_w: float | None = None
    psu_redundant: int | None = None
    max_power_w: float | None = Field(default=None, description="the vendor's own maximum, where published")
    weight_kg: float | None = None
    cooling: str = "air"
    included_ram_bytes: int | None = Field(default=None, description="memory of a fixed system, where a source says")
    included_nvme_bytes: int | None = Field(default=None, description="data drives of a fixed system, where one says")


class Cpu(Fact):
    id: str
    name: str
    cores: int
    tdp_w: float
    memory_channels: int
    pcie_lanes: int | None = None
    vendor: str = ""
    family: str = ""
    threads: int | None = None
    base_ghz: float | None = None
    boost_ghz: float | None = None
    memory_speed: str = ""
    pcie_gen: int | None = None
    socket: str = ""
    max_sockets: int | None = None


class MemoryModule(Fact):
    """A memory module of a server."""

    id: str
    name: str
    capacity_bytes: int
    generation: str = ""
    speed_mts: int | None = None
    kind: str = "RDIMM"
    vendor: str = ""
    part_number: str = ""
    power_w: float | None = None


class Drive(Fact):
    """A data drive, or one the system starts from."""

    id: str
    name: str
    role: Literal["storage", "boot"]
    capacity_bytes: int
    interface: str = ""
    form_factor: str = ""
    vendor: str = ""
    endurance_dwpd: float | None = None
    power_w: float | None = None


class Nic(Fact):
    """A network card; `gbps` is of one port."""

    id: str
    name: str
    vendor: str = ""
    protocol: str = ""
    ports: int
    gbps: float
    connector: str = ""
    pcie_gen: int | None = None
    pcie_lanes: int | None = None
    power_w: float | None = None


class Switch(Fact):
    """A switch of the compute, storage or management network; `gbps` is of one port."""

    id: str
    name: str
    vendor: str
    protocol: str
    ports: int | None = None
    gbps: float | None = None
    connector: str = ""
    throughput_tbps: float | None = None
    rack_units: float | None = None
    max_power_w: float | None = None
    weight_kg: float | None = None


class Psu(Fact):
    """A power supply as servers of the catalog carry it."""

    id: str
    name: str
    vendor: str = ""
    rated_w: float
    servers: tuple[str, ...] = Field(default=(), description="ids of the server models a source shows it in")


class ServerModel(Fact):
    """A server somebody builds, whether or not it can be quoted: a `Platform` is one with known parts and price."""

    id: str
    vendor: str
    model: str
    market: Literal["world", "russia"] = "world"
    form: str = ""
    rack_units: float | None = None
    gpu_form_factor: str = ""
    max_gpus: int | None = None
    gpus: tuple[str, ...] = Field(default=(), description="ids of the GPUs a source shows in it")
    gpus_said: str = Field(default="", description="GPUs as the source names them")
    cpu_sockets: int | None = None
    cpu_family: str = ""
    dimm_slots: int | None = None
    max_ram_tb: float | None = None
    nvme_bays: str = ""
    nic_slots: str = ""
    psus: str = ""
    psu_redundancy: str = ""
    max_power_w: float | None = None
    weight_kg: float | None = None
    cooling: str = ""
    example: str = Field(default="", description="a configuration that was sold or submitted")
    registry: str = Field(default="", description="state of its entry in a registry of origin")


Part = MemoryModule | Drive | Nic
