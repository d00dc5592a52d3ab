"""Models from arrays: dense, sparse matrices, or CSR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import ModelError
from goalward.models.building import Pairs, assemble, costs_of_pairs, split
from goalward.models.checks import MOST_ACTION, Problems, floats, integers
from goalward.models.frame import Frame


def from_arrays(transitions: Any, costs: ArrayLike, frame: Frame) -> dict[str, Any]:
    if isinstance(transitions, Sequence) and any(hasattr(matrix, "tocoo") for matrix in transitions):
        return _from_matrices(transitions, costs, frame)
    dense = floats("transitions", transitions)
    if dense.ndim != 3 or dense.shape[0] != dense.shape[2] or not dense.size:
        raise ModelError([f"transitions: shape {dense.shape}, expected (S', A, S'), where S' counts the goals, or a list of A sparse matrices (S', S')"])
    problems = frame.problems()
    goals = frame.goals(len(dense), problems)
    dense[goals] = 0.0
    s, a, s_next = np.nonzero(dense)
    return _from_entries((s, a, s_next, dense[s, a, s_next]), dense.shape[1], costs, len(dense), goals, frame, problems)


def _from_matrices(matrices: Sequence[Any], costs: ArrayLike, frame: Frame) -> dict[str, Any]:
    shapes = [getattr(matrix, "shape", None) if hasattr(matrix, "tocoo") else type(matrix).__name__ for matrix in matrices]
    states = max(shape[0] for shape in shapes if isinstance(shape, tuple))
    if wrong := [f"transitions[{a}]: {shape}, expected a sparse matrix {(states, states)}" for a, shape in enumerate(shapes) if shape != (states, states)]:
        raise ModelError(wrong)
    problems = frame.problems()
    goals = frame.goals(states, problems)
    entries = [matrix.tocoo() for matrix in matrices]
    s, s_next = (np.concatenate([getattr(e, side) for e in entries]).astype(np.int64) for side in ("row", "col"))
    a = np.repeat(np.arange(len(entries)), [e.nnz for e in entries])
    p = np.concatenate([floats(f"transitions[{a}]", e.data) for a, e in enumerate(entries)])
    keep = np.flatnonzero(~np.isin(s, goals) & (p != 0.0))
    order = keep[np.lexsort((s_next[keep], a[keep], s[keep]))]
    return _from_entries((s[order], a[order], s_next[order], p[order]), len(matrices), costs, states, goals, frame, problems)


def _from_entries(
    entries: tuple[NDArray[Any], ...], actions: int, costs: ArrayLike, states: int, goals: NDArray[np.int64], frame: Frame, problems: Problems
) -> dict[str, Any]:
    """`entries` are s, a, s', p in the order of (state, action)."""
    s, a, s_next, p = entries
    state, action, row_ptr = split(s, a)
    cost = costs_of_pairs(floats("costs", costs), state, action, (states, actions), problems)
    return assemble(Pairs(state, action, cost, row_ptr, s_next, p), states, goals, frame, problems)


def from_csr(
    first_pair: ArrayLike, row_ptr: ArrayLike, next_state: ArrayLike, probability: ArrayLike, cost: ArrayLike, action: ArrayLike | None, frame: Frame
) -> dict[str, Any]:
    first, row = (integers(name, given).astype(np.int64) for name, given in (("first_pair", first_pair), ("row_ptr", row_ptr)))
    successors, p, c = integers("next_state", next_state), floats("probability", probability), floats("cost", cost)
    _check_pointers(first, row, successors, p, c)
    count = np.diff(first)
    states = len(count)
    state = np.repeat(np.arange(states), count)
    given = np.arange(len(c)) - np.repeat(first[:-1], count) if action is None else integers("action", action)
    if given.shape != state.shape:
        raise ModelError([f"action: shape {given.shape}, expected {state.shape}, one number a pair"])
    problems = frame.problems()
    goals = frame.goals(states, problems)
    pairs = Pairs(state, given, c, row, successors, p)
    pairs = _without(pairs, goals) if count[goals].any() else pairs
    _check_actions(pairs, problems)
    return assemble(pairs, states, goals, frame, problems)


def _check_actions(pairs: Pairs, problems: Problems) -> None:
    action = pairs.action
    outside = np.flatnonzero((action < 0) | (action > MOST_ACTION))
    problems.add_each(outside, lambda x: f"state {problems.state_name(pairs.state[x])}: action {action[x]}, expected one from 0 to {MOST_ACTION}")
    repeated = np.flatnonzero((action[1:] <= action[:-1]) & (np.diff(pairs.state) == 0))
    problems.add_each(repeated, lambda x: f"{problems.pair(pairs.state[x], action[x])}: the next pair has action {action[x + 1]}, expected a larger number")


def _without(pairs: Pairs, goals: NDArray[np.int64]) -> Pairs:
    """The pairs of all states but the goals."""
    keep = ~np.isin(pairs.state, goals)
    length = np.diff(pairs.row_ptr)
    entries = np.repeat(keep, length)
    row_ptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(length[keep])))
    return Pairs(pairs.state[keep], pairs.action[keep], pairs.cost[keep], row_ptr, pairs.next_state[entries], pairs.probability[entries])


def _check_pointers(
    first: NDArray[np.int64], row: NDArray[np.int64], successors: NDArray[np.integer], p: NDArray[np.float64], c: NDArray[np.float64]
) -> None:  # fmt: skip
    wrong = []
    if c.ndim != 1:
        wrong.append(f"cost: shape {c.shape}, expected one dimension")
    elif len(first) < 2 or first[0] != 0 or first[-1] != len(c) or (np.diff(first) < 0).any():
        wrong.append(f"first_pair: expected S' + 1 numbers that rise from 0 to the number of pairs, {len(c)}")
    if len(row) != len(np.atleast_1d(c)) + 1 or row[0] != 0 or row[-1] != p.size or (np.diff(row) < 0).any():
        wrong.append(f"row_ptr: expected {c.size + 1} numbers that rise from 0 to the number of transitions, {p.size}")
    if successors.shape != p.shape:
        wrong.append(f"next_state: shape {successors.shape}, expected {p.shape}, one for each probability")
    if wrong:
        raise ModelError(wrong)
