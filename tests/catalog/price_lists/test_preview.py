"""What a price list would change: nothing before it is applied, and all of it or nothing then."""

import csv
import io
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from desktop.catalog import Catalog
from desktop.catalog.price_lists import (
    ColumnMapping,
    Preview,
    apply,
    export_user_data,
    guess_mapping,
    preview,
    read_table,
)
from desktop.catalog.price_lists.table import Table
from desktop.catalog.prices import HardwarePrice
from desktop.catalog.records import Drive, Gpu, ModelRecord
from desktop.catalog.user_data import UserData
from desktop.request import Problem
from desktop.words import problem_sentence
from tests.catalog.price_lists.workbooks import workbook

ON = date(2026, 12, 1)
H100, CARD = "nvidia-h100-sxm5-80gb", "connectx-7-mcx755106as-heat"


@pytest.fixture
def user(tmp_path: Path) -> UserData:
    return UserData(tmp_path / "data" / "user.db")


def table(folder: Path, text: str, encoding: str = "utf-8") -> Table:
    path = folder / "list.csv"
    path.write_bytes(text.encode(encoding))
    return read_table(path)


def seen(found: Table, catalog: Catalog, user: UserData, **said: Any) -> Preview:
    return preview(found, guess_mapping(found.header), catalog, user, "Acme", ON, **said)


def reasons(found: Preview) -> list[tuple[int, str]]:
    for reject in found.rejected:
        problem = Problem("price_row", "list.csv", reason=reject.reason, line=reject.line, **reject.values)
        assert str(reject.line) in problem_sentence(problem, "en")
        assert "Строка" in problem_sentence(problem, "ru")
    return [(reject.line, reject.reason) for reject in found.rejected]


def test_a_russian_list(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    text = (
        "ООО «Поставщик»;;;\n"
        "Артикул;Наименование;Цена, руб. с НДС 22%;Дата\n"
        ";NVIDIA H100 SXM5 80GB;3\u00a0500\u00a0000,50;30.11.2026\n"
        "MCX755106AS-HEAT;Сетевой адаптер;185 000;\n"
        ";Кабель;100;\n"
    )
    found = seen(table(tmp_path, text, "cp1251"), catalog, user)
    gpu, card = found.new
    assert (gpu.part, gpu.category, gpu.low, gpu.high) == (H100, "gpu", Decimal("3500000.50"), Decimal("3500000.50"))
    assert (gpu.currency, gpu.vat_included, gpu.vat_rate, gpu.as_of) == ("RUB", True, Decimal("0.22"), "2026-11-30")
    assert (gpu.kind, gpu.supplier, gpu.verification) == ("list", "Acme", "own")
    assert gpu.source == "price list of Acme, list.csv"
    assert (card.part, card.category, card.as_of) == (CARD, "network", "2026-12-01")
    assert reasons(found) == [(5, "unlike_any")] and found.assumed == ()
    assert user.prices() == ()


def test_only_apply_changes_anything(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    first = table(tmp_path, "name,price,currency,vat\nNVIDIA H100 SXM5 80GB,25000,USD,no\nNVIDIA L40S,8000,USD,no\n")
    assert apply(seen(first, catalog, user), user) == 2
    again = seen(first, catalog, user)
    assert (len(again.new), len(again.changed), len(again.unchanged)) == (0, 0, 2)
    second = table(tmp_path, "name,price,currency,vat\nNVIDIA H100 SXM5 80GB,24000,USD,no\nNVIDIA L40S,8000,USD,no\n")
    found = seen(second, catalog, user)
    (change,) = found.changed
    assert (change.before.low, change.after.low) == (Decimal(25000), Decimal(24000))
    assert (found.new, len(found.unchanged)) == ((), 1)
    assert apply(found, user) == 1
    assert {price.part: price.low for price in user.prices()}[H100] == Decimal(24000)
    assert user.mapping("Acme") == {"name": "name", "price": "price", "currency": "currency", "vat": "vat"}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (";5", "no_name"),
        ("H100;5", "ambiguous_part"),
        ("NVIDIA H100 SXM5 81GB;5", "unknown_part"),
        ("=cmd|'/C calc'!A0;5", "unlike_any"),
        ("NVIDIA H100 SXM5 80GB;", "no_price"),
        ("NVIDIA H100 SXM5 80GB;=1+1", "not_a_number"),
        ("NVIDIA H100 SXM5 80GB;1,234", "ambiguous_number"),
        ("NVIDIA H100 SXM5 80GB;0", "not_positive"),
        ("NVIDIA H100 SXM5 80GB;$5", "several_currencies"),
        ("NVIDIA H100 SXM5 80GB;5;;GBP", "unknown_currency"),
        ("NVIDIA H100 SXM5 80GB;5;22%", "vat_unclear"),
        ("NVIDIA H100 SXM5 80GB;5;может быть", "vat_unclear"),
        ("NVIDIA H100 SXM5 80GB;5;;;05/11/2026", "bad_date"),
        ("NVIDIA H100 SXM5 80GB;5;;;2026-12-02", "future_date"),
        ("NVIDIA H100 SXM5 80GB;5;;;;6", "too_many_cells"),
    ],
)
def test_a_row_that_is_not_taken_says_why(
    tmp_path: Path, catalog: Catalog, user: UserData, row: str, reason: str
) -> None:
    found = seen(table(tmp_path, f"Наименование;Цена, руб.;НДС;Валюта;Дата\n{row}\n"), catalog, user)
    assert (reasons(found), found.new) == ([(2, reason)], ())


def test_an_unknown_name_answers_with_the_three_closest(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    found = seen(table(tmp_path, "name;price\nВидеокарта H100 SXM5 80 GB;5\n"), catalog, user)
    (reject,) = found.rejected
    assert len(reject.values["closest"]) == 3 and reject.values["closest"][0] == "NVIDIA H100 SXM5 80GB"


def test_a_second_price_of_the_same_part_is_not_taken(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    found = seen(table(tmp_path, f"part;price\n{H100};5\n{H100};6\n"), catalog, user, currency="USD")
    assert [price.low for price in found.new] == [Decimal(5)] and reasons(found) == [(3, "repeated")]
    assert found.rejected[0].values == {"name": H100, "first": 2}


def test_number_and_name_that_mean_different_parts_are_not_taken(
    tmp_path: Path, catalog: Catalog, user: UserData
) -> None:
    text = "Part number;Name;Price, USD\nMCX755106AS-HEAT;NVIDIA H100 SXM5 80GB;5\n"
    assert reasons(seen(table(tmp_path, text), catalog, user)) == [(2, "ambiguous_part")]


def test_what_the_list_leaves_open_is_said_or_assumed(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    found = table(tmp_path, f"part;price\n{H100};1,234\n")
    assert reasons(seen(found, catalog, user)) == [(2, "ambiguous_number")]
    assert reasons(seen(found, catalog, user, mark=".")) == [(2, "no_currency")]
    told = seen(found, catalog, user, mark=".", currency="EUR", kind="quote", region="Germany")
    (price,) = told.new
    assert (price.low, price.currency, price.kind, price.region) == (Decimal(1234), "EUR", "quote", "Germany")
    assert (price.vat_included, told.assumed) == (False, ("vat",))
    told = seen(found, catalog, user, mark=".", currency="EUR", vat_included=True)
    assert (told.new[0].vat_included, told.assumed) == (True, ())


def test_a_name_that_was_linked_is_remembered_for_its_supplier(
    tmp_path: Path, catalog: Catalog, user: UserData
) -> None:
    found = table(tmp_path, "Товар;Цена, $\nПлата Х-100 восемь штук;5\n")
    told = seen(found, catalog, user, links={"Плата Х-100 восемь штук": H100})
    assert [price.part for price in told.new] == [H100]
    apply(told, user)
    assert [price.part for price in seen(found, catalog, user).unchanged] == [H100]
    other = preview(found, guess_mapping(found.header), catalog, user, "Other", ON)
    assert reasons(other) == [(2, "unknown_part")] or reasons(other) == [(2, "unlike_any")]
    with pytest.raises(Problem) as caught:
        seen(found, catalog, user, links={"x": "nothing"})
    assert caught.value.code == "wrong_value"


def test_an_own_part_has_a_price_too(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    user.put_part("drives", Drive(id="mine", name="Полка 30 ТБ", role="storage", capacity_bytes=30 * 10**12))
    found = seen(table(tmp_path, "Название;Цена, USD\nполка 30-ТБ;5\n"), catalog, user)
    assert [(price.part, price.category) for price in found.new] == [("mine", "storage")]


def test_merged_cells_and_formulas_of_a_workbook(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    rows = [
        ("Vendor", "Name", "Price, USD"),
        ("NVIDIA", "H100 SXM5 80GB", 25000.5),
        (None, "L40S 48GB", 8000),
        (None, "A100 SXM4 80GB", 10000),
        (None, "A100 PCIe 80GB", None),
        (None, "B200 SXM", "=5*5"),
    ]
    found = read_table(workbook(tmp_path / "list.xlsx", rows, merged=("A2:A6", "C4:C5")))
    told = seen(found, catalog, user)
    assert {price.part: price.low for price in told.new} == {
        H100: Decimal("25000.5"),
        "nvidia-l40s": Decimal(8000),
    }
    assert reasons(told) == [(4, "merged_price"), (5, "merged_price"), (6, "formula")]


def test_a_list_without_a_price_column_or_supplier_or_kind(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    found = table(tmp_path, "name;qty\nNVIDIA H100 SXM5 80GB;5\n")
    with pytest.raises(Problem) as caught:
        seen(found, catalog, user)
    assert caught.value.values["reason"] == "no_price_column"
    found = table(tmp_path, "name;price\nNVIDIA H100 SXM5 80GB;5\n")
    for said, code in (({"supplier": " "}, "missing_field"), ({"kind": "gift"}, "wrong_value")):
        with pytest.raises(Problem) as caught:
            preview(found, guess_mapping(found.header), catalog, user, **{"supplier": "A", "on": ON} | said)  # type: ignore[arg-type]
        assert caught.value.code == code


def test_a_mapping_of_columns_that_are_gone_is_as_good_as_none(
    tmp_path: Path, catalog: Catalog, user: UserData
) -> None:
    found = table(tmp_path, "part;record\nx;\n")
    mapping = ColumnMapping(columns={"price": "Preis", "part": "part", "table": "Art", "record": "record"})
    assert preview(found, mapping, catalog, user, " Acme ", ON).new == ()


def test_a_failure_in_the_middle_of_applying_changes_nothing(
    tmp_path: Path, catalog: Catalog, user: UserData, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = seen(table(tmp_path, f"part;price\n{H100};5\n{CARD};6\n"), catalog, user, currency="USD")

    def refuse(*_: object) -> None:
        raise Problem("user_data", "user.db", reason="no_space")

    monkeypatch.setattr(user, "remember_mapping", refuse)
    with pytest.raises(Problem):
        apply(found, user)
    assert user.prices() == () and user.mapping("Acme") == {}


def test_a_hundred_thousand_rows_are_applied(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    lines = (f"{H100};S{number};{number + 1},25\n" for number in range(100_000))
    found = seen(table(tmp_path, "part;supplier;price, USD\n" + "".join(lines)), catalog, user)
    assert (len(found.new), found.rejected) == (100_000, ())
    assert apply(found, user) == 100_000
    assert sum(price.low for price in user.prices()) == 100_000 * 100_001 // 2 + 25_000


# -------------------------------------------------------------------------------------------------------------- export


def fill(user: UserData) -> None:
    said: dict[str, Any] = {"part": H100, "category": "gpu", "currency": "USD", "kind": "quote", "source": "offer 1"}
    for changes in (
        {"low": "25000.10", "high": "26000", "as_of": "2026-11-30", "supplier": "Acme"},
        {"low": "1.234", "high": "1.234", "as_of": "2026-Q1", "region": "Germany", "notes": "=cmd|'/C calc'!A0"},
        {"low": "1234", "high": "123456789012.3456789", "as_of": "<=2026-06", "supplier": '@home; "x",\ny'},
        {"low": "9", "high": "9", "as_of": "2026", "vat_included": True, "vat_rate": "0.22", "supplier": "'=S"},
        {"low": "5", "high": "5", "as_of": "2026-11", "vat_included": True, "supplier": "+7 999", "kind": "used"},
        {"low": "5", "high": "5", "as_of": "2026-11", "part": "mine", "category": "storage", "currency": "RUB"},
    ):
        user.put_price(HardwarePrice.model_validate(said | changes))
    user.put_part("drives", Drive(id="mine", name="=Own, 30 TB", role="storage", capacity_bytes=30 * 10**12, notes="-"))
    gpu = Gpu(id="own-gpu", name="Own", short="O", aliases=("a", "b"), vendor="V", architecture="A", form_factor="X")
    user.put_part("gpus", gpu)
    user.put_part("models", ModelRecord(id="own", name="Own", kind="decoder", facts={"num_layers": 2, "x": [1.5]}))


@pytest.mark.parametrize("name", ["own.csv", "own.xlsx"])
def test_an_export_imports_again_unchanged(tmp_path: Path, catalog: Catalog, user: UserData, name: str) -> None:
    fill(user)
    assert export_user_data(user, tmp_path / name) == 9
    found = read_table(tmp_path / name)
    told = seen(found, catalog, user)
    assert (len(told.unchanged), told.unchanged_parts) == (6, 3)
    assert (told.new, told.changed, told.parts, told.rejected) == ((), (), (), ())

    elsewhere = UserData(tmp_path / "other.db")
    assert apply(seen(found, catalog, elsewhere), elsewhere) == 9
    assert (elsewhere.prices(), elsewhere.parts()) == (user.prices(), user.parts())


def test_no_exported_cell_runs(tmp_path: Path, user: UserData) -> None:
    fill(user)
    export_user_data(user, tmp_path / "own.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "own.csv").read_text(encoding="utf-8-sig"), newline="")))
    assert [cell for row in rows for cell in row if cell[:1] in tuple("=+-@\t\r")] == []
    export_user_data(user, tmp_path / "own.xlsx")
    sheet = load_workbook(tmp_path / "own.xlsx").active
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert [cell.coordinate for cell in cells if cell.data_type == "f"] == []
    assert [cell.value for cell in cells if str(cell.value)[:1] in tuple("=+-@")] == []


def test_an_export_that_cannot_be_written_leaves_what_was_there(
    tmp_path: Path, user: UserData, read_only_folder: Path
) -> None:
    for path, code, reason in (
        (tmp_path / "own.pdf", "price_list", "unknown_type"),
        (tmp_path / "none" / "own.csv", "cannot_write", "not_a_folder"),
    ):
        with pytest.raises(Problem) as caught:
            export_user_data(user, path)
        assert (caught.value.code, caught.value.values["reason"]) == (code, reason)
    with pytest.raises(Problem) as caught:
        export_user_data(user, read_only_folder / "own.csv")
    assert caught.value.code == "cannot_write"
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(Problem) as caught:
        export_user_data(user, tmp_path / "folder.csv")
    assert caught.value.values["reason"] == "is_a_folder"
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]


def test_a_model_card_too_long_for_a_cell_goes_to_csv(tmp_path: Path, catalog: Catalog, user: UserData) -> None:
    user.put_part("models", ModelRecord(id="own", name="Own", kind="decoder", facts={"x": "y" * 40_000}))
    with pytest.raises(Problem) as caught:
        export_user_data(user, tmp_path / "own.xlsx")
    assert caught.value.values["reason"] == "cell_too_long" and not (tmp_path / "own.xlsx").exists()
    export_user_data(user, tmp_path / "own.csv")
    assert seen(read_table(tmp_path / "own.csv"), catalog, user).unchanged_parts == 1


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("cheese,mine,{}", "unknown_table"),
        ("drives,mine,", "bad_part"),
        ("drives,mine,{}", "bad_part"),
        ('drives,mine,"{""id"": ""mine"", ""name"": ""x"", ""role"": ""sofa"", ""capacity_bytes"": 1}"', "bad_part"),
    ],
)
def test_an_own_part_that_does_not_hold(
    tmp_path: Path, catalog: Catalog, user: UserData, row: str, reason: str
) -> None:
    found = seen(table(tmp_path, f"table,part,record\n{row}\n"), catalog, user)
    assert reasons(found) == [(2, reason)] and found.parts == ()
