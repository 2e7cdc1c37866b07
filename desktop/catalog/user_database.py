"""The SQLite file of the user's own data: open for one read or one change at a time, and never half-changed."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from desktop.request import Problem
from desktop.resources import user_folder

APPLICATION_ID = 0x52574B55  # "RWKU"; like the next, in the file's header: https://www.sqlite.org/fileformat2.html
SCHEMA_VERSION = 1
WAIT_S = 5.0  # for another window that is writing
SCHEMA = (
    'CREATE TABLE confirmations ("table" TEXT, id TEXT, field TEXT, value TEXT NOT NULL, by TEXT NOT NULL,'
    ' "on" TEXT NOT NULL, PRIMARY KEY ("table", id, field))',
    "CREATE TABLE prices (part TEXT, supplier TEXT, kind TEXT, region TEXT, record TEXT NOT NULL,"
    " PRIMARY KEY (part, supplier, kind, region))",
    'CREATE TABLE parts ("table" TEXT, id TEXT, record TEXT NOT NULL, PRIMARY KEY ("table", id))',
    "CREATE TABLE discounts (vendor TEXT, category TEXT, share TEXT NOT NULL, PRIMARY KEY (vendor, category))",
    "CREATE TABLE preferred_vendors (vendor TEXT PRIMARY KEY)",
    "CREATE TABLE mappings (vendor TEXT PRIMARY KEY, columns TEXT NOT NULL)",
    "CREATE TABLE links (supplier TEXT, name TEXT, part TEXT NOT NULL, PRIMARY KEY (supplier, name))",
    "CREATE TABLE age_limits (category TEXT PRIMARY KEY, days INTEGER NOT NULL)",
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
REASONS = {  # by primary result code: https://www.sqlite.org/rescode.html
    sqlite3.SQLITE_NOTADB: "foreign",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_FULL: "no_space",
    sqlite3.SQLITE_PERM: "permission",
    sqlite3.SQLITE_READONLY: "permission",
    sqlite3.SQLITE_CANTOPEN: "permission",
}


def user_file() -> Path:
    """The user's own data file; it need not exist."""
    return user_folder() / "user.db"


class UserDatabase:
    """One file. A missing one reads as empty; folder and file are made by the first change.

    Every method raises Problem("user_data") with the file's name and the reason: foreign (no data of Rackwright), newer
    (of a later version), damaged, busy, permission, no_space, other.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._changing: sqlite3.Connection | None = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The content as it stands, also in the middle of a change."""
        with self._problems():
            if self._changing is not None:
                yield self._changing
                return
            database = self._opened() if self._has_content() else _empty()
            try:
                yield database
            finally:
                database.close()

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of the block is kept, or nothing. A change within a change is part of it."""
        with self._problems():
            if self._changing is not None:
                yield self._changing
                return
            self.file.parent.mkdir(parents=True, exist_ok=True)
            database = self._opened()
            try:
                database.execute("BEGIN IMMEDIATE")
                if _version(database) == 0:
                    _create(database)
                self._changing = database
                yield database
                database.execute("COMMIT")
            finally:
                self._changing = None
                database.close()  # what was not committed is rolled back

    def damaged(self) -> Problem:
        """The problem of a row that is no record any more."""
        return Problem("user_data", self.file.name, reason="damaged")

    def _opened(self) -> sqlite3.Connection:
        # for writing even to read: only so does SQLite roll back what a crash has left
        database = sqlite3.connect(self.file, timeout=WAIT_S, isolation_level=None)
        try:
            (application,) = database.execute("PRAGMA application_id").fetchone()
            (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            version = _version(database)
            if application != APPLICATION_ID and (application, version, tables) != (0, 0, 0):
                raise Problem("user_data", self.file.name, reason="foreign")
            if version > SCHEMA_VERSION:
                raise Problem("user_data", self.file.name, reason="newer")
        except BaseException:
            database.close()
            raise
        return database

    def _has_content(self) -> bool:
        try:
            return self.file.stat().st_size > 0
        except FileNotFoundError:
            return False

    @contextmanager
    def _problems(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code == sqlite3.SQLITE_CANTOPEN and self.file.is_dir():
                raise Problem("is_a_folder", self.file.name) from error
            raise Problem("user_data", self.file.name, reason=REASONS.get(code, "other")) from error
        except PermissionError as error:
            raise Problem("user_data", self.file.name, reason="permission") from error
        except OSError as error:
            raise Problem("user_data", self.file.name, reason="other") from error


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _create(database: sqlite3.Connection) -> None:
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    for statement in SCHEMA:
        database.execute(statement)


def _empty() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", isolation_level=None)
    _create(database)
    return database
