"""The files of an export: all rendered before the first is written, all in place or none changed."""

import errno
import os
import re
import secrets
from contextlib import suppress
from datetime import date
from pathlib import Path

from desktop.project.disk import write_failure
from desktop.project.document import Project
from desktop.quote import Quote
from desktop.report.attachment import quote_json
from desktop.report.pdf import render_pdf
from desktop.report.sheet import spec_sheet
from desktop.report.workbook import render_workbook
from desktop.request import Problem
from desktop.words import Language

QUOTE_FILE = "quote.json"
UNSAFE = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+|^[. ]+|[. ]+$')
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")  # names Windows keeps for devices
LONGEST_STEM = 60


def export_quote(
    project: Project, quote: Quote, folder: Path, language: Language, today: date | None = None
) -> list[Path]:
    """Writes the spec sheet, the workbook and quote.json into `folder`, made if it is missing; returns their paths.

    `today` is the day by which a document without a date tells stale prices; left out: the day of the catalog.
    Files of an earlier export are replaced together: where one cannot be, all stay as they were.
    Raises Problem("cannot_write") with `reason` permission, no_space, not_a_folder, is_a_folder or other.
    """
    stem = f"{file_stem(project.number)}_{language}"
    files = {
        f"{stem}.pdf": render_pdf(spec_sheet(project, quote, language, today)),
        f"{stem}.xlsx": render_workbook(project, quote, language, today),
        QUOTE_FILE: quote_json(quote),
    }
    made = _make_folder(folder)
    try:
        return write_together(folder, files)
    except BaseException:
        _remove(made)
        raise


def file_stem(number: str) -> str:
    """The document's number as the beginning of a file name that every file system takes.

    >>> file_stem("RW-2026/0142"), file_stem(""), file_stem("aux")
    ('RW-2026-0142', 'quote', 'quote-aux')
    """
    stem = UNSAFE.sub("-", number.strip()).strip("-. ").encode()[:LONGEST_STEM].decode(errors="ignore").rstrip(". ")
    if not stem:
        return "quote"
    return f"quote-{stem}" if RESERVED.fullmatch(stem) else stem


def write_together(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Writes every file beside its place, then moves all into place; on any failure the folder is as it was before."""
    mark = secrets.token_hex(4)
    parts = {folder / name: folder / f".{name}.{mark}.part" for name in files}
    name = folder.name
    try:
        for (target, part), data in zip(parts.items(), files.values(), strict=True):
            name = target.name
            _write(part, data)
        _swap(parts, mark)
    except OSError as error:
        raise Problem("cannot_write", field=name, reason=write_failure(error)) from error
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink()
    return list(parts)


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _swap(parts: dict[Path, Path], mark: str) -> None:
    """Old files step aside, new ones move in; a failure, as with a file open in Excel, brings the old ones back."""
    moved: list[tuple[Path, Path | None]] = []
    try:
        for target, part in parts.items():
            old = target.with_name(f".{target.name}.{mark}.old") if target.exists() else None
            if old is not None:
                if target.is_dir():
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                os.replace(target, old)
            moved.append((target, old))
            os.replace(part, target)
    except BaseException:
        for target, old in reversed(moved):
            with suppress(OSError):
                target.unlink(missing_ok=True)
            if old is not None:
                os.replace(old, target)
        raise
    for _, old in moved:
        if old is not None:
            with suppress(OSError):
                old.unlink()


def _make_folder(folder: Path) -> list[Path]:
    """Folders that were missing, the deepest first."""
    missing: list[Path] = []
    try:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _remove(missing)
        reason = "not_a_folder" if error.errno == errno.EEXIST else write_failure(error)
        raise Problem("cannot_write", field=str(folder), reason=reason) from error
    return missing


def _remove(folders: list[Path]) -> None:
    for empty in folders:
        with suppress(OSError):
            empty.rmdir()
