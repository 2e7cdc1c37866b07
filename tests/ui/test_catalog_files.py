"""Updates and price lists through the window: shown first, taken whole, refused in one sentence."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from desktop.catalog.reader import catalog_state
from desktop.ui.dialogs import questions
from desktop.ui.dialogs.catalog_update import UpdateDialog
from desktop.ui.dialogs.own_terms import OwnTermsDialog
from desktop.ui.dialogs.price_list import PriceListDialog
from tests.catalog.changed import CHANGES, DAY, H100, KEYS, changed_catalog, update_of
from tests.ui.conftest import OpenWindow

LIST = """ООО «Поставщик», прайс от 01.12.2026
Артикул;Наименование;Цена, руб. с НДС 22%
;NVIDIA H200 NVL 141GB;2 928 000,00
;RDIMM DDR5 64 GB;97 600,50
;Riser X;1 000,00
;NVIDIA L40S;по запросу
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RACKWRIGHT_DATA", str(tmp_path / "data"))
    yield


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the window told in message boxes."""
    texts: list[str] = []
    monkeypatch.setattr(questions, "inform", lambda _parent, _look, text: texts.append(text))
    monkeypatch.setattr(questions, "tell", lambda _parent, _look, text, _details="": texts.append(text))
    return texts


def agree(monkeypatch: pytest.MonkeyPatch, dialog: type[QDialog], seen: list[QDialog], yes: bool = True) -> None:
    def run(self: QDialog) -> int:
        seen.append(self)
        self.grab()
        return int(yes)

    monkeypatch.setattr(dialog, "exec", run)


@pytest.fixture
def update(tmp_path: Path) -> Path:
    file = tmp_path / "catalog-2099-01.rwcat"
    file.write_bytes(update_of(changed_catalog(tmp_path / "newer.db", *CHANGES)))
    return file


def test_an_update_is_shown_installed_and_taken_back(
    open_: OpenWindow, update: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_()
    monkeypatch.setattr("desktop.catalog.signatures.release_keys", lambda: KEYS)
    monkeypatch.setattr(questions, "ask_update_to_open", lambda *_: update)
    seen: list[UpdateDialog] = []
    agree(monkeypatch, UpdateDialog, seen, yes=False)  # type: ignore[arg-type]
    window.install_catalog()
    assert not catalog_state().is_installed and told == []
    rows = seen[0].table.rows()
    assert any(row[2].text == H100 and "tdp_w" in row[3].text for row in rows)
    assert "Changed: " in seen[0].counts

    agree(monkeypatch, UpdateDialog, seen)  # type: ignore[arg-type]
    window.install_catalog()
    assert catalog_state().is_installed and len(told) == 1
    assert window.session.quote.catalog.version == DAY  # the quote on screen is of the new catalog
    window.roll_back_catalog()
    assert not catalog_state().is_installed and window.session.quote.catalog.version != DAY
    window.roll_back_catalog()
    assert "nothing" in told[-1].lower() or "no " in told[-1].lower()


def test_an_update_of_another_key_is_refused_in_one_sentence(
    open_: OpenWindow, update: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_("ru")
    monkeypatch.setattr(questions, "ask_update_to_open", lambda *_: update)
    window.install_catalog()  # the product's own key did not sign it
    assert len(told) == 1 and told[0].startswith(update.name) and "подпис" in told[0]
    assert not catalog_state().is_installed


def test_a_price_list_becomes_own_prices_and_the_quote_uses_them(
    open_: OpenWindow, tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    rub = {"economics.region": "Russia", "policy.gpus_allowed": ("H200 NVL",)}
    window = open_("ru", changes=rub)
    file = tmp_path / "прайс.csv"
    file.write_bytes(LIST.encode("cp1251"))
    monkeypatch.setattr(questions, "ask_price_list_to_open", lambda *_: file)
    dialogs: list[PriceListDialog] = []

    def run(self: PriceListDialog) -> int:
        dialogs.append(self)
        assert not self.take.isEnabled()  # nobody has said whose list it is
        self.supplier.setText("Поставщик")
        self.supplier.editingFinished.emit()
        assert self.take.isEnabled()
        assert [row[0].text for row in self.rows.rows()] == ["NVIDIA H200 NVL 141GB", "RDIMM DDR5 64 GB"]
        self._states.segment("rejected").click()
        refused = [row[0].text for row in self.rows.rows()]
        assert len(refused) == 2 and "Riser X" in refused[0]
        return 1

    monkeypatch.setattr(PriceListDialog, "exec", run)
    window.import_prices()
    assert told and "2" in told[-1]
    prices = window._catalog().prices_of("nvidia-h200-nvl-141gb")
    (own,) = [price for price in prices if price.verification == "own"]
    assert (own.low, own.currency, own.vat_included, str(own.vat_rate)) == (2_928_000, "RUB", True, "0.22")

    def taken_again(self: PriceListDialog) -> int:
        self.supplier.setText("Поставщик")
        self.supplier.editingFinished.emit()
        assert not self.take.isEnabled() and len(self.found.unchanged) == 2  # nothing would change
        return 0

    monkeypatch.setattr(PriceListDialog, "exec", taken_again)
    window.import_prices()


def test_a_file_that_is_no_price_list_is_refused_in_one_sentence(
    open_: OpenWindow, tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_()
    for name, content in (("broken.xlsx", b"PK\x03\x04 cut"), ("empty.csv", b""), ("picture.csv", b"\x89PNG\0\0\1\2")):
        file = tmp_path / name
        file.write_bytes(content)
        monkeypatch.setattr(questions, "ask_price_list_to_open", lambda *_, file=file: file)
        told.clear()
        window.import_prices()
        assert len(told) == 1 and told[0].startswith(name), told


def test_own_prices_are_exported_and_import_unchanged(
    open_: OpenWindow, tmp_path: Path, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_()
    target = tmp_path / "own.xlsx"
    monkeypatch.setattr(questions, "ask_price_list_to_save", lambda *_: target)
    window.export_prices()
    assert told and "own.xlsx" in told[-1] and target.stat().st_size > 0


def test_own_terms_are_kept_and_the_quote_is_computed_by_them(
    open_: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_()
    window.go("result")
    before = window.session.quote.best().server.net

    def run(self: OwnTermsDialog) -> int:
        assert [self.ages[category].value() for category in ("gpu", "memory", "cpu", "cloud")] == [14, 14, 30, 30]
        self.add_discount.click()
        assert self._wrong.text()  # whose, and how much?
        self.supplier.setText("Northgate")
        self.discount.show_value(15)
        self.add_discount.click()
        self.margin.show_value(20)
        self.vendors.setText("Dell, Lenovo, Dell")
        self.ages["gpu"].show_value(60)
        self.accept()
        return self.result()

    monkeypatch.setattr(OwnTermsDialog, "exec", run)
    window.show_own_terms()
    catalog, user = window._catalog(), window._catalog.user
    assert (catalog.margin, catalog.preferred_vendors) == (Decimal("0.2"), ("Dell", "Lenovo"))
    assert catalog.age_limits["gpu"] == 60 and user.age_limits() == {"gpu": 60}
    assert [(kept.vendor, kept.category, kept.share) for kept in user.discounts()] == [
        ("Northgate", "", Decimal("0.15"))
    ]
    assert window.session.quote.best().server.net > before
    totals = window.frame.page("result")._totals.text()
    assert totals.endswith("margin of 20% inside")
