"""The model as compiled code sees it.

Here the states are 0 ... S - 1 in the caller's order without the goals, and all goals are the one state S: reaching any of them ends the episode, and merging
them keeps every confidence set as tight as it can be. `SSP` keeps the caller's own numbers; `renumber` is the one place where the two meet.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from goalward._compile import component

Bools = NDArray[np.bool_]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
Scalar = TypeVar("Scalar", bound=np.generic)


@component
class Rows(NamedTuple):
    """Pairs (s, a) in CSR: pair x of state s has first_pair[s] <= x < first_pair[s + 1], its successors row_ptr[x] <= i < row_ptr[x + 1].

    The rows of an SSP name each successor once, in increasing order but for the goal, whose place is anywhere. Rows that are derived from them may repeat one.
    """

    first_pair: Longs  # (S + 1,)
    row_ptr: Longs  # (X + 1,)
    next_state: Ints  # (Z,) S is the goal
    probability: Floats  # (Z,)
    cost_x: Floats  # (X,)


def renumber(rows: Rows, goals: NDArray[np.int64]) -> tuple[Rows, NDArray[np.int32]]:
    """`rows` in the caller's numbers to the numbers of this module, and the number of each caller's state among them.

    A pair that leads to several goals has an entry for each. A goal that is the last state and the only one leaves every array as it is.
    """
    states = len(rows.first_pair) - 1
    if len(goals) == 1 and goals[0] == states - 1:
        return rows._replace(first_pair=frozen(rows.first_pair[:-1])), frozen(np.arange(states, dtype=np.int32))
    inner = np.ones(states, dtype=bool)
    inner[goals] = False
    index = frozen(np.where(inner, np.cumsum(inner) - 1, states - len(goals)).astype(np.int32))
    rows = rows._replace(first_pair=frozen(np.append(rows.first_pair[:-1][inner], rows.first_pair[-1])))
    return rows._replace(next_state=frozen(index[rows.next_state])), index


def merge_goals(rows: Rows) -> Rows:
    """Add up the probabilities with which one pair reaches several goals. Where that asks for sorting, it takes most of the time of making a model."""
    row_ptr, next_state, probability = sum_repeats(owners(rows.row_ptr), rows.next_state, rows.probability, len(rows.cost_x), len(rows.first_pair))
    return rows._replace(row_ptr=frozen(row_ptr), next_state=frozen(next_state), probability=frozen(np.minimum(probability, 1.0)))


def owners(ptr: NDArray[np.int64]) -> NDArray[np.int64]:
    """The state of each pair, or the pair of each transition: i for ptr[i] <= x < ptr[i + 1]."""
    return np.repeat(np.arange(len(ptr) - 1), np.diff(ptr))


def stretches(first: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.int64]:
    """first[0], first[0] + 1, ..., `length[0]` of them; then as many as length[1] from first[1] on; and so on: the entries of some rows."""
    return np.repeat(first - np.cumsum(length) + length, length) + np.arange(length.sum())


def sum_repeats(
    pair: NDArray[np.int64], next_state: NDArray[np.integer], probability: NDArray[np.float64], pairs: int, states: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Entries in any order to CSR rows with each successor once, in increasing order; those of probability 0 are dropped."""
    keep = probability != 0.0
    if not keep.all():
        pair, next_state, probability = pair[keep], next_state[keep], probability[keep]
    key = pair * states + next_state
    if (np.diff(key) <= 0).any():
        order = np.argsort(key, kind="stable")
        key, probability = key[order], probability[order]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        key, probability = key[first], np.add.reduceat(probability, first) if len(first) else probability
    row_ptr = np.searchsorted(key, np.arange(pairs + 1) * states)
    return row_ptr.astype(np.int64), (key % states).astype(np.int32), np.ascontiguousarray(probability, dtype=np.float64)


def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The same array, read-only."""
    array.flags.writeable = False
    return array
