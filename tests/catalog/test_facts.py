"""What the shipped catalog says, held against figures from outside."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from itertools import chain

import pytest

from desktop.catalog import Catalog
from desktop.catalog.facts import AS_OF, Fact, oldest_day
from desktop.catalog.records import Part, Platform
from desktop.units import GIB, MIB

LP2368 = "https://lenovopress.lenovo.com/lp2368-on-premise-vs-cloud-generative-ai-total-cost-of-ownership-2026-edition"
DATA_CENTRE_FORMS = ("PCIe", "PCIe NVL", "SXM2", "SXM4", "SXM5", "SXM6", "OAM")


def facts(catalog: Catalog) -> list[Fact]:
    return list(
        chain(
            catalog.gpus,
            catalog.models,
            catalog.platforms,
            catalog.cpus,
            catalog.memory_modules,
            catalog.drives,
            catalog.nics,
            catalog.hardware_prices,
            catalog.cloud_prices,
            catalog.tariffs,
            catalog.measured_rates,
        )
    )


def test_it_holds_every_row_of_its_sources(catalog: Catalog) -> None:
    tables = (catalog.gpus, catalog.models, catalog.measured_rates, catalog.cpus, catalog.cloud_prices)
    assert [len(table) for table in tables] == [70, 371, 244, 58, 421]


@pytest.mark.parametrize(
    ("gpu", "mib"),
    [  # what nvidia-smi prints as the card's total
        ("NVIDIA H100 SXM5 80GB", 81_559),
        ("NVIDIA H200 SXM 141GB", 143_771),
        ("NVIDIA B200 SXM", 183_359),
        ("NVIDIA H100 NVL 94GB", 95_830),
        ("NVIDIA A100 SXM4 80GB", 81_920),
        ("NVIDIA L40S", 46_068),
        ("NVIDIA T4", 15_360),
        ("RTX PRO 6000 Blackwell Server Edition", 97_887),
        ("GeForce RTX 4090", 24_564),
    ],
)
def test_memory_the_driver_shows(catalog: Catalog, gpu: str, mib: int) -> None:
    assert catalog.gpu(gpu).usable_mib == mib


def test_the_driver_never_shows_more_than_the_datasheet_in_binary_units(catalog: Catalog) -> None:
    for gpu in catalog.gpus:
        if gpu.usable_mib and gpu.memory_gb:
            assert 0.9 * gpu.memory_gb * GIB < gpu.usable_mib * MIB <= gpu.memory_gb * GIB, gpu.name


@pytest.mark.parametrize(
    ("gpu", "dense_bf16", "bandwidth"),
    [
        ("NVIDIA H100 SXM5 80GB", 989, 3350),  # NVIDIA H100 datasheet; 1,979 there is with sparsity
        ("NVIDIA B200 SXM", 2250, 7700),
        ("NVIDIA A100 SXM4 80GB", 312, 2039),
        ("AMD Instinct MI300X", 1307, 5300),
        ("RTX PRO 6000 Blackwell Server Edition", 467.8, 1597),  # 1,792 GB/s is the Workstation Edition
    ],
)
def test_rates_are_dense(catalog: Catalog, gpu: str, dense_bf16: float, bandwidth: float) -> None:
    found = catalog.gpu(gpu)
    assert (found.bf16_tflops, found.mem_bandwidth_gbs) == (dense_bf16, bandwidth)


def test_nvidia_fp8_is_twice_bf16_and_fp4_at_least_twice_fp8(catalog: Catalog) -> None:
    # the trap is a sparse figure beside a dense one: tensor cores double per halving of the width, Blackwell Ultra
    # triples; GeForce halves what accumulates in fp32, so fp4 is fourfold there
    for gpu in catalog.gpus:
        if gpu.vendor == "NVIDIA" and gpu.bf16_tflops and gpu.fp8_tflops and "Rubin" not in gpu.name:
            assert gpu.fp8_tflops == pytest.approx(2 * gpu.bf16_tflops, rel=0.02), gpu.name
            if gpu.fp4_tflops:
                times = 4 if gpu.name.startswith("GeForce") else 3 if gpu.architecture == "Blackwell Ultra" else 2
                assert gpu.fp4_tflops == pytest.approx(times * gpu.fp8_tflops, rel=0.04), gpu.name


@pytest.mark.parametrize(
    ("model", "parameters"),
    [  # element counts of the published checkpoints
        ("meta-llama/Llama-3.1-8B-Instruct", 8_030_261_248),
        ("Llama-3.1-70B", 70_553_706_496),
        ("Qwen2.5-72B", 72_706_203_648),
        ("Llama-3.1-405B", 405_853_388_800),
    ],
)
def test_parameter_counts(catalog: Catalog, model: str, parameters: int) -> None:
    assert catalog.model(model).params_total == parameters


def test_model_facts_are_the_columns_of_their_source(catalog: Catalog) -> None:
    shape = {  # config.json of meta-llama/Llama-3.1-8B
        "num_layers": 32,
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_heads": 32,
        "num_kv_heads": 8,
    }
    assert shape.items() <= catalog.model("llama-3.1-8b").facts.items()


@pytest.mark.parametrize(
    ("platform", "gpu", "gpus", "price"),
    [  # LP2368, "System Pricing", usual sale price
        ("lenovo-sr680a-v3-h100", "H100 SXM", 8, "250141.80"),
        ("lenovo-sr680a-v3-h200", "H200 SXM", 8, "277897.75"),
        ("lenovo-sr680a-v3-b200", "B200 SXM", 8, "338495.75"),
        ("lenovo-sr680a-v4-b300", "B300 SXM", 8, "461567.50"),
        ("lenovo-sr650a-v4-l40s", "L40S", 4, "52390.50"),
    ],
)
def test_street_prices_of_whole_servers(catalog: Catalog, platform: str, gpu: str, gpus: int, price: str) -> None:
    found = catalog.platform(platform)
    assert (found.pricing, found.gpus, found.max_gpus, found.gpu_step) == ("system", (catalog.gpu(gpu).id,), gpus, gpus)
    (row,) = catalog.prices_of(platform)
    assert (row.low, row.high, row.currency) == (Decimal(price), Decimal(price), "USD")
    assert (row.kind, row.as_of, row.vat_included) == ("street", "2026-01-15", False)
    assert LP2368 in row.source


def test_prices_of_one_part_stay_apart_by_kind(catalog: Catalog) -> None:
    # CFM, Q1 2026: a 64 GB module costs 820 to 950 by contract and 2,200 to 2,500 on the spot market
    kinds = {price.kind: f"{price.low} to {price.high}" for price in catalog.prices_of("rdimm-ddr5-64gb")}
    assert kinds == {"contract": "820 to 950", "spot": "2200 to 2500", "estimate": "280 to 280"}


def test_vat_of_russia_by_day(catalog: Catalog) -> None:
    # 425-ФЗ of 2025-11-28: 22 % from 2026-01-01; 303-ФЗ of 2018-08-03: 20 % from 2019-01-01
    assert catalog.vat_rate("Russia", date(2026, 2, 1)) == Decimal("0.22")
    assert catalog.vat_rate("RU", date(2026, 1, 1)) == Decimal("0.22")
    assert catalog.vat_rate("Russia", date(2025, 12, 31)) == Decimal("0.20")
    assert catalog.vat_rate("Россия", date(2019, 1, 1)) == Decimal("0.20")
    assert catalog.vat_rate("Russia", date(2018, 12, 31)) is None
    assert catalog.vat_rate("World", date(2026, 2, 1)) is None


def test_committed_cloud_prices_stand_beside_on_demand(catalog: Catalog) -> None:
    # LP2368, tables 2 and 4: 8x H100 on Azure for a year, 8x B300 on AWS by the hour
    offers = catalog.cloud_offers("nvidia-h100-sxm5-80gb")
    year = [offer.price_per_hour for offer in offers if (offer.provider, offer.term) == ("Azure", "1-year commitment")]
    assert year == [Decimal("62.92")]
    b300 = [offer for offer in catalog.cloud_offers("nvidia-b300-sxm") if offer.instance == "p6-b300.48xlarge"]
    told = [(offer.price_per_hour, offer.term, offer.gpu_count) for offer in b300]
    assert told == [(Decimal("142.416"), "on-demand", 8)]


def test_dgx_h100_as_its_user_guide_says(catalog: Catalog) -> None:
    dgx = catalog.platform("nvidia-dgx-h100")
    assert (dgx.rack_units, dgx.max_power_w, dgx.weight_kg) == (8, 10_200, 130.45)
    assert (dgx.psu_count, dgx.psu_rated_w, dgx.psu_redundant) == (6, 3300, 2)
    assert (dgx.included_ram_bytes, dgx.included_nvme_bytes) == (32 * 64 * GIB, 8 * 3_840_000_000_000)


def test_every_record_has_a_source_and_a_verification(catalog: Catalog) -> None:
    for fact in facts(catalog):
        assert fact.source and fact.verification in ("read", "computed", "part-read", "recalled"), fact
        assert not fact.as_of or AS_OF.fullmatch(fact.as_of), fact
        assert set(fact.recalled) <= set(type(fact).model_fields), fact


def test_every_price_has_a_date_a_currency_and_an_amount(catalog: Catalog) -> None:
    for price in catalog.hardware_prices:
        assert price.as_of and price.kind and price.currency in ("USD", "RUB") and 0 < price.low <= price.high, price
    for offer in catalog.cloud_prices:
        assert offer.as_of and offer.term and offer.currency in ("USD", "RUB") and offer.price_per_hour > 0, offer
        assert offer.vat_included == (offer.currency == "RUB") and offer.gpu_count >= 1, offer
    for tariff in catalog.tariffs:
        assert tariff.as_of and 0 <= tariff.low <= tariff.high, tariff


def test_every_id_that_is_named_exists(catalog: Catalog) -> None:
    gpus = {gpu.id for gpu in catalog.gpus}
    cpus = {cpu.id for cpu in catalog.cpus}
    priced = (
        gpus
        | cpus
        | {part.id for part in (*catalog.memory_modules, *catalog.drives, *catalog.nics)}
        | {place.id for place in (*catalog.platforms, *catalog.server_models)}
    )
    assert all(set(platform.gpus) <= gpus and platform.cpu in cpus for platform in catalog.platforms)
    assert {price.part for price in catalog.hardware_prices} <= priced
    assert {offer.gpu for offer in catalog.cloud_prices} <= gpus
    assert {rate.gpu for rate in catalog.measured_rates} <= gpus


def test_a_system_is_priced_whole_with_the_one_gpu_it_holds(catalog: Catalog) -> None:
    for platform in catalog.platforms:
        systems = [price for price in catalog.prices_of(platform.id) if price.category == "system"]
        if platform.pricing == "system":
            assert len(platform.gpus) == 1 and systems, platform.id
            assert platform.max_gpus == platform.gpu_step, platform.id
        else:
            assert not systems, platform.id


def test_every_data_centre_gpu_with_a_price_has_a_server(catalog: Catalog) -> None:
    priced = {price.part for price in catalog.hardware_prices}
    for gpu in catalog.gpus:
        if gpu.id in priced and gpu.form_factor in DATA_CENTRE_FORMS:
            assert catalog.platforms_for(gpu.id), gpu.name


def test_parts_of_an_open_server_are_priced(catalog: Catalog) -> None:
    def priced(parts: Iterable[Part]) -> list[str]:
        return [part.id for part in parts if catalog.prices_of(part.id)]

    storage = [drive for drive in catalog.drives if drive.role == "storage"]
    boot = [drive for drive in catalog.drives if drive.role == "boot"]
    assert all(priced(parts) for parts in (catalog.memory_modules, storage, boot, catalog.nics))
    barebones = [platform for platform in catalog.platforms if platform.pricing == "barebone"]
    with_base_price = {platform.id for platform in barebones if _has_chassis_price(platform, catalog)}
    assert with_base_price == {"cisco-ucs-c845a-m8", "asus-rs720a-e12-rs24"}


def _has_chassis_price(platform: Platform, catalog: Catalog) -> bool:
    return any(price.category == "chassis" for price in catalog.prices_of(platform.id))


def test_memory_channels_of_a_platform_are_those_of_its_cpus(catalog: Catalog) -> None:
    for platform in catalog.platforms:
        cpu = catalog.cpu(platform.cpu)
        assert platform.dimm_channels == platform.cpu_sockets * cpu.memory_channels <= platform.dimm_slots, platform.id


def test_age_counts_from_the_oldest_day_a_date_can_mean() -> None:
    assert oldest_day("2026") == date(2026, 1, 1)
    assert oldest_day("2026-Q3") == date(2026, 7, 1)
    assert oldest_day("2026-H2") == date(2026, 7, 1)
    assert oldest_day("2026-01-15") == date(2026, 1, 15)
    assert oldest_day("<=2025") is None
    assert oldest_day("last year") is None
