"""Spec sheet: exactly what the customer will read, with the few facts that only the document needs."""

from datetime import date

from PySide6.QtCore import QDate, Qt, QTimer, Signal
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QDateEdit, QFrame, QLabel, QWidget

from desktop.request import Problem
from desktop.ui.look import Look
from desktop.ui.page_setter import PageSetter
from desktop.ui.pages.page import Page
from desktop.ui.widgets.buttons import Segmented
from desktop.ui.widgets.card import Card
from desktop.ui.widgets.disclosure import Disclosure
from desktop.ui.widgets.layouts import clear, column, field_grid, row
from desktop.ui.widgets.no_wheel import guard
from desktop.ui.widgets.text import label

DRAW_AFTER_MS = 150  # not for every keystroke
DOTS_PER_INCH = 144
WIDEST, NARROWEST = 820, 360


class SpecPage(Page):
    name = "spec"

    def build(self) -> None:
        say = self.look.say
        self._zoom = Segmented([("width", say("spec.fit_width")), ("page", say("spec.fit_page"))], say("spec.zoom"))
        self._zoom.show_value("width")
        self._zoom.edited.connect(lambda _: self._resize_sheets())
        self.aside(self._zoom)
        document = Card(say("spec.document"))
        document.add(
            field_grid(
                [
                    self.text("name", 240),
                    self.text("number", 150),
                    self.segments("language", [("en", "English"), ("ru", "Русский")]),
                ],
                [
                    self.bind("issued_on", DayField(self.look)),
                    self.number("valid_days", unit=say("unit.days"), width=84),
                    self.number("revision", width=84),
                ],
            )
        )
        inside = QWidget()
        column(inside, 0).addLayout(field_grid([self.text("supplier.name", 300), self.text("customer.name", 300)]))
        document.add(Disclosure(self.look, say("spec.parties"), inside, say("spec.parties_note")))
        self.add(document)
        self._status = label("", "muted", wrap=True)
        self.add(self._status)
        self._sheets = column(gap=16)
        self.layout_.addLayout(self._sheets)
        self._pictures: list[QPixmap] = []
        self._drawn: object = None
        self._timer = QTimer(self, singleShot=True, interval=DRAW_AFTER_MS)
        self._timer.timeout.connect(self.draw)
        self._setter = PageSetter(self, DOTS_PER_INCH)
        self._setter.ready.connect(self._set)

    def show_answer(self) -> None:
        ready = self.session.quote is not None and self.session.is_current()
        if not ready:
            self._show_pages([])
            self._drawn = None
            self._status.setText(self.look.say("spec.waits"))
        elif self._drawn != (self.session.project, self.session.quote):
            self._timer.start()
        self._status.setVisible(not ready)

    def draw(self) -> None:
        """Have the document set; the pages on screen stay until the new ones are there."""
        quote, project = self.session.quote, self.session.project
        if quote is not None and self.session.is_current():
            self._drawn = (project, quote)
            self._setter.order(project, quote)

    def _set(self, outcome: object) -> None:
        if isinstance(outcome, Problem):
            self._show_pages([])
            self._status.setText(self.look.problem(outcome))
            self._status.setVisible(True)
        elif isinstance(outcome, Exception):
            raise outcome
        else:
            pictures = [QPixmap() for _ in outcome]
            for picture, page in zip(pictures, outcome, strict=True):
                picture.loadFromData(page)
            self._show_pages(pictures)

    def page_count(self) -> int:
        return len(self._pictures)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resize_sheets()

    def _show_pages(self, pictures: list[QPixmap]) -> None:
        if len(pictures) != self._sheets.count():
            clear(self._sheets)
            for _ in pictures:
                frame = QFrame()
                frame.setProperty("role", "sheet")
                inside = row(frame, 0, (1, 1, 1, 1))
                inside.addWidget(QLabel())
                self._sheets.addWidget(frame, 0, Qt.AlignmentFlag.AlignHCenter)
        self._pictures = pictures
        for number, sheet in enumerate(self._labels(), 1):
            sheet.setAccessibleName(self.look.say("spec.page", number=number, count=len(pictures)))
        self._resize_sheets()

    def _labels(self) -> list[QLabel]:
        frames = [self._sheets.itemAt(place).widget() for place in range(self._sheets.count())]
        return [frame.layout().itemAt(0).widget() for frame in frames]  # type: ignore[misc]

    def _resize_sheets(self) -> None:
        for picture, sheet in zip(self._pictures, self._labels(), strict=False):
            width = min(WIDEST, max(NARROWEST, self.width() - 60))
            if self._zoom.value() == "page":
                room = self.window().height() - 240
                width = min(width, max(NARROWEST, round(room * picture.width() / max(1, picture.height()))))
            ratio = self.devicePixelRatioF()
            shown = picture.scaledToWidth(round(width * ratio), Qt.TransformationMode.SmoothTransformation)
            shown.setDevicePixelRatio(ratio)
            sheet.setPixmap(shown)
            sheet.setFixedSize(width, round(shown.height() / ratio))
        self.layout_.activate()


class DayField(QWidget):
    """The day printed on the document, or none."""

    edited = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        layout = row(self, 8)
        self.on = QCheckBox()
        self.day = QDateEdit()
        self.day.setDisplayFormat("yyyy-MM-dd" if look.language == "en" else "dd.MM.yyyy")
        self.day.setFixedWidth(118)
        self.day.setDate(QDate.currentDate())
        guard(self.day)
        layout.addWidget(self.on)
        self.setFocusProxy(self.on)
        layout.addWidget(self.day)
        self.on.clicked.connect(lambda _: self._changed())
        self.day.userDateChanged.connect(lambda _: self._changed())
        self._look = look

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.on.setAccessibleName(f"{name}: {self._look.say('spec.print_day')}")
        self.day.setAccessibleName(name)

    def value(self) -> date | None:
        day = self.day.date()
        return date(day.year(), day.month(), day.day()) if self.on.isChecked() else None

    def show_value(self, value: date | None) -> None:
        self.on.setChecked(value is not None)
        self.day.setEnabled(value is not None)
        if value is not None:
            self.day.blockSignals(True)
            self.day.setDate(QDate(value.year, value.month, value.day))
            self.day.blockSignals(False)

    def _changed(self) -> None:
        self.day.setEnabled(self.on.isChecked())
        self.edited.emit(self.value())
