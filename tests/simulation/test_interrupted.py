"""Progress is told, and whatever goes wrong meanwhile, or Ctrl-C, ends all runs at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest

import goalward as gw
from goalward.simulation.simulate import SimulationProgress
from tests.house.sources import ROOT

from .players import Ponderous, Stubborn, grid

SECONDS = 30  # far more than it may take


def test_progress() -> None:
    told: list[SimulationProgress] = []
    runs = gw.simulate(grid(), "uc-ssp", 500, runs=6, progress=told.append)
    last = told[-1]
    assert (last.runs, last.episodes) == (6, 3000)
    assert last.regret == pytest.approx(runs.regret[:, -1].mean(), rel=1e-9)
    assert last.seconds > 0.0
    for before, after in pairwise(told):
        assert before.runs <= after.runs
        assert before.episodes <= after.episodes
        assert before.seconds < after.seconds


def test_runs_that_are_censored_have_ended_too() -> None:
    told: list[SimulationProgress] = []
    with pytest.warns(gw.GoalwardWarning, match="3 of 3 runs are censored"):
        gw.simulate(gw.environments.make("two-state"), Stubborn, 5, runs=3, max_steps=1000, progress=told.append)
    assert (told[-1].runs, told[-1].episodes) == (3, 0)


def test_an_exception_in_the_callback_is_what_the_caller_gets() -> None:
    told: list[SimulationProgress] = []

    def report(progress: SimulationProgress) -> None:
        told.append(progress)
        if len(told) == 2:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        gw.simulate(gw.environments.make("two-state"), Ponderous, 5, runs=8, workers=2, progress=report)
    assert [(progress.runs, progress.episodes, progress.regret) for progress in told] == [(0, 0, 0.0)] * 2
    assert [thread for thread in threading.enumerate() if thread.name.startswith("goalward")] == []


NEVER = """
import goalward as gw
from tests.simulation.players import Ponderous
problem = gw.environments.make("two-state"), Ponderous
sizes = {"episodes": 5, "runs": 4, "max_steps": 2**31 - 1}
"""
LONG = """
import goalward as gw
problem = gw.environments.make("paper-grid"), "uc-ssp"
sizes = {"episodes": 1_000_000, "runs": 8}
"""
CLOSELY = """
import goalward as gw
problem = gw.environments.make("paper-grid"), "uc-ssp"
sizes = {"episodes": 200_000, "runs": 2, "record": gw.Record(snapshots=range(1, 200_001), runs=[0, 1])}
"""
PLAY = """
told = []
def report(progress):
    told.append(progress)
    if len(told) == 2:
        print("playing", flush=True)
gw.simulate(*problem, progress=report, **sizes)
"""


@pytest.mark.parametrize("what", [NEVER, LONG, CLOSELY], ids=["an episode that never ends", "many episodes", "single steps"])
def test_ctrl_c(what: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", what + PLAY]
    with open(tmp_path / "err", "w") as err, subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=err, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "playing\n", (tmp_path / "err").read_text()
            process.send_signal(signal.SIGINT)
            assert process.wait(SECONDS) == -signal.SIGINT
        finally:
            process.kill()
    said = (tmp_path / "err").read_text()
    assert said.rstrip().endswith("KeyboardInterrupt")
    assert said.count("Traceback") == 1  # no thread complains besides
