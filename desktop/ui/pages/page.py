"""What every page is: a title, cards below it, and fields bound to addresses of the session."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from PySide6.QtWidgets import QWidget

from desktop.project.document import Party, Project
from desktop.request import Economics, Engine, InferenceNeed, Policy, Problem, TrainingNeed, Vat
from desktop.ui.desk import Desk
from desktop.ui.limits import Limits, limits_of
from desktop.ui.widgets.buttons import Segmented
from desktop.ui.widgets.choices import Choice, Several, TextField
from desktop.ui.widgets.field import Field
from desktop.ui.widgets.layouts import column, row
from desktop.ui.widgets.number_field import NumberField
from desktop.ui.widgets.text import label

RECORDS = {
    "inference": InferenceNeed,
    "training": TrainingNeed,
    "policy": Policy,
    "economics": Economics,
    "inference.engine": Engine,
    "economics.vat": Vat,
    "customer": Party,
    "supplier": Party,
    "": Project,
}


@dataclass(frozen=True)
class Scale:
    """How a stored figure is shown: shown = stored · times + plus."""

    times: float = 1
    plus: float = 0

    def shown(self, stored: Any) -> Any:
        return None if stored is None else _plain(float(stored) * self.times + self.plus)

    def stored(self, shown: Any) -> Any:
        return None if shown is None else _plain((shown - self.plus) / self.times)

    def limits(self, limits: Limits) -> Limits:
        return Limits(self.shown(limits.low), self.shown(limits.high), limits.above)


PERCENT = Scale(times=100)
MILLISECONDS = Scale(times=1000)
GROWTH = Scale(times=100, plus=-100)


@dataclass(frozen=True)
class Binding:
    """A control, the field around it, and how values go in and out."""

    address: str
    control: Any
    field: Field
    shown: Callable[[Any], Any]
    stored: Callable[[Any], Any]


class Page(QWidget):
    name = ""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk, self.look, self.session = desk, desk.look, desk.session
        self.setProperty("role", "ground")
        self.setObjectName(f"page.{self.name}")
        self.bindings: dict[str, Binding] = {}
        self.layout_ = column(self, 12, (28, 16, 28, 16))
        self._aside = row(gap=8)
        head = row(gap=8)
        titles = column(gap=1)
        titles.addWidget(label(self.look.say(f"step.{self.name}"), "title"))
        titles.addWidget(label(self.look.say(f"{self.name}.purpose"), "muted", wrap=True))
        head.addLayout(titles, 1)
        head.addLayout(self._aside)
        self.layout_.addLayout(head)
        self.build()
        self.layout_.addStretch(1)
        self.load()

    def build(self) -> None:
        """Put the page's cards together."""
        raise NotImplementedError

    def show_answer(self) -> None:
        """Show what follows from the request; called after every answer."""

    def aside(self, widget: QWidget) -> None:
        self._aside.addWidget(widget)

    def add(self, widget: QWidget) -> None:
        self.layout_.addWidget(widget)

    # ------------------------------------------------------------------ fields

    def number(
        self,
        address: str,
        unit: str = "",
        hint: str = "",
        scale: Scale | None = None,
        step: float = 1,
        width: int = 112,
        whole: bool = True,
        optional: bool = False,
        decimal: bool = False,
    ) -> Field:
        """A field for a number of the request, with the limits its record sets."""
        scale = scale or Scale()
        owner, _, name = address.rpartition(".")
        control = NumberField(self.look, scale.limits(limits_of(RECORDS[owner], name)), whole, step, width, optional)
        stored = (
            (lambda shown: None if shown is None else Decimal(str(scale.stored(shown)))) if decimal else scale.stored
        )
        return self.bind(address, control, unit, hint, scale.shown, stored)

    def percent(self, address: str, step: float = 1, hint: str = "") -> Field:
        """A share of the request, told in percent."""
        return self.number(address, "%", hint, PERCENT, step, 84, whole=False)

    def segments(self, address: str, options: Sequence[tuple[Any, str]], hint: str = "") -> Field:
        return self.bind(address, Segmented(options), hint=hint)

    def choice(
        self, address: str, options: Sequence[tuple[Any, str]], unit: str = "", hint: str = "", width: int = 150
    ) -> Field:
        return self.bind(address, Choice(options, width), unit, hint)

    def several(self, address: str, options: Sequence[tuple[Any, str]], hint: str = "") -> Field:
        return self.bind(address, Several(options, at_least_one=True), hint=hint)

    def text(self, address: str, width: int = 0, hint: str = "") -> Field:
        return self.bind(address, TextField(width), hint=hint)

    def bind(
        self,
        address: str,
        control: Any,
        unit: str = "",
        hint: str = "",
        shown: Callable[[Any], Any] = lambda value: value,
        stored: Callable[[Any], Any] = lambda value: value,
    ) -> Field:
        """Tie a control to an address. Its caption is the phrase `field.<address>`."""
        field = Field(self.look.say(f"field.{address}"), control, unit, hint)
        control.setObjectName(address)
        self.bindings[address] = Binding(address, control, field, shown, stored)
        control.edited.connect(lambda value: self._edited(address, value))
        if isinstance(control, NumberField):
            control.refused.connect(lambda sentence: self._refused(address, sentence))
        return field

    def hint(self, address: str, text: str) -> None:
        """Say under a field what its value means, unless something is wrong there."""
        field = self.bindings[address].field
        if not field.problem():
            field.say_hint(text)

    def load(self) -> None:
        """Show what the session holds; an impossible entry that was left behind is gone."""
        for binding in self.bindings.values():
            if self.has(binding.address):
                binding.control.show_value(binding.shown(self.session.value(binding.address)))
                binding.field.say_problem("")
            self.session.refused.pop(binding.address, None)

    def has(self, address: str) -> bool:
        """Whether the project has that field now: a training field has no place in a serving project."""
        head = address.split(".")[0]
        return head not in ("inference", "training") or head in self.session.modes()

    def stop(self, address: str) -> QWidget | None:
        """The control of a field: its own, else one for a part of it or for the record it is part of."""
        while "." in address:
            if address in self.bindings:
                return self.bindings[address].control
            inside = (name for name in self.bindings if name.startswith(f"{address}."))
            if (name := next(inside, None)) is not None:
                return self.bindings[name].control
            address = address.rpartition(".")[0]
        return self.bindings[address].control if address in self.bindings else None

    def show_problem(self, address: str, sentence: str) -> None:
        """Say what is wrong under the field it belongs to."""
        for binding in self.bindings.values():
            said = self.session.refused.get(binding.address, "")
            if address == binding.address or address.startswith(f"{binding.address}."):
                said = said or sentence
            if said or binding.field.problem():
                binding.field.say_problem(said)

    def _edited(self, address: str, value: Any) -> None:
        binding = self.bindings[address]
        try:
            self.session.put(address, binding.stored(value))
        except Problem as problem:
            self._refused(address, self.look.problem(problem))
            return
        binding.field.say_problem("")
        self.desk.changed()

    def _refused(self, address: str, sentence: str) -> None:
        self.session.refuse(address, sentence)
        self.bindings[address].field.say_problem(sentence)
        self.desk.changed()


def _plain(value: float) -> int | float:
    """Nine significant decimals are more than any field needs and hide the noise of binary fractions."""
    rounded = round(value, 9)
    return int(rounded) if float(rounded).is_integer() else rounded
