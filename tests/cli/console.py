"""The program as a shell starts it: another process, bytes in, bytes out."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line, parse_constant=_refuse) for line in self.out.splitlines()]


def desktop(*arguments: str | Path, given: str | bytes = b"", folder: Path = ROOT, **environment: str) -> Outcome:
    """Runs `python -m desktop` with `given` on its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", "desktop", *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        check=False,
        input=given.encode() if isinstance(given, str) else given,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def json_lines(*requests: Any) -> str:
    return "".join(json.dumps(request) + "\n" for request in requests)


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")
