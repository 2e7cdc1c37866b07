"""Prices, tariffs, VAT and exchange rates of the shipped catalog, held against figures from outside."""

from collections import Counter
from datetime import date
from decimal import Decimal

import pytest

from desktop.catalog import Catalog
from desktop.catalog.facts import READ, RECALLED
from desktop.catalog.prices import CloudPrice, HardwarePrice

TERMS = {"on-demand", "spot", "1-month commitment", "1-year commitment", "3-year commitment", "5-year commitment"}


def offer(catalog: Catalog, provider: str, instance: str, term: str = "on-demand") -> CloudPrice:
    (found,) = [
        row for row in catalog.cloud_prices if (row.provider, row.instance, row.term) == (provider, instance, term)
    ]
    return found


def test_it_holds_every_row_of_its_sources(catalog: Catalog) -> None:
    assert Counter(row.currency for row in catalog.cloud_prices) == {"USD": 315, "RUB": 106}
    assert len(catalog.tariffs) == 71 and len(catalog.vat_rates) == 13 and len(catalog.exchange_rates) == 2
    russian = Counter(row.provider for row in catalog.cloud_prices if row.region == "Russia")
    assert russian == {
        "Cloud.ru (Evolution Compute GPU)": 35,
        "VK Cloud": 15,
        "Selectel": 42,
        "Selectel (dedicated)": 1,
        "T1 Cloud": 5,
        "Yandex Cloud": 8,
    }


@pytest.mark.parametrize(
    ("provider", "instance", "gpu", "gpus", "vcpus", "ram", "price"),
    [
        # tariff document 260619 of Cloud.ru, in force from 2026-06-29: cdn.cloud.ru evolution-compute-gpu.pdf
        ("Cloud.ru (Evolution Compute GPU)", "160vCPU/880GB/8xH100 94GB PCI", "H100 NVL", 8, 160, 880, "5172.8"),
        ("Cloud.ru (Evolution Compute GPU)", "20vCPU/125GB/1xA100 80GB PCI", "A100 PCIe 80", 1, 20, 125, "317.2"),
        # cloud.vk.com/pricelist, in force from 2026-01-12: 4.02 RUB a minute
        ("VK Cloud", "GPU3-16-112-L40S-1", "L40S", 1, 16, 112, "241.2"),
    ],
)
def test_russian_clouds_in_roubles_with_vat(
    catalog: Catalog, provider: str, instance: str, gpu: str, gpus: int, vcpus: int, ram: int, price: str
) -> None:
    found = offer(catalog, provider, instance)
    assert (found.gpu, found.gpu_count) == (catalog.gpu(gpu).id, gpus)
    assert (found.vcpus, found.ram_gb, found.unit) == (vcpus, ram, False)
    assert (found.price_per_hour, found.currency, found.region) == (Decimal(price), "RUB", "Russia")
    assert (found.vat_included, found.vat_rate) == (True, Decimal("0.22"))


def test_a_gpu_sold_alone_is_said_to_be_one(catalog: Catalog) -> None:
    # t1-cloud.ru/documents/rates, appendix of 2026-07-08: a net tariff, here times 1.22; counts 1, 2, 4, 8
    h200 = offer(catalog, "T1 Cloud", "GPU unit only, series g7")
    assert (h200.gpu, h200.price_per_hour, h200.unit) == ("nvidia-h200-sxm-141gb", Decimal("593.0556"), True)
    alone = [row for row in catalog.cloud_prices if row.unit]
    assert len(alone) == 19 and all(row.vcpus is None and row.ram_gb is None for row in alone)


def test_shapes_of_instances(catalog: Catalog) -> None:
    # SpareCores sc-data-dumps @e8749be: g4dn.12xlarge has 48 vCPUs, 192 GiB, 900 GB of NVMe and 50 Gb/s
    g4dn = offer(catalog, "AWS", "g4dn.12xlarge")
    assert (g4dn.vcpus, g4dn.ram_gb, g4dn.local_nvme_gb, g4dn.network_gbps) == (48, 192, 900, 50)
    assert sum(row.vcpus is not None for row in catalog.cloud_prices) == 280 + 106 - 19
    azure = [row for row in catalog.cloud_prices if row.provider == "Azure" and row.network_gbps]
    assert azure and all(row.origin("network_gbps").verification == RECALLED for row in azure)


def test_a_price_by_the_month_becomes_one_by_the_hour(catalog: Catalog) -> None:
    # selectel.ru/services/gpu, 2026-07-25: 8x B300, 8,000,000 RUB a month; a month has 730 hours
    b300 = offer(catalog, "Selectel (dedicated)", "GL8-B300-HGX-25GE", "1-month commitment")
    assert b300.verification == "computed" and "730" in b300.notes
    assert abs(b300.price_per_hour * 730 - 8_000_000) < 10


def test_terms_are_of_one_vocabulary(catalog: Catalog) -> None:
    assert {row.term for row in catalog.cloud_prices} == TERMS


def test_roubles_are_of_russia_and_say_their_vat(catalog: Catalog) -> None:
    prices: list[CloudPrice | HardwarePrice] = [*catalog.cloud_prices, *catalog.hardware_prices]
    roubles = [row for row in prices if row.currency == "RUB"]
    assert roubles
    for row in roubles:
        assert row.region == "Russia" and row.vat_included, row
        assert row.vat_rate in (Decimal("0.20"), Decimal("0.22")), row
    dollars = [row for row in prices if row.currency != "RUB"]
    assert not any(row.vat_included or row.vat_rate is not None for row in dollars)


def test_a_demonstration_page_prices_nothing(catalog: Catalog) -> None:
    # its servers contradict each other and it prints no currency: neither its prices nor its servers are quoted
    assert not any("demo_website" in row.source for row in catalog.hardware_prices)
    assert catalog.platforms and not any("16927927054" in row.source for row in catalog.platforms)
    copied = [row for row in catalog.server_models if row.source.startswith("GitHub file id 16927927054")]
    assert copied and all(row.unverified() for row in copied if " | " not in row.source)


def test_a_price_of_several_gpus_is_never_that_of_one(catalog: Catalog) -> None:
    gpus = {gpu.id for gpu in catalog.gpus}
    for row in catalog.hardware_prices:
        assert (row.part in gpus) == (row.category == "gpu"), row
        if row.currency == "RUB" and row.category == "gpu":
            assert row.high <= 11_000_000, row


def test_an_authors_estimate_is_nobodys_word(catalog: Catalog) -> None:
    # Comindware, April 2026: H200 5.1 to 7.7 million, called an estimate of the author there
    (h200,) = [row for row in catalog.prices_of("nvidia-h200-sxm-141gb") if row.currency == "RUB"]
    assert [h200.low, h200.high] == [5_100_000, 7_700_000] and h200.kind == "estimate" and h200.unverified()
    (h100,) = [row for row in catalog.prices_of("nvidia-h100-pcie-80gb") if row.currency == "RUB"]
    assert [h100.low, h100.high] == [3_500_000, 5_500_000] and h100.kind == "estimate" and h100.unverified()


@pytest.mark.parametrize(
    ("region", "on", "rate"),
    [
        ("Russia", date(2025, 12, 31), "0.20"),  # 303-ФЗ of 2018-08-03
        ("Russia", date(2026, 1, 1), "0.22"),  # 425-ФЗ of 2025-11-28
        ("Germany", date(2026, 12, 1), "0.19"),  # European Commission TEDB, 2026-04-28
        ("Finland", date(2026, 12, 1), "0.255"),  # the same
        ("Kazakhstan", date(2026, 1, 1), "0.16"),  # Tax Code, Law 214-VIII of 2025-07-18
        ("Kazakhstan", date(2025, 12, 31), None),
        ("US", date(2026, 12, 1), None),
    ],
)
def test_vat_by_day(catalog: Catalog, region: str, on: date, rate: str | None) -> None:
    assert catalog.vat_rate(region, on) == (None if rate is None else Decimal(rate))


def test_no_two_vat_rates_of_a_country_hold_on_one_day(catalog: Catalog) -> None:
    for row in catalog.vat_rates:
        for other in catalog.vat_rates:
            if row is not other and row.region == other.region:
                first, second = sorted((row, other), key=lambda one: one.valid_from or date.min)
                assert first.valid_until is not None and second.valid_from is not None
                assert first.valid_until < second.valid_from


def test_rouble_rate_of_the_bank_of_russia(catalog: Catalog) -> None:
    # XML_daily.asp of the Bank of Russia for 2026-10-03: 83.4839
    (rate,) = [row for row in catalog.exchange_rates if row.on == date(2026, 10, 3)]
    assert rate.low == rate.high == Decimal("83.4839") and (rate.currency, rate.verification) == ("RUB", READ)


def test_business_electricity_is_never_that_of_households(catalog: Catalog) -> None:
    # kommersant.ru/doc/8139718, October 2025: 8.5 RUB/kWh; households pay 2.47 to 6.15
    found = catalog.tariff("electricity", "Russia")
    assert found is not None and (found.low, found.unit) == (Decimal("8.5"), "RUB/kWh")
    household = [row for row in catalog.tariffs if row.kind == "electricity" and row.unit == "RUB/kWh" and row.low < 7]
    places = {region.name for region in catalog.regions}
    assert household and not places & {row.region for row in household}


def test_colocation_in_moscow(catalog: Catalog) -> None:
    # 3DCI by iksmedia.ru, third quarter of 2024: 140,700 RUB a rack of 5 kW, so 28,140 a kW
    rows = {(row.unit, row.as_of): row for row in catalog.tariffs if (row.kind, row.region) == ("colocation", "Moscow")}
    assert rows["RUB/rack/month", "2024-Q3"].low == 140_700
    by_kw = rows["RUB/kW/month", "2024-Q3"]
    assert by_kw.low == 28_140 and by_kw.verification == "computed"
