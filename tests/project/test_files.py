"""Project files: the way to the disk and back, and everything that can be wrong with them."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from desktop.project.document import Party, Project
from desktop.project.files import MAX_BYTES, open_project, save_project
from desktop.request import (
    Economics,
    ExchangeRate,
    InferenceNeed,
    InlineModel,
    Policy,
    Problem,
    RecommendRequest,
    TrainingNeed,
)
from desktop.words import problem_sentence

HALF_WRITTEN = "*.part"


def filled(model: str | InlineModel = "Qwen3-32B") -> Project:
    return Project(
        name="Помощник поддержки",
        number="RW-2026-0142",
        issued_on=date(2026, 12, 1),
        language="ru",
        customer=Party(name="АО «Заказчик»", details=("ИНН 7700000000",)),
        request=RecommendRequest(
            needs=(InferenceNeed(model=model, users=450, weights=("fp8",)), TrainingNeed(mode="training", model=model)),
            policy=Policy(gpus_banned=("nvidia-rtx-4090",), redundancy="n+2"),
            economics=Economics(
                currency="RUB", exchange_rate=ExchangeRate(per_usd=Decimal("80.10"), date=date(2026, 11, 28))
            ),
        ),
    )


def refusal(path: Path) -> Problem:
    with pytest.raises(Problem) as caught:
        open_project(path)
    return caught.value


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "offer.rackwright.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def changed(folder: Path, change: dict[str, Any]) -> Path:
    """A saved project with its first need changed behind the program's back."""
    path = folder / "offer.rackwright.json"
    save_project(filled(), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["request"]["needs"][0] |= change
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


# ---------------------------------------------------------------------------------------------------- there and back


def test_what_was_saved_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "offer.rackwright.json"
    save_project(filled(), path)
    assert open_project(path) == filled()


def test_file_says_its_format_first_and_holds_readable_text(tmp_path: Path) -> None:
    path = tmp_path / "offer.rackwright.json"
    save_project(filled(), path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[1] == '  "format_version": 1,'
    assert "Помощник поддержки" in lines[2]


def test_file_holds_no_answers(tmp_path: Path) -> None:
    path = tmp_path / "offer.rackwright.json"
    save_project(filled(), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert set(content) == set(Project.model_fields)
    assert set(content["request"]) == {"needs", "policy", "economics", "top"}


def test_defaults_are_written_so_that_another_version_cannot_change_them(tmp_path: Path) -> None:
    path = tmp_path / "offer.rackwright.json"
    save_project(Project(), path)
    need = json.loads(path.read_text(encoding="utf-8"))["request"]["needs"][0]
    assert need["ttft_s"] == 1.5 and need["percentile"] == 95


def test_what_may_be_left_out_means_the_same_as_nothing() -> None:
    """The file leaves out what is None, so None has to be the default wherever it is allowed."""

    def check(record: type[BaseModel]) -> None:
        for name, field in record.model_fields.items():
            kinds = get_args(field.annotation)
            if type(None) in kinds:
                assert field.default is None, f"{record.__name__}.{name}"
            for kind in (field.annotation, *kinds):
                if isinstance(kind, type) and issubclass(kind, BaseModel):
                    check(kind)

    for record in (Project, InferenceNeed, TrainingNeed):
        check(record)


def test_money_is_written_as_text(tmp_path: Path) -> None:
    path = tmp_path / "offer.rackwright.json"
    save_project(filled(), path)
    assert json.loads(path.read_text(encoding="utf-8"))["request"]["economics"]["exchange_rate"]["per_usd"] == "80.10"


@settings(max_examples=40, deadline=None)
@given(
    name=st.text(max_size=200),
    users=st.integers(1, 10**9),
    ttft_s=st.floats(min_value=1e-6, max_value=3600),
    price=st.decimals(min_value=0, max_value=10, places=6),
    details=st.lists(st.text(max_size=50), max_size=5),
)
def test_any_project_survives_the_way_to_the_disk(
    tmp_path_factory: pytest.TempPathFactory, name: str, users: int, ttft_s: float, price: Decimal, details: list[str]
) -> None:
    project = Project(
        name=name,
        customer=Party(details=tuple(details)),
        request=RecommendRequest(
            needs=(InferenceNeed(users=users, ttft_s=ttft_s),), economics=Economics(electricity_per_kwh=price)
        ),
    )
    path = tmp_path_factory.mktemp("any") / "any.rackwright.json"
    save_project(project, path)
    assert open_project(path) == project


def test_model_file_travels_with_the_folder(tmp_path: Path) -> None:
    (tmp_path / "here" / "models").mkdir(parents=True)
    config = tmp_path / "here" / "models" / "config.json"
    config.write_text("{}", encoding="utf-8")
    path = tmp_path / "here" / "offer.rackwright.json"
    save_project(filled(InlineModel(file=config)), path)
    assert json.loads(path.read_text(encoding="utf-8"))["request"]["needs"][0]["model"]["file"] == "models/config.json"

    (tmp_path / "here").rename(tmp_path / "there")
    model = open_project(tmp_path / "there" / "offer.rackwright.json").request.needs[1].model
    assert isinstance(model, InlineModel)
    assert model.file == tmp_path / "there" / "models" / "config.json"


def test_model_file_elsewhere_keeps_its_place(tmp_path: Path) -> None:
    config = tmp_path / "models" / "config.json"
    (tmp_path / "project").mkdir()
    path = tmp_path / "project" / "offer.rackwright.json"
    save_project(filled(InlineModel(file=config)), path)
    model = open_project(path).request.needs[0].model
    assert isinstance(model, InlineModel)
    assert model.file == config


def test_text_of_a_windows_editor_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + b'{"format_version": 1,\r\n "name": "x"}\r\n')
    assert open_project(path).name == "x"


# ------------------------------------------------------------------------------------------------ what is not opened


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ('{"format_version": 1, "name": ', "syntax"),
        ("", "syntax"),
        (b"\x00\xff\xfe not text", "encoding"),
        (b"%PDF-1.7", "syntax"),
        ('{"format_version": 1, "name": "a", "name": "b"}', "duplicate_key"),
        ('{"format_version": 1, "request": {"economics": {"pue": NaN}}}', "not_finite"),
        ('{"format_version": 1, "request": {"economics": {"pue": 1e999}}}', "not_finite"),
        ('{"format_version": 1, "revision": ' + "9" * 5000 + "}", "number_too_long"),
        ('{"format_version": 1, "supplier": ' + "[" * 100_000, "too_deep"),
        ('{"model_type": "llama", "num_hidden_layers": 80}', "foreign"),
        ('[{"format_version": 1}]', "foreign"),
        ("42", "foreign"),
    ],
)
def test_broken_or_foreign_file_is_named(tmp_path: Path, content: str | bytes, reason: str) -> None:
    problem = refusal(written(tmp_path, content))
    assert (problem.code, problem.field, problem.values["reason"]) == ("not_a_project", "offer.rackwright.json", reason)
    for language in ("en", "ru"):
        assert problem_sentence(problem, language).startswith("offer.rackwright.json: ")


def test_broken_json_tells_the_place(tmp_path: Path) -> None:
    problem = refusal(written(tmp_path, '{"format_version": 1,\n "name": oops}'))
    assert (problem.values["line"], problem.values["column"]) == (2, 10)
    assert problem_sentence(problem, "en").endswith("broken JSON at line 2, column 10.")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"context": 10**12}, "out_of_range", "request.needs.0.context"),
        ({"users": -3}, "out_of_range", "request.needs.0.users"),
        ({"users": "many"}, "wrong_type", "request.needs.0.users"),
        ({"usres": 3}, "unknown_field", "request.needs.0.usres"),
        ({"mode": "serving"}, "wrong_value", "request.needs.0.mode"),
        ({"model": {"hf_config": {}, "file": "config.json"}}, "contradiction", "request.needs.0.model"),
        ({"model": {"hf_confg": {}}}, "unknown_field", "request.needs.0.model.hf_confg"),
        ({"engine": {"name": "vlm"}}, "wrong_value", "request.needs.0.engine.name"),
    ],
)
def test_impossible_value_is_named_by_its_field(tmp_path: Path, change: dict[str, Any], code: str, field: str) -> None:
    problem = refusal(changed(tmp_path, change))
    assert (problem.code, problem.field) == (code, field)
    assert problem_sentence(problem, "en").startswith(field + ": ")


def test_limit_stands_in_the_sentence(tmp_path: Path) -> None:
    problem = refusal(changed(tmp_path, {"context": 10**12}))
    assert problem_sentence(problem, "en") == "request.needs.0.context: must be at most 100,000,000."


@pytest.mark.parametrize(
    ("version", "code"),
    [
        (2, "newer_format"),
        (0, "unknown_format"),
        (-1, "unknown_format"),
        ("1", "unknown_format"),
        (True, "unknown_format"),
        (1.5, "unknown_format"),
        (None, "unknown_format"),
    ],
)
def test_other_format_is_refused(tmp_path: Path, version: object, code: str) -> None:
    problem = refusal(written(tmp_path, json.dumps({"format_version": version, "name": "x"})))
    assert (problem.code, problem.field) == (code, "offer.rackwright.json")


def test_missing_file_folder_and_device(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.rackwright.json").code == "file_missing"
    assert refusal(tmp_path / "none" / "none.rackwright.json").code == "file_missing"
    assert refusal(tmp_path).code == "is_a_folder"
    problem = refusal(Path("/dev/zero"))
    assert (problem.code, problem.values) == ("cannot_read", {"reason": "not_a_file"})


def test_endless_file_is_not_read(tmp_path: Path) -> None:
    problem = refusal(written(tmp_path, b" " * (MAX_BYTES + 1)))
    assert (problem.code, problem.values) == ("file_too_large", {"limit_mib": 4})


# ------------------------------------------------------------------------------------------------ what is not written


def test_saving_over_a_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    real = tmp_path / "real.rackwright.json"
    save_project(Project(), real)
    real.chmod(0o640)
    link = tmp_path / "link.rackwright.json"
    link.symlink_to(real)
    save_project(filled(), link)
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert open_project(real) == filled()


def test_new_file_is_as_open_as_the_user_wants(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        save_project(Project(), tmp_path / "new.rackwright.json")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.rackwright.json").stat().st_mode) == 0o640


def test_read_only_folder(read_only_folder: Path) -> None:
    with pytest.raises(Problem) as caught:
        save_project(Project(), read_only_folder / "offer.rackwright.json")
    assert (caught.value.code, caught.value.field) == ("cannot_write", "offer.rackwright.json")
    assert caught.value.values == {"reason": "permission"}


def test_folder_in_the_way_and_no_folder(tmp_path: Path) -> None:
    (tmp_path / "offer.rackwright.json").mkdir()
    (tmp_path / "file").touch()
    for target, reason in (
        (tmp_path / "offer.rackwright.json", "is_a_folder"),
        (tmp_path / "none" / "offer.rackwright.json", "not_a_folder"),
        (tmp_path / "file" / "offer.rackwright.json", "not_a_folder"),
    ):
        with pytest.raises(Problem) as caught:
            save_project(Project(), target)
        assert (caught.value.code, caught.value.values) == ("cannot_write", {"reason": reason})
        assert list(tmp_path.rglob(HALF_WRITTEN)) == []


SAVE_TOO_MUCH = """
import sys
from pathlib import Path
from desktop.project.document import Party, Project
from desktop.project.files import open_project, save_project
from desktop.request import Problem

project = Path(sys.argv[1]) / "offer.rackwright.json"
save_project(Project(name="before"), project)
try:
    save_project(Project(name="after", customer=Party(details=("x" * 50_000,))), project)
except Problem as problem:
    print(problem.code, problem.field, problem.values["reason"])
print(open_project(project).name, [path.name for path in project.parent.iterdir()])
"""


def test_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, repository: Path, small_disk: Callable[[int], list[str]]
) -> None:
    done = subprocess.run(
        [*small_disk(32), sys.executable, "-c", SAVE_TOO_MUCH, str(tmp_path)],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "cannot_write offer.rackwright.json no_space",
        "before ['offer.rackwright.json']",
    ]


def test_interrupted_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "offer.rackwright.json"
    save_project(Project(name="before"), path)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save_project(Project(name="after"), path)
    assert open_project(path).name == "before"
    assert [entry.name for entry in tmp_path.iterdir()] == ["offer.rackwright.json"]
