"""Every test runs offline, without a display, and with settings folders of its own."""

import os
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
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
    "RACKWRIGHT_DATA": "data/rackwright",
}.items():
    _path = Path(_OWN.name, _folder)
    _path.mkdir(parents=True, exist_ok=True)
    os.environ[_name] = str(_path)

from desktop.architectures import DenseDecoder, read_architecture  # noqa: E402
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


def _refuses(folder: Path) -> bool:
    try:
        (folder / "made-by-a-test").touch(exist_ok=False)
    except OSError:
        return folder.is_dir()
    (folder / "made-by-a-test").unlink()
    return False


@pytest.fixture
def read_only_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in which nobody can make a file: not even root in one of the kernel's own."""
    if os.geteuid() == 0:
        yield next(folder for folder in (Path("/sys/kernel"), Path("/proc/self")) if _refuses(folder))
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
def llama_70b(catalog: Catalog) -> DenseDecoder:
    return read_architecture("Llama-3.1-70B", catalog)


@pytest.fixture(scope="session")
def qwen3_32b(catalog: Catalog) -> DenseDecoder:
    return read_architecture("Qwen3-32B", catalog)


@pytest.fixture
def small_disk(tmp_path: Path) -> Callable[[int], list[str]]:
    """Beginning of a command line whose program finds `tmp_path` on a disk of so many KiB.

    The disk is mounted where only that program sees it. Where mounting is not allowed, as in most containers,
    the system refuses longer files instead.
    """

    def prefix(kib: int) -> list[str]:
        as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
        mount = f'mount -t tmpfs -o size={kib}k tmpfs "$0" && exec "$@"'
        command = ["unshare", *as_root, "--mount", "sh", "-c", mount, str(tmp_path)]
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
            return command
        return ["sh", "-c", f'ulimit -f {2 * kib} && exec "$@"', "sh"]  # counted in blocks of 512 bytes

    return prefix
