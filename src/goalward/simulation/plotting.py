"""Curves of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from goalward.errors import SettingError
from goalward.models.rows import Floats
from goalward.simulation.runs import Runs, Z

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(runs: Runs, column: str, band: str, ax: Axes | None, label: str | None) -> Axes:
    curves = _curves(runs, column)
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=(6.4, 4.0), layout="constrained").add_subplot()
        ax.spines[["top", "right"]].set_visible(False)
    episode, mean = np.arange(1, runs.episodes + 1), curves.mean(axis=0)
    (line,) = ax.plot(episode, mean, label=label or runs.algorithm, linewidth=1.5)
    if band != "none" and runs.runs > 1:
        low, high = _band(curves, mean, band)
        ax.fill_between(episode, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    ax.set_xlabel("episode")
    ax.set_ylabel("cumulative regret" if column == "regret" else column.replace("_", " "))
    ax.set_xlim(1, max(2, runs.episodes))
    ax.legend(frameon=False)
    return ax


def _curves(runs: Runs, column: str) -> Floats:
    known = ("regret", "cost", "steps", *runs.columns)
    if column not in known:
        raise SettingError("column", column, f"one of {', '.join(known)}")
    found: Any = getattr(runs, column)
    return np.asarray(found, float)


def _band(curves: Floats, mean: Floats, band: str) -> tuple[Floats, Floats]:
    if band == "range":
        return curves.min(axis=0), curves.max(axis=0)
    reach = Z * curves.std(axis=0, ddof=1) / np.sqrt(len(curves))
    return mean - reach, mean + reach
