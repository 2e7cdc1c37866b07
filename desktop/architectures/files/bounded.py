"""A reader of headers that trusts no length: each is held against the bytes that remain before anything is read."""

import io
import stat
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal

from desktop.request import Problem

WINDOW_BYTES = 2**20
CAP_BYTES = 256 * 2**20  # of the longest header there is, with room
BUDGET_S = 10.0
LONGEST_SAID = 80  # characters of a hostile name that a sentence repeats
LFS_POINTER = b"version https://git-lfs"


def broken(name: str, reason: str, **values: object) -> Problem:
    """The one Problem of a model file that does not hold what its format promises; `reason` picks the sentence."""
    said = {key: printable(value) if isinstance(value, str) else value for key, value in values.items()}
    return Problem("broken_model_file", field=printable(name), reason=reason, **said)


def printable(text: str) -> str:
    """The text on one short line: names in a hostile file hold whatever its author liked.

    >>> printable("a\\x1b[2Jb")
    'a�[2Jb'
    """
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:LONGEST_SAID])


@contextmanager
def open_bounded(path: Path, cap_bytes: int, budget_s: float = BUDGET_S) -> Iterator["BoundedReader"]:
    """Reader of the first `cap_bytes` of a regular file. Raises Problem: file_missing, file_unreadable,
    broken_model_file where only a Git LFS pointer was fetched."""
    name = printable(path.name)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a device never ends, a pipe may never begin
            raise Problem("file_unreadable", field=name, reason="other")
        with path.open("rb") as stream:
            reader = BoundedReader(stream, status.st_size, name, cap_bytes, budget_s)
            if reader.peek(len(LFS_POINTER)) == LFS_POINTER:
                raise broken(name, "lfs_pointer")
            yield reader
    except FileNotFoundError:
        raise Problem("file_missing", field=name) from None
    except (OSError, ValueError) as error:  # a path too long for the system, or with a null byte in it
        denied = isinstance(error, PermissionError)
        raise Problem("file_unreadable", field=name, reason="permission" if denied else "other") from None


class BoundedReader:
    """Reads forward through a window; nothing beyond `cap_bytes` is touched, nothing longer than what remains is
    asked for, and nothing goes on for longer than `budget_s`.

    Everything raises Problem("broken_model_file"): truncated, header_too_large, too_slow, text.
    """

    def __init__(
        self, stream: BinaryIO, size_bytes: int, name: str, cap_bytes: int, budget_s: float = BUDGET_S
    ) -> None:
        self.name = name
        self.size_bytes = size_bytes
        self.budget_s = budget_s
        self.byte_order: Literal["<", ">"] = "<"
        self._stream = stream
        self._cap = cap_bytes
        self._until = time.monotonic() + budget_s
        self._window = b""
        self._window_start = 0
        self._at = 0

    @classmethod
    def of(cls, data: bytes, name: str, cap_bytes: int = CAP_BYTES, budget_s: float = BUDGET_S) -> "BoundedReader":
        """Reader of bytes at hand."""
        return cls(io.BytesIO(data), len(data), name, cap_bytes, budget_s)

    @property
    def position(self) -> int:
        return self._window_start + self._at

    def check_time(self) -> None:
        if time.monotonic() > self._until:
            raise broken(self.name, "too_slow", limit_s=self.budget_s)

    def need(self, count: int) -> None:
        """Nothing where `count` more bytes may be read."""
        end = self.position + count
        if end > self._cap:
            raise broken(self.name, "header_too_large", limit_bytes=self._cap)
        if end > self.size_bytes:
            raise broken(self.name, "truncated", size_bytes=self.size_bytes, needed_bytes=end)

    def peek(self, count: int) -> bytes:
        """The next bytes, fewer at the end of the file; the reader stays where it is."""
        self._fill(max(min(count, min(self._cap, self.size_bytes) - self.position), 0))
        return self._window[self._at : self._at + count]

    def take(self, count: int) -> bytes:
        self.need(count)
        self._fill(count)
        taken = self._window[self._at : self._at + count]
        self._at += count
        return taken

    def skip(self, count: int) -> None:
        self.need(count)
        self._at += count  # the window follows when something is read

    def number(self, code: str) -> Any:
        """One number by its code of the struct module."""
        return self.numbers(code, 1)[0]

    def numbers(self, code: str, count: int) -> tuple[Any, ...]:
        size = struct.calcsize(f"<{code}") * count
        self.need(size)
        return struct.unpack(f"{self.byte_order}{count}{code}", self.take(size))

    def text(self, longest: int, strict: bool = True) -> str:
        """A length and that many bytes of UTF-8."""
        length = self.number("Q")
        self.need(length)
        if length > longest:
            raise broken(self.name, "text", position=self.position)
        try:
            return self.take(length).decode("utf-8", "strict" if strict else "replace")
        except UnicodeDecodeError:
            raise broken(self.name, "text", position=self.position) from None

    def skip_texts(self, count: int) -> None:
        """Pass over so many texts without making objects of them: a vocabulary has hundreds of thousands."""
        self.need(8 * count)
        length_at = struct.Struct(f"{self.byte_order}Q").unpack_from
        while count:
            self._fill(8)
            window, at, last = self._window, self._at, len(self._window) - 8
            while count and at <= last:
                at += 8 + length_at(window, at)[0]
                count -= 1
            self.skip(at - self._at)
            if count:
                self.need(8 * count)

    def _fill(self, count: int) -> None:
        """Have `count` bytes at hand in the window."""
        if self._at + count <= len(self._window):
            return
        self.check_time()
        start = self.position
        self._stream.seek(start)
        wanted = min(max(count, WINDOW_BYTES), min(self._cap, self.size_bytes) - start)
        self._window, self._window_start, self._at = self._stream.read(max(wanted, 0)), start, 0
        if len(self._window) < count:  # the file shrank while it was read, or the cap was passed
            raise broken(self.name, "truncated", size_bytes=self.size_bytes, needed_bytes=start + count)
