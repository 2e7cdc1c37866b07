"""Signs a built catalog as an update, `catalog-YYYY-MM.rwcat`, and makes the key for it.

Called by `build_catalog.py --sign KEYFILE` and `--new-key KEYFILE`. A key file holds the private key, 32 bytes in hex;
it stays outside the repository, which holds the public half alone: `resources/catalog_key.pub`.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from desktop.catalog import load_catalog  # noqa: E402
from desktop.catalog.reader import SCHEMA_VERSION  # noqa: E402
from desktop.catalog.update_file import manifest_of, pack, write_manifest  # noqa: E402

MINIMUM_PROGRAM = "0.1.0"  # the first version of the program that reads this schema; rises with it


class BadKey(Exception):
    """A key file that nothing can be signed with; the text names it."""


def sign_catalog(database: Path, key_file: Path, folder: Path, trusted: Sequence[bytes]) -> Path:
    """Writes the update of a built catalog into `folder`, named by the month of its version; returns its path.

    Raises BadKey where the file holds no key, or one whose public half is not among `trusted`: no program would install
    what it signs.
    """
    key = _read_key(key_file)
    if key.public_key().public_bytes_raw() not in trusted:
        raise BadKey(f"{key_file}: the program does not trust this key; its public half is not in catalog_key.pub")
    content = database.read_bytes()
    version = load_catalog(database).stamp.built
    manifest = write_manifest(manifest_of(content, version, SCHEMA_VERSION, MINIMUM_PROGRAM))
    update = folder / f"catalog-{version:%Y-%m}.rwcat"
    unfinished = update.with_name(update.name + ".part")
    try:
        unfinished.write_bytes(pack(manifest, content, key.sign(manifest)))
        os.replace(unfinished, update)
    finally:
        unfinished.unlink(missing_ok=True)
    return update


def new_key(key_file: Path) -> str:
    """Makes a private key in a new file that its owner alone can read; returns the public half in hex.

    Raises BadKey for a file within the repository, and where one of that name is already there.
    """
    if ROOT in key_file.resolve().parents:
        raise BadKey(f"{key_file}: a private key stays outside the repository")
    key = Ed25519PrivateKey.generate()
    try:
        descriptor = os.open(key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise BadKey(f"{key_file}: {error.strerror}") from None
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(key.private_bytes_raw().hex() + "\n")
    return key.public_key().public_bytes_raw().hex()


def _read_key(key_file: Path) -> Ed25519PrivateKey:
    try:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(key_file.read_text(encoding="ascii").strip()))
    except OSError as error:
        raise BadKey(f"{key_file}: {error.strerror}") from None
    except ValueError:
        raise BadKey(f"{key_file}: not a private key, 32 bytes in hex") from None
