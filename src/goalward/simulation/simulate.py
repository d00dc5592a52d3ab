"""Many runs of an algorithm on a problem, on all cores.

>>> import goalward as gw
>>> runs = gw.simulate(gw.environments.make("paper-grid"), "uc-ssp", episodes=100, runs=4, seed=0)
>>> runs.regret.shape, bool(runs.censored.any()), [*runs.columns]  # doctest: +ELLIPSIS
((4, 100), False, ['optimistic_value', 'phase1_steps', 'pivot', ...])
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from goalward.errors import GoalwardWarning, SettingError
from goalward.models.rows import Floats
from goalward.models.settings import whole
from goalward.models.ssp import SSP
from goalward.planning.evaluate import at_start
from goalward.planning.regions import lost_states, reachable
from goalward.planning.solve import solve
from goalward.simulation.contract import Recipe, check_probes
from goalward.simulation.loop import Log
from goalward.simulation.names import Names
from goalward.simulation.observer import Observer
from goalward.simulation.record import Record, Snapshot
from goalward.simulation.run import Run
from goalward.simulation.runs import Runs
from goalward.simulation.streams import streams
from goalward.simulation.watch import Found, Watch
from goalward.simulation.world import World

USUAL_STEPS = 1_000_000_000  # that a run may take, unless the caller says otherwise: a minute or two
MOST_STEPS = 2**31 - 1  # that it may take at all: columns of counts are 32 bits wide
TOLERANCE = 1e-10  # of V*
INTERVAL = 0.1  # seconds between two reports


class SimulationProgress(NamedTuple):
    """What a progress callback is told about ten times a second."""

    runs: int  # that have ended
    episodes: int  # finished, in all runs
    seconds: float
    regret: float  # mean of the runs that have ended, or of those in progress as long as none has


def simulate(
    ssp: SSP, algorithm: Any, episodes: int, runs: int = 1, seed: int = 0, workers: int | None = None, max_steps: int | None = None, *,
    first_run: int = 0, record: Record | None = None, progress: Callable[[SimulationProgress], object] | None = None, **settings: Any,
) -> Runs:  # fmt: skip
    """Let an algorithm learn: `runs` times `episodes` episodes, each run from nothing.

    `algorithm` is a name of the catalogue (`gw.algorithms()`) or a class of one's own, marked `@gw.component`; `settings` are its settings. The same seed
    gives the same bits, whatever the number of `workers` (threads; None: one a core), and run r is the same in any call that includes it: `first_run` is the
    number of the first. A run of more than `max_steps` steps (a billion if not given) is cut short and *censored*.

    Regret is counted on realised costs against V* of the state that each episode starts in. With `penalty=J` giving up is possible at that cost
    (`gw.RESET`), for algorithms that can; regret is then against the best policy that may do so.

    `record` asks for a closer look (`gw.Record`). `progress` is called with a `SimulationProgress` about ten times a second.
    """
    if not isinstance(ssp, SSP):
        raise SettingError("ssp", ssp, "an SSP")
    episodes, runs, seed, first_run = whole("episodes", episodes, 1), whole("runs", runs, 1), whole("seed", seed, 0), whole("first_run", first_run, 0)
    recipe = Recipe.of(algorithm, settings, episodes)
    budget = whole("max_steps", USUAL_STEPS if max_steps is None else max_steps, 1, MOST_STEPS)
    if progress is not None and not callable(progress):
        raise SettingError("progress", progress, "a function of a SimulationProgress")
    closer, threads = Record() if record is None else Record.checked(record, episodes, range(first_run, first_run + runs)), _threads(workers, runs)
    simulation = Simulation(ssp, recipe, episodes, runs, seed, first_run, budget, closer)
    _warn(simulation.doubts())
    simulation.play(threads, progress)
    found = simulation.result()
    _warn(simulation.complaints(found))
    return found


def _warn(texts: list[str]) -> None:
    """Of the line that called `simulate`."""
    for text in texts:
        warnings.warn(text, GoalwardWarning, stacklevel=3)


def _threads(workers: int | None, runs: int) -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(runs, cores if workers is None else whole("workers", workers, 1))


class Simulation:
    """One call of `simulate`."""

    def __init__(self, ssp: SSP, recipe: Recipe, episodes: int, runs: int, seed: int, first_run: int, max_steps: int, record: Record) -> None:
        self.ssp, self.recipe, self.episodes, self.runs, self.seed, self.first_run = ssp, recipe, episodes, runs, seed, first_run
        self.max_steps, self.record = max_steps, record
        self.penalty = recipe.settings.get("penalty")
        self.world, self.names = World.of(ssp, self.penalty), Names(ssp.signature)
        first = recipe.create(ssp.signature, streams(seed, first_run)[1])  # settings are checked before anything is played
        self.value, self.plain_value = self._optimum()
        self.log = Log(np.full((runs, episodes), np.nan), np.full((runs, episodes), -1, np.int32), np.full((runs, episodes), -1, np.int32))
        check_probes(first, record.probes)
        told = getattr(first, "now", None)
        self.now = None if told is None else np.zeros((runs, episodes), told.dtype)
        self.probed = {name: np.full((runs, episodes), np.nan) for name in record.probes}
        self.open, self.finished, self.ended = np.zeros((2, runs)), np.zeros(runs, np.int64), np.zeros(runs, np.bool_)
        self.seconds = np.zeros(runs)
        self.event = np.zeros(runs, Found)
        self.snapshots: dict[int, list[Snapshot]] = {}
        self.playing: dict[int, Run] = {}
        self.stopped = False

    def _optimum(self) -> tuple[Floats, Floats]:
        """V* of each state, with resets and without."""
        without = solve(self.ssp, TOLERANCE).value
        value = without if self.penalty is None else solve(self.ssp, TOLERANCE, penalty=self.penalty).value
        starts = np.flatnonzero(self.ssp.start_distribution)
        if not np.isfinite(value[starts]).all():
            lost = self.ssp.state_name(int(starts[np.argmax(value[starts])]))
            raise SettingError("ssp", self.ssp, f"a goal that can be reached surely from the start; from {lost} it cannot. Allow giving up: penalty=J")
        return value, without

    def doubts(self) -> list[str]:
        """What speaks against playing at all."""
        if self.penalty is not None:
            at_once = at_start(self.ssp, self.value) >= self.penalty
            return [f"nothing is better at the start than to give up at once, for {self.penalty:g}; an agent that tries anything else pays more"] * at_once
        lost = np.append(lost_states(self.ssp.rows), False)[self.ssp.index_s]
        if lost.any():
            lost &= reachable(self.ssp)
        if not lost.any():
            return []
        name = self.ssp.state_name(int(np.argmax(lost)))
        return [f"from state {name} the goal cannot be reached, and exploring may lead there: then the run uses up its steps. penalty=J allows giving up"]

    def play(self, threads: int, progress: Callable[[SimulationProgress], object] | None) -> None:
        """All runs, on threads: compiled code releases Python's lock. The main thread waits, reports, and hears an interruption."""
        begun = time.perf_counter()
        self._new_run(0).kernel()  # compiled here, where an interruption is heard
        with self._pool(threads) as pool:
            pending: set[Future[None]] = {pool.submit(self._play, r) for r in range(self.runs)}
            while pending:
                done, pending = wait(pending, INTERVAL, FIRST_EXCEPTION)
                for future in done:
                    future.result()
                if progress is not None:
                    progress(self._progress(time.perf_counter() - begun))

    @contextmanager
    def _pool(self, threads: int) -> Iterator[ThreadPoolExecutor]:
        """Threads, which stop within a step when anything goes wrong."""
        pool = ThreadPoolExecutor(threads, thread_name_prefix="goalward")
        try:
            yield pool
        except BaseException:
            self.stopped = True
            for run in [*self.playing.values()]:
                run.stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _new_run(self, r: int) -> Run:
        noise, own = streams(self.seed, self.first_run + r)
        log = Log(self.log.cost_k[r], self.log.steps_k[r], self.log.start_k[r])
        now_k, watch = None if self.now is None else self.now[r], Watch(self.ssp.rows) if self.record.event else None
        return Run(self.world, self.recipe.create(self.ssp.signature, own), noise, log, now_k, self.max_steps, watch)

    def _play(self, r: int) -> None:
        begun = time.thread_time()
        run = self.playing[r] = self._new_run(r)
        if self.stopped:
            run.stop()
        probed = {name: column[r] for name, column in self.probed.items()}
        self.snapshots[r] = Observer(run, self.names, self.first_run + r, self.record, probed).play(self.episodes)
        self.finished[r] = run.finished
        if run.watch is not None:
            self.event[r] = run.watch.found
        if run.finished < self.episodes:
            self.open[:, r] = run.session.cost, run.session.steps - run.session.first
        self.seconds[r] = time.thread_time() - begun
        self.ended[r] = True
        del self.playing[r]

    def _progress(self, seconds: float) -> SimulationProgress:
        playing = {r: run.finished for r, run in [*self.playing.items()]}
        ended = {int(r): int(self.finished[r]) for r in np.flatnonzero(self.ended)}  # asked after `playing`: a run that ends meanwhile is in both
        optimal = at_start(self.ssp, self.value)
        regret = [float(self.log.cost_k[r, :k].sum()) - k * optimal for r, k in (ended or playing).items()]
        return SimulationProgress(len(ended), sum((playing | ended).values()), seconds, float(np.mean(regret)) if regret else 0.0)

    def result(self) -> Runs:
        """What was told, in the caller's numbers."""
        starts = np.flatnonzero(self.ssp.start_distribution)
        open_steps = self.open[1].astype(np.int64)
        return Runs(
            self.recipe.name, self.recipe.settings, repr(self.ssp), self.episodes, self.seed, self.first_run, self.max_steps,
            self.log.cost_k, self._whole(self.log.steps_k), self._whole(self._starts()), self._columns(), starts, self.value[starts],
            at_start(self.ssp, self.value), at_start(self.ssp, self.plain_value), self.finished, self.open[0], open_steps, self.seconds,
            tuple(snapshot for r in sorted(self.snapshots) for snapshot in self.snapshots[r]),
            *((np.ascontiguousarray(self.event[name]) for name in ("held", "slack")) if self.record.event else ()),
        )  # fmt: skip

    def _starts(self) -> Any:
        return self.names.state_of.astype(np.int32)[self.log.start_k]

    def _columns(self) -> dict[str, Any]:
        told = {} if self.now is None else {name: self._whole(self.now[name]) for name in self.now.dtype.names or ()}
        return told | self.probed

    def _whole(self, column: Any) -> Any:
        """With nan in the episodes that were not finished; as it is if there are none."""
        unfinished = np.arange(self.episodes) >= self.finished[:, None]
        return np.where(unfinished, np.nan, column) if unfinished.any() else column

    def complaints(self, found: Runs) -> list[str]:
        """What the result should not be read without."""
        texts = []
        if found.censored.any():
            r = int(np.argmax(found.censored))
            texts.append(
                f"{int(found.censored.sum())} of {self.runs} runs are censored: max_steps = {self.max_steps:,} were used up before {self.episodes:,} episodes "
                f"were finished (run {self.first_run + r} in episode {int(found.finished[r]) + 1:,}). Their unfinished episodes are nan"
            )
        cut = found.columns.get("cut_short")
        if cut is not None and np.nansum(cut) > 0:
            texts.append(f"{int(np.nansum(cut)):,} plans were cut short by a budget of sweeps or steps; see the column cut_short")
        return texts
