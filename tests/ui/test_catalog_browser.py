"""The catalog browser as a reader uses it: keys, filters, the comparison, and what may be written."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.catalog.browsing import LAYOUTS, MOST_COMPARED
from desktop.catalog.user_data import user_file
from desktop.ui.catalog_browser.own_entries import PriceForm
from desktop.ui.catalog_browser.view import BrowserView
from desktop.ui.main_window import MainWindow
from desktop.words.numerals import NBSP
from tests.ui.conftest import OpenWindow
from tests.ui.reading import texts_of


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """User data of one test is not that of another."""
    monkeypatch.setenv("RACKWRIGHT_DATA", str(tmp_path / "data"))


@pytest.fixture
def window(open_: OpenWindow) -> Iterator[MainWindow]:
    yield open_()


def opened(window: MainWindow, qtbot: QtBot, size: tuple[int, int] = (1320, 820)) -> BrowserView:
    window.show_catalog()
    assert window.browser is not None
    window.browser.resize(*size)
    qtbot.waitUntil(lambda: not window.browser.view._timer.isActive())
    return window.browser.view


def settled(window: MainWindow, qtbot: QtBot) -> BrowserView:
    """The view as it is once pane and counts have followed."""
    qtbot.waitUntil(lambda: not window.browser.view._timer.isActive() and window.is_settled())
    return window.browser.view


def titles(view: BrowserView) -> list[str]:
    return [row.title for row in view.table.records.rows]


def a_button(within: QWidget, text: str) -> QPushButton:
    return next(button for button in within.findChildren(QPushButton) if button.text() == text and button.isVisible())


# ------------------------------------------------------------------ keys and filters


def test_the_menu_and_the_foot_of_the_rail_open_it_with_the_cursor_in_the_search(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.actions_by_code["catalog"].trigger()
    browser = window.browser
    assert browser.isVisible() and not browser.isModal()
    assert browser.focusWidget() is browser.view.search
    qtbot.keyClick(browser.view.search, Qt.Key.Key_Escape)
    assert not browser.isVisible()
    window.frame.rail._catalog.click()
    assert window.browser is browser and browser.isVisible()


def test_typing_filters_arrows_step_enter_goes_to_the_rows_and_escape_goes_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    view = opened(window, qtbot)
    qtbot.keyClicks(view.search, "h100")
    assert titles(view) and all("H100" in title for title in titles(view))
    assert view.found.text() == f"{len(titles(view))} of {len(window._catalog().gpus)}"
    qtbot.keyClick(view.search, Qt.Key.Key_Down)
    assert view.table.row().title == titles(view)[1]
    settled(window, qtbot)
    assert titles(view)[1] in texts_of(view.pane)
    qtbot.keyClick(view.search, Qt.Key.Key_Return)
    assert window.browser.focusWidget() is view.table
    qtbot.keyClick(view.table, Qt.Key.Key_X)
    assert (view.search.text(), window.browser.focusWidget()) == ("h100x", view.search)
    assert titles(view) == [] and view._nothing.isVisible()
    qtbot.keyClick(view.search, Qt.Key.Key_Escape)
    assert view.search.text() == "" and window.browser.isVisible()
    qtbot.keyClick(view.search, Qt.Key.Key_Escape)
    assert not window.browser.isVisible()


def test_every_shelf_shows_its_rows_and_the_first_one_in_the_pane(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    for place, table in enumerate(LAYOUTS):
        view.shelves.setCurrentIndex(view.shelves.model().index(place, 0))
        rows = getattr(window._catalog(), table)
        assert len(titles(view)) == len(rows)
        view.show_pane()
        assert (titles(view)[0] in texts_of(view.pane)) if rows else view._nothing.isVisible()
        status = view.table.records.columnCount() - 1
        assert not view.table.isColumnHidden(status), table


def test_the_list_counts_what_the_search_finds_in_every_shelf(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    qtbot.keyClicks(view.search, "llama")
    settled(window, qtbot)
    counts = {table: view.shelves._rows.rows[n][1].text for n, table in enumerate(view.shelves.tables)}
    assert int(counts["models"]) >= 20 and counts["gpus"] == "0"


def test_filters_fit_the_shelf_and_go_with_it(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    maker = view.findChild(QComboBox, "filter.group")
    maker.setCurrentIndex(maker.findText("AMD"))
    maker.activated.emit(maker.currentIndex())
    assert {row.record.vendor for row in view.table.records.rows} == {"AMD"}
    view.show_table("hardware_prices")
    assert len(titles(view)) == len(window._catalog().hardware_prices)
    view.filters.only_stale.click()
    assert all(row.stale for row in view.table.records.rows)


def test_a_click_on_a_head_orders_the_rows(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    place = view.table.records.fields.index("mem_bandwidth_gbs")
    values = []
    for _ in range(3):
        view.table.horizontalHeader().sectionClicked.emit(place)
        rows = [row.record.mem_bandwidth_gbs for row in view.table.records.rows]
        values.append([value for value in rows if value is not None])
    assert values[0] == sorted(values[0]) == values[1][::-1]
    assert values[2] != values[0] and view.place.order == ""


# ------------------------------------------------------------------ comparing


def test_up_to_four_gpus_stand_side_by_side(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    assert not view.compare_button.isEnabled()
    view.table.setFocus()
    for _ in range(MOST_COMPARED + 1):
        qtbot.keyClick(view.table, Qt.Key.Key_Space)
        qtbot.keyClick(view.table, Qt.Key.Key_Down)
    ticked = list(view.place.ticked)
    assert ticked == [row.key for row in view.table.records.rows[:MOST_COMPARED]]
    assert view._ticked.text() == "4 at most: take one out first."
    view.compare_button.click()
    cells = view.comparison.table.cells()
    names = [cell.text for row in cells for cell in row[:1]]
    assert {"Bandwidth", "Memory", "BF16, dense"} & set(names)
    assert all(len(row) == MOST_COMPARED + 1 for row in cells)
    assert window.browser.focusWidget() is view.comparison.table
    qtbot.keyClick(view.comparison.table, Qt.Key.Key_Escape)
    assert view.stack.currentWidget() is view.list and window.browser.isVisible()


def test_differing_rows_are_bold_and_every_cell_tells_source_and_age(window: MainWindow, qtbot: QtBot) -> None:
    """H100 SXM 3,350 and H200 4,800 GB/s: NVIDIA's data sheets of both."""
    view = opened(window, qtbot)
    for key in ("nvidia-h100-sxm5-80gb", "nvidia-h200-sxm-141gb"):
        view.toggle(key)
    view.compare()
    rows = {row[0].text: row for row in view.comparison.table.cells()}
    bandwidth, maker = rows["Bandwidth"], rows["Maker"]
    assert [cell.text for cell in bandwidth[1:]] == ["3,350", "4,800"] and bandwidth[0].sub == "GB/s"
    assert [cell.weight for cell in (*bandwidth[1:], *maker[1:])] == ["bold", "bold", "", ""]
    record = window._catalog().gpu("nvidia-h100-sxm5-80gb")
    assert record.origin("mem_bandwidth_gbs").source in bandwidth[1].tip and "old" in bandwidth[1].tip
    view.comparison.which.segment(True).click()
    assert "Maker" not in [row[0].text for row in view.comparison.table.cells()]
    fields = [compared.field for compared in view.comparison.shown()]
    view.comparison.table.setCurrentIndex(view.comparison.table.model().index(fields.index("mem_bandwidth_gbs"), 0))
    settled(window, qtbot)
    said = texts_of(view.pane)
    assert {"Bandwidth", f"3,350{NBSP}GB/s", f"4,800{NBSP}GB/s"} <= set(said)
    assert any(record.origin("mem_bandwidth_gbs").source == text for text in said)


def test_a_search_leaves_the_comparison_and_keeps_the_cursor(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    for key in ("nvidia-h100-sxm5-80gb", "nvidia-h200-sxm-141gb"):
        view.toggle(key)
    view.compare()
    window.browser.search()
    qtbot.keyClicks(view.search, "h2")
    assert view.stack.currentWidget() is view.list and window.browser.focusWidget() is view.search
    assert view.search.text() == "h2" and titles(view)


def test_enter_on_a_row_goes_to_what_can_be_done_with_it(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    qtbot.keyClicks(view.search, "h100 sxm")
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_Return)
    focus = window.browser.focusWidget()
    assert isinstance(focus, QPushButton) and view.pane.isAncestorOf(focus)


# ------------------------------------------------------------------ what the reader writes


def test_the_quote_is_computed_anew_by_an_own_price(window: MainWindow, qtbot: QtBot) -> None:
    """A price of the user's own that is far below all others becomes the unit price of the GPU it is of."""
    before = window.session.quote
    gpu = window._catalog().gpu(before.best().gpu)
    view = opened(window, qtbot)
    view.search.setText(gpu.id)
    view.show_pane()
    a_button(view.pane, "Own price…").click()
    form = view.pane.findChild(PriceForm)
    form.amount.lineEdit().setText("1")
    form.amount.lineEdit().textEdited.emit("1")
    form.supplier.setText("Vendor Ltd")
    form.submit()
    settled(window, qtbot)
    assert window.session.quote is not before
    assert [price.supplier for price in window._catalog().hardware_prices if price.verification == "own"] == [
        "Vendor Ltd"
    ]
    assert user_file().exists()
    with sqlite3.connect(user_file()) as database:
        assert database.execute("SELECT count(*) FROM prices").fetchone() == (1,)


# ------------------------------------------------------------------ how it looks


def test_language_and_theme_keep_search_and_ticks(window: MainWindow, qtbot: QtBot) -> None:
    view = opened(window, qtbot)
    view.show_table("gpus")
    view.toggle("nvidia-h100-sxm5-80gb")
    qtbot.keyClicks(view.search, "h100")
    window.set_language("ru")
    window.set_theme("dark")
    view = settled(window, qtbot)
    assert window.browser.windowTitle() == "Каталог"
    assert view.search.text() == "h100" and all("H100" in title for title in titles(view))
    assert view.place.ticked == ("nvidia-h100-sxm5-80gb",)
    assert view._ticked.text() == "Для сравнения: 1 из 4"
    assert len(window.browser.findChildren(BrowserView, options=Qt.FindChildOption.FindDirectChildrenOnly)) <= 3


@pytest.mark.parametrize("size", [(1440, 900), (1180, 720)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_nothing_is_cut_off_and_everything_has_a_name(
    open_: OpenWindow, qtbot: QtBot, language: str, size: tuple[int, int]
) -> None:
    window = open_(language)
    view = opened(window, qtbot, size)
    for table in LAYOUTS:
        view.show_table(table)
        view.show_pane()
        qtbot.wait(5)
        cut = [
            f"{table}: {widget.text()}"
            for widget in (*view.findChildren(QLabel), *view.findChildren(QPushButton))
            if widget.isVisible()
            and widget.text()
            and not (isinstance(widget, QLabel) and widget.wordWrap())
            and widget.width() < widget.sizeHint().width()
        ]
        assert cut == []
        assert view.pane.widget().minimumSizeHint().width() <= view.pane.viewport().width(), table
    nameless = [
        f"{type(child).__name__} {child.objectName()}"
        for child in view.findChildren(QWidget)
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus
        and child.isVisible()
        and not child.objectName().startswith("qt_")
        and not (child.accessibleName() or isinstance(child.parent(), QComboBox | QAbstractSpinBox))
    ]
    assert nameless == []
