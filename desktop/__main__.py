"""Command line → the window, or a headless command."""

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130  # what a shell reports of a command ended by Ctrl-C

try:
    from desktop.cli import names_a_project, run
    from desktop.request import Problem
    from desktop.words import Language, problem_sentence
except KeyboardInterrupt:  # pressed while the program is still being loaded
    sys.exit(INTERRUPTED)

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def main(arguments: Sequence[str] | None = None) -> int:
    """Opens the window for no argument or a project file; else runs the command. Returns the exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and not names_a_project(given):
        return run(given)
    return _open_window(given)


def _open_window(arguments: Sequence[str]) -> int:
    language: Language = "ru" if os.environ.get("LANG", "").startswith("ru") else "en"
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in SCREENS):
        print(problem_sentence(Problem("no_display"), language), file=sys.stderr)
        return 1
    try:
        from desktop.ui.application import main as open_window  # Qt is loaded here and nowhere before
    except ImportError as error:
        if ".so" not in str(error):
            raise
        print(problem_sentence(Problem("window_library_missing", detail=str(error)), language), file=sys.stderr)
        return 1
    status: int = open_window(arguments)
    return status


if __name__ == "__main__":
    sys.exit(main())
