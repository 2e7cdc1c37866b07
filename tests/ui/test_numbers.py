import doctest

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.request import Economics, InferenceNeed, TrainingNeed
from desktop.ui import limits, typed_numbers
from desktop.ui.limits import Limits, limits_of
from desktop.ui.look import Look
from desktop.ui.theme import LIGHT
from desktop.ui.typed_numbers import read_number
from desktop.ui.widgets.number_field import NumberField

ENGLISH, RUSSIAN = Look(LIGHT, "en"), Look(LIGHT, "ru")


def test_examples_in_the_docstrings() -> None:
    for module in (typed_numbers, limits):
        assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("32k", "en", 32_000),
        ("32к", "ru", 32_000),
        ("1.5", "ru", 1.5),
        ("1,5", "en", 1.5),
        ("2,000", "en", 2_000),
        ("2,000", "ru", 2),
        ("1 234,5", "ru", 1234.5),
        ("1\u00a0234", "ru", 1234),
        ("200M", "en", 200_000_000),
        ("1.1M", "en", 1_100_000),
        (".5", "en", 0.5),
        ("-3", "en", -3),
        ("", "en", None),
        ("1.2.3", "en", None),
        ("12 apples", "en", None),
        ("1e5", "en", None),
    ],
)
def test_numbers_are_read_as_their_writer_means_them(text: str, language: str, value: float | None) -> None:
    assert read_number(text, language) == value


def test_limits_come_from_the_records() -> None:
    assert limits_of(InferenceNeed, "context") == Limits(1, 100_000_000)
    assert limits_of(InferenceNeed, "ttft_s") == Limits(0, 3600, above=True)
    assert limits_of(Economics, "electricity_per_kwh") == Limits(0, 10**9)
    assert limits_of(TrainingNeed, "tokens") == Limits(1, 10**16)
    assert not Limits(0, None, above=True).allow(0)


@pytest.fixture
def field(qtbot: QtBot) -> NumberField:
    widget = NumberField(ENGLISH, Limits(1, 1000), optional=True)
    qtbot.addWidget(widget)
    widget.show()
    widget.show_value(300)
    return widget


def test_typing_says_every_valid_number(field: NumberField, qtbot: QtBot) -> None:
    said: list[object] = []
    field.edited.connect(said.append)
    field.selectAll()
    qtbot.keyClicks(field, "45")
    assert said == [4, 45]
    assert field.value() == 45


def test_what_is_impossible_is_refused_and_the_last_number_stays(field: NumberField, qtbot: QtBot) -> None:
    said: list[object] = []
    refused: list[str] = []
    field.edited.connect(said.append)
    field.refused.connect(refused.append)
    field.lineEdit().clear()
    qtbot.keyClicks(field, "0")
    assert refused == ["From 1 to 1,000."]
    assert (field.value(), said, field.property("state")) == (300, [], "bad")
    field.lineEdit().clear()
    qtbot.keyClicks(field, "many")
    assert refused[-1] == "This is not a number."
    field.lineEdit().clear()
    qtbot.keyClicks(field, "2.5")
    assert refused[-1] == "Whole numbers only."


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(1, 1000), "From 1 to 1,000."),
        (Limits(0, 3600, above=True), "More than 0, at most 3,600."),
        (Limits(0, None, above=True), "More than 0."),
        (Limits(0, None), "0 or more."),
    ],
)
def test_limits_are_said_as_they_hold(qtbot: QtBot, limits: Limits, said: str) -> None:
    widget = NumberField(ENGLISH, limits)
    qtbot.addWidget(widget)
    assert widget.limits_sentence() == said


def test_an_empty_optional_field_means_the_default(field: NumberField, qtbot: QtBot) -> None:
    said: list[object] = []
    field.edited.connect(said.append)
    field.show_default(2400)
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Backspace)
    assert said == [None]
    assert field.lineEdit().placeholderText() == "2,400"
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.value() == 1000, "steps from the default, kept within the limits"


def test_arrows_step_and_shift_steps_ten(field: NumberField, qtbot: QtBot) -> None:
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.value() == 301
    qtbot.keyClick(field, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert field.value() == 291
    for _ in range(40):
        qtbot.keyClick(field, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert field.value() == 1


def test_the_wheel_changes_a_number_only_with_the_focus(field: NumberField) -> None:
    def turn() -> None:
        event = QWheelEvent(
            QPointF(5, 5),
            QPointF(5, 5),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(field, event)

    field.clearFocus()
    turn()
    assert field.value() == 300
    field.setFocus()
    turn()
    assert field.value() == 301


def test_figures_are_written_for_the_reader(qtbot: QtBot) -> None:
    widget = NumberField(RUSSIAN, Limits(0, None), whole=False)
    qtbot.addWidget(widget)
    widget.show_value(32768.5)
    assert widget.lineEdit().text() == "32\u00a0768,5"
