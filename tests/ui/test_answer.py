"""The pane and the charts follow what is typed."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.units import GIB
from desktop.words import phrase
from tests.ui.conftest import OpenWindow
from tests.ui.reading import settle, texts_of, type_into


def test_the_memory_bar_follows_the_context_length(open_: OpenWindow, qtbot: QtBot) -> None:
    """One H100 NVL keeps FP8 weights of 70B and a small cache; a context of 131,072 tokens (40 GiB at 320 KiB a token)
    needs a second card, so each then holds half of the weights."""
    window = open_(changes={"policy.gpus_allowed": ("H100 NVL",)})
    bar = window.frame.pane.memory.bar
    before = dict(bar.parts)
    type_into(qtbot, window, "inference.context", "131072")
    assert window.session.value("inference.context") == 131_072
    assert bar is window.frame.pane.memory.bar, "redrawn in place"
    assert bar.parts != before
    assert bar.parts["weights"] == pytest.approx(before["weights"] / 2, rel=0.01)
    assert window.frame.pane.memory.legend()["weights"] == f"{bar.parts['weights'] / GIB:.1f}"


def test_the_memory_bar_follows_the_input_tokens(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(changes={"policy.gpus_allowed": ("H200 NVL",)})
    before = dict(window.frame.pane.memory.bar.parts)
    type_into(qtbot, window, "inference.input_tokens", "6k")
    after = window.frame.pane.memory.bar.parts
    assert after["kv_cache"] != before["kv_cache"]
    assert f"{after['kv_cache'] / GIB:.1f}" in window.frame.pane.memory.bar.accessibleDescription()


def test_headline_legend_and_speed_say_what_the_quote_says(open_: OpenWindow) -> None:
    window = open_()
    plan = window.session.quote.best()
    assert window.frame.pane.headline.text().replace("\u00a0", " ") == f"{plan.gpus} × {plan.gpu_short}"
    assert f"{plan.replicas}\u00a0replica" in window.frame.pane.decomposition.text()
    assert "server" in window.frame.pane.decomposition.text()
    legend = window.frame.pane.memory.legend()
    assert {part: legend[part] for part in ("weights", "kv_cache")} == {
        part: f"{plan.memory.part_bytes(part) / GIB:.1f}" for part in ("weights", "kv_cache")
    }
    value, span, limit = window.frame.pane.speed.texts["ttft"]
    assert value == f"{plan.speed.ttft_s.value:.2f}\u00a0s"
    assert span == f"{plan.speed.ttft_s.low:.2f}–{plan.speed.ttft_s.high:.2f}"
    assert limit == "limit 1.5\u00a0s"
    assert window.frame.pane.cost.texts["Purchase"] == f"${plan.capex:,.0f}"


def test_what_does_not_fit_has_no_speed_and_no_price(open_: OpenWindow, qtbot: QtBot) -> None:
    """70B in BF16 is 131.4 GiB: it fits no eight cards of 16 GB."""
    window = open_(changes={"policy.gpus_allowed": ("NVIDIA T4",), "inference.weights": ("bf16",)})
    pane = window.frame.pane
    assert pane.verdicts() == ["Does not fit"]
    assert pane.headline.text().endswith("GiB short")
    assert pane.memory.isVisible() and not pane.speed.isVisible() and not pane.cost.isVisible()
    shown = " ".join(texts_of(pane))
    assert "$" not in shown and "tokens/s" not in shown
    assert shown.count(phrase("window", "not_given.why", "en")) == 2


def test_a_way_out_is_tried_and_applied_with_one_click(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(changes={"policy.gpus_allowed": ("NVIDIA T4",), "inference.weights": ("bf16",)})
    window.frame.pane.ways.try_changes()
    way = next(way for way in window.frame.pane.ways.found if way.code == "gpus")
    assert way.plan.memory.verdict != "does_not_fit"
    window.frame.pane.ways._apply(way)
    settle(qtbot, window)
    assert window.session.quote.best() == way.plan
    assert window.session.request.policy.gpus_allowed == ()
    window.undo()
    window.answer_now()
    assert window.session.request.policy.gpus_allowed == ("NVIDIA T4",)


def test_an_impossible_entry_is_said_at_the_field_and_dims_the_last_answer(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    headline = window.frame.pane.headline.text()
    type_into(qtbot, window, "inference.users", "0")
    field = window.frame.pages["workload"].bindings["inference.users"].field
    assert field.problem() == "From 1 to 1,000,000,000."
    assert window.frame.pane.notice() == field.problem()
    assert window.frame.pane.headline.text() == headline
    assert window.frame.pane._veil.isVisible()
    assert not window.frame.top.export.isEnabled()
    type_into(qtbot, window, "inference.users", "200")
    assert (field.problem(), window.frame.pane.notice()) == ("", "")
    assert not window.frame.pane._veil.isVisible()


def test_a_context_of_a_million_million_is_one_sentence(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    type_into(qtbot, window, "inference.context", "1000000000000")
    assert window.frame.pages["workload"].bindings["inference.context"].field.problem() == "From 1 to 100,000,000."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{ not json", "JSON"),
        ('{"hello": 1}', ""),
        (
            '{"model_type": "llama", "num_hidden_layers": -3, "hidden_size": 64, "num_attention_heads": 4,'
            ' "vocab_size": 100}',
            "-3",
        ),
        ('{"model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "n_routed_experts": 256}', ""),
    ],
)
def test_a_broken_model_file_is_one_sentence_under_the_field(
    open_: OpenWindow, tmp_path: Path, content: str, said: str
) -> None:
    window = open_(model=None)
    file = tmp_path / "config.json"
    file.write_text(content, encoding="utf-8")
    search = window.frame.page("model").search
    search.take_file(file)
    window.answer_now()
    sentence = search._below.text()
    assert search._below.isVisible() and said in sentence
    assert "Traceback" not in sentence and "\n" not in sentence
    assert window.frame.pane.notice() != ""


def test_a_model_from_its_own_config(open_: OpenWindow, repository: Path) -> None:
    """Llama-3.1-70B has 70,553,706,496 parameters, whatever way it is given."""
    window = open_(model=None)
    window.frame.page("model").search.take_file(repository / "resources/samples/Llama-3.1-70B-Instruct/config.json")
    window.answer_now()
    assert window.frame.pages["model"].facts.facts()["Parameters"] == "70,553,706,496"
    assert window.session.quote.main().parameters == 70_553_706_496


def test_an_unknown_model_names_the_closest(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(model=None)
    search = window.frame.page("model").search
    qtbot.keyClicks(search.edit, "Lama-3.1-70")
    search.edit.editingFinished.emit()
    assert "Llama-3.1-70B" in search._below.text()
    assert window.session.model() is None


def test_an_empty_project_says_what_is_missing_and_what_is_known(open_: OpenWindow, qtbot: QtBot) -> None:
    """300 people x 12 an hour x peak 3 / 3600 = 3 requests per second."""
    window = open_(model=None)
    window.go("workload")
    shown = texts_of(window.frame.pane)
    assert "3\u00a0req/s" in shown
    assert not window.frame.top.export.isEnabled()
    link = next(
        button for button in window.frame.pane.missing.findChildren(type(window.frame.top.export)) if button.isVisible()
    )
    link.click()
    assert window.frame.page_name == "model"
    assert window.frame.page("model").search.edit.hasFocus()


def test_the_break_even_chart_follows_the_hours_in_use(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    window.go("costs")
    chart = window.frame.pages["costs"].chart
    before = chart.shown()
    assert set(before) >= {"on_premise", "cloud"}
    months = window.session.request.economics.horizon_months
    assert len(before["cloud"]) == months + 1
    type_into(qtbot, window, "economics.utilization", "90")
    window.go("costs")
    after = window.frame.pages["costs"].chart.shown()
    assert after["cloud"][-1] > before["cloud"][-1]
    assert after["cloud"] == [float(value) for value in window.session.quote.schemes.monthly["cloud"]]


def test_training_and_serving_are_answered_side_by_side(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(model="Llama-3.1-8B")
    window.go("workload")
    window.frame.pages["workload"].modes.segment(("inference", "training")).click()
    settle(qtbot, window)
    assert [answer.need.mode for answer in window.session.quote.answers] == ["inference", "training"]
    assert "kv_cache" in window.frame.pane.memory.bar.parts
    window.frame.pane._which.segment(1).click()
    assert "adapters" in window.frame.pane.memory.bar.parts
    assert window.frame.pane.speed.texts["hours"][2].startswith("deadline")


def test_another_currency_asks_for_its_rate_and_then_tells_the_money_in_it(open_: OpenWindow, qtbot: QtBot) -> None:
    """90 roubles for a dollar: the purchase is ninety times the figure in dollars."""
    window = open_()
    dollars = window.session.quote.best().capex
    window.session.put("economics.currency", "RUB")
    window.go("economics.exchange_rate")
    page = window.frame.pages["site"]
    assert page.bindings["economics.exchange_rate"].field.problem() == window.frame.pane.notice() != ""
    rate = page.bindings["economics.exchange_rate"].control.rate
    rate.setFocus()
    qtbot.keyClicks(rate, "90")
    settle(qtbot, window)
    assert page.bindings["economics.exchange_rate"].field.problem() == ""
    best = window.session.quote.best()
    assert (best.currency, float(best.capex)) == ("RUB", pytest.approx(float(dollars) * 90, rel=1e-6))
    assert "RUB" in window.frame.pane.cost.texts["Purchase"] or "₽" in window.frame.pane.cost.texts["Purchase"]


def test_an_impossible_entry_that_is_left_behind_is_gone(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    type_into(qtbot, window, "inference.users", "0")
    window.go("site")
    window.go("workload")
    assert window.frame.pages["workload"].bindings["inference.users"].control.lineEdit().text() == "300"
    assert window.frame.pane.notice() == ""
    assert window.frame.top.export.isEnabled()


def test_barring_and_allowing_gpus_changes_the_plan(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    first = window.session.quote.best().gpu
    window.go("result")
    window.frame.pages["result"]._only.click()
    settle(qtbot, window)
    assert window.session.request.policy.gpus_allowed == (first,)
    assert [plan.gpu for plan in window.session.quote.main().configurations] == [first]
    window.frame.pages["result"]._only.click()
    settle(qtbot, window)
    window.go("site")
    chips = window.frame.pages["site"].bindings["policy.gpus_banned"].control
    place = chips.add.findData(first)
    chips.add.setCurrentIndex(place)
    chips.add.activated.emit(place)
    settle(qtbot, window)
    assert window.session.quote.best().gpu != first
    assert any(lost.gpu == first and lost.reason.code == "lost_banned" for lost in window.session.quote.main().rejected)


def test_the_result_page_shows_the_bill_of_the_row_that_is_chosen(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_()
    window.go("result")
    page = window.frame.pages["result"]
    plans = window.session.quote.main().configurations
    assert [row[0].text.replace("\u00a0", " ") for row in page.table.rows()] == [
        f"{plan.gpus} × {plan.gpu_short}" for plan in plans
    ]
    page.table.clicked.emit(page.table.model().index(1, 0))
    assert len(page.bill.rows()) == len(plans[1].server.lines)
    assert f"${plans[1].server.net:,.0f}" in page._totals.text()
    page._more.click()
    assert len(page.rejected.rows()) == len(window.session.quote.main().rejected)
