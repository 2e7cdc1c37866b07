"""Signatures are Ed25519 as RFC 8032 has it, by the keys that the product ships."""

from pathlib import Path

import pytest

from desktop.catalog.signatures import is_signed, read_keys, release_keys


def test_signatures_are_those_of_rfc_8032() -> None:
    """Tests 1 and 2 of section 7.1, https://www.rfc-editor.org/rfc/rfc8032#section-7.1."""
    first = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    of_nothing = bytes.fromhex(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe"
        "24655141438e7a100b"
    )
    second = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    of_72 = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302a"
        "eeb00d291612bb0c00"
    )
    assert is_signed(b"", of_nothing, [first]) and is_signed(b"\x72", of_72, [first, second])
    assert not is_signed(b"", of_nothing, [second]) and not is_signed(b"\x72", of_nothing, [first, second])
    assert not is_signed(b"", b"", [first])


def test_the_product_has_a_public_key() -> None:
    (key,) = release_keys()
    assert len(key) == 32


@pytest.mark.parametrize("line", ["00" * 31, "00" * 33, "g" * 64, "key"])
def test_a_line_that_is_no_key(tmp_path: Path, line: str) -> None:
    file = tmp_path / "keys.pub"
    file.write_text(f"# a key\n\n{'0a' * 32}\n", encoding="ascii")
    assert read_keys(file) == (b"\n" * 32,)
    file.write_text(f"{line}\n", encoding="ascii")
    with pytest.raises(ValueError):
        read_keys(file)
