"""Measurements in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys


def ask(program: str, *arguments: str, **environment: str) -> list[float]:
    """Run a program that prints a list of numbers."""
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment)
    if done.returncode:
        raise RuntimeError(f"a measurement ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return [float(x) for x in json.loads(done.stdout.splitlines()[-1])]
