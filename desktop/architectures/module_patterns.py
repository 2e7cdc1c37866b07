"""Names of modules a checkpoint treats alike, in the three ways quantisers write them, matched in bounded time."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

MAX_WILDCARDS = 8
LONGEST_PATTERN = 400
MAX_PARTS = 24
EXPERT_NUMBER = re.compile(r"\.experts\.\d+(?=\.|$)")
# of regular expressions only what quantisers write is run: letters, dots, .*, \d+, [0-9]+, one level of alternatives
REGEX_PIECES = re.compile(r"\.\*|\\\.|\\d\+|\[0-9\]\+|\([\w.|\\-]+\)|[\w.-]|[$^]")
WILDCARDS = re.compile(r"\.\*|\\d\+|\[0-9\]\+")


class ModulePatterns:
    """Patterns with what they stand for: `re:` and a regular expression (compressed-tensors), a name with `*`
    (modelopt), or a plain name: of the module, of what holds it, or of its end.

    >>> kept = ModulePatterns([("lm_head", 0), ("*.attn.*", 1), ("gate", 2), ("re:.*self_attn.*", 3)])
    >>> kept.find("model.layers.3.mlp.gate"), kept.find("model.layers.0.self_attn.q_proj"), kept.find("x.gate_proj")
    (2, 3, None)
    """

    def __init__(self, patterns: Iterable[tuple[str, object]]) -> None:
        self._plain: dict[str, object] = {}
        self._open: list[tuple[Callable[[str], object], object]] = []
        self.unread: list[str] = []  # patterns that could run without end and are not matched
        for pattern, meaning in patterns:
            if not pattern.startswith("re:") and "*" not in starless(pattern):
                self._plain.setdefault(pattern, meaning)
            elif (fits := _matcher(pattern)) is not None:
                self._open.append((fits, meaning))
            else:
                self.unread.append(pattern)

    def find(self, module: str) -> object | None:
        """What the first pattern that fits stands for, plain names before the others; None where none fits."""
        for name in (module, starred(module)):
            for infix in _infixes(name):
                if infix in self._plain:
                    return self._plain[infix]
        return next((meaning for fits, meaning in self._open if fits(module)), None)


def starred(name: str) -> str:
    """A module's name with the number of its expert starred.

    >>> starred("model.layers.3.mlp.experts.17.up_proj")
    'model.layers.3.mlp.experts.*.up_proj'
    """
    return EXPERT_NUMBER.sub(".experts.*", name)


def starless(pattern: str) -> str:
    """A pattern without the star `starred` writes."""
    return re.sub(r"(?<=[^*])\.experts\.\*(?=\.|$)", ".experts", pattern)


def _infixes(name: str) -> Iterator[str]:
    """The name and every run of its dotted parts, the longest first."""
    parts = name.split(".")[:MAX_PARTS]
    for length in range(len(parts), 0, -1):
        for start in range(len(parts) - length + 1):
            yield ".".join(parts[start : start + length])


def _matcher(pattern: str) -> Callable[[str], object] | None:
    """Whether a module fits an open pattern; None for a regular expression that is not run."""
    if not pattern.startswith("re:"):
        return partial(_fits, tuple(pattern.split("*")))
    expression = pattern[3:]
    if len(pattern) > LONGEST_PATTERN or REGEX_PIECES.sub("", expression):
        return None
    if len(WILDCARDS.findall(expression)) > MAX_WILDCARDS:
        return None
    try:
        return re.compile(rf"\A(?:{expression})").search
    except re.error:
        return None


def _fits(pieces: tuple[str, ...], module: str) -> bool:
    """Whether the pieces between stars come in order, the first at the start, the last at the end of a dotted part."""
    first, *middle, last = pieces
    if not module.startswith(first):
        return False
    position = len(first)
    for piece in middle:
        found = module.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    rest = module[position:]
    return not last or rest.endswith(last) or f"{last}." in rest
