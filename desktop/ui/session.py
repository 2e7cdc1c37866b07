"""What the window works on: the project, its file, its history, the answer. Knows no Qt: tested without a window.

Fields are addressed by a dotted path: `name`, `customer.name`, `policy.stage`, `economics.pue`, `inference.users`,
`training.lora.rank`; the last two mean the need of that mode.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from desktop.project.document import Project
from desktop.quote import Quote
from desktop.request import InferenceNeed, Need, Problem, RecommendRequest, TrainingNeed
from desktop.request.validation import validated

MERGE_SECONDS = 1.0
HISTORY = 200
MODES = ("inference", "training")

Recommend = Callable[[RecommendRequest], Quote]


@dataclass(frozen=True)
class Moment:
    """One state of the history: the project, and the field whose change led to it."""

    project: Project
    address: str = ""
    at: float = 0.0


class Session:
    """Holds one immutable project at a time; every change makes a new one and remembers the old."""

    def __init__(
        self, recommend: Recommend, project: Project | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.recommend = recommend
        self._clock = clock
        self._moment = Moment(project or Project())
        self._past: list[Moment] = []
        self._future: list[Moment] = []
        self._saved = self._moment.project
        self._answered: RecommendRequest | None = None
        self.path: Path | None = None
        self.quote: Quote | None = None
        self.problem: Problem | None = None
        self.refused: dict[str, str] = {}

    @property
    def project(self) -> Project:
        return self._moment.project

    @property
    def request(self) -> RecommendRequest:
        return self.project.request

    # ------------------------------------------------------------------ reading and changing fields

    def need(self, mode: str) -> InferenceNeed | TrainingNeed | None:
        """The need of that mode, or None where the project has none."""
        return next((need for need in self.request.needs if need.mode == mode), None)

    def modes(self) -> tuple[str, ...]:
        return tuple(need.mode for need in self.request.needs)

    def model(self) -> object:
        """The model of the project: one for all its needs."""
        return next((need.model for need in self.request.needs if need.model is not None), None)

    def peak_requests_per_s(self, need: InferenceNeed) -> float:
        """Load of a need at the peak [1/s]: known before anything is sized."""
        from desktop.advisor.load import peak_requests_per_s  # the advisor is loaded after the window is on screen

        return peak_requests_per_s(need, self.request.policy)

    def value(self, address: str) -> Any:
        """Value at an address; None where a record on the way is absent."""
        node: Any = self.project
        for name in self._path(address):
            if node is None:
                return None
            node = node[name] if isinstance(name, int) else getattr(node, name)
        return node

    def put(self, address: str, value: Any) -> None:
        """Change one field. Raises Problem where the record refuses the value; the project then stays as it was."""
        self.become(_with(self.project, self._path(address), value, address), address)

    def put_model(self, model: Any) -> None:
        """The same model for every need."""
        needs = tuple(_with(need, ("model",), model, "model") for need in self.request.needs)
        self.become(_with(self.project, ("request", "needs"), needs, "model"), "model")

    def put_modes(self, modes: tuple[str, ...]) -> None:
        """Serving, training or both; a need that returns starts from its defaults with the project's model."""
        fresh: dict[str, Need] = {
            "inference": InferenceNeed(model=self.model()),
            "training": TrainingNeed(mode="training", model=self.model()),
        }
        needs = tuple(self.need(mode) or fresh[mode] for mode in MODES if mode in modes)
        self.become(_with(self.project, ("request", "needs"), needs, "modes"), "modes")

    def become(self, project: Project, address: str = "") -> None:
        """Make another project the present one; edits of one field within a second are one step back."""
        self.refused.pop(address, None)
        if project == self.project:
            return
        now = self._clock()
        if not (address and address == self._moment.address and now - self._moment.at < MERGE_SECONDS and self._past):
            self._past = [*self._past[-HISTORY:], self._moment]
        self._moment = Moment(project, address, now)
        self._future = []

    def refuse(self, address: str, text: str) -> None:
        """Remember that a field shows something impossible: the answer on screen belongs to the last valid entry."""
        self.refused[address] = text

    def _path(self, address: str) -> tuple[str | int, ...]:
        head, *rest = address.split(".")
        if head in MODES:
            return ("request", "needs", self.modes().index(head), *rest)
        if head in ("policy", "economics"):
            return ("request", head, *rest)
        return (head, *rest)

    def address_of(self, field: str) -> str:
        """Address of a field as the rooms below name it: `needs.0.users` is `inference.users`."""
        head, *rest = field.removeprefix("request.").split(".")
        if head == "needs" and rest and rest[0].isdigit() and int(rest[0]) < len(self.request.needs):
            return ".".join((self.request.needs[int(rest[0])].mode, *rest[1:]))
        return ".".join((head, *rest))

    # ------------------------------------------------------------------ history

    def can_undo(self) -> bool:
        return bool(self._past)

    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> str:
        """One step back; returns the address of the field that changes."""
        address = self._moment.address
        self._future.append(self._moment)
        self._moment = replace(self._past.pop(), at=float("-inf"))
        self.refused.clear()
        return address

    def redo(self) -> str:
        self._past.append(self._moment)
        self._moment = self._future.pop()
        self.refused.clear()
        return self._moment.address

    # ------------------------------------------------------------------ the file

    def is_changed(self) -> bool:
        """Whether anything would be lost by closing now."""
        return self.project != self._saved

    def mark_saved(self, path: Path) -> None:
        self.path, self._saved = path, self.project

    def start(self, project: Project, path: Path | None = None) -> None:
        """Begin with another project; the history of the old one is gone."""
        self._moment, self._past, self._future = Moment(project), [], []
        self._saved, self.path = project, path
        self._answered, self.quote, self.problem = None, None, None
        self.refused.clear()

    # ------------------------------------------------------------------ the answer

    def answer(self) -> None:
        """Compute the quote of the present request. A Problem keeps the last good quote and stands beside it; so does a
        defect of the program, which is passed on."""
        request = self.request
        if request == self._answered:
            return
        self._answered, self.problem = request, None
        if self.model() is None:
            self.quote = None
            return
        try:
            self.quote = self.recommend(request)
        except Problem as problem:
            self.problem = problem
        except Exception as error:
            self.problem = Problem("internal_error", kind=type(error).__name__, place=__name__)
            raise

    def reconsider(self) -> None:
        """Facts have changed under the quote: the next `answer` computes it anew."""
        self._answered = None

    def is_current(self) -> bool:
        """Whether nothing that was said stands against the quote on hand: no problem, and no entry that was refused.

        Between a change and the `answer` to it the quote is still that of the request before.
        """
        return self.problem is None and not self.refused


def _with(record: BaseModel, path: tuple[str | int, ...], value: Any, address: str) -> Any:
    """A copy of a record with one field changed deep inside, checked by every record on the way."""
    head, *rest = path
    if rest:
        inner = getattr(record, str(head))
        if isinstance(rest[0], int):
            index, *deeper = rest
            changed = _with(inner[index], tuple(deeper), value, address) if deeper else value
            value = (*inner[:index], changed, *inner[index + 1 :])
        else:
            value = _with(inner, tuple(rest), value, address)
    given = {name: getattr(record, name) for name in record.model_fields_set}
    try:
        return validated(type(record), {**given, str(head): value})
    except Problem as problem:
        raise Problem(problem.code, address, **problem.values) from None
