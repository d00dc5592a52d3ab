"""Running the command line: in this process, and as users do."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from goalward.cli import main

PROGRAM = (sys.executable, "-c", "from goalward.cli import main; main()")


class Ended(NamedTuple):
    code: int
    out: str
    err: str


def run(*args: str, columns: int = 80) -> Ended:
    """In this process. An exception that the command line does not put into words is raised."""
    result = CliRunner(env={"COLUMNS": str(columns), "NO_COLOR": None}).invoke(main, list(args), catch_exceptions=False)
    return Ended(result.exit_code, result.stdout, result.stderr)


def environment(**extra: str) -> dict[str, str]:
    """That of a plain terminal's shell, and `extra`."""
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "TERM", "PYTHONIOENCODING", "FORCE_COLOR")}
    return plain | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | extra


def run_alone(*args: str, cwd: Path | None = None, **extra: str) -> Ended:
    """As a program of its own, both outputs piped."""
    done = subprocess.run([*PROGRAM, *args], capture_output=True, text=True, encoding="utf-8", env=environment(**extra), cwd=cwd, timeout=300, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)
