"""The size a model's name states: 8B, 235B-A22B, 270M."""

import re

SCALE = {"k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12}
SIZE = re.compile(r"(?<![\w.])(?P<active>[aAeE]?)(?P<figure>\d{1,4}(?:\.\d{1,3})?)(?P<unit>[kKmMbBtT])(?![a-zA-Z0-9])")
SEVERAL = re.compile(r"\d+\s?[xX]\s?\d")  # 8x7B states the width of an expert, not the size of the model
# names round as they like: Gemma-7B has 8.5 billion elements, Qwen1.5-0.5B 0.62
TOLERANCE = (0.7, 1.35)


def stated_size(name: str) -> float | None:
    """Elements the name states; None where it states none, or several.

    >>> stated_size("Llama-3.1-8B-Instruct"), stated_size("Qwen3-235B-A22B"), stated_size("Mixtral-8x7B-v0.1")
    (8000000000.0, 235000000000.0, None)
    """
    if SEVERAL.search(name):
        return None
    found = {
        float(match["figure"]) * SCALE[match["unit"].lower()]
        for match in SIZE.finditer(name.replace("_", "-"))
        if not match["active"] and match["unit"] not in "kK"  # 32k is a context
    }
    return found.pop() if len(found) == 1 else None


def agrees(stated: float, counted: int) -> bool:
    """Whether a name may be rounded to `stated` for so many elements."""
    return stated * TOLERANCE[0] <= counted <= stated * TOLERANCE[1]
