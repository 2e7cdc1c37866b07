"""`estimate`, `recommend` and `cost`: a request a line in, an answer or an error a line out, in the same order."""

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import BaseModel

from desktop.cli.json_lines import answer_content, defect, error_content, write_json
from desktop.request import CostRequest, InferencePlan, Problem, RecommendRequest, TrainingPlan
from desktop.request.strict_json import parse_strict
from desktop.request.validation import validated
from desktop.words import Language, problem_sentence

MAX_LINE_BYTES = 4 * 2**20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Answerer = Callable[[Any], BaseModel]


def run_batch(command: str, file: str, language: Language) -> int:
    """Answers every line of `file` ("-": standard input). Exit status 1: a line was not answered; 2: no such file."""
    if file == "-":
        return _answer_all(sys.stdin.buffer, command, language)
    try:
        stream = Path(file).open("rb")  # noqa: SIM115  an error of the output below must not be told of this file
        stream.peek(1)
    except OSError as error:
        code = {FileNotFoundError: "file_missing", IsADirectoryError: "is_a_folder"}.get(type(error), "cannot_read")
        print(problem_sentence(Problem(code, file), language), file=sys.stderr)
        return 2
    with stream:
        return _answer_all(stream, command, language)


def _answer_all(stream: BinaryIO, command: str, language: Language) -> int:
    answer = {"estimate": _estimate, "recommend": _recommend, "cost": _cost}[command]
    status = 0
    for number, line in _lines(stream):
        content, failed = _answer_line(line, number, answer, language)
        write_json(content)
        status = 1 if failed else status
    return status


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Numbered lines that are not blank; None for one that is longer than any request."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES):
        number += 1
        too_long = len(line) == MAX_LINE_BYTES and not line.endswith(b"\n")
        rest = line
        while too_long and rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES)
        if too_long:
            yield number, None
        elif line.removeprefix(BYTE_ORDER_MARK).strip():
            yield number, line


def _answer_line(line: bytes | None, number: int, answer: Answerer, language: Language) -> tuple[dict[str, Any], bool]:
    identity: str | int | None = None
    try:
        data = _parsed(line, number)
        if isinstance(data, dict) and isinstance(data.get("id"), str | int):
            identity = data["id"]
        content = answer_content(answer(data), language)
        return {**content, **_of_the_main_need(content), "id": identity}, False
    except Exception as error:  # one request must never stop the others, not even by a figure no sentence can hold
        problem = error if isinstance(error, Problem) else defect(error)
    try:
        return {"id": identity, "error": error_content(problem, language)}, True
    except Exception as error:
        return {"id": identity, "error": error_content(defect(error), language)}, True


def _of_the_main_need(content: dict[str, Any]) -> dict[str, Any]:
    """What `recommend` promises at the top of its answer: the plans and rejections of the first need, and break-even;
    `answers` holds the same for every need."""
    if not content.get("answers"):
        return {}
    main, schemes = content["answers"][0], content["schemes"]
    return {
        "configurations": main["configurations"],
        "rejected": main["rejected"],
        "break_even": schemes["break_even"] if schemes else None,
    }


def _parsed(line: bytes | None, number: int) -> Any:
    name = f"line {number}"
    if line is None:
        raise Problem("line_too_long", name, limit_mib=MAX_LINE_BYTES // 2**20)
    try:
        return parse_strict(line, name)
    except Problem as problem:
        raise Problem(problem.code, name, **{**problem.values, "line": number}) from None


@cache
def _catalog() -> Any:
    from desktop.catalog.overlay import catalog_on_hand

    return catalog_on_hand()


def _estimate(data: Any) -> BaseModel:
    from desktop.advisor import estimate

    mode = data.get("mode", "inference") if isinstance(data, dict) else "inference"
    if mode not in ("inference", "training"):
        raise Problem("wrong_value", "mode", value=str(mode)[:60], allowed=("inference", "training"))
    if mode == "training":
        return estimate(validated(TrainingPlan, data), _catalog())
    return estimate(validated(InferencePlan, data), _catalog())


def _recommend(data: Any) -> BaseModel:
    from desktop.advisor import recommend

    return recommend(validated(RecommendRequest, data), _catalog())


def _cost(data: Any) -> BaseModel:
    from desktop.advisor import cost

    return cost(validated(CostRequest, data))
