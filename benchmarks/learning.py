"""How fast Goalward learns, beside the same algorithm in C, in one run.

    python benchmarks/learning.py                     # everything: about five minutes
    python benchmarks/learning.py loop threads        # parts: loop, own, regret, threads, start, scaling
    python benchmarks/learning.py --json results.json --check  # exit code 1 if a target is missed

`loop`: UC-SSP on the paper's grid, 3000 episodes, CPU time a run, everything included (the agent made, the columns recorded), in turn with the C program of
peers/uc_ssp.c; and a step of the loop. `own`: the same algorithm as a class in a user's module. `regret`: that C and Goalward learn the same. `threads`: what a
second thread gains here, and a second process there. `start`: the first `simulate` of a process, with kernels on disk and without. `scaling`: a plan of large
problems, by what was observed. A C compiler is needed.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from footprint import Number
from numpy.typing import NDArray
from peers import c_program
from planning import describe_machine
from processes import ask

import goalward as gw
from goalward._compile import compiled, component
from goalward.learning.algorithms.uc_ssp import UCSSP
from goalward.learning.counts import Counts
from goalward.learning.optimism import Plan, extended_value_iteration
from goalward.simulation.world import World

EPISODES, SEED = 3000, 2020
ROUNDS, RUNS = 7, 60  # of runs, in turn; the best round of each counts, for the machine may be busy
SIDES = (10, 32, 100, 316)  # of sandy grids: 10^2 ... 10^5 states
OBSERVED = 100_000  # transitions
Set = Literal["l1", "bernstein"]
Start = Literal["warm", "cold"]
SETS: tuple[Set, ...] = ("l1", "bernstein")
STARTS: tuple[Start, ...] = ("warm", "cold")
NO_LIMIT = float("inf")
FIRST_USE = """
import json, sys, time
begin = time.perf_counter()
import goalward as gw
grid = gw.environments.make("paper-grid", cost=sys.argv[2])
gw.solve(grid)
planned = time.process_time()
gw.simulate(grid, "uc-ssp", episodes=10, confidence=sys.argv[1])
print(json.dumps([time.perf_counter() - begin, time.process_time() - planned]))
"""


class CProgram:
    """The C program, and the model of the paper's grid as it reads it."""

    def __init__(self, folder: Path) -> None:
        ssp = gw.environments.make("paper-grid")
        self.program, self.model = c_program.build(folder), folder / "grid.bin"
        c_program.write_model(ssp.rows, int(ssp.index_s[ssp.start]), self.model)

    def run(self, confidence: Set, start: Start, runs: int, seed: int) -> c_program.Found:
        return c_program.run(self.program, self.model, confidence, start, episodes=EPISODES, runs=runs, seed=seed)


def ours(confidence: Set, start: Start, runs: int, seed: int, workers: int = 1) -> gw.Runs:
    grid = gw.environments.make("paper-grid")
    return gw.simulate(grid, "uc-ssp", EPISODES, runs, seed, workers, confidence=confidence, warm_start=start == "warm")


def loop(c: CProgram) -> Iterator[Number]:
    """CPU time a run; that of the thread that waits, and of making and filling all arrays, counted in."""
    for confidence in SETS:
        for start in STARTS:
            ours(confidence, start, 1, SEED)  # compiled, or loaded
            theirs, mine = (min(seconds) for seconds in zip(*(in_turn(c, confidence, start, SEED + i) for i in range(ROUNDS)), strict=True))
            name = f"UC-SSP, {confidence}, {start}"
            yield Number(f"{name}: C", theirs * 1e3, NO_LIMIT, "ms")
            yield Number(f"{name}: Goalward", mine * 1e3, NO_LIMIT, "ms")
            yield Number(f"{name}: ratio", mine / theirs, 1.2, "x")
    yield Number("a step of the loop", step_time() * 1e9, 15.0, "ns")


def in_turn(c: CProgram, confidence: Set, start: Start, seed: int) -> tuple[float, float]:
    return c.run(confidence, start, RUNS, seed).cpu_seconds / RUNS, cpu(lambda: ours(confidence, start, RUNS, seed)) / RUNS


@component
class Follower(NamedTuple):
    """Plays a fixed policy and counts: an algorithm that never plans, so that what is left is the loop."""

    policy_s: NDArray[np.int64]
    counts: Counts

    @classmethod
    def create(cls, signature: Any, rng: np.random.Generator) -> Follower:
        ssp = gw.environments.make("paper-grid")
        return cls(gw.solve(ssp).policy[np.flatnonzero(ssp.index_s < signature.states)], Counts.empty(signature.first_pair))

    def act(self, s: int) -> int:
        return int(self.policy_s[s])

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        self.counts.record(self.counts.first_pair[s] + a, s_next)


def step_time() -> float:
    grid = gw.environments.make("paper-grid")
    gw.simulate(grid, Follower, 10)
    return min(float(runs.seconds[0] / np.sum(runs.steps)) for runs in (gw.simulate(grid, Follower, 100_000, seed=i) for i in range(ROUNDS)))


def own(c: CProgram) -> Iterator[Number]:
    """The same text as a user's module: CPU time a run over that of the catalogue's, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(inspect.getfile(UCSSP)).read_text(encoding="utf-8")
        Path(folder, "users_own.py").write_text(text, encoding="utf-8")
        sys.path.insert(0, folder)
        theirs = import_module("users_own").UCSSP
        sys.path.remove(folder)
        grid = gw.environments.make("paper-grid")
        for algorithm in ("uc-ssp", theirs):
            gw.simulate(grid, algorithm, 1)  # compiled
        calls = [partial(gw.simulate, grid, algorithm, EPISODES, RUNS, SEED, 1) for algorithm in ("uc-ssp", theirs)]
        times = [[cpu(call) for call in calls] for _ in range(ROUNDS)]
    mine, others = (min(column) for column in zip(*times, strict=True))
    yield Number("UC-SSP as a user's own class, over the catalogue's", others / mine, 1.2, "x")


def cpu(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def regret(c: CProgram) -> Iterator[Number]:
    """How many standard errors the mean costs of both are apart."""
    for confidence in SETS:
        runs, found = ours(confidence, "warm", 1000, SEED, 2), c.run(confidence, "warm", 1000, SEED)
        for k, theirs in found.cumulative_cost.items():
            mine = runs.cost[:, :k].sum(axis=1)
            error = np.hypot(mine.std(ddof=1) / np.sqrt(len(mine)), theirs.standard_error)
            yield Number(f"UC-SSP, {confidence}: costs of {k} episodes differ by", abs(mine.mean() - theirs.mean) / error, 3.5, "s.e.")


def threads(c: CProgram) -> Iterator[Number]:
    """Speed-up of two over one, in wall clock, measured in turn."""
    if (os.cpu_count() or 1) < 2:
        return
    rounds = [(speed_up(ours_wall(1), ours_wall(2)), speed_up(theirs_wall(c, 1), theirs_wall(c, 2))) for _ in range(ROUNDS)]
    mine, theirs = (float(np.median(column)) for column in zip(*rounds, strict=True))
    yield Number("two threads of Goalward: speed-up", mine, NO_LIMIT, "x")
    yield Number("two processes of C: speed-up", theirs, NO_LIMIT, "x")
    yield Number("what is lost: processes over threads", theirs / mine, 1.0 / 0.9, "x")


def speed_up(one: Callable[[], object], two: Callable[[], object]) -> float:
    """`two` does twice the work of `one`."""
    return 2.0 * wall(one) / wall(two)


def wall(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def ours_wall(workers: int) -> Callable[[], object]:
    return lambda: ours("l1", "warm", 200 * workers, SEED, workers)


def theirs_wall(c: CProgram, processes: int) -> Callable[[], object]:
    def call() -> None:
        with ThreadPoolExecutor(processes) as pool:
            list(pool.map(lambda seed: c.run("l1", "warm", 300, seed), range(processes)))

    return call


def start(c: CProgram) -> Iterator[Number]:
    """The first use in a process: seconds of wall clock with kernels on disk, of CPU time without."""
    for confidence in SETS:
        for cost in ("uniform", "zero-patch"):
            with tempfile.TemporaryDirectory() as folder:
                cold = ask(FIRST_USE, confidence, cost, NUMBA_CACHE_DIR=folder)[1]
                warm = min(ask(FIRST_USE, confidence, cost, NUMBA_CACHE_DIR=folder)[0] for _ in range(3))
            name = f"{confidence}, {'no free steps' if cost == 'uniform' else 'free steps'}"
            yield Number(f"the first simulate of a process, {name}", warm, 1.0, "s")
            yield Number(f"the same, to be compiled: CPU time of UC-SSP, {name}", cold, 6.0, "s")


def observe_anywhere(world: World, counts: Counts, rng: np.random.Generator, transitions: int) -> None:
    """Pairs drawn at random, tried once each."""
    for _ in range(transitions):
        s = int(rng.random() * (counts.first_pair.size - 1))
        a = int(rng.random() * 4)
        _, s_next = world.step(s, a, rng)
        counts.record(counts.first_pair[s] + a, s_next)


def plan_again(plan: Plan, counts: Counts, tolerance: float) -> int:
    return int(extended_value_iteration(plan, counts, tolerance))


def scaling(c: CProgram) -> Iterator[Number]:
    """A cold plan in which nothing is new, by the number of states: nanoseconds a pair and sweep.

    In wide sets nearly all goes to the goal at once, and a plan takes two sweeps over rows that are almost empty. In narrow ones (the ball's radius grows with
    the root of the states, the box does not) rows keep their successors, plans take tens of sweeps, and most sweeps change the order of the states.
    """
    for side in SIDES:
        for width, scales in (("wide", (1.0, 1.0)), ("narrow", (0.6 / side, 0.1))):
            nanoseconds = []
            for confidence, scale in zip(SETS, scales, strict=True):
                first, per_pair, sweeps = plan_time(side, confidence, scale)
                name = f"{side * side - 1} states, {confidence}, {width}"
                yield Number(f"{name}: first plan", first * 1e3, NO_LIMIT, "ms")
                yield Number(f"{name}: a pair and sweep, of {sweeps}", per_pair, NO_LIMIT, "ns")
                nanoseconds.append(per_pair)
            yield Number(f"{side * side - 1} states, {width}: Bernstein over L1", nanoseconds[1] / nanoseconds[0], 3.0, "x")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    yield Number("peak memory of this process", peak / 1e9, 1.0, "GB")


def plan_time(side: int, confidence: Set, scale: float) -> tuple[float, float, int]:
    """Seconds of the first plan; nanoseconds a pair and sweep of the next; its sweeps."""
    ssp = gw.environments.make("sandy-grid", size=side)
    rng, world = np.random.default_rng(SEED), World.of(ssp)
    agent = UCSSP.create(ssp.signature, rng, confidence=confidence, scale=scale, warm_start=False)
    assert isinstance(agent, UCSSP)
    compiled(observe_anywhere, world, agent.counts, rng, 1)(world, agent.counts, rng, OBSERVED)
    plan = compiled(plan_again, agent.cheap, agent.counts, 0.0)
    first = wall(lambda: plan(agent.cheap, agent.counts, 1e-4))
    sweeps = plan(agent.cheap, agent.counts, 1e-4)
    again = min(wall(lambda: plan(agent.cheap, agent.counts, 1e-4)) for _ in range(ROUNDS))
    return first, again / sweeps / ssp.num_pairs * 1e9, sweeps


PARTS: dict[str, Callable[[CProgram], Iterator[Number]]] = {"loop": loop, "own": own, "regret": regret, "threads": threads, "start": start, "scaling": scaling}


def main() -> int:
    """Measure, print as it goes, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all unless named")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers there")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a target is missed")
    asked = parser.parse_args()
    for part in set(asked.parts) - set(PARTS):
        parser.error(f"no part is called {part!r}; there are {', '.join(PARTS)}")
    machine = describe_machine()
    print("\n".join(f"{name}: {value}" for name, value in machine.items()) + "\n", flush=True)
    numbers: list[Number] = []
    with tempfile.TemporaryDirectory() as folder:
        c = CProgram(Path(folder))
        for part in asked.parts or PARTS:
            for number in PARTS[part](c):
                numbers.append(number)
                print(number, flush=True)
    if asked.json:
        asked.json.write_text(json.dumps({"machine": machine, "numbers": [asdict(n) for n in numbers]}, indent=1).replace("Infinity", "null") + "\n")
    missed = [number.name for number in numbers if number.missed]
    if missed:
        print("targets missed: " + "; ".join(missed))
    return 1 if asked.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
