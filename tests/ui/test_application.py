import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.ui import application
from desktop.ui.dialogs import questions
from desktop.ui.dialogs.failure import FailureHook
from desktop.ui.main_window import MainWindow
from tests.ui.conftest import OpenWindow

FIRST_FRAME = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from desktop.ui.application import dress, open_window
from desktop.ui.preferences import Preferences
app = QApplication([])
dress(app)
window = open_window(Preferences(language="en"), Path("unwritten.json"))
window.show()
app.processEvents()
window.grab()
print([name for name in ("pyqtgraph", "desktop.advisor.recommend", "typst", "numpy") if name in sys.modules])
"""


def test_the_first_frame_waits_for_nothing_heavy(repository: Path) -> None:
    """Plotting, advice and typesetting take longer to load than the window to build: they come after it is shown."""
    told = subprocess.run(
        [sys.executable, "-c", FIRST_FRAME], cwd=repository, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"


def test_the_program_opens_the_project_it_is_given(
    qtbot: QtBot, qapp: QApplication, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[MainWindow] = []

    def loop() -> int:
        seen.extend(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow))
        assert isinstance(sys.excepthook, FailureHook)
        assert seen[-1].isVisible()
        assert seen[-1].session.project.name == "Helpdesk assistant"
        seen[-1].close()
        seen[-1].deleteLater()
        return 0

    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(QApplication, "exec", staticmethod(loop))
    assert application.main([str(repository / "resources/samples/llama-70b-assistant.json")]) == 0
    assert len(seen) == 1


@pytest.mark.parametrize("kind", ["project", "config"])
def test_a_file_that_is_dropped_opens(
    open_: OpenWindow, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    window = open_(model=None)
    monkeypatch.setattr(questions, "ask_about_changes", lambda *_: pytest.fail("nothing was changed"))
    samples = repository / "resources/samples"
    file = samples / "Llama-3.1-70B-Instruct/config.json"
    if kind == "project":
        file = tmp_path / "sample.rackwright.json"
        file.write_bytes((samples / "llama-70b-assistant.json").read_bytes())
    carried = QMimeData()
    carried.setUrls([QUrl.fromLocalFile(str(file))])
    window.dropEvent(
        QDropEvent(
            QPointF(QPoint(9, 9)),
            Qt.DropAction.CopyAction,
            carried,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    window.answer_now()
    assert window.session.quote.main().parameters == 70_553_706_496
    assert window.session.project.name == ("Helpdesk assistant" if kind == "project" else "")
