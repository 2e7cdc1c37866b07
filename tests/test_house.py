"""Rules of the whole tree that no single room can keep for itself."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOT_OURS = {
    ".git",
    ".venv",
    "build",
    "dist",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".import_linter_cache",
    ".hypothesis",
    ".benchmarks",
}
BINARY = {".db", ".ttf", ".png", ".ico", ".icns", ".pdf", ".xlsx", ".gguf", ".safetensors"}
MAX_LINES = 400
TRANSLATIONS = sorted((ROOT / "resources" / "translations").glob("*.toml"))

# written in pieces, or this file would break its own rules
INDEX_HOSTS = ("pypi" + ".org", "python" + "hosted", "npm" + "js.org", "debian" + ".org/debian")
MACHINE_PATH = re.compile(r"(?<![\w.:/{}$-])/(?:work|root|home|tmp)/\w")
E_MAIL = re.compile(r"\b[\w.+-]+@[\w-]+\.[a-z]{2,}\b", re.IGNORECASE)
UNFINISHED = re.compile("|".join((r"\bTO" + r"DO\b", r"\bFIX" + r"ME\b", r"mark\.sk" + "ip", r"pytest\.sk" + "ip")))


@cache
def tree() -> tuple[Path, ...]:
    """Every file that is or will be in the repository; without git, every file that was not built."""
    listed = (
        subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        if (ROOT / ".git").exists() and shutil.which("git")
        else None
    )
    if listed is not None and listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = [
            str(path.relative_to(ROOT))
            for path in ROOT.rglob("*")
            if not NOT_OURS & set(path.relative_to(ROOT).parts) and ".egg-info" not in str(path)
        ]
    return tuple(ROOT / name for name in sorted(names) if (ROOT / name).is_file())


def texts() -> Iterator[tuple[str, str]]:
    for path in tree():
        if path.suffix not in BINARY:
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def modules() -> Iterator[Path]:
    return (path for path in tree() if path.suffix == ".py")


def found(pattern: "re.Pattern[str]") -> list[str]:
    return [f"{name}: {match[0]}" for name, text in texts() for match in pattern.finditer(text)]


def test_no_package_index_is_named() -> None:
    assert found(re.compile("|".join(map(re.escape, INDEX_HOSTS)))) == []


def test_no_path_of_a_machine_is_named() -> None:
    assert found(MACHINE_PATH) == []


def test_no_personal_address_is_named() -> None:
    assert found(E_MAIL) == []


def test_nothing_is_left_unfinished_or_skipped() -> None:
    assert found(UNFINISHED) == []


def test_no_drawer_for_everything() -> None:
    drawers = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    names = [path.relative_to(ROOT).with_suffix("") for path in modules()]
    assert [str(name) for name in names if drawers & set(name.parts)] == []


def test_modules_stay_short() -> None:
    lengths = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n") for path in modules()}
    assert {name: lines for name, lines in lengths.items() if lines >= MAX_LINES} == {}


def test_qt_binding_stays_at_the_version_that_keeps_python_alive() -> None:
    """PySide6 6.12.0 takes a reference from None with every call and aborts Python 3.11."""
    required = project()["project"]["dependencies"]
    assert [line for line in required if line.lower().startswith("pyside6")] == ["PySide6-Essentials==6.8.3"]
    assert "pyside6-essentials==6.8.3" in (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().splitlines()
    assert version("PySide6-Essentials") == "6.8.3"


def test_everything_required_is_pinned() -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0].lower() for line in pins}
    required = [*project()["project"]["dependencies"], *project()["project"]["optional-dependencies"]["dev"]]
    assert [line for line in required if re.split(r"[=<>~!\[; ]", line)[0].lower() not in pinned] == []


def test_version_is_one() -> None:
    from desktop import __version__

    assert project()["project"]["version"] == __version__


def test_every_target_and_command_of_the_readme_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^)make ([a-z-]+)", readme, re.MULTILINE)) <= targets
    from desktop.cli.arguments import COMMANDS

    assert set(re.findall(r"-m desktop ([a-z-]+)", readme)) <= set(COMMANDS)
    pictures = re.findall(r"\]\(([^)#:]+)\)", readme)
    assert pictures and all((ROOT / picture).is_file() for picture in pictures)


# ------------------------------------------------------------------------------------------------------- translations


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_every_phrase_stands_in_both_languages_with_the_same_values(path: Path) -> None:
    for code, entry in phrases(tomllib.loads(path.read_text(encoding="utf-8"))):
        assert set(entry) == {"en", "ru"}, f"{path.name} {code}"
        assert all(entry.values()), f"{path.name} {code} is empty"
        assert placeholders(entry["en"]) == placeholders(entry["ru"]), f"{path.name} {code}"


def test_no_sentence_is_written_twice() -> None:
    seen: dict[str, str] = {}
    for name in ("messages", "cli"):
        table = tomllib.loads((ROOT / "resources" / "translations" / f"{name}.toml").read_text(encoding="utf-8"))
        for kind in ("problem", "message", "rule"):
            for code, _ in phrases(table.get(kind, {})):
                key = f"{kind}.{code}"
                assert key not in seen, f"{key} stands in {seen.get(key)} and {name}"
                seen[key] = name


def phrases(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    said = {name: text for name, text in node.items() if isinstance(text, str)}
    if said:
        yield path, said
    for name, child in node.items():
        if isinstance(child, dict):
            yield from phrases(child, f"{path}.{name}" if path else name)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@cache
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
