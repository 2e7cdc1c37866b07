"""The dictionary of strings: what it says, and what it must not say."""

import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest

from desktop.catalog import load_catalog
from desktop.project.document import Party
from desktop.quote import BreakEven, Message
from desktop.report.sheet import spec_sheet
from desktop.report.wording import Wording
from desktop.request import (
    Economics,
    InferenceNeed,
    InlineModel,
    Policy,
    RecommendRequest,
    TrainingNeed,
    Vat,
)
from desktop.request.inference import EngineName
from desktop.request.need import Redundancy, Stage
from desktop.request.training import BaseWeights, FrameworkName, Method, Optimizer, Precision, Recompute, Sharding
from desktop.words import Language
from tests.report import sample
from tests.report.sample_plan import SERVING, answer, memory, plan, training_answer

LANGUAGES: tuple[Language, ...] = ("en", "ru")


def strings(value: Any, key: str = "") -> list[str]:
    if isinstance(value, str):
        return [] if key in ("svg", "json") else [value]
    children = value.items() if isinstance(value, dict) else (("", item) for item in value or ())
    return [text for name, child in children if not isinstance(child, bool | int) for text in strings(child, name)]


def section(sheet: dict[str, Any], code: str) -> dict[str, Any]:
    return next(found for found in sheet["sections"] if found["code"] == code)


def codes(sheet: dict[str, Any]) -> list[str]:
    return [found["code"] for found in sheet["sections"]]


def block(sheet: dict[str, Any], code: str, kind: str) -> dict[str, Any]:
    return next(found for found in section(sheet, code)["blocks"] if found["kind"] == kind)


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("language", "tiles"),
    [
        ("en", ["$414,504", "26 months", "0.84 s", "59.5 GiB", "8.1 kW"]),
        ("ru", ["414 504 $", "26 мес.", "0,84 с", "59,5 ГиБ", "8,1 кВт"]),
    ],
)
def test_summary_has_the_headline_and_five_figures(language: Language, tiles: list[str]) -> None:
    summary = spec_sheet(sample.project(), sample.quote(), language)["summary"]
    assert [plain(tile["value"]) for tile in summary["tiles"]] == tiles
    assert plain(summary["headline"]).endswith("8 × H200 NVL 141GB")
    assert len(summary["why"]) == 4 and len(summary["configuration"][0]["rows"]) == 6
    assert summary["schemes"]["best"] == 1


def test_sections_stand_in_order() -> None:
    assert codes(spec_sheet(sample.project(), sample.quote(), "en")) == [
        "requirement", "memory", "performance", "bill", "engineering", "costs", "checks", "alternatives", "conditions",
        "sources", "integrity", "annex",
    ]  # fmt: skip


def test_memory_table_has_exact_bytes_and_tells_required_from_reserved() -> None:
    table = block(spec_sheet(sample.project(), sample.quote(), "en"), "memory", "memory")
    rows = {row[0]: row for row in table["rows"]}
    assert rows["Weights"][1:3] == ["33.83", "36,327,526,400"]
    assert rows["KV cache"][1:3] == ["21.97", "23,592,960,000"]  # 32 · 4,500 · 327,680 / 2
    assert [row[0] for row in table["totals"]] == ["Required", "Reserved", "Usable", "Card"]
    assert table["totals"][0][1:3] == ["59.54", "63,925,543,402"]


def test_nothing_fits_says_so_without_price_or_speed() -> None:
    for language, verdict in zip(LANGUAGES, ("Does not fit", "Не помещается"), strict=True):
        sheet = spec_sheet(sample.project(), sample.nothing_fits(), language)
        assert sheet["summary"]["headline"] == verdict
        assert codes(sheet) == [
            "requirement", "memory", "alternatives", "conditions", "sources", "integrity", "annex",
        ]  # fmt: skip
        assert sheet["summary"]["schemes"] is None and sheet["summary"]["configuration"] == []
        assert [plain(tile["value"]).split()[0] for tile in sheet["summary"]["tiles"]] == (
            ["62.8", "188.6", "125.8"] if language == "en" else ["62,8", "188,6", "125,8"]
        )
        told = strings(sheet["summary"])
        for found in sheet["sections"]:
            told += strings(found) if found["code"] != "requirement" else []
        assert not any(sign in text for text in told for sign in ("$", "tokens/s", "запр./с", "кВт", "kW"))
        assert "+62" in block(sheet, "memory", "chart")["svg"]


def test_plan_that_fits_but_misses_the_targets_is_not_called_too_large() -> None:
    slow = plan(meets="misses", server=None, capex=None, total_cost=None, opex_month=None)
    lost = sample.nothing_fits().answers[0].rejected[0].model_copy(update={"nearest": slow})
    quote = sample.quote(answers=(answer(configurations=(), rejected=(lost,)),), schemes=None, cloud=None)
    sheet = spec_sheet(sample.project(), quote, "en")
    assert sheet["summary"]["headline"] == "No plan meets the targets"
    assert "performance" not in codes(sheet) and "bill" not in codes(sheet) and "costs" not in codes(sheet)


def test_nothing_could_be_sized() -> None:
    quote = sample.quote(answers=(answer(configurations=(), rejected=()),), schemes=None, cloud=None)
    sheet = spec_sheet(sample.project(), quote, "ru")
    assert sheet["summary"]["headline"] == "План не удалось рассчитать"
    assert sheet["summary"]["tiles"] == [] and "memory" not in codes(sheet)


def test_missing_price_makes_every_sum_a_lower_bound() -> None:
    sheet = spec_sheet(sample.project(), sample.unpriced(), "en")
    tiles = sheet["summary"]["tiles"]
    assert plain(tiles[0]["value"]) == "from $413,508" and plain(tiles[0]["note"]) == "1 item without a price"
    assert plain(tiles[1]["value"]) == "≥ 26 months"
    row = next(row for row in block(sheet, "bill", "bill")["groups"][0]["rows"] if row["part"].startswith("ConnectX"))
    assert row["figures"] == ["no price", "–", "–", "–"]
    assert any("incomplete" in text for text in strings(section(sheet, "bill")))
    assert any("lower bounds" in text for text in strings(section(sheet, "costs")))
    capital = sheet["summary"]["schemes"]["rows"][0]
    assert any(cell.startswith("from ") for cell in capital[1:]) and all(
        cell[:4] in ("from", "–") for cell in capital[1:]
    )


def test_stale_price_is_marked_and_must_be_asked_again() -> None:
    """The GPU of the sample is priced on 2026-11-21; GPUs are stale after two weeks."""

    def marked(issued_on: date) -> list[str]:
        sheet = spec_sheet(sample.project(issued_on=issued_on), sample.quote(), "en")
        told = any("Stale prices" in text for text in sheet["summary"]["confirm"])
        rows = [row for group in block(sheet, "bill", "bill")["groups"] for row in group["rows"] if row["stale"]]
        assert told == bool(rows) and all("stale: older than" in row["note"] for row in rows)
        return [row["part"] for row in rows]

    assert "NVIDIA H200 NVL 141GB" not in marked(date(2026, 11, 30))
    assert "NVIDIA H200 NVL 141GB" in marked(date(2026, 12, 20))


def test_undated_document_ages_its_prices_to_the_day_it_is_made() -> None:
    undated = sample.project(issued_on=None)
    fresh, later = (
        sum("stale" in text for text in strings(spec_sheet(undated, sample.quote(), "en", day)))
        for day in (None, date(2027, 3, 1))
    )
    assert later > fresh


def test_without_a_date_none_is_printed() -> None:
    sheet = spec_sheet(sample.project(issued_on=None), sample.quote(), "en")
    assert (sheet["date"], sheet["valid_until"]) == ("", "")
    assert sheet["stamp"].startswith("2026-11-28")  # the catalog's day, never the clock
    assert not any("(7 days)" in plain(text) for text in strings(section(sheet, "sources")))


def test_age_of_a_price_shows() -> None:
    dates = [
        plain(row[3]) for row in block(spec_sheet(sample.project(), sample.quote(), "ru"), "sources", "sources")["rows"]
    ]
    assert "24.11.2026 (7 дней)" in dates and "11.2026" in dates and "3 кв. 2026" in dates


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("result", "en", "ru"),
    [
        (BreakEven(state="never"), "never", "никогда"),
        (BreakEven(state="immediate", months=0), "from the first month", "с первого месяца"),
        (BreakEven(state="not_within_horizon", months=61), "not within 36 months", "не за 36 мес."),
        (BreakEven(state="not_comparable", reason=Message(code="no_cloud_offer")), "not compared", "не сравнить"),
        (
            BreakEven(state="reverses", months=20, reverses_at=31),
            "20.0 months, but back at 31.0 months",
            "20,0 мес., но обратно на 31,0 мес.",
        ),
    ],
)
def test_every_state_of_the_break_even(result: BreakEven, en: str, ru: str, language: Language) -> None:
    rule = sample.costs().article_rule.model_copy(update={"computed_months": None})
    quote = sample.quote(schemes=sample.costs(break_even=result, article_rule=rule))
    sheet = spec_sheet(sample.project(), quote, language)
    assert plain(sheet["summary"]["tiles"][1]["value"]) == (en if language == "en" else ru)
    assert section(sheet, "costs")["blocks"][-1]["kind"] == "chart"
    if result.state == "not_within_horizon":
        claims = block(sheet, "checks", "article")["rows"]
        assert plain(claims[0]["calculation"]) == (en if language == "en" else ru)  # not "never"


def test_no_cloud_is_not_compared() -> None:
    costs = sample.costs()
    own = costs.model_copy(
        update={
            "totals": {"on_premise": costs.totals["on_premise"]},
            "monthly": {"on_premise": costs.monthly["on_premise"]},
            "bands": {},
            "sensitivity": (),
            "probability": {},
            "break_even": BreakEven(state="not_comparable", own="on_premise"),
        }
    )
    sheet = spec_sheet(sample.project(), sample.quote(schemes=own, cloud=None), "en")
    assert sheet["summary"]["tiles"][1]["value"] == "not compared"
    assert sheet["summary"]["schemes"] is None
    assert block(sheet, "costs", "schemes")["best"] == -1


def test_scheme_excluded_by_policy_is_never_the_best() -> None:
    costs = sample.costs()
    cloud = costs.totals["cloud"].model_copy(
        update={"total": Decimal(1), "allowed": False, "reason": Message(code="cloud_barred")}
    )
    quote = sample.quote(schemes=costs.model_copy(update={"totals": costs.totals | {"cloud": cloud}}))
    sheet = spec_sheet(sample.project(), quote, "en")
    assert block(sheet, "costs", "schemes")["best"] == 1
    assert any(text.startswith("Cloud: Data must stay on site") for text in strings(section(sheet, "costs")))


def test_without_a_tax_rate_no_figure_claims_to_include_tax() -> None:
    server = plan().server
    assert server is not None
    untaxed = server.model_copy(update={"vat_rate": Decimal(0), "vat": Decimal(0), "gross": server.net})
    quote = sample.quote(
        answers=(answer(configurations=(plan(server=untaxed),)),),
        economics=Economics(utilization=0.6, vat=None),
        vat=None,
    )
    sheet = spec_sheet(sample.project(), quote, "en")
    assert sheet["summary"]["tiles"][0]["label"] == "Total without VAT"
    table = block(sheet, "bill", "bill")
    assert len(table["head"]) == 6 and len(table["totals"]) == 1
    assert not any(
        "incl. VAT" in text for text in strings({"bill": section(sheet, "bill"), "summary": sheet["summary"]})
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_training_beside_serving_has_its_own_sections(language: Language) -> None:
    quote = sample.quote(answers=(answer(), training_answer()))
    sheet = spec_sheet(sample.project(), quote, language)
    assert codes(sheet)[:10] == [
        "requirement", "requirement", "memory", "memory", "performance", "performance", "bill", "bill", "engineering",
        "engineering",
    ]  # fmt: skip
    titles = [found["title"] for found in sheet["sections"] if found["code"] == "memory"]
    assert titles == (
        ["Memory: serving", "Memory: training"] if language == "en" else ["Память: инференс", "Память: обучение"]
    )
    assert quote.policy.data_must_stay_on_site
    assert plain(sheet["summary"]["tiles"][0]["note"]) == (
        "serving and training machines" if language == "en" else "с машиной для обучения"
    )
    anywhere = quote.model_copy(update={"policy": quote.policy.model_copy(update={"data_must_stay_on_site": False})})
    free = spec_sheet(sample.project(), anywhere, language)["summary"]["tiles"]
    assert plain(free[0]["note"]) == (
        "training apart: $414,504" if language == "en" else "обучение отдельно: 414 504 $"
    )
    whole, apart, training = (
        Decimal(re.sub(r"\D", "", plain(text)))
        for text in (sheet["summary"]["tiles"][0]["value"], free[0]["value"], free[0]["note"])
    )
    assert whole == apart + training
    assert len(sheet["summary"]["stack"]) == 2


def test_training_alone_is_measured_in_hours() -> None:
    sheet = spec_sheet(sample.project(), sample.quote(answers=(training_answer(),), schemes=None, cloud=None), "en")
    assert plain(sheet["summary"]["tiles"][2]["value"]) == "9.40 h"
    rows = {row["measure"]: row for row in block(sheet, "performance", "performance")["rows"]}
    assert rows["Hours per run"]["required"] == "≤\u00a096" and rows["Hours per run"]["tone"] == "pass"
    assert rows["Model FLOPs utilization"]["range"] == "33%–46%"
    totals = [row[0] for row in block(sheet, "memory", "memory")["totals"]]
    assert totals[-2:] == ["Checkpoint, resumable", "Checkpoint, weights only"]


def test_range_that_crosses_a_target_is_not_called_passed() -> None:
    crossing = plan().speed.model_copy(update={"ttft_s": plan().speed.ttft_s.model_copy(update={"high": 1.6})})  # type: ignore[union-attr]
    quote = sample.quote(answers=(answer(configurations=(plan(speed=crossing, meets="crosses"),)),))
    sheet = spec_sheet(sample.project(), quote, "en")
    tones = {row["measure"]: row["tone"] for row in block(sheet, "performance", "performance")["rows"]}
    assert tones["Time to first token, s"] == "warn" and tones["Time per output token, ms"] == "pass"
    assert any("crosses a target" in text for text in sheet["summary"]["confirm"])


def test_what_people_type_stays_as_typed() -> None:
    typed = '#read("/etc/passwd") *bold* {0} $x$ <b> =1+1 \\ @cite'
    project = sample.project(name=typed, customer=Party(name=typed, details=(typed,)))
    sheet = spec_sheet(project, sample.quote(), "en")
    assert sheet["title"] == typed and sheet["customer"] == {"name": typed, "lines": [typed]}


def test_letters_the_font_lacks_are_replaced_and_reported() -> None:
    sheet = spec_sheet(sample.project(customer=Party(name="株式会社 Meridian")), sample.quote(), "en")
    assert sheet["customer"]["name"] == "???? Meridian"
    assert sheet["replaced"] == sorted("株式会社")


def test_model_file_leaves_without_its_folder(tmp_path: Path) -> None:
    need = SERVING.model_copy(update={"model": InlineModel(file=tmp_path / "config.json")})
    project = sample.project(request=RecommendRequest(needs=(need,)))
    attached = spec_sheet(project, sample.quote(), "en")["attachment"]["json"]
    assert "config.json" in attached and str(tmp_path) not in attached


def test_same_reason_is_written_once_and_own_reasons_come_first() -> None:
    rows = block(spec_sheet(sample.project(), sample.quote(), "en"), "alternatives", "rejected")["rows"]
    assert [row[0] for row in rows] == ["L40S", "Ascend 910B", "A2, T4"]


def test_empty_project_still_makes_a_sheet() -> None:
    sheet = spec_sheet(sample.project(name="", number="", supplier=Party(), customer=Party()), sample.quote(), "en")
    assert sheet["title"] == "Servers to serve Llama-3.1-70B-Instruct"
    assert sheet["supplier"] is None and sheet["customer"] is None


NEEDS: list[InferenceNeed | TrainingNeed] = [
    *(TrainingNeed(mode="training", model="x", method=method) for method in get_args(Method)),
    *(TrainingNeed(mode="training", model="x", optimizer=optimizer) for optimizer in get_args(Optimizer)),
    *(TrainingNeed(mode="training", model="x", precision=precision) for precision in get_args(Precision)),
    InferenceNeed(model="x", weights=("gguf:Q4_K_M", "awq-int4", "checkpoint")),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("need", NEEDS, ids=lambda need: need.mode)
def test_every_need_can_be_written(need: InferenceNeed | TrainingNeed, language: Language) -> None:
    sheet = spec_sheet(sample.project(), sample.quote(answers=(answer(need=need),)), language)
    required = block(sheet, "requirement", "beside")["left"]["rows"]
    assert len(required) > 5 and all(name and value for name, value in required)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_policy_name_and_format_has_its_words(language: Language) -> None:
    wording = Wording(language)
    for group, names in (
        ("stage", get_args(Stage)),
        ("redundancy", get_args(Redundancy)),
        ("cooling", ("air", "liquid")),
        ("sharding", [name for name in get_args(Sharding) if name != "none"]),
        ("recompute", get_args(Recompute)),
    ):
        for name in names:
            assert wording.label(f"{group}.{name}")
    for name in (*get_args(BaseWeights), *get_args(Precision), *load_catalog().calibration.weight_formats):
        assert wording.term(f"format.{name}")
    for name in (*get_args(EngineName), *get_args(FrameworkName)):
        assert wording.term(f"engine.{name}")
    policy = Policy(gpus_allowed=("H100",), gpus_banned=("A100",), growth=1.3)
    economics = Economics(currency="RUB", vat=Vat(rate=Decimal("0.22"), recoverable=False), residual_rate=0.1)
    sheet = spec_sheet(sample.project(), sample.quote(policy=policy, economics=economics), language)
    assert any("A100" in text for text in strings(section(sheet, "requirement")))


def test_queueing_is_told_from_not_fitting() -> None:
    """More requests at the peak than the cache holds: the engine queues them, the plan is tight, not impossible."""
    tight = memory("tight", tokens=24_000)
    quote = sample.quote(answers=(answer(configurations=(plan(memory=tight),)),))
    texts = strings(section(spec_sheet(sample.project(), quote, "en"), "memory"))
    assert any(text.startswith("Tight.") and "the others wait" in text for text in texts)
