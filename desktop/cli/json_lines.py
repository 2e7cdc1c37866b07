"""Answers and errors as JSON: one object a line, UTF-8, money as text, messages in the reader's language."""

import json
import sys
import traceback
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from desktop.quote import Message
from desktop.request import Problem
from desktop.words import Language, message_sentence, phrase, problem_sentence

PACKAGE = Path(__file__).resolve().parent.parent


def write_json(content: dict[str, Any], indent: int | None = None) -> None:
    """One object to standard output, on a line of its own unless indented; UTF-8 whatever the terminal is set to."""
    try:
        text = json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent).encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which UTF-8 cannot hold: written as it came, \\ud800
        text = json.dumps(content, allow_nan=False, indent=indent).encode()
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.buffer.flush()


def answer_content(answer: BaseModel, language: Language) -> dict[str, Any]:
    """An answer as plain JSON content, with `message` filled in wherever a message stands."""
    content: dict[str, Any] = _spoken(answer.model_dump(mode="json"), language)
    return content


def error_content(problem: Problem, language: Language) -> dict[str, Any]:
    """The problem in the form of the contract. Without a field, its sentence speaks of the whole request."""
    placed = problem if problem.field else problem.at(phrase("cli", "request.whole", language))
    return {"code": problem.code, "field": problem.field, "message": problem_sentence(placed, language)}


def defect(error: Exception) -> Problem:
    """The Problem of an error that nobody foresaw: it names the place in the program, so that it can be reported."""
    frames = traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in reversed(frames) if PACKAGE in Path(frame.filename).parents), frames[-1])
    return Problem("internal_error", kind=type(error).__name__, place=f"{Path(place.filename).name}:{place.lineno}")


def _spoken(node: Any, language: Language) -> Any:
    if isinstance(node, list):
        return [_spoken(child, language) for child in node]
    if not isinstance(node, dict):
        return node
    if node.keys() >= {"code", "severity", "values", "message"}:
        message = Message.model_validate(node)
        return {**node, "message": message.message or message_sentence(message, language)}
    return {name: _spoken(child, language) for name, child in node.items()}
