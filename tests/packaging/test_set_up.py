"""Set-up: what is missing is installed or named, what was done is not done again, and CI fails with any part of it."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def libraries(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """packaging/install_system_libraries.py as a module; the folder is no package."""
    return loaded(repository, "install_system_libraries", monkeypatch)


@pytest.fixture
def environment(repository: Path, monkeypatch: pytest.MonkeyPatch, libraries: ModuleType) -> ModuleType:
    return loaded(repository, "make_environment", monkeypatch)


def loaded(repository: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, repository / "packaging" / f"{name}.py")
    assert specification and specification.loader
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, name, module)
    specification.loader.exec_module(module)
    return module


# --------------------------------------------------------------------------------------------------- system libraries


def test_nothing_is_missing_where_the_tests_run(libraries: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    assert libraries.main(["offscreen"]) == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("advise", "status"), [([], 1), (["--advise"], 0)])
def test_missing_libraries_are_named_together_where_they_cannot_be_installed(
    libraries: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    advise: list[str],
    status: int,
) -> None:
    monkeypatch.setitem(libraries.LIBRARIES, "window", {"libnone-1.so.7": "libnone1", "libnone-2.so.7": "libnone2"})
    monkeypatch.setattr(libraries, "can_install", lambda: False)
    assert libraries.main([*advise, "offscreen", "window"]) == status
    out, err = capfd.readouterr()
    assert (out, err) == (
        "",
        "The window and its tests need system libraries. As root: apt-get install libnone1 libnone2\n",
    )


def test_missing_libraries_are_installed_by_root(libraries: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setitem(libraries.LIBRARIES, "window", {"libnone-1.so.7": "libnone1"})
    monkeypatch.setattr(libraries, "can_install", lambda: True)
    monkeypatch.setattr(libraries, "apt_install", lambda packages: asked.append(packages) or "")
    assert libraries.main(["window"]) == 0
    assert asked == [["libnone1"]]


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["--advise"]])
def test_senseless_arguments_are_a_usage_error(libraries: ModuleType, arguments: list[str]) -> None:
    assert libraries.main(arguments) == 2


def test_readme_names_every_package(libraries: ModuleType, repository: Path) -> None:
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert [name for group in libraries.LIBRARIES.values() for name in group.values() if name not in readme] == []


# --------------------------------------------------------------------------------------------------------- environment


@pytest.fixture
def elsewhere(environment: ModuleType, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script over a checkout of its own that holds only what it reads."""
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((repository / name).read_bytes())
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "FOLDER", tmp_path / ".venv")
    monkeypatch.setattr(environment, "INTERPRETER", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(environment, "STAMP", tmp_path / ".venv" / "installed-from")
    return environment


def test_environment_is_made_once(elsewhere: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    installs: list[str] = []
    monkeypatch.setattr(elsewhere, "_install", lambda: installs.append("x") or "")
    assert elsewhere.main() == 0 and elsewhere.INTERPRETER.exists()
    assert elsewhere.main() == 0
    assert installs == ["x"]


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_other_pins_are_installed(elsewhere: ModuleType, name: str) -> None:
    before = elsewhere._fingerprint()
    with (elsewhere.ROOT / name).open("a", encoding="utf-8") as file:
        file.write("# other\n")
    assert elsewhere._fingerprint() != before


def test_moved_checkout_is_set_up_anew(elsewhere: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = elsewhere._fingerprint()
    (tmp_path / "moved").mkdir()
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).rename(tmp_path / "moved" / name)
    monkeypatch.setattr(elsewhere, "ROOT", tmp_path / "moved")
    assert elsewhere._fingerprint() != before


def test_failed_install_says_what_to_do_and_is_tried_again(
    elsewhere: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    assert elsewhere.main() == 1
    assert "PIP_INDEX_URL for a mirror" in capfd.readouterr().err
    assert not elsewhere.STAMP.exists()


def test_python_without_venv_is_named_with_all_that_is_missing(
    elsewhere: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(elsewhere, "can_install", lambda: False)
    monkeypatch.setattr(elsewhere, "missing_packages", lambda groups: ["libnone1"])
    assert elsewhere.main() == 1
    wanted = f"python{sys.version_info.major}.{sys.version_info.minor}-venv libnone1"
    assert capfd.readouterr().err == f"Python's venv module is not complete. As root: apt-get install {wanted}\n"


# ------------------------------------------------------------------------------------------------------ Makefile and CI


def test_help_explains_every_target_that_is_asked_for(repository: Path) -> None:
    done = subprocess.run(["make", "help"], cwd=repository, capture_output=True, text=True, check=True)
    told = dict(re.findall(r"^  make (\S+) +(.+)$", done.stdout, re.MULTILINE))
    checks = {"test", "check", "bench", "slow", "fuzz"}
    assert {"setup", "quote", "run", "catalog", "screenshots", "clean", "help"} | checks == set(told)


@pytest.mark.parametrize(("failing", "status"), [("", 0), ("check", 1), ("test", 1), ("check test", 1)])
def test_ci_runs_everything_and_fails_where_a_part_fails(
    repository: Path, tmp_path: Path, failing: str, status: int
) -> None:
    make = tmp_path / "make"
    make.write_text(
        '#!/bin/sh\nfor word; do target=$word; done\necho "$target" >&2\n'
        'case " $FAILING " in *" $target "*) exit 2;; esac\n',
        encoding="utf-8",
    )
    make.chmod(0o755)
    done = subprocess.run(
        ["bash", ".ci/run"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "FAILING": failing},
    )
    assert (done.returncode, done.stderr.split()) == (status, ["check", "test"])
