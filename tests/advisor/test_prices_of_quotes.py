"""Which prices and servers a quote rests on: the customer's market, nothing recalled, stale when old, own terms."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from desktop.advisor import estimate, recommend
from desktop.catalog import Catalog
from desktop.catalog.prices import HardwarePrice
from desktop.quote import BomLine, Quote
from desktop.request import InferencePlan, Problem, RecommendRequest
from tests.advisor.test_recommend import CATALOG, ECONOMICS, NEED, POLICY, answer

RUSSIA = {"currency": "RUB", "region": "RU", "exchange_rate": {"per_usd": "80", "date": "2026-12-01"}}


def test_a_russian_customer_rents_in_russia_and_others_never_do() -> None:
    """Cloud.ru, tariff of 2026-06-29: 3,233 RUB an hour with VAT of 22 % for five H100 of 94 GB, 646.6 for one."""
    found = answer(economics=RUSSIA)
    assert found.cloud is not None and (found.cloud.region, found.cloud.currency) == ("Russia", "RUB")
    one = [offer for offer in CATALOG.cloud_offers("nvidia-h100-nvl-94gb") if offer.price_per_hour == Decimal("646.6")]
    assert one and one[0].vat_included
    abroad = answer()
    assert abroad.cloud is not None and abroad.cloud.region != "Russia"
    assert not any(line.price.currency == "RUB" for line in _lines(abroad))


def test_a_russian_customer_who_counts_in_dollars_is_told_that_the_cloud_is_foreign() -> None:
    def said(**economics: Any) -> list[str]:
        return [warning.code for warning in answer(economics=economics).warnings if warning.code == "foreign_cloud"]

    assert said(region="Russia") == ["foreign_cloud"]
    assert said(region="Germany") == said(**RUSSIA) == said(region="RU", cloud_per_gpu_hour="3") == []


def test_no_line_rests_on_a_recalled_price_and_none_on_a_recalled_server() -> None:
    """The ASUS RS720A-E12-RS24 is wholly recalled: no quote may name it before somebody confirms it."""
    assert CATALOG.platform("asus-rs720a-e12-rs24").unverified()
    for configuration in answer(policy={"max_rack_kw": 60}, top=50).main().configurations:
        assert configuration.server is not None and "RS720A" not in configuration.server.platform
        assert {line.verification for line in configuration.server.lines} <= {"read", "computed", ""}
    reasons = {lost.gpu: lost.reason.code for lost in answer().main().rejected}
    assert reasons["geforce-rtx-4090-48gb-unofficial-mod"] == "lost_unverified"


def test_every_price_of_a_bill_knows_when_it_is_stale() -> None:
    for line in _lines(answer()):
        limits = {"gpu": 14, "memory": 14, "storage": 14, "boot": 14, "system": 14, "contingency": None}
        if line.price.unit is not None:
            assert line.price.stale_after_days == limits.get(line.group, 30), line.part


def _lines(found: Quote) -> tuple[BomLine, ...]:
    best = found.best()
    assert best is not None and best.server is not None
    return best.server.lines


def test_margin_is_a_share_of_what_the_customer_pays() -> None:
    """20 % of the selling price: what costs 80 is sold at 100."""
    need = RecommendRequest.model_validate({"needs": [NEED], "policy": POLICY, "economics": ECONOMICS})
    bought, sold = _lines(answer()), _lines(recommend(need, replace(CATALOG, margin=Decimal("0.2"))))
    for cost, sale in zip(bought, sold, strict=True):
        if cost.price.unit is not None and cost.group != "contingency":
            assert sale.price.unit == (cost.price.unit / Decimal("0.8")).quantize(Decimal("0.01"))


def test_the_server_of_a_preferred_vendor_comes_first_even_where_it_costs_more() -> None:
    need = RecommendRequest.model_validate(
        {"needs": [NEED], "policy": {**POLICY, "max_rack_kw": 60, "gpus_allowed": ["H100 SXM"]}, "economics": ECONOMICS}
    )

    def vendor(*preferred: str) -> str:
        best = recommend(need, replace(CATALOG, preferred_vendors=preferred)).best()
        assert best is not None and best.server is not None
        return best.server.vendor

    assert vendor("NVIDIA") == "NVIDIA" and vendor("Lenovo") == "Lenovo"


def test_wholly_recalled_model_carries_no_quote() -> None:
    """Mistral-Small-22B: the catalog's only source is memory. `estimate` says so, a quote is refused."""
    with pytest.raises(Problem, match="model_unverified"):
        answer({"model": "Mistral-Small-22B"})
    plan = InferencePlan.model_validate({"model": "Mistral-Small-22B", "gpu": "H100 SXM"})
    assert "model_unverified" in [warning.code for warning in estimate(plan, CATALOG).warnings]


def test_partly_recalled_model_is_quoted_with_a_warning() -> None:
    found = answer({"model": "Command-R 08-2024"})
    assert "model_part_recalled" in [warning.code for warning in found.warnings]
    assert "model_part_recalled" not in [warning.code for warning in answer().warnings]


def own(part: str, category: str, amount: str, **changes: Any) -> HardwarePrice:
    said = {"part": part, "category": category, "low": amount, "high": amount, "currency": "USD", "kind": "quote"}
    said |= {"as_of": "2026-12-01", "verification": "own", "source": "list", "supplier": "ACME"}
    return HardwarePrice.model_validate(said | changes)


def with_prices(*prices: HardwarePrice) -> Catalog:
    return replace(CATALOG, hardware_prices=(*CATALOG.hardware_prices, *prices))


def quoted(catalog: Catalog, policy: dict[str, Any] | None = None, economics: dict[str, Any] | None = None) -> Quote:
    request = {"needs": [NEED], "policy": policy or POLICY, "economics": economics or ECONOMICS}
    return recommend(RecommendRequest.model_validate(request), catalog)


def test_recalled_part_stays_out_of_the_bill_though_it_is_cheap() -> None:
    """The MRDIMM row and the 480 GB boot drive are wholly recalled, and the module fits another CPU besides."""
    assert all(CATALOG.part(part).unverified() for part in ("mrdimm-ddr5-8800-64gb", "m2-nvme-480gb"))
    cheap = with_prices(own("mrdimm-ddr5-8800-64gb", "memory", "10"), own("m2-nvme-480gb", "storage", "10"))
    assert not {"MRDIMM DDR5-8800 64 GB", "M.2 NVMe 480 GB"} & {line.part for line in _lines(quoted(cheap))}


def test_own_gross_price_without_a_region_is_of_the_customers_market() -> None:
    gross = own("nvidia-h200-nvl-141gb", "gpu", "1220", currency="RUB", vat_included=True)
    found = quoted(with_prices(gross), {**POLICY, "gpus_allowed": ["H200 NVL"]}, {**ECONOMICS, **RUSSIA})
    (line,) = [line for line in _lines(found) if line.group == "gpu"]
    assert line.price.unit == Decimal("1000.00")  # less VAT of 22 %


def test_own_prices_that_no_rate_converts_are_said() -> None:
    euros = with_prices(own("nvidia-h200-nvl-141gb", "gpu", "21000", currency="EUR"))
    (warning,) = [one for one in quoted(euros).warnings if one.code == "own_prices_unusable"]
    assert (warning.values["prices"], warning.values["currencies"]) == (1, "EUR")
    assert "own_prices_unusable" not in [one.code for one in answer().warnings]


@pytest.mark.parametrize("category", ["memory", "storage", "network", "gpu"])
def test_part_without_a_price_stays_in_the_bill_and_the_total_is_a_lower_bound(category: str) -> None:
    kept = tuple(price for price in CATALOG.hardware_prices if price.category != category)
    found = quoted(replace(CATALOG, hardware_prices=kept), {**POLICY, "gpus_allowed": ["H200 NVL"]})
    best = found.best()
    assert best is not None and best.server is not None
    assert category in {{"boot": "storage"}.get(line.group, line.group) for line in best.server.unpriced()}


def test_two_lower_bounds_are_never_compared() -> None:
    """No chassis price for MI300X, none of the GPU itself for L40: a difference of the two would be no figure."""
    found = answer(policy={"max_rack_kw": 40, "gpus_allowed": ["MI300X", "L40"]})
    assert len(found.main().configurations) == 2
    assert all(plan.server is not None and plan.server.unpriced() for plan in found.main().configurations)
    best = found.best()
    assert best is not None and "why_cheapest" not in [reason.code for reason in best.why]
