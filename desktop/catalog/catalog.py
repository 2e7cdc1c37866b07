"""All facts of the catalog in memory, found by the names people use. Nothing in it ever changes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Literal, TypeVar

from desktop.catalog.ageing import shipped_limits
from desktop.catalog.calibration import Calibration, load_calibration
from desktop.catalog.facts import oldest_day
from desktop.catalog.names import LONGEST_NAME, Names, plain, with_maker
from desktop.catalog.prices import ApiPrice, CloudPrice, ExchangeRate, HardwarePrice, Tariff, VatRate
from desktop.catalog.records import (
    Cpu,
    Drive,
    Gpu,
    MeasuredRate,
    MemoryModule,
    ModelRecord,
    Nic,
    Part,
    Platform,
    Psu,
    Region,
    ServerModel,
    Stamp,
    Switch,
)
from desktop.catalog.software import Compatibility, Flag, Term
from desktop.request import Problem

Key = TypeVar("Key")
Row = TypeVar("Row")
TariffKind = Literal["electricity", "pue"]
WORLD = "World"


@dataclass(frozen=True)
class Catalog:
    """The records of one catalog file, in the order of their sources."""

    stamp: Stamp
    gpus: tuple[Gpu, ...] = ()
    models: tuple[ModelRecord, ...] = ()
    platforms: tuple[Platform, ...] = ()
    cpus: tuple[Cpu, ...] = ()
    memory_modules: tuple[MemoryModule, ...] = ()
    drives: tuple[Drive, ...] = ()
    nics: tuple[Nic, ...] = ()
    switches: tuple[Switch, ...] = ()
    psus: tuple[Psu, ...] = ()
    server_models: tuple[ServerModel, ...] = ()
    hardware_prices: tuple[HardwarePrice, ...] = ()
    cloud_prices: tuple[CloudPrice, ...] = ()
    api_prices: tuple[ApiPrice, ...] = ()
    tariffs: tuple[Tariff, ...] = ()
    vat_rates: tuple[VatRate, ...] = ()
    exchange_rates: tuple[ExchangeRate, ...] = ()
    compatibility: tuple[Compatibility, ...] = ()
    flags: tuple[Flag, ...] = ()
    terms: tuple[Term, ...] = ()
    measured_rates: tuple[MeasuredRate, ...] = ()
    regions: tuple[Region, ...] = ()
    age_limits: Mapping[str, int] = field(default_factory=shipped_limits)
    margin: Decimal = Decimal(0)
    preferred_vendors: tuple[str, ...] = ()

    def gpu(self, name: str, field: str = "gpu") -> Gpu:
        """The GPU of that id, name, short name or alias.

        Raises Problem: unknown_gpu with the three closest names; ambiguous_gpu with every GPU the name may mean.
        """
        found = self._gpu_names.find(name)
        if len(found) == 1:
            return found[0]
        shown = name[:LONGEST_NAME]
        if found:
            raise Problem("ambiguous_gpu", field, name=shown, closest=tuple(gpu.name for gpu in found))
        raise Problem("unknown_gpu", field, name=shown, closest=self._gpu_names.closest(name))

    def model(self, name: str, field: str = "model") -> ModelRecord:
        """The model of that id, name, Hub id or alias.

        Raises Problem: unknown_model with the three closest names; ambiguous_model with every model the name may mean.
        """
        found = self._model_names.find(name)
        if len(found) == 1:
            return found[0]
        shown = name[:LONGEST_NAME]
        if found:
            raise Problem("ambiguous_model", field, name=shown, closest=tuple(model.name for model in found))
        raise Problem("unknown_model", field, name=shown, closest=self._model_names.closest(name))

    def cpu(self, cpu_id: str) -> Cpu:
        """Raises KeyError for an id no CPU has."""
        return self._cpus[cpu_id]

    def part(self, part_id: str) -> Part:
        """Raises KeyError for an id no part has."""
        return self._parts[part_id]

    def platform(self, platform_id: str) -> Platform:
        """Raises KeyError for an id no platform has."""
        return self._platforms[platform_id]

    def platforms_for(self, gpu_id: str) -> tuple[Platform, ...]:
        """Platforms that take this GPU."""
        return tuple(platform for platform in self.platforms if gpu_id in platform.gpus)

    def prices_of(self, part_id: str) -> tuple[HardwarePrice, ...]:
        """Every dated price of a GPU, CPU, part or platform; empty where nobody gave one."""
        return self._prices.get(part_id, ())

    def rates_of(self, gpu_id: str) -> tuple[MeasuredRate, ...]:
        """What was measured on this GPU."""
        return self._rates.get(gpu_id, ())

    def cloud_offers(self, gpu_id: str) -> tuple[CloudPrice, ...]:
        """Instances with this GPU, of every term: on-demand, spot, commitment."""
        return self._offers.get(gpu_id, ())

    def tariff(self, kind: TariffKind, region: str) -> Tariff | None:
        """The newest tariff of the region, else of what surrounds it, at last of the world; None where none is known.

        A tariff is in the currency its `unit` names. One that is only recalled is not used.
        """
        for place in self._places(region):
            if found := [row for row in self._tariffs.get((kind, place), ()) if not row.unverified()]:
                return max(found, key=_since)
        return None

    def vat(self, region: str, on: date) -> VatRate | None:
        """Standard VAT rate in force on that day; None where it is not known. There is none of the world."""
        for place in self._places(region):
            for row in self._vat_rates.get(place, ()):
                if not row.unverified() and (row.valid_from or date.min) <= on <= (row.valid_until or date.max):
                    return row
        return None

    def vat_rate(self, region: str, on: date) -> Decimal | None:
        """The rate of `vat`; None where it is not known."""
        found = self.vat(region, on)
        return None if found is None else found.rate

    def region_name(self, region: str) -> str:
        """The region's plain name where the catalog knows it, else as it was given."""
        known = self._regions.get(plain(region))
        return known.name if known else region

    def knows_region(self, region: str) -> bool:
        """Whether the region has figures of its own or a place within one that has."""
        return plain(region) in self._regions

    @property
    def calibration(self) -> Calibration:
        """The constants shipped beside the facts."""
        return load_calibration()

    def _places(self, region: str) -> Iterator[str]:
        """The region by its plain name, what surrounds it, and the world."""
        known = self._regions.get(plain(region))
        name = known.name if known else region
        seen: set[str] = set()
        while name and name not in seen:
            seen.add(name)
            yield name
            known = self._regions.get(plain(name))
            name = known.parent if known else ""
        if WORLD not in seen:
            yield WORLD

    @cached_property
    def _gpu_names(self) -> Names[Gpu]:
        return Names(
            (
                gpu,
                gpu.name,
                with_maker(gpu.vendor, (gpu.id, gpu.name, gpu.short)),
                with_maker(gpu.vendor, gpu.aliases),
            )
            for gpu in self.gpus
        )

    @cached_property
    def _model_names(self) -> Names[ModelRecord]:
        return Names((model, model.name, (model.id, model.name, model.hf_id), model.aliases) for model in self.models)

    @cached_property
    def _cpus(self) -> Mapping[str, Cpu]:
        return {cpu.id: cpu for cpu in self.cpus}

    @cached_property
    def _parts(self) -> Mapping[str, Part]:
        parts: tuple[Part, ...] = (*self.memory_modules, *self.drives, *self.nics)
        return {part.id: part for part in parts}

    @cached_property
    def _platforms(self) -> Mapping[str, Platform]:
        return {platform.id: platform for platform in self.platforms}

    @cached_property
    def _prices(self) -> Mapping[str, tuple[HardwarePrice, ...]]:
        return _grouped((price.part, price) for price in self.hardware_prices)

    @cached_property
    def _rates(self) -> Mapping[str, tuple[MeasuredRate, ...]]:
        return _grouped((rate.gpu, rate) for rate in self.measured_rates)

    @cached_property
    def _offers(self) -> Mapping[str, tuple[CloudPrice, ...]]:
        return _grouped((price.gpu, price) for price in self.cloud_prices)

    @cached_property
    def _tariffs(self) -> Mapping[tuple[str, str], tuple[Tariff, ...]]:
        return _grouped(((row.kind, row.region), row) for row in self.tariffs)

    @cached_property
    def _vat_rates(self) -> Mapping[str, tuple[VatRate, ...]]:
        return _grouped((row.region, row) for row in self.vat_rates)

    @cached_property
    def _regions(self) -> Mapping[str, Region]:
        return {plain(name): region for region in self.regions for name in (*region.aliases, region.name)}


def _grouped(pairs: Iterable[tuple[Key, Row]]) -> dict[Key, tuple[Row, ...]]:
    groups: dict[Key, list[Row]] = {}
    for key, row in pairs:
        groups.setdefault(key, []).append(row)
    return {key: tuple(rows) for key, rows in groups.items()}


def _since(row: Tariff) -> date:
    return row.valid_from or oldest_day(row.as_of) or date.min
