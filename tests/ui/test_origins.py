"""Where the figures come from that nobody typed, and where a remark leads to."""

from decimal import Decimal

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.quote import CloudOffer, Message, Price, Quote, UsedTariff
from desktop.request import Vat
from desktop.ui.main_window import MainWindow
from tests.ui.conftest import OpenWindow
from tests.ui.reading import settle, texts_of, type_into


def field_texts(window: MainWindow, address: str) -> list[str]:
    window.go(address)
    return texts_of(window.frame.present_page().bindings[address].field)


def with_quote(window: MainWindow, **changes: object) -> Quote:
    """Show the present quote with something else in it."""
    quote = window.session.quote.model_copy(update=changes)
    window.session.quote = quote
    window.refresh()
    return quote


def test_the_electricity_field_says_where_its_default_comes_from(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(changes={"economics.region": "Germany"})
    used = window.session.quote.electricity
    assert not used.own
    said = field_texts(window, "economics.electricity_per_kwh")
    assert any(text.startswith("catalog: ") and used.as_of[:4] in text for text in said), said
    with_quote(window, electricity=used.model_copy(update={"region": "Russia, household", "as_of": "2025"}))
    assert "catalog: Russia, households, 2025" in field_texts(window, "economics.electricity_per_kwh")
    type_into(qtbot, window, "economics.electricity_per_kwh", "0.2")
    assert "own price" in field_texts(window, "economics.electricity_per_kwh")


def test_an_unknown_vat_rate_is_not_a_rate_of_zero(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(changes={"economics.vat": Vat(rate=Decimal("0.19"))})
    window.go("result")
    server, totals = window.session.quote.best().server, window.frame.page("result")._totals
    assert totals.text() == f"${server.net:,.0f} without VAT · VAT 19% · ${server.gross:,.0f} with VAT"
    unpriced = tuple(
        line.model_copy(update={"price": Price(unit=None)}) if line.group == "network" else line
        for line in server.lines
    )
    best = window.session.quote.best()
    partial = best.model_copy(update={"server": server.model_copy(update={"lines": unpriced})})
    answers = window.session.quote.answers
    with_quote(window, answers=(answers[0].model_copy(update={"configurations": (partial,)}), *answers[1:]))
    assert totals.text().startswith(f"from ${server.net:,.0f} without VAT")
    with_quote(window, answers=answers, vat=None)
    assert totals.text() == f"${server.net:,.0f} without VAT · no VAT rate stated"
    assert "no rate known: none is added" in field_texts(window, "economics.vat")
    rate = UsedTariff(value=Decimal("0.125"), unit="share", region="Germany", as_of="2025", verification="read")
    with_quote(window, vat=rate)
    assert "catalog: Germany, 2025" in field_texts(window, "economics.vat")


@pytest.mark.parametrize(("language", "said"), [("en", "own price"), ("ru", "своя цена")])
def test_the_own_cloud_price_is_called_so(open_: OpenWindow, language: str, said: str) -> None:
    window = open_(language, changes={"economics.cloud_per_gpu_hour": Decimal("2.5")})
    assert isinstance(window.session.quote.cloud, CloudOffer) and window.session.quote.cloud.own
    for page in ("site", "costs"):
        window.go(page)
        shown = texts_of(window.frame.page(page).bindings["economics.cloud_per_gpu_hour"].field)
        assert said in shown


def test_no_share_of_requests_is_promised(open_: OpenWindow) -> None:
    """Means are compared, so no text beside the targets may speak of a percentile as kept."""
    window = open_()
    window.go("workload")
    shown = texts_of(window.frame.page("workload"))
    assert {"Targets at the peak", "means over requests are compared", "recorded, not computed yet"} <= set(shown)
    assert "mean" in texts_of(window.frame.pane.speed)
    everything = " ".join(texts_of(window)).lower()
    assert not any(word in everything for word in ("promise", "percentile", "p95", "share kept"))


@pytest.mark.parametrize(
    ("field", "page", "focus"),
    [
        ("needs.0.weights", "model", "inference.weights.fp8"),
        ("needs.0.weights.1", "model", "inference.weights.fp8"),
        ("needs.0.model", "model", "model"),
        ("needs.0.model.hf_config.num_hidden_layers", "model", "model"),
        ("needs.0.kv_cache", "model", "inference.kv_cache"),
        ("needs.0.engine.version", "model", "inference.engine.version"),
        ("needs.0.engine.name", "model", "inference.engine.version"),
        ("needs.0.percentile", "workload", "inference.percentile"),
        ("needs.0.input_tokens", "workload", "inference.input_tokens"),
        ("modes", "workload", "modes"),
        ("needs.1.recompute", "workload", "training.recompute"),
        ("needs.1.lora.targets", "workload", "training.lora"),
        ("policy.gpus_allowed.0", "site", "policy.gpus_allowed"),
        ("economics.vat.rate", "site", "economics.vat"),
        ("economics.exchange_rate", "site", "economics.exchange_rate"),
        ("economics.cloud_per_gpu_hour", "costs", "economics.cloud_per_gpu_hour"),
        ("customer.name", "spec", "customer.name"),
        ("issued_on", "spec", "issued_on"),
    ],
)
def test_show_leads_to_the_field(open_: OpenWindow, qtbot: QtBot, field: str, page: str, focus: str) -> None:
    window = open_(changes={"economics.currency": "USD"})
    window.session.put_modes(("inference", "training"))
    if field == "economics.exchange_rate":
        window.session.put("economics.currency", "EUR")
    window.answer_now()
    window.go("result")
    window.go(field)
    assert window.frame.page_name == page
    widget: QWidget | None = QApplication.focusWidget()
    names = []
    while widget is not None:
        names.append(widget.objectName())
        widget = widget.parentWidget()
    assert focus in names


def places_of(quote: Quote) -> list[Message]:
    plans = [plan for answer in quote.answers for plan in answer.configurations[:1]]
    costs = quote.schemes.warnings if quote.schemes else ()
    return [message for message in (*quote.warnings, *costs, *(m for p in plans for m in p.warnings)) if message.field]


def test_remarks_of_a_real_answer_lead_somewhere(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(model="Llama-3.1-8B", changes={"economics.region": "Germany"})
    window.session.put_modes(("inference", "training"))
    window.answer_now()
    remarks = places_of(window.session.quote)
    assert len(remarks) > 2
    for remark in remarks:
        window.go(remark.field)
        page = window.frame.present_page()
        assert page.stop(window.session.address_of(remark.field)) is not None, remark.field


def test_a_training_plan_says_how_it_is_run(open_: OpenWindow, qtbot: QtBot) -> None:
    window = open_(model="Llama-3.1-8B")
    window.session.put_modes(("training",))
    window.answer_now()
    window.go("result")
    page, plan = window.frame.page("result"), window.session.quote.best()
    made, facts = plan.training_plan, page._job.facts()
    assert page._training.isVisible()
    assert facts["Micro batch"] == str(made.micro_batch)
    assert facts["Recompute"] == {"none": "None", "selective": "Selective", "full": "Full"}[made.recompute]
    assert facts["Sharding"] == window.look.say(f"sharding.{made.parallel.sharding}")
    assert facts["Framework"].startswith(window.look.say(f"framework.{made.framework.name}"))
    window.session.put_modes(("inference",))
    settle(qtbot, window)
    window.answer_now()
    assert not page._training.isVisible()
