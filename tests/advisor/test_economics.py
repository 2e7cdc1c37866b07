"""`cost` from request to record: schemes, states, reasons, money, and the invariants that any request must keep."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.advisor.economics import cost
from desktop.quote import CostResult, Scheme
from desktop.request import CostRequest, Problem
from desktop.words.sentences import message_sentence, problem_sentence

LP2225: dict[str, Any] = {
    "capex": "833806",
    "onprem_per_hour": "0.87",
    "cloud_per_hour": "98.32",
    "utilization": 1.0,
    "horizon_months": 60,
}
TRAINING: dict[str, Any] = {"runs_per_year": 4, "hours_per_run": 60, "cloud_per_hour": "20"}
HELPDESK: dict[str, Any] = {
    "capex": "139576",
    "cloud_per_hour": "33.14",
    "utilization": 0.5,
    "horizon_months": 36,
    "discount_rate": 0.12,
    "residual_rate": 0.15,
    "training": TRAINING | {"capex": "96000"},
    "opex": {
        "power_kw_load": 6.5,
        "power_kw_idle": 1.5,
        "pue": 1.5,
        "electricity_per_kwh": "0.2",
        "support_rate_year": 0.1,
        "staff_fte": 0.25,
        "fte_cost_year": "48000",
    },
}
API: dict[str, Any] = {
    "input_tokens_month": 3e9,
    "output_tokens_month": 1e9,
    "input_price": "0.5",
    "output_price": "1.5",
}


def answer(*, on_site_only: bool = False, **asked: Any) -> CostResult:
    return cost(CostRequest.model_validate(asked), on_site_only=on_site_only)


def test_lenovo_2025_from_end_to_end() -> None:
    """Lenovo LP2225: 8,556 h, and 4,306,416 USD of cloud in five years."""
    result = answer(id="c1", **LP2225)
    assert result.id == "c1"
    assert result.break_even.state == "at"
    assert result.break_even.hours == pytest.approx(8_556, rel=1e-3)
    assert result.totals["cloud"].total == Decimal("4306416.00")
    assert result.totals["cloud"].capex == 0
    assert result.totals["on_premise"].total == Decimal("871912.00")  # 833,806 + 0.87 · 43,800
    assert result.totals["on_premise"].per_hour == result.break_even.cloud_price_threshold == Decimal("19.9067")
    assert set(result.totals) == set(result.monthly) == set(result.bands) == {"on_premise", "cloud"}
    assert len(result.monthly["cloud"]) == 61


def test_article_rules_beside_the_calculation() -> None:
    """At the list price the box pays back in 11.7 months: the bill rule says buy, 12 to 18 months does not come out."""
    rule = answer(**LP2225).article_rule
    assert rule.fifty_percent_says_buy is True
    assert rule.payback_12_18_months is False
    assert rule.agrees is False
    assert rule.threshold_bill == Decimal("34741.92")  # 833,806 / 24
    assert rule.implied_months is not None and rule.implied_months > 24
    assert answer(**HELPDESK).article_rule.agrees is True


def test_three_schemes_of_one_service() -> None:
    """Eight GPUs for a help desk, quarterly runs rented. By hand: energy (1.5 + 5 · 0.5) kW · 730 h · 1.5 · 0.2 = 876,
    support 1,163.13, staff 1,000 a month; 36 months and 12 runs of 1,200 are 123,808.80."""
    result = answer(**HELPDESK)
    assert set(result.totals) == {"on_premise", "cloud", "hybrid"}
    hybrid = result.totals["hybrid"]
    assert hybrid.capex == Decimal("139576.00")
    assert hybrid.opex == Decimal("123808.80")
    assert hybrid.residual == Decimal("20936.40")
    assert result.totals["on_premise"].capex == Decimal("235576.00")
    assert hybrid.total == hybrid.capex + hybrid.opex - hybrid.residual == Decimal("242448.40")
    assert (result.break_even.own, result.break_even.rented) == ("hybrid", "cloud")
    assert set(result.break_evens) == {"on_premise", "hybrid"}
    assert result.break_evens["hybrid"] == result.break_even
    full, serving = result.break_evens["on_premise"].months, result.break_even.months
    assert full is not None and serving is not None and full > serving
    steps = [
        after - before for before, after in zip(result.monthly["hybrid"], result.monthly["hybrid"][1:], strict=False)
    ]
    lumps = [month for month, step in enumerate(steps, start=1) if step > steps[0] + 1]
    assert lumps == list(range(3, 37, 3))


def test_discounting_delays_the_break_even() -> None:
    found = answer(**HELPDESK).break_even
    assert found.discounted_months is not None and found.months is not None
    assert found.discounted_months > found.months


def test_api_is_a_scheme_and_the_comparison_where_there_is_no_cloud() -> None:
    """3 thousand a month by the token against 36 thousand of hardware at 100 a month: 12.4 months."""
    asked: dict[str, Any] = {"capex": 36_000, "opex": {"other_month": 100}, "api": API}
    result = answer(**asked)
    assert (result.break_even.own, result.break_even.rented) == ("on_premise", "api")
    assert result.break_even.months == pytest.approx(36_000 / 2_900)
    assert result.break_even.cloud_price_threshold is None
    assert result.totals["api"].per_million_tokens == Decimal("0.7500")
    assert result.totals["on_premise"].per_million_tokens == Decimal("0.2750")  # (36,000 / 36 + 100) / 4,000
    with_cloud = answer(**asked, cloud_per_hour=10, utilization=1.0)
    assert with_cloud.break_even.rented == "cloud"
    assert set(with_cloud.totals) == {"on_premise", "cloud", "api"}


def test_published_api_comparison_counts_working_hours() -> None:
    """arXiv 2509.18101 counts a month as 176 h; the hours of a month are the request's to say."""
    tokens = 100 * 3600 * 176
    result = answer(
        capex=30_000,
        hours_per_month=176,
        utilization=1.0,
        horizon_months=240,
        opex={"power_kw_load": 0.6, "electricity_per_kwh": "0.15"},
        api={
            "input_tokens_month": tokens / 2,
            "output_tokens_month": tokens / 2,
            "input_price": 10,
            "output_price": 30,
        },
    )
    saving = tokens / 1e6 * 20 - 0.6 * 176 * 0.15
    assert result.break_even.months == pytest.approx(30_000 / saving)
    assert result.break_even.hours == pytest.approx(176 * 30_000 / saving)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"capex": 250_142, "opex": {"support_rate_year": 0.12}, "horizon_months": 12}, "nothing_rented"),
        ({"cloud_per_hour": 98.32, "utilization": 1.0}, "nothing_owned"),
        ({"api": API}, "nothing_owned"),
    ],
)
def test_one_side_alone_has_totals_and_no_comparison(asked: dict[str, Any], reason: str) -> None:
    result = answer(**asked)
    assert result.break_even.state == "not_comparable"
    assert result.break_even.months is None
    assert result.break_even.reason is not None and result.break_even.reason.code == reason
    assert message_sentence(result.break_even.reason, "en") != message_sentence(result.break_even.reason, "ru")
    assert result.totals
    assert (result.sensitivity, result.probability) == ((), {})
    assert result.article_rule.agrees is None


def test_support_alone_is_twelve_percent_of_the_price() -> None:
    """Lenovo LP2368: 12 % of 250,141.80 a year is 3.42 USD/h."""
    result = answer(capex="250141.80", opex={"support_rate_year": 0.12}, horizon_months=12)
    assert float(result.totals["on_premise"].opex) / 8760 == pytest.approx(3.42, rel=3e-3)


def test_data_that_stays_on_site_bars_what_is_rented_and_keeps_its_price() -> None:
    result = answer(on_site_only=True, **HELPDESK)
    barred = {scheme: total.reason.code for scheme, total in result.totals.items() if total.reason is not None}
    assert barred == {"cloud": "cloud_barred", "hybrid": "cloud_barred"}
    assert result.totals["cloud"].total == answer(**HELPDESK).totals["cloud"].total
    assert result.break_even.state == "not_comparable"
    assert result.probability == {}


def test_machine_without_free_hours_cannot_train() -> None:
    result = answer(**LP2225, training=TRAINING)
    barred = result.totals["on_premise"]
    assert not barred.allowed
    assert barred.reason is not None
    assert barred.reason.values == {"needed": 240, "free": 0}
    assert "240" in message_sentence(barred.reason, "en") and "240" in message_sentence(barred.reason, "ru")
    assert result.break_even.own == "hybrid"
    assert result.break_even.months == pytest.approx(11.72, rel=1e-3)
    assert set(result.probability) == {"cloud", "hybrid"}


def test_training_in_free_hours_is_the_cheapest() -> None:
    result = answer(**LP2225 | {"utilization": 0.5}, training=TRAINING)
    assert result.totals["on_premise"].allowed
    assert result.break_even.own == "on_premise"


def test_machine_that_only_trains_is_held_against_training_in_the_cloud() -> None:
    """24 runs of 200 h at 98.32 USD/h are 471,936 USD a year."""
    result = answer(
        capex=250_142,
        onprem_per_hour="6.37",
        training={"runs_per_year": 24, "hours_per_run": 200, "cloud_per_hour": "98.32"},
        horizon_months=12,
    )
    assert result.totals["cloud"].total == Decimal("471936.00")
    assert result.break_even.state == "at"
    assert result.article_rule.fifty_percent_says_buy is None
    hours = 24 * 200
    assert result.break_even.cloud_price_threshold == pytest.approx(
        Decimal((250_142 + 6.37 * 8760) / hours), rel=Decimal("1e-5")
    )


@pytest.mark.parametrize(
    ("asked", "state", "code"),
    [
        ({"capex": 100, "onprem_per_hour": 3, "cloud_per_hour": 2}, "never", "nothing_saved"),
        ({"capex": 0, "onprem_per_hour": 1, "cloud_per_hour": 2}, "immediate", None),
        (
            {"capex": 250_142, "onprem_per_hour": "6.37", "cloud_per_hour": 16, "utilization": 0.4},
            "not_within_horizon",
            None,
        ),
        (
            {"capex": 50_000, "onprem_per_hour": 0, "cloud_per_hour": 10, "horizon_months": 12, "refresh_month": 8},
            "reverses",
            "dearer_again",
        ),
        (
            {"capex": 100_000, "onprem_per_hour": 0, "cloud_per_hour": 3, "residual_rate": 0.3},
            "at",
            "paid_back_by_residual",
        ),
    ],
)
def test_states_and_what_they_do_not_say_themselves(asked: dict[str, Any], state: str, code: str | None) -> None:
    found = answer(**asked).break_even
    assert found.state == state
    assert (found.reason.code if found.reason else None) == code
    if found.reason is not None:
        assert message_sentence(found.reason, "en") != message_sentence(found.reason, "ru")


def test_second_purchase_is_a_capital_cost() -> None:
    asked = LP2225 | {"refresh_month": 36}
    assert answer(**asked).totals["on_premise"].capex == 2 * Decimal("833806.00")
    assert answer(**asked).monthly["on_premise"][36] - answer(**asked).monthly["on_premise"][35] > Decimal("833806")
    late = answer(**LP2225 | {"refresh_month": 60})
    assert late.totals == answer(**LP2225).totals
    assert [warning.code for warning in late.warnings] == ["refresh_after_horizon"]
    assert message_sentence(late.warnings[0], "en") != message_sentence(late.warnings[0], "ru")


def test_residual_value_at_the_end() -> None:
    """250,142 USD, 6.37 USD/h, 36 months, 20 % left: 250,142 + 167,403.60 − 50,028.40."""
    result = answer(capex="250142", onprem_per_hour="6.37", cloud_per_hour="98.32", utilization=1.0, residual_rate=0.2)
    assert result.totals["on_premise"].total == Decimal("367517.20")


def test_vat_that_is_recovered_changes_nothing_and_one_that_is_not_is_paid() -> None:
    net = answer(**HELPDESK)
    assert answer(**HELPDESK, vat={"rate": "0.22", "recoverable": True}) == net
    gross = answer(**HELPDESK, vat={"rate": "0.22", "recoverable": False})
    assert gross.totals["cloud"].total == pytest.approx(
        net.totals["cloud"].total * Decimal("1.22"), abs=Decimal("0.01")
    )
    staff = Decimal(36_000)  # 0.25 · 48,000 · 3 years, without VAT
    expected = (net.totals["hybrid"].opex - staff) * Decimal("1.22") + staff
    assert gross.totals["hybrid"].opex == pytest.approx(expected, abs=Decimal("0.01"))


def test_levelised_cost_of_an_hour_of_constant_price_is_the_price() -> None:
    """CRF spreads the discounted total over the months, so a cloud at 33.14 USD/h costs 33.14 at any discount rate."""
    for rate in (0.0, 0.12, 0.4):
        result = answer(capex=1, onprem_per_hour=0, cloud_per_hour="33.14", utilization=0.5, discount_rate=rate)
        assert result.totals["cloud"].per_hour == Decimal("33.1400")


def test_bands_and_range_hold_the_stated_case() -> None:
    result = answer(**LP2225)  # full use and a price that mostly falls: every range is one-sided
    found = result.break_even
    assert found.low_months is not None and found.months is not None and found.high_months is not None
    assert found.low_months <= found.months <= found.high_months
    for scheme, total in result.totals.items():
        assert total.low is not None and total.high is not None and total.low <= total.total <= total.high
        pairs = zip(result.bands[scheme], result.monthly[scheme], strict=True)
        assert all(low <= stated <= high for (low, high), stated in pairs)


def test_utilization_and_cloud_price_move_the_answer_most_and_electricity_little() -> None:
    names = [bar.input for bar in answer(**HELPDESK).sensitivity]
    assert set(names[:2]) == {"cloud_per_hour", "utilization"}
    assert names.index("opex.electricity_per_kwh") > names.index("capex")


def test_given_range_replaces_the_default() -> None:
    narrow = answer(**LP2225, ranges={"cloud_per_hour": {"low": 98, "high": 99}})
    bar = next(bar for bar in narrow.sensitivity if bar.input == "cloud_per_hour")
    assert (bar.low, bar.high) == (98, 99)
    assert bar.months_at_high is not None and bar.months_at_low is not None
    assert bar.months_at_high < bar.months_at_low


def test_what_is_left_out_is_said() -> None:
    asked: dict[str, Any] = {"capex": 1, "cloud": {"on_demand_per_hour": 5}, "opex": {"other_month": 1}}
    warnings = answer(**asked).warnings
    assert [warning.code for warning in warnings] == [
        "full_utilization_assumed",
        "staff_not_counted",
        "electricity_not_counted",
    ]
    for warning in warnings:
        assert message_sentence(warning, "en") and message_sentence(warning, "ru")
    assert answer(**HELPDESK).warnings == ()


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({}, "missing_cost"),
        ({"capex": 1, "opex": {"power_kw_idle": 2}}, "idle_above_load"),
        ({"capex": 1, "cloud_per_hour": 2, "ranges": {"capex": {"low": 2, "high": 3}}}, "range_excludes_value"),
        ({"capex": 1, "cloud_per_hour": 2, "ranges": {"opex.pue": {"low": 1, "high": 3}}}, "range_without_value"),
        (
            {"capex": 1, "cloud": {"on_demand_per_hour": 10**9, "yearly_price_change": 1}, "horizon_months": 600},
            "out_of_range",
        ),
    ],
)
def test_meaningless_questions_are_refused_in_words(asked: dict[str, Any], code: str) -> None:
    with pytest.raises(Problem) as caught:
        answer(**asked)
    assert caught.value.code == code
    assert problem_sentence(caught.value, "en") and problem_sentence(caught.value, "ru")


def test_same_question_same_answer() -> None:
    assert answer(**HELPDESK) == answer(**HELPDESK)


amounts = st.decimals(0, 10**7, places=2)
prices = st.decimals(0, 500, places=2)
shares = st.floats(0, 1)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_question_keeps_the_books(data: st.DataObject) -> None:
    """Totals are the last month less the residual value, months rise, no discount means no difference, no NaN."""
    asked: dict[str, Any] = {
        "capex": data.draw(amounts),
        "utilization": data.draw(shares),
        "horizon_months": data.draw(st.integers(1, 72)),
        "residual_rate": data.draw(shares),
        "refresh_month": data.draw(st.none() | st.integers(1, 80)),
        "discount_rate": data.draw(st.sampled_from([0.0, 0.12])),
        "tokens_per_s": data.draw(st.none() | st.floats(1, 1e5)),
        "opex": {
            "power_kw_load": data.draw(st.floats(1, 50)),
            "power_kw_idle": data.draw(st.floats(0, 1)),
            "electricity_per_kwh": data.draw(st.decimals(0, 1, places=3)),
            "other_month": data.draw(prices),
        },
        "cloud": {
            "on_demand_per_hour": data.draw(prices),
            "yearly_price_change": data.draw(st.floats(-0.5, 0.5)),
            "committed_hours_month": data.draw(st.floats(0, 800)),
            "committed_per_hour": data.draw(prices),
        },
        "training": data.draw(st.none() | st.just(TRAINING) | st.just(TRAINING | {"capex": 1000})),
        "api": data.draw(st.none() | st.just(API)),
    }
    result = answer(**asked)
    for scheme, total in result.totals.items():
        months = result.monthly[scheme]
        assert total.total == months[-1] - total.residual == total.capex + total.opex - total.residual
        assert len(months) == len(result.bands[scheme]) == asked["horizon_months"] + 1
        assert list(months) == sorted(months)
        if not asked["discount_rate"]:
            assert total.discounted_total == pytest.approx(total.total, abs=Decimal("0.02"))
    if not asked["discount_rate"]:
        assert result.break_even.discounted_months == result.break_even.months
    if result.probability:
        assert sum(result.probability.values()) == pytest.approx(1)
    compared: list[Scheme] = [scheme for scheme, total in result.totals.items() if total.allowed]
    assert set(result.probability) == (set(compared) if len(compared) > 1 else set())
    within = result.break_even.months is not None and result.break_even.months <= asked["horizon_months"]
    assert within == (result.break_even.state in ("at", "immediate", "reverses"))
    assert CostResult.model_validate_json(result.model_dump_json()) == result
