"""Where in a problem one can be lost, and where one can stay for ever: graph facts over the states of `Rows`, (S,)."""

from __future__ import annotations

import numpy as np

from goalward._compile import compiled
from goalward.models.components import end_components
from goalward.models.graph import Bools, Longs, almost_sure, predecessors, reaches_goal
from goalward.models.rows import Rows


def lost_states(rows: Rows) -> Bools:
    """The states without a path to the goal."""
    into = compiled(predecessors, rows)(rows)
    return ~compiled(reaches_goal, rows, *into)(rows, *into)


def unsafe_states(rows: Rows) -> Bools:
    """The states from which no policy reaches the goal with probability 1: the lost ones, and those that cannot avoid the risk of coming to one."""
    into = compiled(predecessors, rows)(rows)
    return np.asarray(compiled(almost_sure, rows, *into)(rows, *into) >= 0)


def end_component(rows: Rows, keep: Bools) -> Longs:
    """The number of the maximal end component of the kept pairs that each state is in, -1 where it is in none."""
    into = compiled(predecessors, rows)(rows)
    component, _ = compiled(end_components, rows, keep, *into)(rows, keep, *into)
    return component.astype(np.int64)
