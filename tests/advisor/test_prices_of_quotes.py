"""Which prices and servers a quote rests on: the customer's market, nothing recalled, stale when old, own terms."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from desktop.advisor import recommend
from desktop.quote import BomLine, Quote
from desktop.request import RecommendRequest
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
