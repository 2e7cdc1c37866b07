"""Rules the rows of the catalog keep: each breaks on one slip and stays silent on the shipped rows it is about."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from desktop.catalog import Catalog
from desktop.catalog.check_exceptions import CheckException, unexcused
from desktop.catalog.checks import Finding, TensorClock, hardware_findings
from desktop.catalog.price_checks import price_findings
from desktop.catalog.prices import CloudPrice, ExchangeRate, HardwarePrice, Tariff, VatRate
from desktop.catalog.records import ModelRecord

H100, RTX_4090, SERVER = "nvidia-h100-sxm5-80gb", "geforce-rtx-4090", "rtx-pro-6000-blackwell-server-edition"
TODAY = date(2026, 12, 1)
OFFER = CloudPrice(
    provider="P",
    instance="i",
    gpu=H100,
    gpu_count=8,
    region="r",
    price_per_hour=Decimal(24),
    currency="USD",
    vat_included=False,
    term="on-demand",
    as_of="2026-11",
)
PRICE = HardwarePrice(
    part=H100,
    category="gpu",
    low=Decimal(25_000),
    high=Decimal(32_000),
    currency="USD",
    kind="street",
    as_of="2026-11-20",
)
TARIFF = Tariff(kind="electricity", region="r", low=Decimal("0.1"), high=Decimal("0.2"), unit="USD/kWh", as_of="2026")
RUB = ExchangeRate(currency="RUB", low=Decimal(80), high=Decimal(80), on=TODAY, as_of="2026-12-01")


def _broken(tables: Mapping[str, Sequence[Any]], clocks: Sequence[TensorClock] = ()) -> list[str]:
    return [finding.rule for finding in hardware_findings(tables, clocks)]


def _gpu(catalog: Catalog, gpu_id: str, **changed: Any) -> Mapping[str, Sequence[Any]]:
    return {"gpus": [catalog.gpu(gpu_id).model_copy(update=changed)], "measured_rates": catalog.rates_of(gpu_id)}


@pytest.mark.parametrize(
    ("gpu", "changed", "rule"),
    [
        (H100, {"fp8_tflops": 3958}, "fp8_twice_bf16"),  # the headline with sparsity: H100 data sheet
        (H100, {"bf16_tflops": 1979, "fp16_tflops": 1979}, "no_sparse_figure"),
        (H100, {"fp16_tflops": 267.6}, "bf16_equals_fp16"),  # the shader rate that spec tables give
        (H100, {"tf32_tflops": 989}, "bf16_twice_tf32"),
        (H100, {"int8_tops": 3958}, "int8_twice_bf16"),
        (H100, {"bf16_tflops": 800}, "measured_within_peak"),
        (H100, {"usable_mib": 85_899}, "usable_within_nominal"),
        (H100, {"usable_mib": 40_000}, "usable_within_nominal"),
        (H100, {"tdp_w": 0}, "positive"),
        (RTX_4090, {"bf16_tflops": 330.3, "fp16_tflops": 330.3}, "geforce_half_rate"),
        (SERVER, {"fp4_tflops": 4000}, "fp4_twice_fp8"),
        (SERVER, {"mem_bandwidth_gbs": 1792}, "rtx_pro_6000_bandwidth"),
        ("rtx-pro-6000-blackwell-workstation", {"mem_bandwidth_gbs": 1597}, "rtx_pro_6000_bandwidth"),
    ],
)
def test_a_slip_in_a_gpu_shows(catalog: Catalog, gpu: str, changed: dict[str, Any], rule: str) -> None:
    assert rule not in _broken(_gpu(catalog, gpu))
    assert rule in _broken(_gpu(catalog, gpu, **changed))


def test_blackwell_ultra_breaks_the_pairs_it_is_excused_from(catalog: Catalog) -> None:
    assert _broken(_gpu(catalog, "nvidia-b300-sxm")) == ["fp4_twice_fp8", "int8_twice_bf16"]
    assert _broken(_gpu(catalog, "nvidia-b200-sxm")) == []


def test_a_rate_follows_from_sms_and_clock(catalog: Catalog) -> None:
    clock = TensorClock(H100, sms=132, flop_per_clock=4096, boost_mhz=1830)
    assert clock.tflops == pytest.approx(989.4, abs=0.1)  # the clock behind 989: arXiv:2407.08608, benchmark details
    assert _broken(_gpu(catalog, H100), [clock]) == []
    assert _broken(_gpu(catalog, H100), [TensorClock(H100, 132, 4096, 1980)]) == ["rate_from_clock"]


def test_a_slip_in_a_server_shows(catalog: Catalog) -> None:
    cpu, platform = catalog.cpus[0], catalog.platforms[0]
    assert _broken({"cpus": [cpu], "platforms": [platform]}) == []
    slipped = [
        cpu.model_copy(update=changed)
        for changed in ({"threads": cpu.cores - 1}, {"base_ghz": 5.0, "boost_ghz": 4.0}, {"tdp_w": 0.0})
    ]
    assert _broken({"cpus": slipped}) == ["threads_of_cores", "base_below_boost", "positive"]
    servers = [
        platform.model_copy(update=changed)
        for changed in ({"gpu_step": 3}, {"dimm_slots": 31}, {"psu_count": 4, "psu_redundant": 4})
    ]
    assert _broken({"platforms": servers}) == ["gpus_in_steps", "slots_of_channels", "some_psus_carry"]


def test_a_slip_in_a_model_shows(catalog: Catalog) -> None:
    model = catalog.model("Mixtral-8x7B")

    def slipped(**facts: Any) -> ModelRecord:
        return model.model_copy(update={"facts": model.facts | facts})

    assert _broken({"models": [model]}) == []
    assert _broken({"models": [slipped(num_kv_heads=7)]}) == ["kv_heads_divide_heads"]
    assert _broken({"models": [slipped(experts_per_tok=9)]}) == ["used_experts_within_all"]
    assert _broken({"models": [slipped(full_attn_layers=33)]}) == ["full_layers_within_all"]
    assert _broken({"models": [slipped(first_dense_layers=33)]}) == ["dense_layers_within_all"]
    assert _broken({"models": [model.model_copy(update={"params_active": 46_702_792_705})]}) == ["active_within_total"]


@pytest.mark.parametrize(
    ("table", "row", "changed", "rule"),
    [
        ("hardware_prices", PRICE, {"low": Decimal(40_000)}, "low_within_high"),
        ("hardware_prices", PRICE, {"low": Decimal(0)}, "price_above_zero"),
        ("hardware_prices", PRICE, {"low": Decimal(-1)}, "price_above_zero"),
        ("hardware_prices", PRICE, {"as_of": "2026-12-02"}, "not_of_the_future"),
        ("hardware_prices", PRICE, {"as_of": "2027"}, "not_of_the_future"),
        ("hardware_prices", PRICE, {"vat_rate": Decimal("0.2")}, "vat_rate_of_a_gross_price"),
        ("hardware_prices", PRICE, {"vat_included": True, "vat_rate": Decimal(22)}, "vat_rate_is_a_share"),
        ("cloud_prices", OFFER, {"price_per_hour": Decimal("0.1")}, "gpu_hour_within_bounds"),
        ("cloud_prices", OFFER, {"price_per_hour": Decimal(2400)}, "gpu_hour_within_bounds"),
        ("cloud_prices", OFFER, {"price_per_hour": Decimal(2400), "currency": "USD"}, "gpu_hour_within_bounds"),
        ("cloud_prices", OFFER, {"gpu_count": 0}, "positive"),
        ("tariffs", TARIFF, {"high": Decimal(20)}, "kwh_within_bounds"),
        ("tariffs", TARIFF, {"kind": "pue", "unit": "ratio"}, "pue_within_bounds"),
        ("tariffs", TARIFF, {"valid_from": TODAY, "valid_until": date(2026, 1, 1)}, "valid_in_order"),
        ("exchange_rates", RUB, {"low": Decimal(90)}, "low_within_high"),
    ],
)
def test_a_slip_in_a_price_shows(table: str, row: Any, changed: dict[str, Any], rule: str) -> None:
    assert not list(price_findings({table: [row]}, TODAY))
    found = list(price_findings({table: [row.model_copy(update=changed)]}, TODAY))
    assert rule in [finding.rule for finding in found]
    assert {(finding.table, finding.place) for finding in found} == {(table, 0)}


def test_bounds_hold_in_other_currencies() -> None:
    roubles = OFFER.model_copy(update={"currency": "RUB", "price_per_hour": Decimal(4800)})  # 7.50 USD a GPU-hour
    assert not list(price_findings({"cloud_prices": [roubles], "exchange_rates": [RUB]}, TODAY))
    slipped = roubles.model_copy(update={"price_per_hour": Decimal(4)})
    found = list(price_findings({"cloud_prices": [slipped], "exchange_rates": [RUB]}, TODAY))
    assert [finding.said for finding in found] == ["0.006 USD a GPU-hour"]
    assert not list(price_findings({"cloud_prices": [slipped]}, TODAY))  # no rate: no bound


def test_no_day_has_two_vat_rates() -> None:
    def rate(since: date, until: date | None) -> VatRate:
        return VatRate(region="R", rate=Decimal("0.2"), valid_from=since, valid_until=until, as_of="2026")

    old, new = rate(date(2019, 1, 1), date(2025, 12, 31)), rate(date(2026, 1, 1), None)
    assert not list(price_findings({"vat_rates": [old, new]}, TODAY))
    found = list(price_findings({"vat_rates": [old.model_copy(update={"valid_until": None}), new]}, TODAY))
    assert [(finding.rule, finding.place) for finding in found] == [("one_vat_rate_a_day", 1)]


def test_the_shipped_prices_keep_every_rule(catalog: Catalog) -> None:
    tables = {
        name: getattr(catalog, name)
        for name in ("hardware_prices", "cloud_prices", "api_prices", "tariffs", "vat_rates", "exchange_rates")
    }
    assert not list(price_findings(tables, catalog.stamp.built))


def test_an_exception_excuses_only_what_it_names() -> None:
    finding = Finding("rule", "gpus", 3, "nvidia-b300-sxm", "fp4 is 3 times fp8")
    by_name = CheckException("rule", "nvidia-b300-sxm", "", "why")
    by_figure = CheckException("rule", "nvidia-*", "fp4 is 3 times fp8", "why")
    assert unexcused([finding], [by_name, by_figure]) == ([], [])
    other_figure = CheckException("rule", "nvidia-*", "fp4 is 4 times fp8", "why")
    other_rule = CheckException("other", "nvidia-*", "", "why")
    assert unexcused([finding], [other_figure, other_rule]) == ([finding], [other_figure, other_rule])
    assert unexcused([], [by_name]) == ([], [by_name])
