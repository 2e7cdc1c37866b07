"""What a reader may write into the catalog: confirmations and own prices, each in a user.db of its own."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.catalog import Catalog, load_catalog
from desktop.catalog.facts import CONFIRMED, RECALLED
from desktop.catalog.prices import HardwarePrice
from desktop.catalog.records import Cpu, Gpu, Stamp
from desktop.catalog.user_data import UserData
from desktop.ui.catalog_browser.browser import CatalogBrowser
from desktop.ui.catalog_browser.own_entries import ConfirmForm, PriceForm
from desktop.ui.catalog_browser.view import BrowserView
from desktop.ui.catalog_on_hand import CatalogOnHand
from desktop.ui.look import Look
from desktop.ui.theme import LIGHT
from tests.ui.reading import texts_of

DAY = date(2026, 12, 1)
OpenBrowser = Callable[..., CatalogBrowser]


def a_button(within: QWidget, text: str) -> QPushButton:
    return next(button for button in within.findChildren(QPushButton) if button.text() == text and button.isVisible())


@pytest.fixture
def half_known() -> Catalog:
    """One CPU whose lanes nobody read, and one GPU with an old price."""
    cpu = Cpu(
        id="cpu-a",
        name="CPU A",
        vendor="AMD",
        cores=64,
        tdp_w=360,
        memory_channels=12,
        pcie_lanes=128,
        source="data sheet",
        as_of="2026-10",
        verification="part-read",
        recalled=("pcie_lanes",),
    )
    card = Gpu(
        id="gpu-a",
        name="GPU A",
        short="A",
        vendor="NVIDIA",
        architecture="Hopper",
        form_factor="PCIe",
        memory_gb=94,
        source="data sheet",
        as_of="2026-10",
        verification="read",
    )
    price = HardwarePrice(
        part="gpu-a",
        category="gpu",
        low=Decimal("25000.5"),
        high=30_000,
        currency="USD",
        kind="street",
        region="US",
        source="a shop",
        as_of="2026-04",
        verification="read",
    )
    stamp = Stamp(version="2026-12-01", built=DAY, sha256="0" * 64)
    return Catalog(stamp, cpus=(cpu,), gpus=(card,), hardware_prices=(price,))


@pytest.fixture
def browse(qtbot: QtBot, half_known: Catalog, tmp_path: Path, qapp: object) -> OpenBrowser:
    def make(language: str = "en") -> CatalogBrowser:
        look = Look(LIGHT, language)
        on_hand = CatalogOnHand(lambda: half_known, UserData(tmp_path / "user.db"))
        parent = QWidget()
        qtbot.addWidget(parent)

        def changed() -> None:
            on_hand.renew()
            browser.rebuild(look)

        browser = CatalogBrowser(parent, look, on_hand, changed, DAY)
        browser.on_hand, browser.kept = on_hand, parent
        browser.show()
        return browser

    return make


def shown(browser: CatalogBrowser, table: str) -> BrowserView:
    browser.view.show_table(table)
    browser.view.show_pane()
    return browser.view


def test_a_recalled_value_is_called_unverified_and_can_be_confirmed(
    browse: OpenBrowser, qtbot: QtBot, half_known: Catalog
) -> None:
    browser = browse()
    view = shown(browser, "cpus")
    assert texts_of(view.pane).count("Unverified") == 2
    a_button(view.pane, "Confirm…").click()
    form = view.pane.findChild(ConfirmForm)
    assert any("PCIe lanes: 128" in text and "1 Dec 2026" in text for text in texts_of(form))
    form.submit()
    assert form.wrong() == "A confirmation needs a name."
    form.by.setText("I. Ivanova")
    qtbot.keyClick(form.by, Qt.Key.Key_Return)
    browser.view.show_pane()
    origin = browser.on_hand().cpus[0].origin("pcie_lanes")
    assert (origin.verification, origin.as_of) == (CONFIRMED, "2026-12-01") and "I. Ivanova" in origin.source
    assert "Unverified" not in texts_of(browser.view.pane)
    assert half_known.cpus[0].unverified("pcie_lanes"), "what is shipped stays as it is"
    a_button(browser.view.pane, "Withdraw").click()
    browser.view.show_pane()
    assert browser.on_hand().cpus[0].unverified("pcie_lanes")


def test_the_name_is_asked_once(browse: OpenBrowser) -> None:
    browser = browse()
    browser.on_hand.user.confirm("gpus", "gpu-a", "memory_gb", json.dumps(94), "I. Ivanova", DAY - timedelta(days=9))
    view = shown(browser, "cpus")
    a_button(view.pane, "Confirm all of it…").click()
    form = view.pane.findChild(ConfirmForm)
    assert form.by.text() == "I. Ivanova" and form.focusProxy() is form.keep


def test_an_own_price_is_kept_beside_the_shipped_one_and_can_be_removed(browse: OpenBrowser) -> None:
    browser = browse()
    view = shown(browser, "gpus")
    assert {"$25,000.50–$30,000", "Stale"} <= set(texts_of(view.pane))
    a_button(view.pane, "Own price…").click()
    form = view.pane.findChild(PriceForm)
    form.submit()
    assert form.wrong() == "A price above zero is needed."
    form.amount.lineEdit().setText("27 400")
    form.amount.lineEdit().textEdited.emit("27400")
    form.submit()
    assert form.wrong() == "Whose price is it?"
    form.supplier.setText("Vendor Ltd")
    form.vat.show_value(True)
    form.submit()
    kept = browser.on_hand.user.prices()
    assert [(p.part, p.low, p.high, p.currency, p.kind, p.vat_included, p.supplier, p.as_of) for p in kept] == [
        ("gpu-a", 27_400, 27_400, "USD", "quote", True, "Vendor Ltd", "2026-12-01")
    ]
    browser.view.show_pane()
    said = texts_of(browser.view.pane)
    assert {"$27,400", "Yours", "$25,000.50–$30,000"} <= set(said)
    a_button(browser.view.pane, "Remove").click()
    assert browser.on_hand.user.prices() == ()
    assert len(browser.on_hand().hardware_prices) == 1


def test_what_is_not_the_users_own_offers_no_edit(browse: OpenBrowser) -> None:
    browser = browse()
    view = shown(browser, "hardware_prices")
    assert [button.text() for button in view.pane.findChildren(QPushButton)] == []


def test_an_entry_that_cannot_be_written_is_said_and_nothing_changes(browse: OpenBrowser, tmp_path: Path) -> None:
    browser = browse()
    view = shown(browser, "cpus")
    (tmp_path / "user.db").write_bytes(b"no database at all, but a file of somebody else's making" * 20)
    a_button(view.pane, "Confirm…").click()
    form = view.pane.findChild(ConfirmForm)
    form.by.setText("I. Ivanova")
    form.submit()
    assert "user.db" in form.wrong()
    browser.on_hand.renew()
    browser.rebuild(Look(LIGHT, "ru"))
    assert any("user.db" in text for text in texts_of(browser.view)), "the shipped facts are shown, and why only they"
    assert browser.on_hand().cpus[0].verification == "part-read"


def test_the_shipped_catalog_is_shown_where_there_is_no_user_data(tmp_path: Path) -> None:
    on_hand = CatalogOnHand(load_catalog, UserData(tmp_path / "user.db"))
    assert on_hand() is on_hand.shipped()
    assert on_hand.trouble is None and not (tmp_path / "user.db").exists()
    assert any(cpu.unverified("memory_speed") or cpu.verification != RECALLED for cpu in on_hand().cpus)
