"""UC-SSP in plain C (uc_ssp.c), compiled here and run as a process of its own: how fast the algorithm can be, and a second opinion on its regret.

>>> program = build(folder)
>>> write_model(ssp.rows, start, path)
>>> found = run(program, path, "l1", "warm", episodes=3000, runs=100, seed=0)
>>> found.cpu_seconds / found.runs, found.columns["sweeps"] / found.columns["plans"], found.cumulative_cost[3000]
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from goalward.errors import GoalwardError
from goalward.models.rows import Rows

SOURCE = Path(__file__).with_name("uc_ssp.c")
COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O3", "-march=native", "-std=c11", "-ffp-contract=fast", "-fno-math-errno", "-fno-tree-vectorize")  # vectorised loops are slower: rows are short
COLUMNS = ("steps", "phase1_steps", "phase2_steps", "pivot", "phase2_pivot", "attempts", "plans", "sweeps")


class ProgramError(GoalwardError, RuntimeError):
    """There is no C compiler, or the program could not be compiled or run."""


class Estimate(NamedTuple):
    """A mean over the runs."""

    mean: float
    standard_error: float  # 0 if there is one run


class Found(NamedTuple):
    """What some runs took, and what they did."""

    runs: int
    cpu_seconds: float  # of all runs
    wall_seconds: float
    best_cpu_seconds: float  # of the fastest run
    columns: dict[str, int]  # summed over episodes and runs
    fills: int  # how often, summed over plans, rows were written: once to begin with, and again when the order of the states had changed
    optimistic_value: float  # of an episode's first state, on average
    cumulative_cost: dict[int, Estimate]  # after so many episodes


def build(folder: Path) -> Path:
    """Compile the program into this folder; where it is then."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise ProgramError(f"no C compiler: expected one of {', '.join(COMPILERS)} in PATH to compile {SOURCE.name}")
    program = folder / "uc_ssp"
    call([compiler, *FLAGS, os.fspath(SOURCE), "-o", os.fspath(program), "-lm"])
    return program


def write_model(rows: Rows, start: int, path: Path) -> None:
    """Write a model as the program reads it: four numbers and five arrays, one after the other. The successors of a pair come with the likeliest first."""
    pair = np.repeat(np.arange(len(rows.cost_x)), np.diff(rows.row_ptr))
    order = np.lexsort((-rows.probability, pair))
    with path.open("wb") as file:
        np.array([len(rows.first_pair) - 1, len(rows.cost_x), len(rows.next_state), start], np.int64).tofile(file)
        rows.first_pair.astype(np.int64).tofile(file)
        rows.row_ptr.astype(np.int64).tofile(file)
        rows.next_state[order].astype(np.int32).tofile(file)
        rows.probability[order].astype(np.float64).tofile(file)
        rows.cost_x.astype(np.float64).tofile(file)


def run(program: Path, model: Path, confidence: Literal["l1", "bernstein"], start: Literal["warm", "cold"], *, episodes: int, runs: int, seed: int) -> Found:
    """Run it on a model that `write_model` wrote."""
    printed = call([os.fspath(program), os.fspath(model), confidence, start, str(episodes), str(runs), str(seed)])
    said: dict[str, Any] = json.loads(printed)
    costs = {int(episode): Estimate(*estimate) for episode, estimate in said["cumulative_cost"].items()}
    seconds = said["cpu_seconds"], said["wall_seconds"], said["best_cpu_seconds"]
    return Found(runs, *seconds, {name: said[name] for name in COLUMNS}, said["fills"], said["optimistic_value"], costs)


def call(command: list[str]) -> str:
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ProgramError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip() or 'no message'}")
    return done.stdout
