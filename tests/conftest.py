"""Every test runs offline, without a display, and with settings folders of its own."""

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before anything imports Qt; a developer's display stays untouched
_OWN = tempfile.TemporaryDirectory(prefix="rackwright-tests-")
for _name, _folder in {
    "HOME": "",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "XDG_CACHE_HOME": "cache",
    "APPDATA": "config",
    "LOCALAPPDATA": "data",
}.items():
    _path = Path(_OWN.name, _folder)
    _path.mkdir(exist_ok=True)
    os.environ[_name] = str(_path)

from desktop.architectures import Architecture, read_architecture  # noqa: E402
from desktop.catalog import Catalog, load_catalog  # noqa: E402

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The product is used where there is no network: a connection to another machine is a defect."""
    connect = socket.socket.connect

    def local_only(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", local_only)
    yield


@pytest.fixture(scope="session")
def repository() -> Path:
    """Folder of the checkout."""
    return REPOSITORY


@pytest.fixture
def read_only_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in which nobody can make a file: not even root in the kernel's own."""
    if os.geteuid() == 0:
        yield Path("/sys/kernel")
        return
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(0o500)
    yield folder
    folder.chmod(0o700)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The shipped catalog."""
    return load_catalog()


@pytest.fixture(scope="session")
def llama_70b(catalog: Catalog) -> Architecture:
    return read_architecture("Llama-3.1-70B", catalog)


@pytest.fixture(scope="session")
def qwen3_32b(catalog: Catalog) -> Architecture:
    return read_architecture("Qwen3-32B", catalog)
