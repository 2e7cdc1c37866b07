"""The way through the house: a need goes in, ranked configurations with their reasons come out."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.advisor import recommend
from desktop.catalog import Catalog, load_catalog
from desktop.quote import Quote, ServingSpeed
from desktop.request import Problem, RecommendRequest
from desktop.units import GIB

CATALOG = load_catalog()
NEED: dict[str, Any] = {
    "mode": "inference",
    "model": "Llama-3.1-70B",
    "users": 300,
    "requests_per_user_hour": 12,
    "peak_factor": 3,
    "input_tokens": 2000,
    "output_tokens": 400,
    "ttft_s": 1.5,
    "tpot_s": 0.05,
    "percentile": 95,
    "weights": ["fp8", "bf16"],
    "context": 32768,
}
POLICY: dict[str, Any] = {"max_rack_kw": 12, "redundancy": "n+1", "growth": 1.3}
ECONOMICS: dict[str, Any] = {"currency": "USD", "region": "World", "horizon_months": 36, "utilization": 0.5}


def answer(
    need: dict[str, Any] | None = None,
    policy: dict[str, Any] | None = None,
    economics: dict[str, Any] | None = None,
    **more: Any,
) -> Quote:
    request = {
        "needs": [{**NEED, **(need or {})}],
        "policy": {**POLICY, **(policy or {})},
        "economics": {**ECONOMICS, **(economics or {})},
        **more,
    }
    return recommend(RecommendRequest.model_validate(request), CATALOG)


def test_the_example_of_the_contract() -> None:
    found = answer(id="r1", top=5)
    assert found.id == "r1"
    assert found.main().peak_requests_per_s == pytest.approx(3.9)  # 300 x 12 x 3 x 1.3 / 3600
    assert len(found.main().configurations) == 5
    best = found.best()
    assert best is not None and best.server is not None and best.capex is not None
    assert best.gpus == best.server.servers * best.server.gpus_per_server
    assert best.replicas + best.spare_replicas <= best.gpus // best.parallel.tensor
    assert best.spare_replicas >= 1
    assert best.why and best.rules


def test_every_configuration_fits_keeps_the_limits_and_carries_the_load() -> None:
    found = answer(top=20)
    assert len(found.main().configurations) > 5
    for plan in found.main().configurations:
        assert plan.memory.verdict in ("fits", "tight")
        assert isinstance(plan.speed, ServingSpeed)
        assert plan.speed.ttft_s.value <= 1.5
        assert plan.speed.tpot_s.value <= 0.05
        assert plan.capacity_requests_per_s is not None
        assert plan.capacity_requests_per_s.value * 0.75 >= 3.9 * (1 - 1e-9)
        assert plan.speed.requests_per_s.value >= 3.9 * (1 - 1e-9)
        assert plan.memory.required_bytes.value <= plan.memory.usable_bytes


def test_the_best_is_the_cheapest_that_breaks_no_rule() -> None:
    plans = answer(top=20).main().configurations
    broken = [any(check.state == "broken" for check in plan.rules) for plan in plans]
    assert broken == sorted(broken)
    sound = [
        (plan.server is None or bool(plan.server.unpriced()), plan.total_cost or Decimal(0))
        for plan, bad in zip(plans, broken, strict=True)
        if not bad
    ]
    assert sound == sorted(sound)  # what nobody has priced whole comes last, however cheap it looks


def test_every_gpu_of_the_catalog_is_answered_for() -> None:
    """A GPU is proposed or it lost for a reason; none is silently missing."""
    found = answer(top=3)
    proposed = {plan.gpu for plan in found.main().configurations}
    lost = {rejection.gpu for rejection in found.main().rejected}
    assert proposed | lost == {gpu.id for gpu in CATALOG.gpus}
    assert not proposed & lost


def test_totals_of_the_bill() -> None:
    best = answer().best()
    assert best is not None and best.server is not None
    server = best.server
    assert server.net == sum((line.amount for line in server.lines), Decimal(0)) == best.capex
    assert server.gross == server.net + server.vat
    assert server.net_low <= server.net <= server.net_high
    for line in server.lines:
        if line.unit_price is not None and line.group != "contingency":
            assert line.amount == line.unit_price * line.total
            assert line.total == line.per_server * server.servers
            assert line.price.kind != "none" and line.price.as_of and line.price.source


def test_a_rack_limit_puts_an_sxm_node_behind() -> None:
    """An 8-GPU HGX node draws 10.2 kW at most (DGX H100): in a 10 kW rack it breaks the rule, in a 12 kW rack it does
    not."""
    wide = {plan.gpu_short for plan in answer(policy={"max_rack_kw": 12}, top=4).main().configurations}
    assert "H100 SXM" in wide
    narrow = answer(policy={"max_rack_kw": 10}, top=30).main().configurations
    node = next(plan for plan in narrow if plan.gpu_short == "H100 SXM")
    assert next(check for check in node.rules if check.rule == "rack_power").state == "broken"
    assert narrow[0].gpu_short != "H100 SXM"


def test_allowed_and_banned_gpus() -> None:
    only = answer(policy={"gpus_allowed": ["H100 SXM"]})
    assert {plan.gpu_short for plan in only.main().configurations} == {"H100 SXM"}
    without = answer(policy={"gpus_banned": ["H200 NVL"]}, top=30)
    assert "H200 NVL" not in {plan.gpu_short for plan in without.main().configurations}
    assert "lost_banned" in {lost.reason.code for lost in without.main().rejected}


def test_what_does_not_fit_has_no_price_and_no_speed() -> None:
    """Llama-3.1-405B in 16 bit is 812 GB: no set of eight 48 GB cards holds it."""
    found = answer({"model": "Llama-3.1-405B", "weights": ["bf16"]}, {"gpus_allowed": ["L40S"]})
    assert found.best() is None
    nearest = found.nearest()
    assert nearest is not None
    assert nearest.memory.verdict == "does_not_fit"
    assert nearest.memory.required_bytes.value > nearest.memory.usable_bytes
    assert nearest.speed is None and nearest.capex is None and nearest.server is None and nearest.opex_month is None
    assert found.schemes is None
    assert "nothing_fits" in {warning.code for warning in found.warnings}


def test_a_limit_nobody_keeps_names_the_nearest() -> None:
    found = answer({"tpot_s": 0.001})
    assert found.best() is None
    nearest = found.nearest()
    assert nearest is not None and isinstance(nearest.speed, ServingSpeed)
    assert nearest.meets == "misses"
    assert nearest.capex is None


def test_data_that_must_stay_leaves_only_the_own_machine() -> None:
    found = answer(policy={"data_must_stay_on_site": True})
    assert found.schemes is not None
    assert not found.schemes.totals["cloud"].allowed
    assert found.schemes.totals["cloud"].total > 0
    assert found.schemes.break_even.state == "not_comparable"


def test_cloud_of_the_same_service() -> None:
    """As many GPUs are rented as the service needs with its spare, on demand, from a named and dated offer."""
    found = answer()
    assert found.cloud is not None
    assert found.cloud.term == "on-demand"
    assert found.cloud.source and found.cloud.as_of
    assert "marketplace" not in found.cloud.provider
    best = found.best()
    assert best is not None and found.schemes is not None
    assert found.schemes.totals["on_premise"].capex == best.capex


def test_own_cloud_price() -> None:
    """2.90 USD per GPU-hour, as in a published rent-or-buy comparison, for the GPUs the catalog would rent: its own
    price typed in by hand changes nothing."""
    offered = answer().cloud
    assert offered is not None
    dear = answer(economics={"cloud_per_gpu_hour": "2.90"}).cloud
    assert dear is not None and dear.own
    assert (dear.gpus, dear.price_per_hour) == (offered.gpus, Decimal("2.90") * offered.gpus)
    same = answer(economics={"cloud_per_gpu_hour": str(offered.price_per_hour / offered.gpus)}).cloud
    assert same is not None and same.price_per_hour == offered.price_per_hour


def test_own_training_takes_its_own_hours() -> None:
    """What a training order costs is the same beside its bill and in the comparison of schemes; what it would be rented
    for beside serving is recorded."""
    need = {"mode": "training", "method": "lora", "model": "Llama-3.1-70B", "tokens": 200_000_000, "deadline_hours": 72}
    alone = recommend(RecommendRequest.model_validate({"needs": [need]}), CATALOG)
    best = alone.best()
    assert alone.schemes is not None and best is not None and best.total_cost is not None
    assert float(alone.schemes.totals["on_premise"].total) == pytest.approx(float(best.total_cost), rel=1e-4)
    assert alone.training_cloud is None and alone.cloud is not None
    beside = recommend(RecommendRequest.model_validate({"needs": [NEED, need]}), CATALOG)
    assert beside.training_cloud == alone.cloud


def test_a_context_beyond_the_model_is_said_to() -> None:
    """Llama-3.1 is made for 131,072 tokens (max_position_embeddings)."""
    best = answer({"model": "Llama-3.1-8B", "context": 131_073}).best()
    assert best is not None
    said = next(warning for warning in best.warnings if warning.code == "context_beyond_model")
    assert said.values == {"asked": 131_073, "model": 131_072}


def test_a_plan_that_breaks_the_site_says_so() -> None:
    best = answer({"model": "Llama-3.1-8B"}, policy={"max_rack_kw": 0.1}).best()
    assert best is not None
    assert {"breaks_site_rule"} <= {warning.code for warning in best.warnings if warning.severity == "error"}


def test_an_order_beyond_pricing_names_the_need() -> None:
    with pytest.raises(Problem) as refused:
        answer({"users": 1_000_000_000})
    assert (refused.value.code, refused.value.field) == ("order_too_large", "needs")


def test_what_is_missing_is_told_alike_everywhere() -> None:
    found = answer({"model": "Llama-3.1-405B"}, policy={"gpus_allowed": ["NVIDIA L40S"]})
    lost = next(one for one in found.main().rejected if one.nearest is not None)
    assert lost.reason.code == "lost_does_not_fit" and lost.nearest is not None
    assert lost.reason.values["required_bytes"] == lost.nearest.memory.required_bytes.value


def test_another_currency_needs_its_rate() -> None:
    with pytest.raises(Problem) as raised:
        answer(economics={"currency": "RUB", "region": "Russia"})
    assert (raised.value.code, raised.value.field) == ("exchange_rate_missing", "economics.exchange_rate")
    rate = {"per_usd": "80", "date": "2026-12-01"}
    dollars, roubles = (
        answer(economics={"region": "Russia"}).best(),
        answer(economics={"currency": "RUB", "exchange_rate": rate, "region": "Russia"}).best(),
    )
    assert dollars is not None and roubles is not None and dollars.capex is not None and roubles.capex is not None
    assert float(roubles.capex) == pytest.approx(float(dollars.capex) * 80, rel=1e-3)
    assert roubles.server is not None
    assert roubles.server.vat_rate == Decimal("0.22")  # Russia from 2026-01-01


@pytest.mark.parametrize(
    ("request_", "code", "field"),
    [
        ({"needs": [{"mode": "inference"}]}, "model_missing", "needs.0.model"),
        ({"needs": [NEED, NEED]}, "same_mode_twice", "needs.1.mode"),
        ({"needs": [{**NEED, "model": "Lama-3.1-70B-x"}]}, "unknown_model", "needs.0.model"),
        ({"needs": [{**NEED, "model": "Mixtral-8x7B"}]}, "unsupported_model", "needs.0.model"),
        ({"needs": [{**NEED, "weights": ["fp7"]}]}, "unsupported_weights", "needs.0.weights"),
        ({"needs": [{**NEED, "context": 2399}]}, "context_too_short", "needs.0.context"),
        ({"needs": [{**NEED, "engine": {"name": "ollama"}}]}, "unsupported", "needs.0.engine.name"),
        ({"needs": [NEED], "policy": {"gpus_allowed": ["H1000"]}}, "unknown_gpu", "policy.gpus_allowed.0"),
    ],
)
def test_what_keeps_a_request_from_being_answered(request_: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(Problem) as raised:
        recommend(RecommendRequest.model_validate(request_), CATALOG)
    assert (raised.value.code, raised.value.field) == (code, field)


def test_unknown_region_is_said_and_an_alias_of_a_known_one_is_not() -> None:
    def regions_doubted(name: str) -> list[str]:
        found = answer(economics={"region": name})
        return [warning.code for warning in found.warnings if warning.code == "unknown_region"]

    assert regions_doubted("Mars") == ["unknown_region"]
    assert regions_doubted("DE") == regions_doubted("World") == []


def test_serving_and_training_are_bought_and_rented_apart() -> None:
    """The hybrid scheme buys the serving plan and rents the runs; the on-premise one buys a machine for them too."""
    training = {
        "mode": "training",
        "model": "Llama-3.1-8B",
        "method": "lora",
        "tokens": 50_000_000,
        "deadline_hours": 72,
        "runs_per_year": 4,
    }
    found = recommend(
        RecommendRequest.model_validate({"needs": [training, NEED], "policy": POLICY, "economics": ECONOMICS}), CATALOG
    )
    assert [one.need.mode for one in found.answers] == ["inference", "training"]
    assert found.schemes is not None
    totals = found.schemes.totals
    assert set(totals) == {"on_premise", "cloud", "hybrid"}
    best = found.best()
    assert best is not None
    assert totals["hybrid"].capex == best.capex
    assert totals["on_premise"].capex >= totals["hybrid"].capex
    for plan in found.answers[1].configurations:
        assert plan.hours_total is not None and plan.hours_total.value <= 72


def test_training_alone() -> None:
    training = {
        "mode": "training",
        "model": "Llama-3.1-8B",
        "method": "full",
        "tokens": 100_000_000,
        "deadline_hours": 48,
        "runs_per_year": 12,
    }
    found = recommend(
        RecommendRequest.model_validate({"needs": [training], "policy": POLICY, "economics": ECONOMICS}), CATALOG
    )
    best = found.best()
    assert best is not None and best.hours_total is not None
    assert best.hours_total.value <= 48
    # 8.03e9 parameters x 16 B of weights, gradients and AdamW states (ZeRO paper): 119.7 GiB before any activation
    assert best.gpus * best.memory.required_bytes.value > 8.03e9 * 16
    assert found.schemes is not None and {"on_premise", "cloud"} <= set(found.schemes.totals)


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 3000), st.integers(1, 400))
def test_more_people_never_need_less(users: int, more: int) -> None:
    few, many = answer({"users": users}), answer({"users": users + more})
    one, two = few.best(), many.best()
    assert one is not None and two is not None and one.total_cost is not None and two.total_cost is not None
    assert two.total_cost >= one.total_cost
    for found, best in ((few, one), (many, two)):
        load = found.answers[0].peak_requests_per_s
        assert load is not None and best.capacity_requests_per_s is not None
        assert best.capacity_requests_per_s.value >= load


def test_the_same_request_gives_the_same_answer() -> None:
    assert answer() == answer()


def test_worst_gpu_memory_is_told_in_bytes(catalog: Catalog) -> None:
    """H200 NVL: the driver shows 143,771 MiB, 140.4 GiB; a nominal 141 GB would be neither."""
    best = answer(policy={"gpus_allowed": ["H200 NVL"]}).best()
    assert best is not None
    assert best.memory.card_bytes / GIB == pytest.approx(140.4, abs=0.01)


def test_a_spare_server_comes_whole() -> None:
    """N+1 by server: one more of the same, so that the loss of any leaves the capacity; every line grows with it."""
    plain, spare = answer(policy={"redundancy": "none"}), answer(policy={"redundancy": "n+1-server"})
    gpu = plain.main().configurations[0].gpu
    one = next(plan for plan in plain.main().configurations if plan.gpu == gpu)
    two = next(plan for plan in spare.main().configurations if plan.gpu == gpu)
    assert one.server is not None and two.server is not None
    assert two.server.servers == one.server.servers + 1
    assert two.replicas == one.replicas
    assert (two.server.servers - 1) * two.server.gpus_per_server >= two.replicas * two.parallel.tensor
    assert two.server.net == sum((line.amount for line in two.server.lines), Decimal(0))
