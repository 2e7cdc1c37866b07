"""The command line itself: what is a usage error, what opens the window, and that no headless command loads Qt."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.console import ROOT, desktop

LOADED = """
import sys
from desktop.__main__ import main
status = main(sys.argv[1:])
found = sorted(name for name in sys.modules if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"))
print("STATUS", status, "QT", found, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("qoute", "offer.rackwright.json"),
        ("--nonsense",),
        ("quote",),
        ("quote", "x.json"),
        ("schema",),
        ("schema", "nonsense"),
        ("catalog",),
        ("catalog", "nonsense"),
        ("inspect",),
        ("estimate", "a", "b"),
        ("quote", "x.json", "--out", "y", "--lang", "de"),
    ],
)
def test_senseless_command_line_exits_2_with_a_word_about_usage(arguments: tuple[str, ...]) -> None:
    done = desktop(*arguments)
    assert (done.status, done.out) == (2, "")
    assert "usage: rackwright" in done.err and "Traceback" not in done.err


def test_help_lists_every_command() -> None:
    done = desktop("--help")
    assert done.status == 0
    for command in ("estimate", "recommend", "cost", "inspect", "quote", "schema", "catalog", "self-check"):
        assert f"    {command}" in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("schema", "recommend"),
        ("catalog", "stats"),
        ("self-check",),
        ("estimate",),
        ("--version",),
        ("inspect", "resources/samples/Llama-3.1-70B-Instruct"),
    ],
)
def test_headless_commands_load_no_qt(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.splitlines()[-1] == "STATUS 0 QT []"


def test_quote_loads_no_qt(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, "quote", "resources/samples/llama-70b-assistant.json", "--out", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.splitlines()[-1] == "STATUS 0 QT []"


@pytest.mark.parametrize("arguments", [(), ("offer.rackwright.json",)])
def test_window_without_a_display_is_refused_in_one_line(arguments: tuple[str, ...]) -> None:
    done = desktop(*arguments, DISPLAY="", WAYLAND_DISPLAY="", QT_QPA_PLATFORM="", LANG="C.UTF-8")
    assert (done.status, done.out) == (1, "")
    assert done.err == ("The window needs a display, and there is none here. Headless commands: rackwright --help.\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_stream_is_an_empty_one(closed: str) -> None:
    command = f"'{sys.executable}' -m desktop estimate {closed}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_reader_that_leaves_early_is_no_error() -> None:
    command = f"'{sys.executable}' -m desktop schema recommend-result | head -1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
