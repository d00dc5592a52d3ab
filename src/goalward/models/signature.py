"""What an agent may know of a problem before its first step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from goalward.models.ssp import SSP


class Signature(NamedTuple):
    """Numbers of states and actions, the costs or their range, and which states are the start and the goals; no probabilities.

    States are counted as algorithms count them: 0 ... S - 1 in the maker's order without the goals, and S for every goal.
    """

    states: int  # S
    actions: int  # A, the most that a state has
    first_pair: NDArray[np.int64]  # (S + 1,) pairs of state s
    cost_x: NDArray[np.float64]  # (X,) mean cost of each pair
    c_min: float
    c_max: float
    start: int | None  # if it is always the same
    index_s: NDArray[np.int32]  # (S',) maker's state -> state
    action_x: NDArray[np.int32]  # (X,) pair -> maker's action
    random_costs: bool  # costs are drawn at every step

    @property
    def goal(self) -> int:
        return self.states

    @classmethod
    def of(cls, ssp: SSP) -> Signature:
        first_pair = ssp.rows.first_pair
        start = int(ssp.index_s[ssp.start]) if isinstance(ssp.start, int) else None
        most = int(np.diff(first_pair).max())
        drawn = ssp.random_costs is not None
        return cls(len(first_pair) - 1, most, first_pair, ssp.cost, ssp.c_min, ssp.c_max, start, ssp.index_s, ssp.action, drawn)

    def __repr__(self) -> str:
        return f"Signature({self.states} states and the goal, {self.actions} actions, costs {self.c_min:g} to {self.c_max:g}, start {self.start})"
