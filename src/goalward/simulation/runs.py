"""What `simulate` returns: of each run and each episode what it cost, how long it took, and whatever the algorithm tells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from goalward.models.rows import Floats, Longs
from goalward.models.settings import choice
from goalward.simulation.record import Snapshot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

    from goalward.learning.theory import Theory
    from goalward.simulation.beside_theory import Comparison

Z = 2.054  # of a normal variable, two-sided 96 %: the bands of the founding paper's figures
BANDS = ("mean", "range", "none")


@dataclass(frozen=True, eq=False, repr=False)
class Runs:
    """Arrays are (runs, episodes), of one value an episode. What the algorithm tells besides is found by name: runs.plans, runs.pivot, ...; see `columns`.

    A run that used up its steps is *censored*: episodes that it did not finish are nan, in every array, so that no mean passes over them in silence.
    """

    algorithm: str
    settings: dict[str, Any]  # all of them, defaults too
    environment: str
    episodes: int
    seed: int
    first_run: int  # runs are numbered from here: their random numbers hang on it
    max_steps: int
    cost: Floats  # of each episode
    steps: NDArray[Any]
    start: NDArray[Any]  # the state that each episode began in, in the caller's numbers
    columns: dict[str, NDArray[Any]]
    start_states: Longs
    start_values: Floats  # V* of these states; with a penalty, the fixed point of the truncated operator
    optimal_cost: float  # the same, averaged over the start distribution
    optimal_cost_without_reset: float  # V* of the problem in which nobody can give up; inf if the goal cannot be reached surely
    finished: Longs  # (runs,) episodes
    open_cost: Floats  # (runs,) what the unfinished episode of a censored run has cost so far
    open_steps: Longs  # (runs,)
    seconds: Floats  # (runs,) of CPU time
    snapshots: tuple[Snapshot, ...] = ()
    event_held: NDArray[np.bool_] | None = None  # (runs,) whether every confidence set contained the true model, if that was recorded: gw.Record(event=True)
    event_slack: Floats | None = None  # (runs,) the least (radius - deviation) / radius; negative where it failed

    @property
    def runs(self) -> int:
        return len(self.cost)

    @property
    def censored(self) -> NDArray[np.bool_]:
        """(runs,) whether the steps were used up before the episodes."""
        return np.asarray(self.finished < self.episodes)

    @cached_property
    def regret(self) -> Floats:
        """Cumulative: [r, k - 1] is the cost of the first k episodes of run r beyond V* of the states they began in [tarbouriech2020, Sect. 2]."""
        return np.asarray(np.cumsum(self.cost - self.optimum, axis=1))

    @property
    def optimum(self) -> Floats:
        """V* of the state that each episode began in."""
        value_of = np.append(self.start_values, np.nan)  # nan comes after all numbers
        return np.asarray(value_of[np.searchsorted(self.start_states, self.start)])

    def __getattr__(self, name: str) -> NDArray[Any]:
        columns = self.__dict__.get("columns", {})
        if name in columns:
            return columns[name]  # type: ignore[no-any-return]
        told = f"; {self.__dict__.get('algorithm')} tells {', '.join(columns)}" if columns else ""
        raise AttributeError(f"runs have no column {name!r}{told}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.columns]

    def against(self, theory: Theory) -> Comparison:
        """What the paper proves about UC-SSP, beside what was seen: a line for each bound that these columns can be held against."""
        from goalward.simulation.beside_theory import compare

        return compare(self, theory)

    def to_pandas(self) -> DataFrame:
        """A table with a row an episode: run, episode, start, cost, regret, steps and the algorithm's columns."""
        from goalward.simulation.tables import to_pandas

        return to_pandas(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write to a .parquet file, whole or not at all, which pandas, polars and DuckDB read as a table. Snapshots lie beside it."""
        from goalward.simulation.tables import save

        save(self, path)

    def plot(self, column: str = "regret", *, band: str = "mean", ax: Axes | None = None, label: str | None = None) -> Axes:
        """Draw the mean of a column over the runs, against the episode.

        band="mean": where the mean lies with 96 %; "range": smallest to largest; "none". Draw several in one picture by handing on `ax`.
        """
        from goalward.simulation.plotting import plot

        return plot(self, column, choice("band", band, BANDS), ax, label)

    def __repr__(self) -> str:
        sizes = f"{self.runs:,} run{'s' * (self.runs != 1)} of {self.episodes:,} episode{'s' * (self.episodes != 1)}"
        censored = f", {int(self.censored.sum())} censored" if self.censored.any() else ""
        done = self.regret[~self.censored, -1] if self.episodes else np.zeros(0)
        spread = f" ± {Z * done.std(ddof=1) / np.sqrt(len(done)):.3g}" if len(done) > 1 else ""
        regret = f"; regret {done.mean():.6g}{spread}" if len(done) else ""
        return f"Runs({self.algorithm} on {self.environment}: {sizes}{censored}{regret}; V* {self.optimal_cost:.6g})"
