"""Creates `.venv` and installs into it what constraints.txt pins; does nothing where that was done already.

Runs on the system's own Python, so it needs nothing but the standard library.
"""

import hashlib
import importlib.util
import os
import platform
import subprocess
import sys
from pathlib import Path

from install_system_libraries import LIBRARIES, apt_install, can_install, missing_packages

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
INTERPRETER = FOLDER / "bin" / "python"
STAMP = FOLDER / "installed-from"
OUT_OF_SCRIPT = ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_USER")


def main() -> int:
    wanted = _fingerprint()
    if STAMP.is_file() and STAMP.read_text(encoding="ascii") == wanted and INTERPRETER.exists():
        return 0
    STAMP.unlink(missing_ok=True)
    problem = _create() or _install()
    if problem:
        print(problem, file=sys.stderr)
        return 1
    STAMP.write_text(wanted, encoding="ascii")
    return 0


def _fingerprint() -> str:
    """What the environment depends on: the pins, the interpreter, and the folder (scripts in .venv name it)."""
    seen = hashlib.sha256()
    for name in ("pyproject.toml", "constraints.txt"):
        seen.update((ROOT / name).read_bytes())
    seen.update(f"{ROOT}\n{platform.python_version()}\n{platform.machine()}".encode())
    return seen.hexdigest()


def _create() -> str:
    """An environment with a working pip; what is wrong, or nothing."""
    if INTERPRETER.exists() and _run(INTERPRETER, "-m", "pip", "--version").returncode == 0:
        return ""
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        if not can_install():
            libraries = " ".join(missing_packages(tuple(LIBRARIES)))
            return f"Python's venv module is not complete. As root: apt-get install {package} {libraries}".rstrip()
        print(f"Installing {package} …", flush=True)
        problem = apt_install([package])
        if problem:
            return problem
    print("Creating .venv …", flush=True)
    made = _run(Path(sys.executable), "-m", "venv", "--clear", str(FOLDER))
    return "" if made.returncode == 0 else f"{made.stdout}\nThe environment {FOLDER.name} could not be created."


def _install() -> str:
    """Everything that is pinned; what is wrong, or nothing."""
    print("Installing the pinned packages into .venv (a minute or two the first time) …", flush=True)
    pinned = ("--constraint", "constraints.txt", "--editable", ".[dev]")
    installed = _run(INTERPRETER, "-m", "pip", "install", "--no-input", "--quiet", *pinned)
    if installed.returncode == 0:
        return ""
    return (
        f"{installed.stdout}\nThe packages could not be installed. Without a network, or behind a mirror, tell pip "
        "where they are: PIP_INDEX_URL for a mirror, PIP_NO_INDEX=1 with PIP_FIND_LINKS for a folder of wheels."
    )


def _run(program: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {name: value for name, value in os.environ.items() if name not in OUT_OF_SCRIPT}
    return subprocess.run(
        [str(program), *arguments],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main())
