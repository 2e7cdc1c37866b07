"""Files are told apart by name and first bytes, and what would have to be executed is refused unread."""

import pickle
import zipfile
from pathlib import Path

import pytest

from desktop.architectures.files import file_kind
from desktop.request import Problem
from tests.architectures.files.written import gguf, safetensors


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("model.safetensors", safetensors({}), "safetensors"),
        ("MODEL.SAFETENSORS", safetensors({}), "safetensors"),
        ("model.safetensors.index.json", b"{}", "safetensors_index"),
        ("model.gguf", gguf(), "gguf"),
        ("renamed.bin", gguf(), "gguf"),
        ("model.gguf", b"", "gguf"),
        ("config.json", b"{}", None),
        ("README.md", b"# a", None),
    ],
)
def test_kinds(tmp_path: Path, name: str, data: bytes, kind: str | None) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert file_kind(path) == kind


class Armed:
    """Leaves a trace when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (Path("unpickled"),))


@pytest.mark.parametrize("suffix", [".bin", ".pt", ".pth", ".ckpt", ".pkl", ".model", ""])
@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_is_refused_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, zipped: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"pytorch_model{suffix}"
    if zipped:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("archive/data.pkl", pickle.dumps(Armed()))
    else:
        path.write_bytes(pickle.dumps(Armed()))
    with pytest.raises(Problem) as caught:
        file_kind(path)
    assert caught.value.code == "pickled_weights"
    assert not (tmp_path / "unpickled").exists()


@pytest.mark.parametrize("suffix", [".bin", ".pt", ".pth", ".ckpt"])
def test_an_empty_or_foreign_file_of_such_a_name_is_refused_too(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"model{suffix}"
    path.write_bytes(b"")
    with pytest.raises(Problem) as caught:
        file_kind(path)
    assert caught.value.code == "pickled_weights"
