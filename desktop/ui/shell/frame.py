"""Everything inside the window: top bar, step list, the pages and their footer in the middle, the answer right."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QStackedWidget, QWidget

from desktop.project.flow import STEP_NAMES, Step, page_of
from desktop.ui.desk import Desk
from desktop.ui.pages.costs import CostsPage
from desktop.ui.pages.model import ModelPage
from desktop.ui.pages.page import Page
from desktop.ui.pages.result import ResultPage
from desktop.ui.pages.site import SitePage
from desktop.ui.pages.spec import SpecPage
from desktop.ui.pages.workload import WorkloadPage
from desktop.ui.pane.export_block import ExportBlock
from desktop.ui.pane.result_pane import ResultPane
from desktop.ui.shell.actions import Actions
from desktop.ui.shell.footer import Footer
from desktop.ui.shell.rail import Rail
from desktop.ui.shell.summaries import summaries
from desktop.ui.shell.top_bar import TopBar
from desktop.ui.widgets.disclosure import Disclosure
from desktop.ui.widgets.layouts import column, row

PAGES: dict[str, type[Page]] = {
    page.name: page for page in (ModelPage, WorkloadPage, SitePage, ResultPage, CostsPage, SpecPage)
}
NARROW_RAIL_BELOW, NARROW_PANE_BELOW = 1320, 1240


class Frame(QWidget):
    def __init__(self, desk: Desk, actions: Actions, theme_choice: str, page_name: str) -> None:
        super().__init__()
        self._desk, self._session = desk, desk.session
        self.setProperty("role", "ground")
        lines = column(self, 0)
        self.top = TopBar(desk.look, actions, theme_choice)
        lines.addWidget(self.top)
        middle = row(gap=0)
        lines.addLayout(middle, 1)
        self.rail = Rail(desk.look, STEP_NAMES, desk.go, actions.show_catalog)
        middle.addWidget(self.rail)
        centre = column(gap=0)
        self.stack = QStackedWidget()
        centre.addWidget(self.stack, 1)
        self.footer = Footer(desk.look, actions)
        centre.addWidget(self.footer)
        middle.addLayout(centre, 1)
        self.pane = ResultPane(desk)
        self.export_block = ExportBlock(desk)
        self.pane.extra.addWidget(self.export_block)
        middle.addWidget(self.pane)
        self.pages: dict[str, Page] = {}
        self.scrolls: dict[str, QScrollArea] = {}
        self.page_name = page_name
        self.show_page(page_name)

    def page(self, name: str) -> Page:
        """A page, made when it is first asked for."""
        if name not in self.pages:
            page = PAGES[name](self._desk)
            scroll = QScrollArea()
            scroll.setWidgetResizable(True)
            scroll.setFrameShape(QFrame.Shape.NoFrame)
            scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            scroll.setWidget(page)
            self.pages[name], self.scrolls[name] = page, scroll
            self.stack.addWidget(scroll)
        return self.pages[name]

    def present_page(self) -> Page:
        return self.page(self.page_name)

    def show_page(self, name: str) -> None:
        """Bring a page to the front, its fields as the session has them."""
        known, page = name in self.pages, self.page(name)
        if name != self.page_name and known:
            page.load()  # other pages may ask for the same fields
        self.page_name = name
        focus = self.window().focusWidget()
        inside = focus is not None and self.stack.isAncestorOf(focus)
        self.stack.setCurrentWidget(self.scrolls[name])
        if inside:
            page.setFocus()  # else Qt gives the focus to whatever comes next in the window
        self.footer.show_page(name)

    def page_with(self, field: str) -> str:
        """Name of the page that asks for a field; several may, then the one where it belongs."""
        address, likely = self._session.address_of(field), page_of(field)
        return next((name for name in (likely, *STEP_NAMES) if self.page(name).stop(address)), likely)

    def focus_field(self, field: str) -> None:
        """Put the focus into a field of the present page and scroll it into sight."""
        stop = self.present_page().stop(self._session.address_of(field))
        if stop is not None:
            for fold in self.present_page().findChildren(Disclosure):
                if fold.isAncestorOf(stop):
                    fold.unfold()
            stop.setFocus()
            self.scrolls[self.page_name].ensureWidgetVisible(stop)

    def show_answer(self, steps: tuple[Step, ...], catalog: str) -> None:
        """Show what the session knows: steps, answer, the present page."""
        look, session = self._desk.look, self._session
        self.rail.show_steps(steps, summaries(look, session, steps), self.page_name, catalog)
        self.pane.compact = self.page_name == "spec"
        self.pane.show_answer(steps)
        self.export_block.setVisible(self.pane.compact)
        if self.pane.compact:
            self.export_block.show_steps(steps)
        page = self.present_page()
        page.show_answer()
        problem = session.problem
        field = session.address_of(problem.field) if problem else ""
        page.show_problem(field, look.problem(problem) if problem else "")

    def focus_region(self, step: int) -> None:
        """Rail, page, pane: to the first field of the next one, or of the one before."""
        regions = [self.rail, self.stack, self.pane]
        focus = QApplication.focusWidget()
        here = next((n for n, region in enumerate(regions) if focus is not None and region.isAncestorOf(focus)), -1)
        stops = [
            widget
            for widget in regions[(here + step) % len(regions)].findChildren(QWidget)
            if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        if stops:
            stops[0].setFocus(Qt.FocusReason.TabFocusReason)

    def scroll_position(self) -> int:
        return self.scrolls[self.page_name].verticalScrollBar().value()

    def scroll_to(self, position: int) -> None:
        self.scrolls[self.page_name].verticalScrollBar().setValue(position)

    def fit(self, width: int) -> None:
        """Make room in a small window: marks instead of step names, a slimmer answer."""
        self.rail.narrow(width < NARROW_RAIL_BELOW)
        self.top.narrow(width < NARROW_PANE_BELOW)
        self.pane.narrow(width < NARROW_PANE_BELOW)
