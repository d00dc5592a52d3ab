"""Where in a problem one can be lost, where one can stay for ever, and where one can come to: graph facts, over the states of `Rows`, (S,), if not said."""

from __future__ import annotations

import numpy as np

from goalward._compile import run
from goalward.models.components import end_components
from goalward.models.graph import almost_sure, predecessors, reaches_goal
from goalward.models.rows import Bools, Longs, Rows, stretches
from goalward.models.ssp import SSP


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


def reachable(ssp: SSP, first: Longs | None = None, end: Longs | None = None) -> Bools:
    """(S',) the states that can be reached from the start, if next_state[first[s] : end[s]] are the successors of state s; by any action if not given."""
    first = ssp.row_ptr[ssp.first_pair[:-1]] if first is None else first
    end = ssp.row_ptr[ssp.first_pair[1:]] if end is None else end
    seen = ssp.start_distribution > 0
    fresh = np.flatnonzero(seen)
    while fresh.size:
        count = np.maximum(end[fresh] - first[fresh], 0)
        found = np.unique(ssp.next_state[stretches(first[fresh], count)]).astype(np.int64)
        fresh = found[~seen[found]]
        seen[fresh] = True
    return seen
