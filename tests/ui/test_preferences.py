"""Settings from the disk never keep the window from opening."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.ui.application import open_window
from desktop.ui.preferences import LARGEST, SMALLEST, Preferences, load_preferences, save_preferences
from tests.ui.conftest import OpenWindow

DEFAULT = Preferences()


@pytest.mark.parametrize(
    ("content", "width", "height"),
    [
        ('{"width": 1000000000000, "height": -5}', LARGEST[0], SMALLEST[1]),
        ('{"width": "wide", "height": 800}', DEFAULT.width, 800),
        ('{"width": NaN, "height": Infinity}', DEFAULT.width, DEFAULT.height),
        ('{"width": null, "height": [1]}', DEFAULT.width, DEFAULT.height),
        ('{"width": 1500, "theme": {"a": 1}, "language": 7, "unknown": 1}', 1500, DEFAULT.height),
        ("[" * 100_000, DEFAULT.width, DEFAULT.height),
        ("\x00", DEFAULT.width, DEFAULT.height),
    ],
)
def test_the_window_opens_whatever_the_settings_hold(
    open_: OpenWindow, qtbot: QtBot, tmp_path: Path, content: str, width: int, height: int
) -> None:
    file = tmp_path / "settings.json"
    file.write_text(content, encoding="utf-8")
    preferences = load_preferences(file)
    assert (preferences.width, preferences.height, preferences.theme) == (width, height, "system")
    window = open_window(preferences, file)
    qtbot.addWidget(window)
    assert (window.width(), window.height()) == (width, height)


def test_settings_that_are_no_text_or_a_folder_count_as_none(tmp_path: Path) -> None:
    file = tmp_path / "window.json"
    file.write_bytes(b"\xff\xfe\x00")
    assert load_preferences(file) == DEFAULT
    assert load_preferences(tmp_path) == DEFAULT


def test_settings_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "new folder" / "window.json"
    kept = Preferences(language="ru", theme="dark", width=1300)
    save_preferences(kept, file)
    assert load_preferences(file) == kept
    assert [entry.name for entry in file.parent.iterdir()] == ["window.json"]
    folder = tmp_path / "taken"
    folder.mkdir()
    (folder / "inside").touch()
    save_preferences(kept, folder)  # a folder stands where the file should: nothing happens, nothing is left behind
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["new folder", "taken"]
