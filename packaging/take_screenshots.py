"""Takes pictures of the window over the sample project: one for the README, or every page for looking at them.

python packaging/take_screenshots.py                writes packaging/pictures/window.png
python packaging/take_screenshots.py --all FOLDER   writes every page, language and theme, wide and narrow
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QThreadPool, QTimer  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from desktop.project.flow import STEP_NAMES  # noqa: E402
from desktop.ui.application import dress, open_window  # noqa: E402
from desktop.ui.main_window import MainWindow  # noqa: E402
from desktop.ui.preferences import Preferences  # noqa: E402

SAMPLE = ROOT / "resources" / "samples" / "llama-70b-assistant.json"
README_PICTURE = ROOT / "packaging" / "pictures" / "window.png"
README_PAGE = "result"
SIZES = ((1440, 900), (1180, 720))
LAYS_OUT_MS = 400  # charts settle on their second paint, the preview is set after a pause


def main() -> int:
    parser = argparse.ArgumentParser(description="Takes pictures of the window.")
    parser.add_argument("--all", metavar="FOLDER", type=Path, help="every page, language and theme into a folder")
    folder: Path | None = parser.parse_args().all
    app = QApplication([])
    dress(app)
    if folder is None:
        README_PICTURE.parent.mkdir(parents=True, exist_ok=True)
        take(Preferences(language="en", theme="light"), {README_PAGE: README_PICTURE})
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in SIZES:
        for language in ("en", "ru"):
            for theme in ("light", "dark"):
                preferences = Preferences(language=language, theme=theme, width=width, height=height)
                take(preferences, {page: folder / f"{page}_{language}_{theme}_{width}.png" for page in STEP_NAMES})
    return 0


def take(preferences: Preferences, pictures: dict[str, Path]) -> None:
    """Open the sample and save a picture of each page that is asked for."""
    with tempfile.TemporaryDirectory() as settings:
        window = open_window(preferences, Path(settings, "window.json"))
        window.show()
        window.open_file(SAMPLE)
        for page, file in pictures.items():
            show(window, page)
            if not window.grab().save(str(file)):
                raise SystemExit(f"cannot write {file}")
            print(file)
        window.close()


def show(window: MainWindow, page: str) -> None:
    window.go(page)
    wait()
    QThreadPool.globalInstance().waitForDone()
    wait()


def wait() -> None:
    loop = QEventLoop()
    QTimer.singleShot(LAYS_OUT_MS, loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
