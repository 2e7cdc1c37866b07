"""The front matter of a model's card, as the Hub writes it."""

from pathlib import Path

import pytest

from desktop.architectures.inspection.licence import licence_of_card


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("---\nlicense: apache-2.0\n---\n# Qwen", "apache-2.0"),
        ('---\r\nlicense: "mit"\r\n---\r\n', "mit"),
        ("---\nlicense: other\nlicense_name: deepseek\nlicense_link: x\n---\n", "deepseek"),
        ("---\nlanguage: en\n---\nlicense: mit", ""),
        ("license: mit", ""),
        ("", ""),
        ("---\nlicense: a\x1b[2Jb\n---\n", "a[2Jb"),
        ("---\nlicense:\n---\n", ""),
    ],
)
def test_licence_of_a_card(tmp_path: Path, text: str, licence: str) -> None:
    card = tmp_path / "README.md"
    card.write_bytes(text.encode())
    assert licence_of_card(card, 1) == licence
