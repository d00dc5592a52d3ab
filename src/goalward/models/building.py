"""From state-action pairs and their transitions to the arrays of an `SSP`.

`arrays` and `tables` bring what a caller has to this form; here all of it is checked and sorted in the same way. No array of the caller's is kept or changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward.models.checks import Problems, check_costs, check_entries, check_sums, normalised
from goalward.models.frame import Frame
from goalward.models.rows import frozen, owners, sum_repeats


class Pairs(NamedTuple):
    """State-action pairs in the order of (state, action), and their transitions."""

    state: NDArray[np.int64]  # (X,)
    action: NDArray[np.integer]  # (X,)
    cost: NDArray[np.float64]  # (X,)
    row_ptr: NDArray[np.int64]  # (X + 1,)
    next_state: NDArray[np.integer]  # (Z,)
    probability: NDArray[np.float64]  # (Z,)


def assemble(
    pairs: Pairs, states: int, goals: NDArray[np.int64], frame: Frame, problems: Problems, entry_name: Callable[[int], str] | None = None
) -> dict[str, Any]:
    """The parts of the model, or one error that lists what is wrong. `entry_name(i)` says which entry i is, where the caller knows it by another name."""

    def pair_name(x: int) -> str:
        return problems.pair(pairs.state[x], pairs.action[x])

    def pair_of_entry(i: int) -> str:
        return pair_name(int(np.searchsorted(pairs.row_ptr, i, side="right")) - 1)

    start = frame.check(states, len(pairs.cost), int(pairs.action.max(initial=-1)) + 1, goals, problems)
    check_costs(pairs.cost, pair_name, problems)
    wrong = check_entries(pairs.next_state, pairs.probability, states, entry_name or pair_of_entry, problems)
    check_sums(pairs.row_ptr, pairs.probability, wrong, pair_name, problems)
    first_pair = np.searchsorted(pairs.state, np.arange(states + 1)).astype(np.int64)
    check_idle(np.setdiff1d(np.flatnonzero(np.diff(first_pair) == 0), goals), problems)
    problems.raise_if_any()
    row_ptr, next_state, probability = _canonical(pairs, states)
    return {
        "first_pair": frozen(first_pair), "row_ptr": frozen(row_ptr), "next_state": frozen(next_state), "probability": frozen(probability),
        "cost": frozen(pairs.cost + 0.0), "action": frozen(pairs.action.astype(np.int32)), "goals": frozen(goals), "start_distribution": frozen(start),
        "state_names": frame.state_names, "action_names": frame.action_names, "grid": frame.grid, "random_costs": None,
    }  # fmt: skip


def check_idle(idle: NDArray[np.int64], problems: Problems, count: int | None = None) -> None:
    problems.add_each(idle, lambda s: f"state {problems.state_name(s)} has no action; expected at least one, or that it is a goal", count)


def _canonical(pairs: Pairs, states: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Successors once each and in order, none of probability 0; rows that sum to 1."""
    row_ptr, next_state, probability = pairs.row_ptr, pairs.next_state.astype(np.int32), pairs.probability
    rising = np.diff(next_state) > 0
    rising[row_ptr[1:-1] - 1] = True
    if not (rising.all() and probability.all()):
        row_ptr, next_state, probability = sum_repeats(owners(row_ptr), next_state, probability, len(pairs.cost), states)
    return row_ptr, next_state, normalised(probability, row_ptr)


def split(s: NDArray[np.int64], a: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The pairs among entries that are in their order, and where the entries of each begin."""
    changes = (np.diff(s, prepend=-1) != 0) | (np.diff(a, prepend=-1) != 0)
    first = np.flatnonzero(changes)
    return s[first], a[first], np.append(first, len(s))


def costs_of_pairs(
    given: NDArray[np.float64], state: NDArray[np.int64], action: NDArray[np.integer], shape: tuple[int, int], problems: Problems
) -> NDArray[np.float64]:
    """The cost of each pair, from one number, one a state, or an array of `shape`, (S', A)."""
    if given.ndim == 0:
        return np.full(len(state), float(given))
    if given.shape == shape:
        cost: NDArray[np.float64] = given[state, action]
        return cost
    if given.shape == shape[:1]:
        return given[state]
    problems.add(f"costs: shape {given.shape}, expected {shape}, {shape[:1]}, or one number")
    return np.zeros(len(state))
