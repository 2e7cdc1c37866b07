"""estimate, recommend and cost: a request a line in, an answer or an error a line out."""

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.cli.console import ROOT, desktop, json_lines

PLAN: dict[str, Any] = {
    "id": "a1",
    "mode": "inference",
    "model": "Llama-3.1-70B",
    "gpu": "NVIDIA H100 SXM5 80GB",
    "gpus": 4,
    "weights": "fp8",
    "engine": {"name": "vllm", "memory_fraction": 0.9, "max_context": 32768},
    "parallel": {"tensor": 4},
    "traffic": {"input_tokens": 2000, "output_tokens": 500, "concurrency": 64},
}
TRAINING: dict[str, Any] = {
    "id": "t1",
    "mode": "training",
    "method": "full",
    "model": "Llama-3.1-8B",
    "gpu": "NVIDIA H100 SXM5 80GB",
    "gpus": 8,
    "global_batch": 64,
}
LENOVO = {
    "id": "c1",
    "capex": "833806",
    "onprem_per_hour": "0.87",
    "cloud_per_hour": "98.32",
    "utilization": 1.0,
    "horizon_months": 60,
}
SAMPLES = ROOT / "resources" / "samples"
LLAMA_FILE = SAMPLES / "Llama-3.1-70B-Instruct" / "config.json"
LLAMA_70B: dict[str, Any] = json.loads(LLAMA_FILE.read_text(encoding="utf-8"))


def error_of(command: str, request: Any, language: str = "en") -> dict[str, Any]:
    done = desktop(command, "--lang", language, given=json_lines(request))
    assert (done.status, done.err) == (1, "")
    (line,) = done.lines()
    error: dict[str, Any] = line["error"]
    assert set(error) == {"code", "field", "message"}
    return error


def test_estimate_of_a_serving_plan() -> None:
    """70B by GQA in FP16: 2 x 80 layers x 8 KV heads x 128 x 2 B = 327,680 B a token over the four GPUs."""
    done = desktop("estimate", given=json_lines(PLAN | {"kv_cache": "fp16"}))
    (answer,) = done.lines()
    assert (done.status, done.err, answer["id"]) == (0, "", "a1")
    assert answer["memory"]["kv_bytes_per_token"] * 4 == 327_680
    assert answer["memory"]["verdict"] == "fits"
    assert isinstance(answer["memory"]["required_bytes"]["value"], int)
    assert answer["speed"]["ttft_s"]["low"] <= answer["speed"]["ttft_s"]["value"] <= answer["speed"]["ttft_s"]["high"]


def test_estimate_of_a_training_plan() -> None:
    """AdamW in mixed precision keeps 16 bytes a parameter (arXiv 1910.02054 §3.1), cut over 8 GPUs by FSDP.

    Gradients live on between the micro-batches of a step: 64 sequences are 8 for each GPU.
    """
    (answer,) = desktop("estimate", given=json_lines(TRAINING)).lines()
    parts = {part["component"]: part["bytes"] for part in answer["memory"]["per_gpu"][0]["components"]}
    states = parts["weights"] + parts["gradients"] + parts["optimizer"]
    assert states * 8 == pytest.approx(16 * 8_030_261_248, rel=0.01)


def test_cost_of_the_published_example() -> None:
    """Lenovo LP2225 "On-Premise vs Cloud: Generative AI Total Cost of Ownership", table 1: 8,556 hours."""
    done = desktop("cost", given=json_lines(LENOVO))
    (answer,) = done.lines()
    assert (done.status, answer["id"], answer["break_even"]["state"]) == (0, "c1", "at")
    assert answer["break_even"]["hours"] == pytest.approx(8556, abs=1)
    assert answer["totals"]["on_premise"]["capex"] == "833806.00"
    assert len(answer["monthly"]["cloud"]) == 61


def test_recommend_ranks_what_fits_and_says_why_the_others_lost() -> None:
    need = {"mode": "inference", "model": "Llama-3.1-70B", "users": 100, "weights": ["fp8"]}
    done = desktop("recommend", given=json_lines({"id": 7, "needs": [need], "top": 3}))
    (answer,) = done.lines()
    assert (done.status, answer["id"]) == (0, 7)
    (found,) = answer["answers"]
    assert answer["configurations"] == found["configurations"]
    assert answer["rejected"] == found["rejected"]
    assert answer["break_even"] == answer["schemes"]["break_even"]
    assert found["parameters"] == 70_553_706_496
    assert 1 <= len(found["configurations"]) <= 3
    assert all(lost["reason"]["message"] for lost in found["rejected"])
    totals = [Decimal(plan["total_cost"]) for plan in found["configurations"]]
    assert totals == sorted(totals)


def test_answers_come_in_the_order_of_the_requests_and_a_bad_one_stops_nothing() -> None:
    given = json_lines(LENOVO, {"id": 2, "capex": "-1"}) + "\n{broken\n" + json_lines(LENOVO | {"id": "last"})
    done = desktop("cost", given=given)
    assert (done.status, done.err) == (1, "")
    assert [(line["id"], line.get("error", {}).get("code")) for line in done.lines()] == [
        ("c1", None),
        (2, "out_of_range"),
        (None, "bad_json"),
        ("last", None),
    ]


def test_every_message_is_said_in_the_chosen_language() -> None:
    request = PLAN | {"engine": {"name": "vllm", "version": "9.9.9"}}
    english, russian = (
        desktop("estimate", "--lang", language, given=json_lines(request)).lines()[0]["warnings"]
        for language in ("en", "ru")
    )
    assert [warning["code"] for warning in english] == [warning["code"] for warning in russian]
    assert "engine_version_not_calibrated" in [warning["code"] for warning in english]
    for one, other in zip(english, russian, strict=True):
        assert one["message"] and other["message"] and one["message"] != other["message"]


def test_same_request_gives_the_same_bytes() -> None:
    assert desktop("cost", given=json_lines(LENOVO)).out == desktop("cost", given=json_lines(LENOVO)).out


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"gpu": "NVIDIA H1000"}, "unknown_gpu", "gpu"),
    ({"model": "Llama-3.1-71B"}, "unknown_model", "model"),
    ({"engine": {"name": "vllm", "max_context": 10**12}}, "out_of_range", "engine.max_context"),
    (
        {"model": {"hf_config": LLAMA_70B | {"num_hidden_layers": -80}}},
        "bad_model_field",
        "model.hf_config.num_hidden_layers",
    ),
    ({"model": {"hf_config": {}, "path": "x"}}, "unknown_field", "model.path"),
    ({"model": {"file": "no/such/config.json"}}, "file_missing", "config.json"),
    ({"model": ["Llama-3.1-70B"]}, "wrong_type", "model"),
    ({"gpus": 0}, "out_of_range", "gpus"),
    ({"gpus": 3}, "invalid_plan", "gpus"),
    ({"speling": 1}, "unknown_field", "speling"),
    ({"mode": "serving"}, "wrong_value", "mode"),
    ({"traffic": {"concurrency": "many"}}, "wrong_type", "traffic.concurrency"),
]


def test_errors_name_the_field_as_it_was_written() -> None:
    requests = json_lines(*(PLAN | change for change, _, _ in WRONG))
    english, russian = (desktop("estimate", "--lang", language, given=requests) for language in ("en", "ru"))
    assert (english.status, english.err) == (1, "")
    errors = [line["error"] for line in english.lines()]
    assert [(error["code"], error["field"]) for error in errors] == [(code, field) for _, code, field in WRONG]
    for error, other in zip(errors, russian.lines(), strict=True):
        assert error["message"].startswith(f"{error['field']}: ")
        assert other["error"]["message"] not in ("", error["message"])


def test_need_is_named_by_its_place_and_not_by_its_mode() -> None:
    error = error_of("recommend", {"needs": [{"mode": "inference", "users": 0}]})
    assert error == {"code": "out_of_range", "field": "needs.0.users", "message": "needs.0.users: must be at least 1."}


def test_unknown_gpu_names_three_that_are_close() -> None:
    message = error_of("estimate", PLAN | {"gpu": "NVIDIA H100 SXM 80G"})["message"]
    assert message.count("NVIDIA") >= 4


NO_REQUESTS: list[tuple[bytes, str]] = [
    (b"{", "bad_json"),
    (b"nonsense", "bad_json"),
    (b'{"id": NaN}', "bad_json"),
    (b'{"id": 1, "id": 2}', "bad_json"),
    (b"\xff\xfe{}", "bad_json"),
    (b'{"capex": 1e999}', "bad_json"),
    (b'{"capex": ' + b"9" * 5000 + b"}", "bad_json"),
    (b"[" * 100_000, "bad_json"),
    (b'"' + b"x" * (5 * 2**20) + b'"', "line_too_long"),
    (b"[]", "wrong_type"),
    (b"null", "wrong_type"),
    (b"17", "wrong_type"),
    (b'{"id": {"a": 1}}', "wrong_type"),
    (b"{}" + b"\x00", "bad_json"),
]


def test_whatever_stands_in_a_line_the_next_one_is_answered() -> None:
    good = json_lines(LENOVO).encode()
    done = desktop("cost", given=b"".join(line + b"\n" + good for line, _ in NO_REQUESTS))
    assert (done.status, done.err) == (1, "")
    lines = done.lines()
    assert [(line["id"], line["error"]["code"]) for line in lines[::2]] == [(None, code) for _, code in NO_REQUESTS]
    assert [line["id"] for line in lines[1::2]] == ["c1"] * len(NO_REQUESTS)


def test_half_a_surrogate_pair_comes_back_as_it_was_written() -> None:
    done = desktop("cost", given='{"id": "\\ud800", "capex": "x"}\n' + json_lines(LENOVO))
    assert done.out.startswith('{"id": "\\ud800", "error": {"code": "wrong_type", "field": "capex"')
    assert len(done.lines()) == 2


def test_broken_line_is_named_by_its_number_and_column() -> None:
    done = desktop("cost", given=json_lines(LENOVO) + '{"capex": oops}\n')
    assert done.lines()[1]["error"] == {
        "code": "bad_json",
        "field": "line 2",
        "message": "line 2: not valid JSON at line 2, column 11.",
    }


def test_file_with_a_byte_order_mark_and_windows_ends_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(LENOVO).encode() + b"\r\n\r\n")
    done = desktop("cost", path)
    assert (done.status, len(done.lines())) == (0, 1)


def test_nothing_asked_is_nothing_answered() -> None:
    done = desktop("cost", given="\n \n")
    assert (done.status, done.out, done.err) == (0, "", "")


def test_money_is_text_and_every_figure_finite() -> None:
    (answer,) = desktop("cost", given=json_lines(LENOVO)).lines()
    for total in answer["totals"].values():
        assert all(isinstance(total[name], str) for name in ("capex", "opex", "total", "discounted_total"))


def test_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    done = desktop("estimate", tmp_path / "none.jsonl")
    assert (done.status, done.out) == (2, "")
    assert "none.jsonl" in done.err and "Traceback" not in done.err


def test_model_file_is_taken_from_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_70B), encoding="utf-8")
    done = desktop("estimate", given=json_lines(PLAN | {"model": {"file": "config.json"}}), folder=tmp_path)
    assert (done.status, done.lines()[0]["id"]) == (0, "a1")


def test_a_figure_no_sentence_can_hold_does_not_stop_the_batch() -> None:
    huge = {"id": "h", "capex": 1e308, "cloud_per_hour": 1}
    done = desktop("cost", given=json_lines(huge, LENOVO))
    first, second = done.lines()
    assert (first["id"], first["error"]["field"]) == ("h", "capex")
    assert "break_even" in second


def test_a_device_is_not_read_to_its_end() -> None:
    request = {**PLAN, "model": {"file": "/dev/zero"}}
    assert error_of("estimate", request)["code"] == "file_unreadable"


def test_a_full_disk_is_not_blamed_on_the_request(tmp_path: Path) -> None:
    """A device that is always full stands in for the disk."""
    requests = tmp_path / "plans.jsonl"
    requests.write_text(json.dumps(PLAN), encoding="utf-8")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "desktop", "estimate", str(requests)],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.decode().strip() == "The output cannot be written: the disk is full or has failed."
