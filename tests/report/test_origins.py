"""What a quote rests on: tariffs with their origin, recalled facts, own prices, and a tax nobody knows."""

from decimal import Decimal
from io import BytesIO
from typing import Any

import openpyxl  # type: ignore[import-untyped]
import pytest

from desktop.advisor.unverified import PRINTED_OF_PLATFORM
from desktop.quote import Quote, UsedTariff
from desktop.report import render_workbook, spec_sheet
from desktop.words import Language, phrases_of
from tests.report import sample
from tests.report.sample_plan import answer, plan
from tests.report.test_sheet import block, plain, section, strings

LANGUAGES: tuple[Language, ...] = ("en", "ru")
POWER = UsedTariff(
    value=Decimal("0.204"), unit="USD/kWh", region="Europe", as_of="2025-Q2", source="https://prices.example",
    verification="read",
)  # fmt: skip


def assumed(quote: Quote, language: Language = "en") -> dict[str, str]:
    found = block(spec_sheet(sample.project(), quote, language), "requirement", "beside")["right"]["rows"]
    return {row[0]: plain(row[1]) for row in found}


def with_server(**changes: Any) -> Quote:
    bought = plan().server
    assert bought is not None
    return sample.quote(answers=(answer(configurations=(plan(server=bought.model_copy(update=changes)),)),))


def test_electricity_has_its_price_region_date_and_source() -> None:
    assert assumed(sample.quote(electricity=POWER))["Electricity"].startswith("$0.204 per kWh, Europe, Q2 2025 [S")
    assert "Европа, 2 кв. 2025 [S" in assumed(sample.quote(electricity=POWER), "ru")["Электричество"]
    listed = block(spec_sheet(sample.project(), sample.quote(electricity=POWER), "en"), "sources", "sources")["rows"]
    assert any(row[1] == "Electricity, Europe" and row[5] == "https://prices.example" for row in listed)


def test_own_tariffs_say_so_and_need_no_source() -> None:
    own = UsedTariff(value=Decimal("0.1"), unit="USD/kWh", own=True)
    assert assumed(sample.quote(electricity=own))["Electricity"] == "$0.100 per kWh, own figure"
    assert assumed(sample.quote())["VAT"] == "20%, recoverable, own figure"


@pytest.mark.parametrize(("language", "words"), [("en", "no rate stated"), ("ru", "ставка не задана")])
def test_unknown_tax_is_never_zero_percent(language: Language, words: str) -> None:
    quote = sample.quote(vat=None)
    assert words in assumed(quote, language).values()
    told = strings(spec_sheet(sample.project(), quote, language)["sections"])
    assert not any(plain(text).startswith(("VAT 0", "НДС 0")) for text in told)
    book = openpyxl.load_workbook(BytesIO(render_workbook(sample.project(), quote, language)), data_only=True)
    assert {"VatRate", "TotalVat", "TotalGross"}.isdisjoint(book.defined_names) and "TotalNet" in book.defined_names
    cells = [cell for sheet in book.worksheets[:2] for row in sheet.iter_rows(values_only=True) for cell in row]
    assert cells.count(words) == 2


def test_tax_of_zero_percent_is_printed_as_such() -> None:
    none = UsedTariff(value=Decimal(0), unit="share", own=True)
    untaxed = with_server(vat_rate=Decimal(0), vat=Decimal(0)).model_copy(update={"vat": none})
    sheet = spec_sheet(sample.project(), untaxed, "en")
    assert sheet["summary"]["tiles"][0]["label"] == "Total incl. VAT"
    assert "VAT 0%" in block(sheet, "bill", "bill")["head"]


@pytest.mark.parametrize(("language", "words"), [("en", "own price"), ("ru", "своя цена")])
def test_own_cloud_price_has_no_provider(language: Language, words: str) -> None:
    cloud = sample.quote().cloud
    assert cloud is not None
    own = cloud.model_copy(update={"own": True, "provider": "", "instance": "", "source": ""})
    assert any(text.endswith(words) for text in assumed(sample.quote(cloud=own), language).values())


def test_recalled_height_is_left_out_and_said_to_be() -> None:
    sheet = spec_sheet(sample.project(), with_server(recalled=("platform.rack_units",)), "en")
    assert any("height of the server" in text for text in sheet["summary"]["confirm"])
    assert any("left out of this one until confirmed: height of" in text for text in strings(section(sheet, "bill")))
    told = [plain(text) for text in strings(sheet)]
    assert "to be confirmed" in told and not {"8U", "2 × 4U"} & set(told)
    assert {"8U", "2 × 4U"} <= {plain(text) for text in strings(spec_sheet(sample.project(), sample.quote(), "en"))}


def test_every_fact_that_may_be_left_out_has_its_words() -> None:
    left_out = [f"recalled.platform.{field}" for field in PRINTED_OF_PLATFORM]
    assert left_out and set(left_out) <= set(phrases_of("report"))
