"""Signed updates of the catalog, without a network: looked at first, then installed beside the shipped catalog, and
taken back. Nothing is installed that the product's key has not signed."""

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desktop import __version__
from desktop.catalog.catalog import Catalog
from desktop.catalog.differences import Difference, differences
from desktop.catalog.installed import REASONS, Installed, catalogs_folder, installed, put_in_force
from desktop.catalog.reader import SCHEMA_VERSION, CatalogState, catalog_state, load_catalog
from desktop.catalog.signatures import is_signed
from desktop.catalog.update_file import MAX_UPDATE_BYTES, MEMBERS, Manifest, other_format, read_manifest, unpack
from desktop.request import Problem

__all__ = ["Difference", "Update", "differences", "inspect_update", "install", "rollback"]


@dataclass(frozen=True)
class Update:
    """An update that may be installed: what it says of itself, its catalog, and what that knows otherwise than the
    present one."""

    file: str
    manifest: Manifest
    catalog: Catalog = field(repr=False)
    differences: tuple[Difference, ...]
    database: bytes = field(repr=False)


def inspect_update(file: Path, present: Catalog, keys: Sequence[bytes]) -> Update:
    """The update of a file, checked whole; nothing is installed. `present` is the catalog in force, without what the
    user added to it; `keys` are the public keys trusted, 32 bytes each.

    Raises Problem with the file's name: file_missing, is_a_folder, cannot_read, file_too_large; or update_refused with
    `reason`: foreign (no update), damaged, signature (changed after it was signed, or signed by another key),
    older_format, newer_format, newer_program, older or same_day (than the present catalog).
    """
    name = file.name or str(file)
    signed, database, signature = unpack(_read(file, name), name)
    if not is_signed(signed, signature, keys):
        raise Problem("update_refused", name, reason="signature")
    manifest = read_manifest(signed, name)
    if len(database) != manifest.size_bytes or hashlib.sha256(database).hexdigest() != manifest.sha256:
        raise Problem("update_refused", name, reason="damaged")
    if manifest.schema_version != SCHEMA_VERSION:
        raise other_format(name, manifest.schema_version, SCHEMA_VERSION)
    if _numbers(manifest.minimum_program) > _numbers(__version__):
        raise Problem(
            "update_refused", name, reason="newer_program", needed=manifest.minimum_program, present=__version__
        )
    _check_newer(name, manifest, present)
    catalog = _catalog_of(database, manifest, name)
    return Update(name, manifest, catalog, differences(present, catalog), database)


def install(update: Update, folder: Path | None = None) -> CatalogState:
    """Puts an update in force and keeps the catalog that was, if that was installed too. Returns what is in force then.

    `folder` is that of the installed catalogs: the user's own where none is named. Raises Problem, and what was in
    force still is: update_refused (older, same_day) where another was installed since; cannot_write with the name of
    the file and `reason`.
    """
    place = folder or catalogs_folder()
    state = catalog_state(place)
    _check_newer(update.file, update.manifest, state.catalog)
    before = installed(place)[-1:] if state.is_installed else ()
    new = Installed(version=update.manifest.version, sha256=update.manifest.sha256)
    put_in_force(place, (*before, new), update.database)
    return catalog_state(place)


def rollback(folder: Path | None = None) -> CatalogState:
    """Returns to the catalog before the last update: the installed one before it, else the shipped one.

    Raises Problem: nothing_to_roll_back where the shipped catalog is in force; cannot_write as `install` does.
    """
    place = folder or catalogs_folder()
    state = catalog_state(place)
    if not state.is_installed and state.refused is None:
        raise Problem("nothing_to_roll_back", state.file.name, version=state.catalog.stamp.version)
    try:
        left = installed(place)[:-1]
    except Problem:  # the list is damaged: an empty one mends it
        left = ()
    put_in_force(place, left)
    return catalog_state(place)


def _read(file: Path, name: str) -> bytes:
    try:
        if file.is_dir():
            raise Problem("is_a_folder", name)
        if file.exists() and not file.is_file():
            raise Problem("cannot_read", name, reason="not_a_file")
        with file.open("rb") as stream:
            content = stream.read(MAX_UPDATE_BYTES + 1)
    except FileNotFoundError:
        raise Problem("file_missing", name) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        denied = isinstance(error, PermissionError)
        raise Problem("cannot_read", name, reason="permission" if denied else "other") from None
    if len(content) > MAX_UPDATE_BYTES:
        raise Problem("file_too_large", name, limit_mib=MAX_UPDATE_BYTES // 2**20)
    return content


def _catalog_of(database: bytes, manifest: Manifest, name: str) -> Catalog:
    try:
        with tempfile.TemporaryDirectory(prefix="rackwright-") as folder:
            file = Path(folder, MEMBERS[1])
            file.write_bytes(database)
            catalog = load_catalog(file)
    except OSError as error:
        raise Problem("cannot_write", MEMBERS[1], reason=REASONS.get(error.errno or 0, "other")) from error
    except Problem:
        raise Problem("update_refused", name, reason="damaged") from None
    if catalog.stamp.built != manifest.version:
        raise Problem("update_refused", name, reason="damaged")
    return catalog


def _check_newer(name: str, manifest: Manifest, present: Catalog) -> None:
    day = present.stamp.built
    if manifest.version <= day:
        reason = "older" if manifest.version < day else "same_day"
        raise Problem("update_refused", name, reason=reason, offered=manifest.version, present=day)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
