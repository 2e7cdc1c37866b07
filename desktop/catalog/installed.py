"""Catalogs installed beside the shipped one. The last of the list is in force; a small file replaced at once says which
they are, so that whatever interrupts a change, the list is the old one or the new one."""

import errno
import os
import secrets
from contextlib import suppress
from datetime import date
from pathlib import Path

from pydantic import Field, ValidationError

from desktop.request import Problem, Strict
from desktop.resources import user_folder

LIST = "installed.json"
REASONS = {
    errno.EACCES: "permission",
    errno.EPERM: "permission",
    errno.EROFS: "permission",
    errno.ENOSPC: "no_space",
    errno.EFBIG: "no_space",
    getattr(errno, "EDQUOT", errno.ENOSPC): "no_space",
    errno.ENOENT: "not_a_folder",
    errno.ENOTDIR: "not_a_folder",
    errno.EEXIST: "not_a_folder",
}


class Installed(Strict):
    """One installed catalog. The name of its file follows from its day and its bytes: no list can name another file."""

    version: date
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    @property
    def name(self) -> str:
        """Name of its file in the folder of the catalogs."""
        return f"catalog-{self.version.isoformat()}-{self.sha256[:12]}.db"


class _List(Strict):
    installed: tuple[Installed, ...]


def catalogs_folder() -> Path:
    """Folder of the installed catalogs. Need not exist yet."""
    return user_folder() / "catalogs"


def installed(folder: Path) -> tuple[Installed, ...]:
    """What is installed in `folder`, the one in force last; empty where nothing is.

    Raises Problem("catalog_unreadable") with the list's name and `reason`: unreadable or damaged.
    """
    try:
        content = (folder / LIST).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError:
        raise Problem("catalog_unreadable", LIST, reason="unreadable") from None
    try:
        return _List.model_validate_json(content).installed
    except ValidationError:
        raise Problem("catalog_unreadable", LIST, reason="damaged") from None


def put_in_force(folder: Path, catalogs: tuple[Installed, ...], database: bytes | None = None) -> None:
    """Makes `catalogs` the installed ones; `database` is the content of the last where it is not in `folder` yet.

    Files of catalogs that are no longer listed are removed. Raises Problem("cannot_write") with the file's name and
    `reason`: permission, no_space, not_a_folder, other; then what was in force before still is.
    """
    name = str(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if database is not None:
            name = catalogs[-1].name
            _replace(folder / name, database)
        name = LIST
        _replace(folder / name, _List(installed=catalogs).model_dump_json().encode())
    except OSError as error:
        raise Problem("cannot_write", name, reason=REASONS.get(error.errno or 0, "other")) from error
    kept = {LIST, *(catalog.name for catalog in catalogs)}
    for file in folder.glob("*"):
        if file.name not in kept and file.suffix in (".db", ".part"):
            with suppress(OSError):  # one more file is no reason to call the change failed
                file.unlink()


def _replace(target: Path, content: bytes) -> None:
    """Writes beside the target, waits for the disk, and renames: whoever reads sees the old content or the new."""
    beside = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    with suppress(OSError):  # the rename survives a power cut where the system lets a folder be opened
        descriptor = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
