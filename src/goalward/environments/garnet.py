"""Garnet: sparse random problems."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goalward.environments._settings import check_pairs, drawn_costs, drawn_rows, generator
from goalward.models.settings import flag, whole
from goalward.models.ssp import SSP


def garnet(
    states: int = 20, actions: int = 3, branching: int = 3, reachable: bool = True, c_min: float = 0.1, c_max: float = 1.0, seed: int = 0
) -> SSP:  # fmt: skip
    """A random problem in which every action leads to `branching` states [archibald1995].

    ::

              +---> (s')
        (s) --+---> (s'')          branching different states, drawn for each action,
              +---> (s''')         reached with probabilities uniform over all distributions

    `states` are counted without the goal, which is one more state that may be drawn; each has `actions` actions, and the start is state 0. Costs are uniform
    in [c_min, c_max].

    reachable=True: the states are brought in a random order that begins with the goal, and of each state one action is given a successor before it in that
    order; so some policy reaches the goal from everywhere with probability 1. False: nothing is done, and there may be states with no way to the goal.

    V* has no closed form; with branching = 1 it is a deterministic shortest path.
    """
    S, A = whole("states", states, 1), whole("actions", actions, 1)
    b = whole("branching", branching, 1, S + 1)
    check_pairs(S * A, states=S, actions=A)
    rng = generator(seed)
    successor = _distinct(rng, S * A, S + 1, b)
    if flag("reachable", reachable):
        _lead_to_goal(rng, successor, S, A)
    probability, cost = drawn_rows(rng, S * A, b), drawn_costs(rng, c_min, c_max, (S * A,))
    first_pair = np.append(np.arange(S + 1) * A, S * A)
    return SSP.from_csr(first_pair, np.arange(S * A + 1) * b, successor.ravel(), probability.ravel(), cost, start=0, goal=S)


def _distinct(rng: np.random.Generator, rows: int, states: int, count: int) -> NDArray[np.int64]:
    """(rows, count) different states in each row, all sets equally likely: Floyd's sampling, all rows at once."""
    chosen = np.empty((rows, count), dtype=np.int64)
    for i in range(count):
        newest = states - count + i
        drawn = rng.integers(0, newest + 1, rows)
        taken = (chosen[:, :i] == drawn[:, None]).any(axis=1)
        chosen[:, i] = np.where(taken, newest, drawn)
    return chosen


def _lead_to_goal(rng: np.random.Generator, successor: NDArray[np.int64], S: int, A: int) -> None:
    """Give one action of each state a successor that comes before it in a random order, in which the goal S is the first."""
    order = np.append(S, rng.permutation(S))
    before = order[rng.integers(0, np.arange(S) + 1)]  # one for each of order[1:]
    pair = order[1:] * A + rng.integers(0, A, S)
    missing = ~(successor[pair] == before[:, None]).any(axis=1)
    successor[pair[missing], 0] = before[missing]
