"""Header of a safetensors file: which tensors it holds. The data behind it is not read and need not be there.

Format: README of huggingface/safetensors, section "Format". 8 bytes of length, that much JSON, the data.
"""

import json
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from operator import add
from pathlib import Path
from typing import Any, NoReturn

from desktop.architectures.files.bounded import BUDGET_S, BoundedReader, broken, open_bounded
from desktop.architectures.files.packed_shape import packed_bits
from desktop.architectures.files.safetensors_entry import MAX_PRODUCT, SPELLINGS, Kinds, Spelling, kind_of
from desktop.architectures.files.tensor_list import TensorKind, TensorList

MAX_HEADER_BYTES = 100_000_000  # MAX_HEADER_SIZE of safetensors/src/tensor.rs
MAX_PIECE_BYTES = 16 * 2**20  # one entry or the metadata; real ones are kilobytes
MAX_TENSORS = 1_000_000
PIECE_BYTES = 2**16  # what of it is made fits a processor's cache


def read_safetensors(path: Path, budget_s: float = BUDGET_S) -> TensorList:
    """Tensors of a safetensors file, of its first megabyte where the header ends within it.

    Raises Problem: file_missing, file_unreadable, broken_model_file.
    """
    with open_bounded(path, 8 + MAX_HEADER_BYTES, budget_s) as reader:
        found, header = _parsed(reader)
        data_start = reader.position
    if not found.complete:
        return found
    starts = (data_start + begin for begin in header.begins)
    return replace(found, packed_bits=packed_bits(path, found, starts))


def parse_safetensors(reader: BoundedReader) -> TensorList:
    """Tensors of the file a reader stands at the beginning of. Raises Problem("broken_model_file")."""
    return _parsed(reader)[0]


def _parsed(reader: BoundedReader) -> tuple[TensorList, "_Header"]:
    length = reader.number("Q")
    if length > MAX_HEADER_BYTES:
        raise broken(reader.name, "header_too_large", limit_bytes=MAX_HEADER_BYTES)
    reader.need(length)
    header = _Header(reader.name)
    _read_pieces(reader, length, header)
    data_bytes = header.tiled()
    present = reader.size_bytes - 8 - length
    if present > data_bytes:
        raise broken(reader.name, "bytes_left_over", size_bytes=reader.size_bytes, needed_bytes=8 + length + data_bytes)
    complete = present == data_bytes
    doubts = () if complete else ("data_absent",)
    found = TensorList(header.names, header.kinds, reader.name, complete, doubts, metadata=header.metadata or {})
    return found, header


def _read_pieces(reader: BoundedReader, length: int, header: "_Header") -> None:
    """The header in pieces that end where an entry does, so that its text is never in memory as a whole."""
    kept = b""
    wanted = PIECE_BYTES
    if length < 2 or reader.peek(1) != b"{":
        raise broken(reader.name, "not_an_object")
    left = length
    while True:
        reader.check_time()
        taken = min(wanted - len(kept), left) if wanted > len(kept) else 0
        kept += reader.take(taken)
        left -= taken
        if not left:
            header.add_last(kept)
            return
        cut = kept.rfind(b"},") + 2
        if cut > 1 and header.add(kept[:cut]):
            kept, wanted = kept[cut:], PIECE_BYTES
        elif wanted >= MAX_PIECE_BYTES:
            raise broken(reader.name, "entry_too_large", limit_bytes=MAX_PIECE_BYTES)
        else:
            wanted *= 2


class _Header:
    """Names, kinds and places of the tensors, gathered piece by piece."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.names: list[str] = []
        self.kinds: list[TensorKind] = []
        self.begins = array("q")
        self.metadata: dict[str, str] | None = None
        self._end = 0  # where the last tensor ends
        self._unordered = False
        self._seen: set[str] = set()
        self._spellings = [(spelling, Kinds(spelling.between, name)) for spelling in SPELLINGS]
        self._parsed_kinds: dict[tuple[str, tuple[int, ...]], TensorKind] = {}
        self._opened = False

    def add(self, piece: bytes) -> bool:
        """Take a piece that ends in `},`; false where that is not the end of an entry."""
        body = piece if self._opened else piece[1:]
        if not self._add_plain(body):
            pairs = self._parsed(b"{" + body[:-1] + b"}", last=False)
            if pairs is None:
                return False
            self._add_pairs(pairs)
        self._opened = True
        return True

    def add_last(self, piece: bytes) -> None:
        """Take what is left: it ends the object."""
        body = piece if self._opened else piece[1:]
        stripped = body.rstrip(b" ")
        if stripped.endswith(b"}}") and self._add_plain(stripped[:-1] + b","):
            return
        if self._opened and not stripped.lstrip(b" \t\r\n").startswith(b'"'):
            raise broken(self.name, "not_json")  # a comma with nothing after it
        pairs = self._parsed(b"{" + body, last=True)
        self._add_pairs(pairs or ())

    def tiled(self) -> int:
        """Bytes of the data, which the tensors must cover without a hole or an overlap."""
        if not self._unordered:
            return self._end
        places = [2 * begin + (kind.bytes > 0) for begin, kind in zip(self.begins, self.kinds, strict=True)]
        end = 0
        for i in sorted(range(len(places)), key=places.__getitem__):  # of one place the empty tensors first
            if self.begins[i] != end:
                raise broken(self.name, "holes_or_overlaps")
            end += self.kinds[i].bytes
        return end

    def _add_plain(self, body: bytes) -> bool:
        """Entries in a usual spelling; false where anything else is among them."""
        if b"__metadata__" in body:
            return False
        for place, (spelling, kinds) in enumerate(self._spellings):
            spaced = body if body.startswith(spelling.gap) else spelling.gap + body
            columns = tuple(zip(*spelling.entry.findall(spaced), strict=True))
            if not columns:
                continue
            covered = len(columns[0]) * spelling.signs + sum(len(b"".join(column)) for column in columns)
            if covered == len(spaced):
                self._spellings.insert(0, self._spellings.pop(place))
                return self._add_columns(columns, spelling, kinds)
        return False

    def _add_columns(self, columns: tuple[tuple[bytes, ...], ...], spelling: Spelling, known: Kinds) -> bool:
        kinds = list(map(known.__getitem__, columns[1]))
        sizes = [kind.bytes for kind in kinds]
        begins = list(accumulate(sizes, initial=self._end))
        if columns[2] != tuple(map(spelling.place.__mod__, pairwise(begins))):  # not in the order of the data
            begins = [int(place.partition(b",")[0]) for place in columns[2]]
            ends = map(add, begins, sizes)
            if columns[2] != tuple(map(spelling.place.__mod__, zip(begins, ends, strict=True))):
                return False  # the slower way says which
            self._unordered = True
            begins.append(begins[-1] + sizes[-1])
        try:
            names = list(map(bytes.decode, columns[0]))
        except UnicodeDecodeError:
            raise broken(self.name, "not_json") from None
        self._end = begins.pop()
        self._add(names, kinds, begins)
        return True

    def _add_pairs(self, pairs: Sequence[tuple[str, Any]]) -> None:
        """Entries in any spelling of JSON; an object is a tuple of pairs here, so that none is lost to a doubled
        key."""
        names, kinds, begins = [], [], []
        for name, value in pairs:
            entry = dict(value) if isinstance(value, tuple) else None
            if entry is None:
                raise broken(self.name, "bad_entry", tensor=name)
            if len(entry) != len(value):
                raise broken(self.name, "doubled_name", tensor=name)
            if name == "__metadata__":
                self._add_metadata(entry)
                continue
            kind, begin = self._entry(name, entry)
            names.append(name)
            kinds.append(kind)
            begins.append(begin)
            self._unordered = self._unordered or begin != self._end
            self._end = begin + kind.bytes
        self._add(names, kinds, begins)

    def _add_metadata(self, entry: dict[Any, Any]) -> None:
        if self.metadata is not None:
            raise broken(self.name, "doubled_name", tensor="__metadata__")
        if not all(type(value) is str and _writable(value) for value in entry.values()):
            raise broken(self.name, "bad_entry", tensor="__metadata__")
        self.metadata = entry

    def _entry(self, name: str, entry: dict[Any, Any]) -> tuple[TensorKind, int]:
        dtype, shape, span = entry.get("dtype"), _wholes(entry.get("shape")), _wholes(entry.get("data_offsets"))
        if (
            not _writable(name)
            or len(entry) != 3
            or type(dtype) is not str
            or shape is None
            or span is None
            or len(span) != 2
        ):
            raise broken(self.name, "bad_entry", tensor=name)
        if (dtype, shape) not in self._parsed_kinds:
            self._parsed_kinds[dtype, shape] = kind_of(dtype, shape, self.name)
        kind = self._parsed_kinds[dtype, shape]
        if span[1] - span[0] != kind.bytes:
            raise broken(self.name, "size_differs", tensor=name)
        return kind, span[0]

    def _add(self, names: list[str], kinds: list[TensorKind], begins: list[int]) -> None:
        if max(begins, default=0) >= MAX_PRODUCT or self._end >= MAX_PRODUCT:
            raise broken(self.name, "holes_or_overlaps")
        self.names += names
        self.kinds += kinds
        self.begins.extend(begins)
        self._seen.update(names)
        if len(self._seen) != len(self.names):
            raise broken(self.name, "doubled_name", tensor=Counter(self.names).most_common(1)[0][0])
        if len(self.names) > MAX_TENSORS:
            raise broken(self.name, "too_many", count=MAX_TENSORS)

    def _parsed(self, text: bytes, last: bool) -> tuple[tuple[str, Any], ...] | None:
        """Pairs of a JSON object; None where a piece that is not the last is no whole object yet."""

        def refuse(_: str) -> NoReturn:
            raise broken(self.name, "not_whole")

        try:
            found = json.loads(text.decode("utf-8"), object_pairs_hook=tuple, parse_float=refuse, parse_constant=refuse)
        except RecursionError:
            raise broken(self.name, "too_deep") from None
        except ValueError:  # not UTF-8, not JSON, or a number of thousands of digits
            if not last:
                return None
            raise broken(self.name, "not_json") from None
        return found if isinstance(found, tuple) else None


def _wholes(value: object) -> tuple[int, ...] | None:
    """A list of whole numbers of a plausible size; `true` is none."""
    if not isinstance(value, list) or not set(map(type, value)) <= {int}:
        return None
    return tuple(value) if min(value, default=0) >= 0 and max(value, default=0) < MAX_PRODUCT else None


def _writable(text: str) -> bool:
    """Whether the text has no half of a character, which JSON can spell and nothing can write again."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
