"""`quote`: from a project file to its documents, and what is said when that is not possible."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.console import ROOT, desktop

SAMPLE = ROOT / "resources" / "samples" / "llama-70b-assistant.json"
LLAMA: dict[str, Any] = json.loads((SAMPLE.parent / "Llama-3.1-70B-Instruct" / "config.json").read_text("utf-8"))


def written(folder: Path, change: dict[str, Any] | None = None, need: dict[str, Any] | None = None) -> Path:
    """A copy of the sample, changed."""
    content = json.loads(SAMPLE.read_text(encoding="utf-8"))
    content |= change or {}
    content["request"]["needs"][0] |= need or {}
    path = folder / "offer.rackwright.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def test_sample_becomes_its_documents(tmp_path: Path) -> None:
    done = desktop("quote", SAMPLE, "--out", tmp_path / "out")
    assert (done.status, done.err) == (0, "")
    files = {path.suffix: path for path in (tmp_path / "out").iterdir()}
    assert files[".pdf"].read_bytes().startswith(b"%PDF-") and files[".xlsx"].read_bytes().startswith(b"PK")
    quote = json.loads((tmp_path / "out" / "quote.json").read_text(encoding="utf-8"))
    assert "70553706496" in json.dumps(quote)
    for path in files.values():
        assert path.name in done.out


def test_where_nothing_fits_the_documents_say_so(tmp_path: Path) -> None:
    """A T4 has 16 GB: no number of them that one server takes holds 70 billion parameters at this load."""
    request = json.loads(SAMPLE.read_text(encoding="utf-8"))["request"]
    request["policy"]["gpus_allowed"] = ["NVIDIA T4"]
    done = desktop("quote", written(tmp_path, {"request": request}), "--out", tmp_path / "out")
    assert (done.status, done.err) == (0, "")
    assert "nothing is proposed" in done.out and "Purchase" not in done.out
    quote = json.loads((tmp_path / "out" / "quote.json").read_text(encoding="utf-8"))
    assert quote["answers"][0]["configurations"] == []


def test_model_may_be_a_file_beside_the_project(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text(json.dumps(LLAMA), encoding="utf-8")
    project = written(tmp_path, need={"model": {"file": "model/config.json", "name": "Our own 70B"}})
    done = desktop("quote", project, "--out", tmp_path / "out")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("Our own 70B: ")


@pytest.mark.parametrize(("language", "word"), [("en", "Written:"), ("ru", "Записано:")])
def test_answer_is_given_in_the_language_asked_for(tmp_path: Path, language: str, word: str) -> None:
    done = desktop("quote", SAMPLE, "--out", tmp_path, "--lang", language)
    assert (done.status, word in done.out) == (0, True)


def test_without_a_language_the_project_decides(tmp_path: Path) -> None:
    done = desktop("quote", written(tmp_path, {"language": "ru"}), "--out", tmp_path / "out")
    assert "Записано:" in done.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            '{"format_version": 1, "name": ',
            "offer.rackwright.json: this is not a Rackwright project: broken JSON at line",
        ),
        ('{"hello": "world"}', "offer.rackwright.json: this is not a Rackwright project"),
        ('{"format_version": 2}', "offer.rackwright.json: saved by a newer Rackwright"),
    ],
)
def test_broken_or_foreign_project(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "offer.rackwright.json"
    path.write_text(content, encoding="utf-8")
    refused(path, tmp_path, said)


@pytest.mark.parametrize(
    ("need", "said"),
    [
        ({"context": 10**12}, "request.needs.0.context: must be at most 100,000,000."),
        ({"users": -1}, "request.needs.0.users: must be at least 1."),
        ({"model": "Llama-3.1-71B"}, "needs.0.model: the catalog has no model “Llama-3.1-71B”"),
        ({"model": None}, "needs.0.model: "),
        ({"model": {"file": "none/config.json"}}, "config.json: there is no such file."),
        ({"model": {"hf_config": LLAMA | {"num_hidden_layers": -80}}}, "needs.0.model.hf_config.num_hidden_layers: "),
    ],
)
def test_impossible_request(tmp_path: Path, need: dict[str, Any], said: str) -> None:
    refused(written(tmp_path, need=need), tmp_path, said)


def test_unknown_gpu_in_the_policy(tmp_path: Path) -> None:
    content = json.loads(SAMPLE.read_text(encoding="utf-8"))["request"]
    content["policy"]["gpus_allowed"] = ["NVIDIA H1000"]
    said = "policy.gpus_allowed.0: the catalog has no GPU “NVIDIA H1000”"
    refused(written(tmp_path, {"request": content}), tmp_path, said)


def test_missing_project(tmp_path: Path) -> None:
    refused(tmp_path / "none.rackwright.json", tmp_path, "none.rackwright.json: there is no such file.")


def test_read_only_folder(tmp_path: Path, read_only_folder: Path) -> None:
    done = desktop("quote", SAMPLE, "--out", read_only_folder)
    assert (done.status, done.out) == (1, "")
    assert "permission" in done.err and done.err.count("\n") == 1 and "Traceback" not in done.err


def test_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    done = desktop("quote", SAMPLE, "--out", tmp_path / "out")
    assert (done.status, done.out) == (1, "")
    assert done.err.count("\n") == 1 and "Traceback" not in done.err
    assert (tmp_path / "out").read_bytes() == b""


def test_full_disk_leaves_no_half_of_a_document(tmp_path: Path, small_disk: Callable[[int], list[str]]) -> None:
    """48 KiB hold less than the PDF."""
    program = f'"{sys.executable}" -m desktop quote "{SAMPLE}" --out "{tmp_path}"; echo "$?"; ls -A "{tmp_path}"'
    done = subprocess.run([*small_disk(48), "sh", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
    assert "the disk is full" in done.stderr and done.stderr.count("\n") == 1


def refused(project: Path, folder: Path, said: str) -> None:
    out = folder / "out"
    done = desktop("quote", project, "--out", out)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(said)
    assert done.err.count("\n") == 1 and "Traceback" not in done.err
    assert not out.exists()
