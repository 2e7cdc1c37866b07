"""Sees to the system libraries that Qt loads: installs what is missing as root on Debian and its kin, or else names it.

usage: install_system_libraries.py [--advise] GROUP…

GROUP is `offscreen` (tests, pictures) or `window` (a real window under X11). Exit status 1 when something is still
missing; with --advise 0 all the same. Each package was found necessary in a bare Debian 12; what they bring along is
not listed.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

LIBRARIES = {  # group -> what the loader looks for -> the Debian package that has it
    "offscreen": {
        "libGL.so.1": "libgl1",
        "libEGL.so.1": "libegl1",
        "libxkbcommon.so.0": "libxkbcommon0",
        "libfontconfig.so.1": "libfontconfig1",
        "libdbus-1.so.3": "libdbus-1-3",
        "libgthread-2.0.so.0": "libglib2.0-0",
    },
    "window": {
        "libxcb-cursor.so.0": "libxcb-cursor0",
        "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
        "libxcb-icccm.so.4": "libxcb-icccm4",
        "libxcb-keysyms.so.1": "libxcb-keysyms1",
        "libxcb-shape.so.0": "libxcb-shape0",
    },
}


def main(arguments: Sequence[str]) -> int:
    advise = "--advise" in arguments
    groups = [argument for argument in arguments if argument != "--advise"]
    if not groups or any(group not in LIBRARIES for group in groups):
        print(__doc__, file=sys.stderr)
        return 2
    if not sys.platform.startswith("linux"):
        return 0
    missing = missing_packages(groups)
    if not missing:
        return 0
    if can_install():
        print(f"Installing system libraries: {' '.join(missing)} …", flush=True)
        problem = apt_install(missing)
    else:
        problem = f"The window and its tests need system libraries. As root: apt-get install {' '.join(missing)}"
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem and not advise else 0


def missing_packages(groups: Sequence[str]) -> list[str]:
    """Debian packages of the groups whose library the loader does not find."""
    return [package for group in groups for library, package in LIBRARIES[group].items() if not _loads(library)]


def can_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: Sequence[str]) -> str:
    """Installs Debian packages; what went wrong, or nothing. A fresh system has no lists yet, so these come first."""
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
        done = subprocess.run(
            ["apt-get", *command],
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    if done.returncode == 0:
        return ""
    return f"{done.stdout}\nThese packages could not be installed: {' '.join(packages)}"


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
