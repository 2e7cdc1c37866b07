"""`self-check`: opens the catalog, sizes a case whose answer is known, writes the documents, prints versions."""

import platform
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

from desktop import __version__
from desktop.advisor import estimate, recommend
from desktop.catalog import Catalog, load_catalog
from desktop.cli.json_lines import defect
from desktop.project.files import open_project
from desktop.report import export_quote
from desktop.request import InferencePlan, Problem
from desktop.resources import resource
from desktop.words import Language, phrase, problem_sentence

PACKAGES = (
    "numpy",
    "pydantic",
    "typst",
    "XlsxWriter",
    "openpyxl",
    "cryptography",
    "Babel",
    "PySide6-Essentials",
    "pyqtgraph",
)
REFERENCE = {"model": "Llama-3.1-70B", "gpu": "NVIDIA H200 SXM 141GB", "gpus": 1, "weights": "fp8", "kv_cache": "fp16"}
KV_BYTES_PER_TOKEN = 327_680  # 2 x 80 layers x 8 KV heads x 128 x 2 bytes: 640 MiB at 2,048 tokens
SAMPLE = "llama-70b-assistant.json"
BEGINNINGS = {".pdf": b"%PDF-", ".xlsx": b"PK\x03\x04"}


def self_check(language: Language) -> int:
    """Prints one line a step. Exit status 1 when a step failed."""
    print(f"Rackwright {__version__}, Python {platform.python_version()}, {platform.platform()}")
    print(", ".join(f"{name} {_version(name)}" for name in PACKAGES))
    steps: tuple[tuple[str, Callable[[], str]], ...] = (
        ("catalog", _catalog),
        ("reference", _reference),
        ("documents", lambda: _documents(language)),
    )
    return max([_step(name, step, language) for name, step in steps])


def _step(name: str, step: Callable[[], str], language: Language) -> int:
    label = phrase("cli", f"self_check.{name}", language)
    try:
        found, status = step(), 0
    except Problem as problem:
        found, status = problem_sentence(problem, language), 1
    except Exception as error:  # every step reports, whatever happened in it
        found, status = problem_sentence(defect(error), language), 1
    verdict = phrase("cli", "self_check.failed" if status else "self_check.ok", language)
    print(f"{verdict:8} {label}: {found}")
    return status


def _catalog() -> str:
    stamp = load_catalog().stamp
    return f"{stamp.version}, sha256 {stamp.sha256[:12]}"


def _reference() -> str:
    catalog: Catalog = load_catalog()
    found = estimate(InferencePlan.model_validate(REFERENCE), catalog).memory.kv_bytes_per_token
    if found != KV_BYTES_PER_TOKEN:
        raise Problem("reference_differs", "kv_bytes_per_token", found=found, expected=KV_BYTES_PER_TOKEN)
    return f"{REFERENCE['model']}, {found} B/token"


def _documents(language: Language) -> str:
    project = open_project(resource("samples", SAMPLE))
    quote = recommend(project.request, load_catalog())
    with tempfile.TemporaryDirectory(prefix="rackwright-") as folder:
        files = export_quote(project, quote, Path(folder), language)
        for file in files:
            expected = BEGINNINGS.get(file.suffix, b"")
            if not file.read_bytes().startswith(expected):
                raise Problem("document_broken", file.name)
        missing = BEGINNINGS.keys() - {file.suffix for file in files}
        if missing:
            raise Problem("document_broken", ", ".join(sorted(missing)))
    return ", ".join(file.name for file in files)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:  # a frozen program may ship a package without its description
        return "?"
