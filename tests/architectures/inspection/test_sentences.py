"""Every doubt that a reader of configs or of weights can leave has a sentence, and no sentence is of another code."""

import ast
from pathlib import Path

from desktop.resources import root
from desktop.words import phrases_of

READERS = Path(root(), "desktop", "architectures")


def texts_of_the_readers() -> set[str]:
    """Every text in the code of the room, and of the JSON reader it stands on."""
    found = set()
    for file in [*READERS.rglob("*.py"), READERS.parent / "request" / "strict_json.py"]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def codes_left_by_readers() -> set[str]:
    """Codes given to `.doubt(…)`, or put into lists and tuples called doubts."""
    found = set()
    for file in READERS.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of_doubts = isinstance(node.func.value, ast.Name) and node.func.value.id == "doubts"
                if node.func.attr == "doubt" or (of_doubts and node.func.attr == "append"):
                    found |= _texts(node.args)
            targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
            of_doubts = any(isinstance(target, ast.Name) and target.id == "doubts" for target in targets)
            if of_doubts and isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) and node.value is not None:
                found |= _texts([node.value])
    return found


def _texts(nodes: list[ast.expr]) -> set[str]:
    """Whole texts among the nodes, without those of calls inside them."""
    kept: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            kept.add(node.value)
        elif isinstance(node, ast.Tuple | ast.List):
            kept |= _texts([item.value if isinstance(item, ast.Starred) else item for item in node.elts])
        elif isinstance(node, ast.IfExp):
            kept |= _texts([node.body, node.orelse])
    return kept


def test_every_code_has_a_sentence() -> None:
    said = {code.removeprefix("doubt.") for code in phrases_of("messages") if code.startswith("doubt.")}
    left = codes_left_by_readers()
    assert {"class_defaults", "data_absent", "shard_missing", "packed_bits_unknown", "dtype_not_stated"} <= left
    assert sorted(left - said) == []
    assert sorted(said - texts_of_the_readers()) == []
