"""Where in a problem one can be lost, and where one can stay for ever: graph facts over the states of `Rows`, (S,)."""

from __future__ import annotations

import numpy as np

from goalward._compile import run
from goalward.models.components import end_components
from goalward.models.graph import almost_sure, predecessors, reaches_goal
from goalward.models.rows import Bools, Longs, Rows


def lost_states(rows: Rows) -> Bools:
    """The states without a path to the goal."""
    into = run(predecessors, rows)
    return ~run(reaches_goal, rows, *into)


def unsafe_states(rows: Rows) -> Bools:
    """The states from which no policy reaches the goal with probability 1: the lost ones, and those that cannot avoid the risk of coming to one."""
    into = run(predecessors, rows)
    return np.asarray(run(almost_sure, rows, *into) >= 0)


def end_component(rows: Rows, keep: Bools) -> Longs:
    """The number of the maximal end component of the kept pairs that each state is in, -1 where it is in none."""
    into = run(predecessors, rows)
    component, _ = run(end_components, rows, keep, *into)
    return component.astype(np.int64)
