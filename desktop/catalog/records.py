"""What the catalog knows, one frozen record a row. Each says where it comes from, of when, and how it was verified.

`verification` is `read`, `computed`, `part-read` or `recalled`; a recalled fact must not reach a document unconfirmed.
`recalled` names the fields of a part-read record that nobody has seen in a document.

`as_of` is as precise as its source: 2026, 2026-Q1, 2026-H1, 2026-04 or 2026-04-17; `<=2026-12-01` where the source
bears no date: not later than that.
"""

import re
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field

from desktop.request import Strict

AS_OF = re.compile(
    r"(?P<bound><=)?(?P<year>\d{4})(?:-(?:Q(?P<quarter>[1-4])|H(?P<half>[12])|(?P<month>\d{2})(?:-(?P<day>\d{2}))?))?"
)


def oldest_day(as_of: str) -> date | None:
    """Earliest day an `as_of` can mean, from which its age counts; None where the source bears no date.

    >>> oldest_day("2026-Q2"), oldest_day("2026-04-17"), oldest_day("<=2026-12-01")
    (datetime.date(2026, 4, 1), datetime.date(2026, 4, 17), None)
    """
    match = AS_OF.fullmatch(as_of)
    if match is None or match["bound"]:
        return None
    month = int(match["month"] or 3 * int(match["quarter"] or 1) - 2)
    return date(int(match["year"]), month + 6 * (int(match["half"] or 1) - 1), int(match["day"] or 1))


class Fact(Strict):
    source: str = ""
    as_of: str = ""
    verification: str = ""
    notes: str = ""
    recalled: tuple[str, ...] = ()


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
    fp32_tflops: float | None = None
    tf32_tflops: float | None = None
    fp16_tflops: float | None = None
    bf16_tflops: float | None = None
    fp8_tflops: float | None = None
    fp4_tflops: float | None = None
    int8_tops: float | None = None
    nvlink_gbs_total: float | None = None
    nvlink_domain_size: int | None = None
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


class HardwarePrice(Fact):
    """A dated price of one part. `part` is the id of a GPU, CPU, module, drive, NIC or platform of the catalog."""

    part: str
    category: Literal["gpu", "cpu", "memory", "storage", "network", "chassis", "system"]
    low: Decimal
    high: Decimal
    currency: str
    kind: Literal["list", "street", "quote", "contract", "spot", "estimate", "used"]
    region: str = ""
    vat_included: bool = False


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


class Part(Fact):
    """A memory module, drive or network card: `capacity_bytes` for memory and drives, `gbps` of one port for cards."""

    id: str
    category: Literal["memory", "storage", "boot", "network"]
    name: str
    capacity_bytes: int | None = None
    gbps: float | None = None
    ports: int | None = None
    power_w: float


class CloudPrice(Fact):
    """An hourly offer of a whole instance. `gpu` is a catalog id."""

    provider: str
    instance: str
    gpu: str
    gpu_count: int
    region: str
    price_per_hour: Decimal
    currency: str
    vat_included: bool
    term: str


class Tariff(Fact):
    """Electricity price, PUE, VAT rate or exchange rate by region and date; `unit` names the currency (RUB/kWh)."""

    kind: Literal["electricity", "pue", "vat", "exchange_rate"]
    region: str
    low: Decimal
    high: Decimal
    unit: str
    valid_from: date | None = None
    valid_until: date | None = None
