"""Users' own modules, in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

SECONDS = 300  # no process takes so long, however busy the machine


class Workshop:
    """A folder of modules that a user wrote, an empty kernel cache, and the processes that use them."""

    def __init__(self, path: Path) -> None:
        self.path, self.cache = path, path / "cache"
        self.running: list[subprocess.Popen[str]] = []

    def write(self, **modules: str) -> None:
        for name, text in modules.items():
            path = self.path / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(dedent(text))

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """`python *arguments` in the folder. Sources change within the resolution of their time stamps, so no bytecode is written."""
        chosen = os.environ | {"NUMBA_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"} | environment
        command, pipe = [sys.executable, *arguments], subprocess.PIPE
        self.running.append(subprocess.Popen(command, cwd=self.path, env=chosen, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True))
        return self.running[-1]

    def run(self, *arguments: str, **environment: str) -> tuple[str, str]:
        """What the process wrote to stdout and stderr; it must end well."""
        process = self.start(*arguments, **environment)
        out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, err
        return out, err

    def says(self, *arguments: str, **environment: str) -> str:
        """What the process wrote; it must not complain."""
        out, err = self.run(*arguments, **environment)
        assert err == ""
        return out.strip()

    def kernels(self) -> dict[str, tuple[int, int]]:
        """The files in the cache by name, each with what changes when it is written anew."""
        files = [(path.name, path.stat()) for path in sorted((self.cache / "goalward").glob("*"))]
        return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in files}


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    made = Workshop(tmp_path)
    yield made
    for process in made.running:
        if process.poll() is None:
            process.kill()
            process.communicate()
