from pathlib import Path

import pytest

from desktop.project.document import Project
from desktop.quote import Quote
from desktop.request import InlineModel, Problem, RecommendRequest
from desktop.ui.session import Session


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Adviser:
    """Counts what it is asked, and refuses what it is told to refuse."""

    def __init__(self) -> None:
        self.asked: list[RecommendRequest] = []
        self.refuses: Exception | None = None

    def __call__(self, request: RecommendRequest) -> Quote:
        self.asked.append(request)
        if self.refuses is not None:
            raise self.refuses
        return Quote.model_construct(answers=(), policy=request.policy, economics=request.economics)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def adviser() -> Adviser:
    return Adviser()


@pytest.fixture
def session(adviser: Adviser, clock: Clock) -> Session:
    return Session(adviser, Project(), clock)


def test_a_field_is_read_and_changed_by_its_address(session: Session) -> None:
    session.put("inference.users", 500)
    session.put("policy.stage", "production")
    session.put("customer.name", "Meridian")
    session.put("inference.engine.memory_fraction", 0.95)
    assert session.request.needs[0].users == 500
    assert session.value("inference.engine.memory_fraction") == 0.95
    assert (session.project.request.policy.stage, session.project.customer.name) == ("production", "Meridian")


def test_a_refused_value_leaves_the_project_as_it_was(session: Session) -> None:
    before = session.project
    with pytest.raises(Problem) as refused:
        session.put("inference.users", 0)
    assert (refused.value.code, refused.value.field) == ("out_of_range", "inference.users")
    assert session.project == before


def test_serving_and_training_share_the_model_and_keep_what_was_said(session: Session) -> None:
    session.put_model("Llama-3.1-8B")
    session.put("inference.users", 7)
    session.put_modes(("inference", "training"))
    assert [need.model for need in session.request.needs] == ["Llama-3.1-8B", "Llama-3.1-8B"]
    assert session.value("inference.users") == 7
    session.put_modes(("training",))
    assert session.modes() == ("training",)
    assert session.value("training.method") == "lora"


def test_edits_of_one_field_within_a_second_are_one_step_back(session: Session, clock: Clock) -> None:
    for users in (3, 35, 350):
        session.put("inference.users", users)
        clock.now += 0.2
    clock.now += 5
    session.put("inference.users", 400)
    assert session.undo() == "inference.users"
    assert session.value("inference.users") == 350
    session.undo()
    assert session.value("inference.users") == 300
    assert not session.can_undo()
    session.redo()
    session.redo()
    assert session.value("inference.users") == 400
    assert not session.can_redo()


def test_the_adviser_is_asked_once_for_one_request_and_not_before_there_is_a_model(
    session: Session, adviser: Adviser
) -> None:
    session.answer()
    assert (adviser.asked, session.quote) == ([], None)
    session.put_model("Llama-3.1-8B")
    session.answer()
    session.answer()
    session.put("name", "the name is no part of the request")
    session.answer()
    assert len(adviser.asked) == 1


def test_a_problem_keeps_the_last_good_answer(session: Session, adviser: Adviser) -> None:
    session.put_model("Llama-3.1-8B")
    session.answer()
    good = session.quote
    adviser.refuses = Problem("unknown_gpu", field="policy.gpus_allowed", name="H1000")
    session.put("inference.users", 301)
    session.answer()
    assert session.quote is good
    assert session.problem is adviser.refuses
    assert not session.is_current()
    adviser.refuses = None
    session.put("inference.users", 302)
    session.answer()
    assert session.is_current()


def test_a_defect_of_the_program_is_passed_on_and_leaves_no_answer_that_looks_current(
    session: Session, adviser: Adviser
) -> None:
    session.put_model("Llama-3.1-8B")
    session.answer()
    adviser.refuses = ZeroDivisionError("a defect")
    session.put("inference.users", 301)
    with pytest.raises(ZeroDivisionError):
        session.answer()
    assert not session.is_current()


def test_an_impossible_entry_makes_the_answer_an_old_one_until_it_is_mended(session: Session) -> None:
    session.refuse("inference.users", "From 1.")
    assert not session.is_current()
    session.put("inference.users", 300)
    assert session.is_current()


def test_changes_are_told_against_the_saved_file(session: Session, clock: Clock, tmp_path: Path) -> None:
    assert not session.is_changed()
    session.put("name", "Helpdesk")
    assert session.is_changed()
    session.mark_saved(tmp_path / "helpdesk.rackwright.json")
    assert not session.is_changed()
    clock.now += 5
    session.put("name", "")
    assert session.is_changed()
    session.undo()
    assert not session.is_changed()


def test_another_project_has_no_history(session: Session) -> None:
    session.put_model(InlineModel(file=Path("config.json")))
    session.start(Project(name="Other"))
    assert (session.can_undo(), session.is_changed(), session.model(), session.project.name) == (
        False,
        False,
        None,
        "Other",
    )


def test_fields_named_by_the_rooms_below_are_found(session: Session) -> None:
    session.put_modes(("inference", "training"))
    assert session.address_of("needs.1.tokens") == "training.tokens"
    assert session.address_of("request.needs.0.model") == "inference.model"
    assert session.address_of("economics.exchange_rate") == "economics.exchange_rate"
