"""Opening and saving a project file: read whole and checked, or refused by name; written whole, or not at all."""

import errno
import json
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from desktop.project.disk import write_failure
from desktop.project.document import FORMAT_VERSION, Project
from desktop.project.migrations import upgraded
from desktop.request import InlineModel, Problem, RecommendRequest
from desktop.request.strict_json import parse_strict
from desktop.request.validation import validated

SUFFIX = ".rackwright.json"
MAX_BYTES = 4 * 2**20  # a project is a few kilobytes; an inline hf_config a few dozen


def open_project(path: Path) -> Project:
    """The project of a file. A relative `model.file` in it is taken from the file's folder.

    Raises Problem with the file's name as field: file_missing, is_a_folder, cannot_read, file_too_large,
    not_a_project (`reason` foreign, or one of bad_json), newer_format, unknown_format; or a problem of `validated` with
    the path of the field.
    """
    try:
        data = parse_strict(_read(path), path.name)
    except Problem as problem:
        if problem.code != "bad_json":
            raise
        raise Problem("not_a_project", path.name, **problem.values) from None
    if not isinstance(data, dict) or "format_version" not in data:
        raise Problem("not_a_project", path.name, reason="foreign")
    project = validated(Project, upgraded(data, path.name, FORMAT_VERSION))
    return _with_model_files(project, lambda file: path.absolute().parent / file)


def save_project(project: Project, path: Path) -> None:
    """Writes `project` to `path` in one step: whoever reads the file sees the old content or the new, never a part.

    A model file in or below the project's folder is written relative to it, so that the folder can be moved as a whole.
    Raises Problem("cannot_write") with the file's name and `reason`: permission, no_space, not_a_folder, is_a_folder,
    other.
    """
    target = Path(os.path.realpath(path))  # a link stays a link: what it points to is replaced
    stored = _with_model_files(project, lambda file: _seen_from(target.parent, file))
    # with defaults, so that those of a later version cannot change an old project; what is left out stays left out
    content = stored.model_dump(mode="json", exclude_none=True)
    for need in content["request"]["needs"]:
        if isinstance(need.get("model"), dict) and "file" in need["model"]:
            need["model"]["file"] = need["model"]["file"].replace(os.sep, "/")
    whole = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    try:
        _replace(target, whole.encode("utf-8"))
    except OSError as error:
        raise Problem("cannot_write", path.name, reason=write_failure(error)) from error


def _read(path: Path) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise Problem("is_a_folder", path.name)
        if not stat.S_ISREG(status.st_mode):
            raise Problem("cannot_read", path.name, reason="not_a_file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise Problem("file_missing", path.name) from None
    except OSError as error:
        reason = "permission" if write_failure(error) == "permission" else "other"
        raise Problem("cannot_read", path.name, reason=reason) from None
    if len(data) > MAX_BYTES:
        raise Problem("file_too_large", path.name, limit_mib=MAX_BYTES // 2**20)
    return data


def _replace(target: Path, data: bytes) -> None:
    """Writes beside the target and renames: on one file system a rename happens at once or not at all."""
    mode = 0o666
    with suppress(FileNotFoundError):
        status = target.stat()
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        mode = stat.S_IMODE(status.st_mode)
    beside = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(mode)  # the umask narrowed it when it was created
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _flush_folder(target.parent)


def _flush_folder(folder: Path) -> None:
    """Makes the rename survive a power cut, where the system lets a folder be opened at all."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _seen_from(folder: Path, file: Path) -> Path:
    """`file` relative to `folder` where it lies in it, else as it is."""
    if not file.is_absolute():
        return file
    with suppress(ValueError):
        return file.relative_to(folder)
    with suppress(ValueError):  # the folder was reached through a link
        return Path(os.path.realpath(file)).relative_to(folder)
    return file


def _with_model_files(project: Project, change: Callable[[Path], Path]) -> Project:
    """The project with each need's model file changed."""
    needs = []
    for need in project.request.needs:
        model = need.model
        if isinstance(model, InlineModel) and model.file is not None:
            model = model.model_copy(update={"file": change(model.file)})
        needs.append(need.model_copy(update={"model": model}))
    request: RecommendRequest = project.request.model_copy(update={"needs": tuple(needs)})
    return project.model_copy(update={"request": request})
