"""The printed curves of UC-SSP beside runs of ours [tarbouriech2020, App. J]. As a program, it prints the tables: python -m tests.papers.published."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import goalward as gw

PRINTED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
RUNS, EPISODES, SEED = 200, 3000, 2020
SMOOTHED = 15  # episodes over which Fig. 4's horizon seems to be averaged


class Figure(NamedTuple):
    """How a printed curve is made again, and how close it has to be."""

    grid: dict[str, Any]
    settings: dict[str, Any]
    normalised: bool  # divided by V*(s0)
    tolerance: float

    @classmethod
    def of_beta(cls, beta: float) -> Figure:
        return cls({"cost": "sand-pit", "beta": beta}, {}, True, 0.05)


FIGURES = {"Fig. 4": Figure({}, {}, False, 0.03), "Fig. 7": Figure({"walls": "slip"}, {"confidence": "bernstein"}, False, 0.03)}
FIGURES |= {f"Fig. 5, beta = {beta:g}": Figure.of_beta(beta) for beta in (0.5, 0.1, 0.01, 0.001)}
OFF = {"steps": 0.05, "phase1_steps": 0.04, "phase2_steps": 0.15, "pivot": 0.04}  # Fig. 4's lengths and horizons, as fractions
LEAST_OFF = {"phase2_steps": 0.15}  # steps


class Row(NamedTuple):
    """A printed number and ours, with the standard error of a mean over as many runs as were printed."""

    what: str
    printed: float
    ours: float
    error: float
    allowed: float

    @property
    def off(self) -> float:
        """As a fraction."""
        return self.ours / self.printed - 1.0

    @property
    def is_inside(self) -> bool:
        return abs(self.ours - self.printed) <= self.allowed

    def __str__(self) -> str:
        missed = "" if self.is_inside else "   MISSED"
        return f"{self.what:40} printed {self.printed:10.3f}   ours {self.ours:10.3f} ± {self.error:<7.3f} {100 * self.off:+6.1f} %{missed}"


def table(rows: Iterable[Row]) -> str:
    return "\n".join(map(str, rows))


@lru_cache(maxsize=4)
def runs_of(name: str, seed: int = SEED, changes: tuple[tuple[str, Any], ...] = ()) -> gw.Runs:
    """Runs like those of the figure. `changes` are settings of the grid or of the algorithm."""
    figure, changed = FIGURES[name], dict(changes)
    grid = figure.grid | {key: value for key, value in changed.items() if key == "walls"}
    settings = figure.settings | {key: value for key, value in changed.items() if key != "walls"}
    return gw.simulate(gw.environments.make("paper-grid", **grid), "uc-ssp", episodes=EPISODES, runs=RUNS, seed=seed, **settings)


def regret_rows(name: str, runs: gw.Runs, offset: float = 0.0) -> list[Row]:
    """Mean regret; `offset` is taken off the print."""
    figure = FIGURES[name]
    rows = []
    for k, printed in PRINTED["regret"][name]["at"]:
        regret = runs.regret[:, k - 1] / (runs.optimal_cost if figure.normalised else 1.0)
        rows.append(Row(f"{name}, regret, k = {k}", printed - offset, *mean_and_error(regret), figure.tolerance * printed))
    return rows


def window_rows(column: str, runs: gw.Runs) -> list[Row]:
    """Fig. 4's lengths and horizons, over a hundred episodes each."""
    windows: list[tuple[int, int, float]] = PRINTED["windows"][column]
    return [_row(column, first, last, printed, getattr(runs, column)) for first, last, printed in windows]


def early_rows(column: str, runs: gw.Runs) -> list[Row]:
    """The same in the first hundred episodes: what is printed of one, beside the mean of five about it."""
    return [_row(column, k - 2, k + 2, printed, getattr(runs, column)) for k, printed in PRINTED["episodes"][column]]


def _row(column: str, first: int, last: int, printed: float, values: NDArray[Any]) -> Row:
    allowed = max(OFF[column] * printed, LEAST_OFF.get(column, 0.0))
    return Row(f"Fig. 4, {column}, k = {first} to {last}", printed, *mean_and_error(values[:, first - 1 : last].mean(axis=1)), allowed)


def smoothed(values: NDArray[Any]) -> NDArray[np.float64]:
    """A moving average about half an episode later, so that those at its two ends count half. There are zeros before the first episode."""
    weights = np.ones(SMOOTHED + 1)
    weights[[0, SMOOTHED]] = 0.5
    padded = np.pad(np.asarray(values, float), ((0, 0), (SMOOTHED // 2, SMOOTHED // 2 + 1)))
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, SMOOTHED + 1, axis=1) @ (weights / SMOOTHED))


def mean_and_error(values: NDArray[Any]) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))


def main() -> None:
    for name in FIGURES:
        for seed in range(SEED, SEED + 5):
            print(f"seed {seed}\n{table(regret_rows(name, runs_of(name, seed)))}")
    runs = runs_of("Fig. 4")
    for column in OFF:
        print(table([*early_rows(column, runs), *window_rows(column, runs)]))


if __name__ == "__main__":
    main()
