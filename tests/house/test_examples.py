"""The examples run, and complain of nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.sources import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SECONDS = 300


def run(example: Path, folder: Path) -> str:
    done = subprocess.run([sys.executable, example], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_run(example: Path, tmp_path: Path) -> None:
    assert run(example, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_plan_a_model(tmp_path: Path) -> None:
    out = run(ROOT / "examples" / "plan_a_model.py", tmp_path)
    assert "certified" in out
