"""goalward warmup: what is used most is compiled, and what is not needed goes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import goalward as gw
from goalward.cli import warming

UNUSED = "goalward.planning.old.kernel-0123456789abcdef01234567"
OTHERS = "mine.kernel-0123456789abcdef01234567"
SECONDS = 300


def warmup(folder: Path, *options: str, **environment: str) -> str:
    command = [sys.executable, "-c", PLANNING_ONLY, "warmup", *options]
    chosen = os.environ | {"NUMBA_CACHE_DIR": str(folder)} | environment
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS, env=chosen).stdout


# Compiling everything takes a minute: one small kernel stands for all of it.
PLANNING_ONLY = """
import sys
import goalward as gw
from goalward.cli import main, warming
from goalward._compile import run
from goalward.models.graph import predecessors
warming._uses = lambda: iter([warming.Use("planning", "two-state", {}, None, {})])
warming._play = lambda use: run(predecessors, gw.environments.make(use.environment).rows)
main()
"""


def test_kernels_are_made_and_old_ones_removed(tmp_path: Path) -> None:
    folder = tmp_path / "goalward"
    folder.mkdir()
    for name in (UNUSED, OTHERS):
        (folder / name).write_bytes(b"")
    assert "1 kernel ready" in warmup(tmp_path)
    assert (folder / UNUSED).exists()
    facts = json.loads(warmup(tmp_path, "--prune", "--json"))
    assert (facts["kernels"], facts["removed"], facts["folder"]) == (1, 1, str(folder))
    assert sorted(path.name.partition("-")[0] for path in folder.iterdir()) == ["goalward.models.graph.predecessors", "mine.kernel"]


def test_nothing_is_removed_where_compiling_is_switched_off(tmp_path: Path) -> None:
    folder = tmp_path / "goalward"
    folder.mkdir()
    (folder / UNUSED).write_bytes(b"")
    assert "0 kernels removed" in warmup(tmp_path, "--prune", NUMBA_DISABLE_JIT="1")
    assert (folder / UNUSED).exists()


def test_every_algorithm_is_used_with_its_common_settings() -> None:
    uses = [*warming._uses()]
    assert {use.algorithm for use in uses} == {None, *(entry.name for entry in gw.algorithms())}
    assert {use.settings.get("confidence") for use in uses if use.algorithm == "uc-ssp"} == {"l1", "bernstein"}
    assert any("penalty" in use.settings for use in uses)
    for use in uses:
        gw.environments.make(use.environment, **use.of_environment)


@pytest.mark.parametrize("algorithm", [entry.name for entry in gw.algorithms()])
def test_uses_can_be_played(algorithm: str) -> None:
    """One of each, the cheapest."""
    warming._play(next(use for use in warming._uses() if use.algorithm == algorithm))
