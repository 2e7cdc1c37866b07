"""Input becomes a record, or one Problem that names the field as the user wrote it."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from desktop.request.problem import Problem

Record = TypeVar("Record", bound=BaseModel)
Path = tuple[str | int, ...]

DISCRIMINATOR = "mode"  # pydantic puts its value into the path of every error below it
OWN = ("contradiction", "low_above_high")  # raised by the records themselves
LIMITS = {  # pydantic's error -> which side of which bound
    "greater_than_equal": ("at_least", "ge"),
    "greater_than": ("above", "gt"),
    "less_than_equal": ("at_most", "le"),
    "less_than": ("below", "lt"),
}
LENGTHS = {
    "too_short": ("at_least", "min_length"),
    "too_long": ("at_most", "max_length"),
    "string_too_short": ("at_least", "min_length"),
    "string_too_long": ("at_most", "max_length"),
}
KINDS = {  # first word of pydantic's error -> what stands in `reason`
    "int": "whole_number",
    "float": "number",
    "decimal": "number",
    "string": "text",
    "path": "text",
    "date": "date",
    "bool": "yes_or_no",
    "model": "object",
    "dict": "object",
    "dataclass": "object",
    "tuple": "list",
    "list": "list",
}


def validated(record: type[Record], data: Any) -> Record:
    """`data` as a `record`.

    Raises one Problem with the dotted path of the field: unknown_field (`suggestion`), missing_field, out_of_range
    (`reason` at_least, above, at_most, below or finite; `limit`), wrong_length (`reason`, `limit`), wrong_value
    (`allowed`), wrong_type (`reason`: the kinds that may stand there), contradiction (`first`, `second`),
    low_above_high, bad_value.

    >>> from desktop.request.need import RecommendRequest
    >>> validated(RecommendRequest, {"needs": [{"mode": "inference", "users": 0}]})
    Traceback (most recent call last):
    desktop.request.problem.Problem: out_of_range at needs.0.users (reason=at_least, limit=1, value=0)
    """
    try:
        return record.model_validate(data)
    except ValidationError as invalid:
        errors = invalid.errors(include_url=False)
    raise _problem(errors, data, record)


def _problem(errors: Sequence[ErrorDetails], data: Any, record: type[BaseModel]) -> Problem:
    placed = [(*_place(error, data), error) for error in errors]
    # a mistyped name shows as an unknown and often a missing field: the unknown one is what the user has to see
    first = next((entry for entry in placed if entry[2]["type"] == "extra_forbidden"), placed[0])
    group = [(path, error) for owner, path, error in placed if owner == first[0]]
    # of a choice of shapes the one that got deepest is the one the user meant
    depth = max(len(path) for path, _ in group)
    deepest = [(path, error) for path, error in group if len(path) == depth]
    path = deepest[0][0] if len(first[1]) < depth else first[1]
    return _one(path, [error for where, error in deepest if where == path], record)


def _place(error: ErrorDetails, data: Any) -> tuple[Path, Path]:
    """Two paths without pydantic's own labels for the members of a choice: of the field that offers a choice of shapes
    (else of the error), and of the error."""
    path: list[str | int] = []
    owner: Path | None = None
    node: Any = data
    last = len(error["loc"]) - 1
    named = error["type"] in ("missing", "extra_forbidden")
    for position, step in enumerate(error["loc"]):
        if isinstance(node, Mapping) and position < last and node.get(DISCRIMINATOR) == step:
            continue
        if named and position == last:
            path.append(step)
        elif isinstance(node, Mapping) and step in node:
            path.append(step)
            node = node[step]
        elif isinstance(node, Sequence) and not isinstance(node, str) and isinstance(step, int):
            path.append(step)
            node = node[step] if step < len(node) else None
        elif owner is None:
            owner = tuple(path)
    return tuple(path) if owner is None else owner, tuple(path)


def _one(path: Path, errors: Sequence[ErrorDetails], record: type[BaseModel]) -> Problem:
    field = ".".join(map(str, path))
    by_kind = {error["type"]: error for error in reversed(errors)}
    for kind, error in by_kind.items():
        context = error.get("ctx", {})
        value = _short(error["input"])
        if kind in OWN:
            return Problem(kind, field, **context)
        if kind in LIMITS:
            reason, bound = LIMITS[kind]
            return Problem("out_of_range", field, reason=reason, limit=context[bound], **value)
        if kind in LENGTHS:
            reason, bound = LENGTHS[kind]
            return Problem("wrong_length", field, reason=reason, limit=context[bound])
        if kind == "finite_number":
            return Problem("out_of_range", field, reason="finite")
        if kind == "extra_forbidden":
            similar = _similar(str(path[-1]), _fields_at(record, path[:-1]))
            hint = {"reason": "similar", "suggestion": similar} if similar else {}
            return Problem("unknown_field", field, **hint)
        if kind == "missing":
            return Problem("missing_field", field)
        if kind == "union_tag_not_found":
            return Problem("missing_field", f"{field}.{DISCRIMINATOR}" if field else DISCRIMINATOR)
        if kind == "union_tag_invalid":
            return Problem(
                "wrong_value",
                f"{field}.{DISCRIMINATOR}" if field else DISCRIMINATOR,
                value=context["tag"],
                allowed=_listed(context["expected_tags"]),
            )
    literal = by_kind.get("literal_error")
    kinds = list(dict.fromkeys(kind for error in errors if (kind := KINDS.get(error["type"].split("_")[0]))))
    allowed = {"allowed": _listed(literal["ctx"]["expected"])} if literal else {}
    if literal and isinstance(literal["input"], str) and not {"whole_number", "number"} & set(kinds):
        return Problem("wrong_value", field, value=literal["input"][:60], **allowed)
    if kinds or literal:
        return Problem("wrong_type", field, reason="_or_".join([*kinds, *(["named"] if literal else [])]), **allowed)
    return Problem("bad_value", field, **_short(errors[0]["input"]))


def _short(value: Any) -> dict[str, Any]:
    """The value where it can be shown in a sentence."""
    return {"value": value} if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= 60) else {}


def _listed(expected: str) -> tuple[str, ...]:
    """ "'a', 'b' or 'c'" as a tuple."""
    return tuple(part.strip().strip("'") for part in expected.replace(" or ", ", ").split(","))


def _similar(name: str, known: Sequence[str]) -> str:
    """The name that was probably meant: letters that only changed places come before a mere likeness."""
    close = get_close_matches(name, known, n=3)
    return min(close, key=lambda other: sorted(other) != sorted(name), default="")


@cache
def _schema(record: type[BaseModel]) -> dict[str, Any]:
    return record.model_json_schema()


def _fields_at(record: type[BaseModel], path: Path) -> list[str]:
    """Names that a record knows at a path, over all shapes that may stand there."""
    whole = _schema(record)

    def shapes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        if "$ref" in node:
            node = whole["$defs"][node["$ref"].rsplit("/", 1)[-1]]
        yield node
        for member in (*node.get("anyOf", ()), *node.get("oneOf", ())):
            yield from shapes(member)

    nodes = list(shapes(whole))
    for step in path:
        children = [
            node.get("items") if isinstance(step, int) else node.get("properties", {}).get(step) for node in nodes
        ]
        nodes = [shape for child in children if isinstance(child, Mapping) for shape in shapes(child)]
    return [name for node in nodes for name in node.get("properties", {})]
