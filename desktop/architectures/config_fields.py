"""The fields of one configuration, read by name with their type and range checked: nothing is guessed, nothing passes
unseen."""

from collections.abc import Mapping
from typing import Any

from desktop.request import Problem

# widest values seen in public models, with room: outside of them a file is broken, not unusual
LAYERS = (1, 1000)
WIDTH = (1, 1_048_576)
HIDDEN = (1, 262_144)
HEADS = (1, 4096)
HEAD_DIM = (1, 8192)
VOCABULARY = (1, 4_194_304)
EXPERTS = (0, 8192)
CONTEXT = (1, 100_000_000)
COUNT = (0, 1_048_576)
LONGEST_ECHO = 40

Range = tuple[int, int]


class Fields:
    """A mapping of a config under the name `field`; what is odd but readable is added to `doubts`."""

    def __init__(self, values: Mapping[str, Any], field: str, doubts: list[str] | None = None) -> None:
        self.values = values
        self.field = field
        self.doubts: list[str] = [] if doubts is None else doubts

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.values.get(name) is not None

    def whole(self, *names: str, within: Range = COUNT) -> int | None:
        """The first of `names` that holds a value, as a whole number; None when none does.

        Raises Problem("bad_model_field"): not_whole, out_of_range.
        """
        for name in names:
            if self.values.get(name) is not None:
                return self.checked(self.values[name], name, within)
        return None

    def need(self, *names: str, within: Range = COUNT) -> int:
        """As `whole`. Raises Problem("missing_model_field") too."""
        value = self.whole(*names, within=within)
        if value is None:
            raise self.missing(names[0])
        return value

    def wholes(self, name: str, within: Range = COUNT, length: int | None = None) -> list[int] | None:
        """A list of whole numbers, of `length` items where that is given; None when the field is not there."""
        values = self.listed(name, length)
        return None if values is None else [self.checked(value, name, within) for value in values]

    def listed(self, name: str, length: int | None = None) -> list[Any] | None:
        """A list, of `length` items where that is given. Raises Problem: not_a_list, wrong_length."""
        values = self.values.get(name)
        if values is None:
            return None
        if not isinstance(values, list):
            raise self.bad(name, values, "not_a_list")
        if length is not None and len(values) != length:
            raise self.bad(name, len(values), "wrong_length", layers=length)
        return values

    def yes(self, name: str) -> bool | None:
        """A switch; None when the field is not there. Raises Problem("bad_model_field"): not_yes_or_no."""
        value = self.values.get(name)
        if value is None or isinstance(value, bool):
            return value
        raise self.bad(name, value, "not_yes_or_no")

    def text(self, name: str) -> str:
        """A text, empty when the field is not there or is something else."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def part(self, name: str) -> "Fields | None":
        """The fields of a nested mapping; None when the field is not there. Raises Problem: not_a_mapping."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            raise self.bad(name, value, "not_a_mapping")
        return Fields(value, f"{self.field}.{name}", self.doubts)

    def doubt(self, code: str) -> None:
        if code not in self.doubts:
            self.doubts.append(code)

    def missing(self, name: str) -> Problem:
        return Problem("missing_model_field", field=f"{self.field}.{name}", name=name)

    def bad(self, name: str, value: object, reason: str, **values: object) -> Problem:
        shown = value if isinstance(value, int) and not isinstance(value, bool) else str(value)[:LONGEST_ECHO]
        return Problem("bad_model_field", field=f"{self.field}.{name}", value=shown, reason=reason, **values)

    def checked(self, value: object, name: str, within: Range) -> int:
        """A whole number in its range: an integer, 8.0, or the text "8" with a doubt."""
        whole: int | None = None
        if isinstance(value, int) and not isinstance(value, bool):
            whole = value
        elif isinstance(value, float) and value.is_integer():
            whole = int(value)
        elif isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= len(str(CONTEXT[1])):
            whole = int(value)
            self.doubt("number_in_quotes")
        if whole is None:
            raise self.bad(name, value, "not_whole")
        low, high = within
        if not low <= whole <= high:
            raise self.bad(name, whole, "out_of_range", low=low, high=high)
        return whole
