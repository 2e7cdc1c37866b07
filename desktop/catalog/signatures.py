"""Ed25519 signatures of catalog updates (RFC 8032), and the public keys that the product trusts."""

from collections.abc import Sequence
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from desktop.resources import resource

KEY_BYTES = 32
SIGNATURE_BYTES = 64


def release_keys() -> tuple[bytes, ...]:
    """Public keys whose updates this program installs."""
    return read_keys(resource("catalog_key.pub"))


def read_keys(file: Path) -> tuple[bytes, ...]:
    """Public keys of a text file: one a line in hex, lines that begin with # aside.

    Raises ValueError for a line that is no key.
    """
    lines = (line.strip() for line in file.read_text(encoding="ascii").splitlines())
    keys = tuple(bytes.fromhex(line) for line in lines if line and not line.startswith("#"))
    if any(len(key) != KEY_BYTES for key in keys):
        raise ValueError(f"{file.name}: a public key has {KEY_BYTES} bytes")
    return keys


def is_signed(content: bytes, signature: bytes, keys: Sequence[bytes]) -> bool:
    """Whether `signature` is over `content` by one of `keys`."""
    return any(_is_signed_by(key, content, signature) for key in keys)


def _is_signed_by(key: bytes, content: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, content)
    except InvalidSignature:
        return False
    return True
