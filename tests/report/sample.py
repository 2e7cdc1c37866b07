"""A made-up but coherent quote: Llama-3.1-70B in FP8 on H200 NVL, two servers of four, bought against rented.

Prices, part names of the fictional vendor and the cloud price are illustrative; sums are computed from them, and memory
from the model's dimensions (80 layers, 8 KV heads of 128, 70,553,706,496 parameters).
"""

from datetime import date
from decimal import Decimal
from itertools import accumulate
from typing import Any

from desktop.project.document import Party, Project
from desktop.quote import (
    ArticleRule,
    BreakEven,
    CatalogStamp,
    CloudOffer,
    CostResult,
    Message,
    Price,
    Quote,
    Rejection,
    SchemeTotal,
    Sensitivity,
    UsedTariff,
)
from desktop.request import (
    RecommendRequest,
    ServingParallel,
)
from desktop.units import money
from tests.report.sample_plan import ECONOMICS, POLICY, SERVING, answer, memory, order, plan, rejected, server


def project(**changes: Any) -> Project:
    values: dict[str, Any] = {
        "name": "AI inference cluster for Llama-3.1-70B",
        "number": "RW-2026-0142",
        "revision": 2,
        "issued_on": date(2026, 12, 1),
        "supplier": Party(
            name="Northgate Systems Ltd",
            details=("Reg. no. 01234567 · VAT GB 123 4567 89", "1 Sample Street, London EC1A 1AA"),
        ),
        "customer": Party(
            name="АО «Меридиан Страхование»", details=("ИНН 7812345678 · КПП 781201001", "190000, Санкт-Петербург")
        ),
        "request": RecommendRequest(needs=(SERVING,), policy=POLICY, economics=ECONOMICS),
    }
    return Project(**(values | changes))


def costs(state: str = "at", **changes: Any) -> CostResult:
    capex, own, cloud = server().net, Decimal("5400"), Decimal("18456")
    monthly = {"on_premise": _path(capex, own), "cloud": _path(Decimal(0), cloud)}
    bands = {
        scheme: tuple((money(value * Decimal("0.9")), money(value * Decimal("1.12"))) for value in path)
        for scheme, path in monthly.items()
    }
    months = float(capex / (cloud - own))
    values: dict[str, Any] = {
        "currency": "USD",
        "horizon_months": 36,
        "break_even": BreakEven(
            state=state,
            own="on_premise",
            rented="cloud",
            months=months,
            simple_months=months,
            low_months=25.0,
            high_months=None,
            discounted_months=36.4,
            utilization_threshold=0.46,
            cloud_price_threshold=Decimal("3.71"),
        ),
        "totals": {
            scheme: SchemeTotal(
                capex=path[0],
                opex=path[-1] - path[0],
                total=path[-1],
                discounted_total=money(path[-1] * Decimal("0.88")),
                per_hour=money(path[-1] / (36 * 730)),
                per_million_tokens=Decimal("1.10"),
            )
            for scheme, path in monthly.items()
        },
        "monthly": monthly,
        "bands": bands,
        "probability": {"on_premise": 0.81, "cloud": 0.19},
        "sensitivity": (
            Sensitivity(input="on_demand_per_hour", low=3.12, high=5.98, months_at_low=None, months_at_high=24.4),
            Sensitivity(input="utilization", low=0.45, high=0.75, months_at_low=41.3, months_at_high=21.5),
            Sensitivity(input="capex", low=320_000, high=430_000, months_at_low=24.0, months_at_high=33.4),
            Sensitivity(input="electricity_per_kwh", low=0.063, high=0.117, months_at_low=28.2, months_at_high=28.9),
        ),
        "article_rule": ArticleRule(
            fifty_percent_says_buy=True,
            payback_12_18_months=False,
            computed_months=months,
            agrees=False,
            monthly_bill=cloud,
            threshold_bill=money(capex / 24),
            implied_months=38.4,
        ),
    }
    return CostResult(**(values | changes))


def _path(start: Decimal, month: Decimal) -> tuple[Decimal, ...]:
    return tuple(accumulate([month] * 36, initial=start))


def quote(**changes: Any) -> Quote:
    values: dict[str, Any] = {
        "answers": (answer(),),
        "policy": POLICY,
        "economics": ECONOMICS,
        "schemes": costs(),
        "cloud": CloudOffer(
            provider="Example Cloud",
            instance="h200x8",
            region="eu-west",
            gpu="NVIDIA H200 SXM 141GB",
            gpus=8,
            price_per_hour=Decimal("41.60"),
            currency="USD",
            term="on-demand",
            as_of="2026-11-20",
            source="https://cloud.example/pricing",
            instances=1,
            stale_after_days=30,
        ),
        "electricity": UsedTariff(
            value=Decimal("0.09"),
            unit="USD/kWh",
            region="Europe",
            as_of="2026-Q3",
            source="https://tariffs.example/electricity",
            verification="read",
        ),
        "vat": UsedTariff(value=ECONOMICS.vat.rate, unit="share", own=True) if ECONOMICS.vat else None,
        "catalog": CatalogStamp(version="2026.11", built=date(2026, 11, 28), sha256="a41f09c2" * 8),
    }
    return Quote(**(values | changes))


def nothing_fits() -> Quote:
    """One long context on one GPU: the nearest plan is 40 GiB short, so there is neither server nor price nor speed."""
    nearest = plan(
        memory=memory("does_not_fit", gpus=1, tokens=12_000),
        speed=None,
        server=None,
        capex=None,
        total_cost=None,
        opex_month=None,
        cost_per_million_tokens=None,
        gpus=1,
        replicas=1,
        parallel=ServingParallel(),
        power_w=0.0,
        heat_btu_h=0.0,
        rack_units=0,
        weight_kg=None,
        capacity_requests_per_s=None,
        warnings=(),
    )
    lost = Rejection(
        gpu="NVIDIA H200 NVL 141GB",
        nearest=nearest,
        reason=Message(code="context_beyond_pool", values={"asked": 12_000, "capacity": 0}),
    )
    return quote(answers=(answer(configurations=(), rejected=(lost, *rejected())),), schemes=None, cloud=None)


def unpriced() -> Quote:
    """The network card has no price."""
    lines = tuple(
        line.model_copy(update={"unit_price": None, "amount": Decimal(0), "price": Price(unit=None)})
        if line.group == "network"
        else line
        for line in server().lines
    )
    return quote(answers=(answer(configurations=(plan(server=order(lines)),)),))
