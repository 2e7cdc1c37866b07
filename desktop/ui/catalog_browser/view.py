"""What stands in the browser: shelves left, search, filters and rows in the middle, the facts of one row right."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QStackedWidget, QWidget

from desktop.catalog.browsing import MOST_COMPARED, ComparedField, Library, Row, in_order
from desktop.ui.catalog_browser.comparison import Comparison
from desktop.ui.catalog_browser.fact_pane import NARROW, WIDE, FactPane
from desktop.ui.catalog_browser.filters import Filters
from desktop.ui.catalog_browser.own_entries import OwnEntries
from desktop.ui.catalog_browser.record_table import RecordTable, framed
from desktop.ui.catalog_browser.shelf_list import ShelfList
from desktop.ui.icons import icon
from desktop.ui.look import Look
from desktop.ui.widgets.buttons import button
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.message import MessageLine
from desktop.ui.widgets.text import label, restyle

BAR_HEIGHT, LIST_WIDTH, FOUND_WIDTH, NARROW_BELOW = 56, 208, 84, 1320
PANE_AFTER_STEP_MS, PANE_AFTER_TYPING_MS = 40, 120  # pane and counts follow when the reader stops
COMPARED_TABLE = "gpus"


@dataclass
class Place:
    """Where the reader is: what a browser that is built anew begins with."""

    table: str = "gpus"
    query: str = ""
    group: str = ""
    verification: str = ""
    stale: bool = False
    key: str = ""
    order: str = ""
    falling: bool = False
    ticked: tuple[str, ...] = ()
    comparing: bool = False


class BrowserView(QWidget):
    def __init__(self, look: Look, library: Library, own: OwnEntries, place: Place, trouble: str = "") -> None:
        super().__init__()
        self._look, self._library, self.place = look, library, place
        self.setProperty("role", "ground")
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._settle)
        lines = column(self, 0)
        lines.addWidget(self._bar())
        if trouble:
            lines.addWidget(MessageLine(look, "bad", trouble, boxed=True))
        middle = row(gap=0)
        lines.addLayout(middle, 1)
        middle.addWidget(self._shelves())
        self.stack = QStackedWidget()
        self.list = self._list()
        self.comparison = Comparison(look, library, self.leave_comparison)
        self.comparison.chosen.connect(lambda _: self._timer.start(PANE_AFTER_STEP_MS))
        self.stack.addWidget(self.list)
        self.stack.addWidget(self.comparison)
        middle.addWidget(self.stack, 1)
        self.pane = FactPane(look, library, own)
        middle.addWidget(self.pane)
        self._show_shelf()
        if place.comparing and len(self._ticked_rows()) > 1:
            self.compare()

    # ------------------------------------------------------------------ building

    def _bar(self) -> QWidget:
        look = self._look
        bar = QFrame()
        bar.setProperty("role", "bar")
        bar.setFixedHeight(BAR_HEIGHT)
        line = row(bar, 16, (20, 0, 20, 0))
        line.addWidget(label(look.say("browser.title"), "title"))
        self.search = QLineEdit(self.place.query)
        self.search.setObjectName("catalog.search")
        self.search.setPlaceholderText(look.say("browser.search"))
        self.search.setAccessibleName(look.say("browser.search"))
        self.search.setMaxLength(200)
        self.search.addAction(icon("search", look.theme.text3), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._typed)
        self.search.installEventFilter(self)
        line.addWidget(self.search, 1)
        self.found = label("", "caption", right=True)
        self.found.setMinimumWidth(FOUND_WIDTH)
        line.addWidget(self.found)
        return bar

    def _shelves(self) -> QWidget:
        look, frame = self._look, QFrame()
        frame.setProperty("role", "rail")
        frame.setFixedWidth(LIST_WIDTH)
        lines = column(frame, 6, (0, 8, 0, 10))
        self.shelves = ShelfList(look)
        self.shelves.chosen.connect(self.show_table)
        lines.addWidget(self.shelves, 1)
        stamp = self._library.catalog.stamp
        day = look.numerals.date_short(stamp.built)
        foot = row(margins=(14, 0, 8, 0))
        foot.addWidget(label(look.say("rail.catalog", date=day), "caption"))
        lines.addLayout(foot)
        return frame

    def _list(self) -> QWidget:
        look, widget = self._look, QWidget()
        lines = column(widget, 10, (20, 12, 20, 14))
        self.filters = Filters(look)
        self.filters.edited.connect(self._filtered)
        lines.addWidget(self.filters)
        self.table = RecordTable(look, self._library)
        self.table.chosen.connect(lambda _: self._timer.start(PANE_AFTER_STEP_MS))
        self.table.toggled.connect(self.toggle)
        self.table.ordered.connect(self._ordered)
        self.table.typed.connect(self._typed_in_table)
        self.table.entered.connect(self._entered)
        lines.addWidget(framed(self.table), 1)
        self._nothing = label("", "muted", wrap=True)
        lines.addWidget(self._nothing)
        self._ticks = QWidget()
        ticks = row(self._ticks, 10)
        self._ticked = label("", "small")
        ticks.addWidget(self._ticked, 1)
        self._clear = button(look, look.say("browser.clear"), self.clear_ticks, "quiet")
        ticks.addWidget(self._clear)
        self.compare_button = button(look, look.say("browser.compare"), self.compare, "primary")
        ticks.addWidget(self.compare_button)
        lines.addWidget(self._ticks)
        return widget

    # ------------------------------------------------------------------ showing

    def show_table(self, table: str) -> None:
        """Another shelf; the search stays, the filters of the old one do not."""
        self.place.table, self.place.group, self.place.verification, self.place.stale = table, "", "", False
        self.place.key, self.place.order, self.place.falling, self.place.comparing = "", "", False, False
        self._show_shelf()
        self.show_pane()

    def _show_shelf(self) -> None:
        shelf = self._library.shelf(self.place.table)
        self.stack.setCurrentWidget(self.list)
        self.filters.show_shelf(shelf, self.place.group, self.place.verification, self.place.stale)
        tickable = self.place.table == COMPARED_TABLE
        self.table.show_shelf(shelf, tickable)
        self.table.setAccessibleName(self._look.say(f"shelf.{self.place.table}"))
        self._ticks.setVisible(tickable)
        self.table.show_order(self.place.order, self.place.falling)
        self._show_counts()
        self.shelves.show_table(self.place.table)
        self._show_ticks()
        self.show_found()

    def show_found(self) -> None:
        """Rows of the shelf that search and filters leave."""
        place, shelf = self.place, self._library.shelf(self.place.table)
        rows = shelf.find(place.query, place.group, place.verification, place.stale)
        if place.order:
            rows = in_order(rows, place.order, place.falling)
        self.table.show_rows(rows, place.key)
        numerals = self._look.numerals
        self.found.setText(
            self._look.say("browser.found", shown=numerals.number(len(rows)), all=numerals.number(len(shelf.rows)))
        )
        self._nothing.setText(self._look.say("browser.nothing" if shelf.rows else "browser.empty") if not rows else "")
        self._nothing.setVisible(not rows)

    def _show_counts(self) -> None:
        tables = self.shelves.tables
        self.shelves.show_counts({table: self._library.shelf(table).count(self.place.query) for table in tables})

    def show_pane(self) -> None:
        """Bring the pane to what the reader stands on."""
        self._timer.stop()
        focus = self.window().focusWidget()
        if focus is not None and self.pane.isAncestorOf(focus):
            self.table.setFocus()  # what had the focus goes away with the old facts
        if self.stack.currentWidget() is self.comparison:
            compared = self._compared()
            if compared is not None:
                self.pane.show_property(compared, self.comparison.rows_of)
            return
        shown = self.table.row()
        if shown is None:
            self.pane.show_nothing(self._look.say("browser.choose"))
            return
        self.place.key = shown.key
        self.pane.show_row(shown)

    def _compared(self) -> ComparedField | None:
        place, fields = self.comparison.table.currentIndex().row(), self.comparison.shown()
        return fields[place] if 0 <= place < len(fields) else None

    # ------------------------------------------------------------------ searching and filtering

    def _typed(self, text: str) -> None:
        self.place.query = text
        self.place.comparing = False
        self.stack.setCurrentWidget(self.list)
        self.show_found()
        self._timer.start(PANE_AFTER_TYPING_MS)

    def _settle(self) -> None:
        self._show_counts()
        self.show_pane()

    def _typed_in_table(self, text: str) -> None:
        self.search.setFocus()
        self.search.setText(self.search.text() + text)

    def _filtered(self, field: str, value: object) -> None:
        setattr(self.place, field, value)
        self.show_found()

    def _ordered(self, field: str) -> None:
        if field == "tick":
            return
        place = self.place
        if place.order == field and place.falling:
            place.order, place.falling = "", False
        else:
            place.falling = place.order == field
            place.order = field
        self.table.show_order(place.order, place.falling)
        self.show_found()

    def _entered(self) -> None:
        """Enter goes from the row to what can be done with it, as Tab would from the end of the table."""
        self.show_pane()
        stops = [widget for widget in self.pane.findChildren(QWidget) if _takes_focus(widget)]
        if stops:
            stops[0].setFocus(Qt.FocusReason.TabFocusReason)

    # ------------------------------------------------------------------ comparing

    def toggle(self, key: str) -> None:
        """Tick a GPU for the comparison, or take the tick away."""
        ticked = self.place.ticked
        if key in ticked:
            self.place.ticked = tuple(other for other in ticked if other != key)
        elif len(ticked) < MOST_COMPARED:
            self.place.ticked = (*ticked, key)
        else:
            restyle(self._ticked, tone="warn")
            self._ticked.setText(self._look.say("browser.tick_full", most=MOST_COMPARED))
            return
        self._show_ticks()

    def clear_ticks(self) -> None:
        self.place.ticked = ()
        self._show_ticks()
        self.table.setFocus()

    def compare(self) -> None:
        """The ticked GPUs side by side."""
        self.place.comparing = True
        self.comparison.show_gpus(self._ticked_rows())
        self.stack.setCurrentWidget(self.comparison)
        self.comparison.table.setFocus()
        self.show_pane()

    def leave_comparison(self) -> None:
        self.place.comparing = False
        self.stack.setCurrentWidget(self.list)
        self.table.setFocus()
        self.show_pane()

    def _ticked_rows(self) -> list[Row]:
        shelf = self._library.shelf(COMPARED_TABLE)
        return [found for key in self.place.ticked if (found := shelf.row(key)) is not None]

    def _show_ticks(self) -> None:
        rows, say = self._ticked_rows(), self._look.say
        restyle(self._ticked, tone="")
        self._ticked.setText(
            say("browser.ticked", count=len(rows), most=MOST_COMPARED)
            if rows
            else say("browser.tick_hint", most=MOST_COMPARED)
        )
        self.compare_button.setEnabled(len(rows) > 1)
        self._clear.setVisible(bool(rows))
        if self.table.records.tickable:
            self.table.records.show_ticks(self.place.ticked)

    # ------------------------------------------------------------------ Qt tells

    def escape(self, close: Callable[[], object]) -> None:
        """One step back: from the comparison, then from the search, then out."""
        if self.stack.currentWidget() is self.comparison:
            self.leave_comparison()
        elif self.search.text():
            self.search.clear()
            self.search.setFocus()
        else:
            close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the search field the arrows step through the rows, Enter goes to them."""
        if watched is self.search and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}
            key = Qt.Key(event.key())
            if key in steps:
                self.table.step(steps[key])
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.table.setFocus()
                return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.pane.setFixedWidth(NARROW if self.width() < NARROW_BELOW else WIDE)


def _takes_focus(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
