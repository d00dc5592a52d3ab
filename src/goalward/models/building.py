"""From what a caller has to the arrays of an `SSP`.

Each constructor brings its input to one entry a transition; `assemble` checks and sorts them all in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import SHOWN, ModelError
from goalward.models.checks import Problems, check_costs, check_goals, check_probabilities, check_start, row_sums
from goalward.models.rows import frozen, sum_repeats


class Frame(NamedTuple):
    """What a model has beside its rows."""

    start: Any
    goal: Any
    state_names: Sequence[str] | None
    action_names: Sequence[str] | None
    grid: tuple[int, int] | None

    def name(self, kind: str) -> Callable[[int], str]:
        names = self.state_names if kind == "state" else self.action_names
        return lambda i: str(names[i]) if names is not None and 0 <= i < len(names) else str(i)

    def problems(self) -> Problems:
        return Problems(self.name("state"), self.name("action"))


class Pairs(NamedTuple):
    """State-action pairs in the order of (state, action), and their transitions."""

    state: NDArray[np.int64]  # (X,)
    action: NDArray[np.int32]  # (X,)
    cost: NDArray[np.float64]  # (X,)
    row_ptr: NDArray[np.int64]  # (X + 1,)
    next_state: NDArray[np.integer]  # (Z,)
    probability: NDArray[np.float64]  # (Z,)


def assemble(pairs: Pairs, states: int, frame: Frame, problems: Problems) -> dict[str, Any]:
    """The parts of the model, or one error that lists what is wrong."""
    goals = check_goals(frame.goal, states, problems)
    start = check_start(frame.start, states, goals, problems)
    check_costs(pairs.cost, pairs.state, pairs.action, problems)
    check_probabilities(
        pairs.row_ptr, pairs.next_state, pairs.probability, states, lambda x: problems.pair(int(pairs.state[x]), int(pairs.action[x])), problems
    )
    first_pair = np.searchsorted(pairs.state, np.arange(states + 1)).astype(np.int64)
    idle = np.setdiff1d(np.flatnonzero(np.diff(first_pair) == 0), goals)
    problems.add_each(idle, lambda s: f"state {problems.state_name(s)} has no action; expected at least one, or that it is a goal")
    _check_frame(frame, states, int(pairs.action.max(initial=-1)) + 1, problems)
    problems.raise_if_any()
    row_ptr, next_state, probability = _canonical(pairs, states)
    return {
        "first_pair": frozen(first_pair), "row_ptr": frozen(row_ptr), "next_state": frozen(next_state), "probability": frozen(probability),
        "cost": frozen(pairs.cost), "action": frozen(pairs.action), "goals": frozen(goals), "start_distribution": frozen(start),
        "state_names": _strings(frame.state_names), "action_names": _strings(frame.action_names),
        "grid": frame.grid and (int(frame.grid[0]), int(frame.grid[1])), "random_costs": None,
    }  # fmt: skip


def _canonical(pairs: Pairs, states: int) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
    """Successors once each and in order; rows whose sum is off by more than rounding are divided by it."""
    row_ptr, next_state, probability = pairs.row_ptr, pairs.next_state, pairs.probability
    rising = np.diff(next_state) > 0
    rising[row_ptr[1:-1] - 1] = True
    if not (rising.all() and probability.all()):
        pair = np.repeat(np.arange(len(pairs.cost)), np.diff(row_ptr))
        row_ptr, next_state, probability = sum_repeats(pair, next_state, probability, len(pairs.cost), states)
    total = row_sums(row_ptr, probability)
    off = abs(total - 1.0) > np.diff(row_ptr) * np.finfo(float).eps
    if off.any():
        probability = probability / np.repeat(np.where(off, total, 1.0), np.diff(row_ptr))
    return row_ptr, np.ascontiguousarray(next_state, dtype=np.int32), probability


def _check_frame(frame: Frame, states: int, actions: int, problems: Problems) -> None:
    if frame.state_names is not None and len(frame.state_names) != states:
        problems.add(f"state_names: {len(frame.state_names)} names, expected {states}, one a state")
    if frame.action_names is not None and len(frame.action_names) < actions:
        problems.add(f"action_names: {len(frame.action_names)} names, expected {actions}, one an action")
    if frame.grid is not None and frame.grid[0] * frame.grid[1] != states:
        problems.add(f"grid = {frame.grid}: expected rows and columns whose product is {states}, the number of states")


def _strings(names: Sequence[str] | None) -> tuple[str, ...] | None:
    return tuple(map(str, names)) if names is not None else None


def from_arrays(transitions: Any, costs: ArrayLike, frame: Frame) -> dict[str, Any]:
    if isinstance(transitions, Sequence) and transitions and hasattr(transitions[0], "tocoo"):
        return _from_matrices(transitions, costs, frame)
    dense = np.asarray(transitions, dtype=float)
    if dense.ndim != 3 or dense.shape[0] != dense.shape[2] or not dense.size:
        raise ModelError([f"transitions: shape {dense.shape}, expected (S', A, S'), where S' counts the goals, or a list of A sparse matrices (S', S')"])
    problems = frame.problems()
    dense = dense.copy()
    dense[check_goals(frame.goal, len(dense), frame.problems())] = 0.0
    s, a, s_next = np.nonzero(dense)
    return _from_entries(s, a, s_next, dense[s, a, s_next], costs, len(dense), frame, problems)


def _from_matrices(matrices: Sequence[Any], costs: ArrayLike, frame: Frame) -> dict[str, Any]:
    states = matrices[0].shape[0]
    if wrong := [f"transitions[{a}]: shape {m.shape}, expected {(states, states)}" for a, m in enumerate(matrices) if m.shape != (states, states)]:
        raise ModelError(wrong)
    problems = frame.problems()
    goals = check_goals(frame.goal, states, frame.problems())
    entries = [matrix.tocoo() for matrix in matrices]
    s, s_next = (np.concatenate([getattr(e, side) for e in entries]).astype(np.int64) for side in ("row", "col"))
    a = np.repeat(np.arange(len(entries)), [e.nnz for e in entries])
    p = np.concatenate([e.data for e in entries]).astype(float)
    keep = ~np.isin(s, goals) & (p != 0.0)
    order = np.lexsort((s_next[keep], a[keep], s[keep]))
    s, a, s_next, p = (column[keep][order] for column in (s, a, s_next, p))
    return _from_entries(s, a, s_next, p, costs, states, frame, problems)


def _from_entries(
    s: NDArray[np.int64], a: NDArray[np.int64], s_next: NDArray[np.int64], p: NDArray[np.float64],
    costs: ArrayLike, states: int, frame: Frame, problems: Problems,
) -> dict[str, Any]:  # fmt: skip
    """Entries in the order of (state, action)."""
    state, action, row_ptr = _split(s, a)
    cost = own_costs(costs, state, action, states, frame.name("state"), frame.name("action"))
    return assemble(Pairs(state, action, cost, row_ptr, s_next, p), states, frame, problems)


def _split(s: NDArray[np.int64], a: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """The pairs among entries that are in their order, and where the entries of each begin."""
    first = np.flatnonzero(np.concatenate(([True], (np.diff(s) != 0) | (np.diff(a) != 0)))) if len(s) else np.zeros(0, np.int64)
    return s[first].astype(np.int64), a[first].astype(np.int32), np.append(first, len(s)).astype(np.int64)


def own_costs(
    costs: ArrayLike, state: NDArray[np.int64], action: NDArray[np.int32], states: int, state_name: Callable[[int], str], action_name: Callable[[int], str]
) -> NDArray[np.float64]:
    """The cost of each pair, from one number, (S', A), (S',) or (X,)."""
    given = np.asarray(costs, dtype=float)
    actions = int(action.max(initial=-1)) + 1
    if given.ndim == 0:
        cost = np.full(len(state), float(given))
    elif given.ndim == 2 and len(given) == states and given.shape[1] >= actions:
        cost = given[state, action]
    elif given.shape == (states,):
        cost = given[state]
    elif given.shape == (len(state),):
        cost = given.copy()
    else:
        raise ModelError([f"costs: shape {given.shape}, expected {(states, actions)}, {(states,)}, {(len(state),)} (one a pair), or one number"])
    problems = Problems(state_name, action_name)
    check_costs(cost, state, action, problems)
    problems.raise_if_any()
    return frozen(cost)


def from_rows(rows: tuple[Any, ...], states: int | None, frame: Frame) -> dict[str, Any]:
    problems = frame.problems()
    s, a, s_next, p, c = _columns(rows)
    named = np.concatenate([s, s_next, np.atleast_1d(np.asarray(_plain_goal(frame.goal)))]).max(initial=-1)
    S = int(named) + 1 if states is None else int(states)
    problems.add_each(np.flatnonzero((s < 0) | (s >= S)), lambda i: f"row {i}: state {s[i]}, expected one from 0 to {S - 1}")
    problems.add_each(np.flatnonzero(a < 0), lambda i: f"row {i}: action {a[i]}, expected one that is not negative")
    problems.add_each(np.flatnonzero(~((p >= 0) & (p <= 1))), lambda i: f"row {i}: probability {p[i]:g}, expected one in [0, 1]")
    problems.raise_if_any()
    keep = ~np.isin(s, check_goals(frame.goal, S, frame.problems()))
    order = np.lexsort((s_next[keep], a[keep], s[keep]))
    s, a, s_next, p, c = (column[keep][order] for column in (s, a, s_next, p, c))
    state, action, row_ptr = _split(s, a)
    _check_same_cost(c, state, action, row_ptr, problems)
    return assemble(Pairs(state, action, np.ascontiguousarray(c[row_ptr[:-1]]), row_ptr, s_next, p), S, frame, problems)


def _plain_goal(goal: Any) -> Any:
    if isinstance(goal, set | frozenset):
        return sorted(goal)
    return np.flatnonzero(goal) if np.asarray(goal).dtype == bool else goal


def _columns(rows: tuple[Any, ...]) -> list[NDArray[Any]]:
    """s, a, s', p, c as arrays, from five columns or from one table."""
    if len(rows) == 1:
        table = [tuple(row) for row in rows[0]]
        if wrong := [f"row {i}: {len(row)} values, expected 5 (s, a, s', p, c)" for i, row in enumerate(table) if len(row) != 5][:SHOWN]:
            raise ModelError(wrong)
        rows = tuple(zip(*table, strict=True)) if table else ((), (), (), (), ())
    if len(rows) != 5:
        raise ModelError([f"rows: {len(rows)} columns, expected 5 (s, a, s', p, c)"])
    columns = [np.atleast_1d(np.asarray(column)) for column in rows]
    if len({len(column) for column in columns}) != 1:
        raise ModelError([f"rows: columns of lengths {[len(column) for column in columns]}, expected the same"])
    return [_whole(column, name) for column, name in zip(columns[:3], ("s", "a", "s'"), strict=True)] + [column.astype(float) for column in columns[3:]]


def _whole(column: NDArray[Any], name: str) -> NDArray[np.int64]:
    whole = np.asarray(column, dtype=float) if column.size else np.zeros(0)
    if wrong := [f"row {i}: {name} = {whole[i]:g}, expected a whole number" for i in np.flatnonzero(whole != np.floor(whole))[:SHOWN]]:
        raise ModelError(wrong)
    return column.astype(np.int64)


def _check_same_cost(c: NDArray[np.float64], state: NDArray[np.int64], action: NDArray[np.int32], row_ptr: NDArray[np.int64], problems: Problems) -> None:
    pair = np.repeat(np.arange(len(state)), np.diff(row_ptr))
    first = c[row_ptr[:-1]][pair] if len(state) else c
    differing = np.flatnonzero((c != first) & ~(np.isnan(c) & np.isnan(first)))
    differing = differing[np.unique(pair[differing], return_index=True)[1]]
    problems.add_each(
        differing, lambda i: f"{problems.pair(int(state[pair[i]]), int(action[pair[i]]))}: costs {first[i]:g} and {c[i]:g}, expected the same in all its rows"
    )


def from_csr(
    first_pair: ArrayLike, row_ptr: ArrayLike, next_state: ArrayLike, probability: ArrayLike, cost: ArrayLike, action: ArrayLike | None, frame: Frame
) -> dict[str, Any]:
    first, row = np.asarray(first_pair, np.int64), np.asarray(row_ptr, np.int64)
    successors, p, c = np.asarray(next_state), np.array(probability, float), np.array(cost, float)
    _check_pointers(first, row, len(c), successors, p)
    states = len(first) - 1
    count = np.diff(first)
    state = np.repeat(np.arange(states), count)
    given = np.arange(len(c)) - np.repeat(first[:-1], count) if action is None else np.asarray(action)
    if given.shape != state.shape:
        raise ModelError([f"action: shape {given.shape}, expected {state.shape}, one number a pair"])
    pairs = Pairs(state, given.astype(np.int32), c, row.copy(), successors.astype(np.int32), p)
    problems = frame.problems()
    repeated = np.flatnonzero((np.diff(pairs.action) <= 0) & (np.diff(state) == 0))
    problems.add_each(repeated, lambda x: f"{problems.pair(state[x + 1], pairs.action[x + 1])}: after action {pairs.action[x]}, expected a larger number")
    goals = check_goals(frame.goal, states, frame.problems())
    return assemble(_without(pairs, goals) if count[goals].any() else pairs, states, frame, problems)


def _without(pairs: Pairs, goals: NDArray[np.int64]) -> Pairs:
    """The pairs of all states but the goals."""
    keep = ~np.isin(pairs.state, goals)
    length = np.diff(pairs.row_ptr)
    entries = np.repeat(keep, length)
    row_ptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(length[keep])))
    return Pairs(pairs.state[keep], pairs.action[keep], pairs.cost[keep], row_ptr, pairs.next_state[entries], pairs.probability[entries])


def _check_pointers(first: NDArray[np.int64], row: NDArray[np.int64], pairs: int, successors: NDArray[Any], p: NDArray[np.float64]) -> None:
    wrong = []
    if len(first) < 2 or first[0] != 0 or first[-1] != pairs or (np.diff(first) < 0).any():
        wrong.append(f"first_pair: expected S' + 1 numbers that rise from 0 to the number of pairs, {pairs}")
    if len(row) != pairs + 1 or row[0] != 0 or row[-1] != len(p) or (np.diff(row) < 0).any():
        wrong.append(f"row_ptr: expected {pairs + 1} numbers that rise from 0 to the number of transitions, {len(p)}")
    if successors.shape != p.shape or (successors.size and not np.issubdtype(successors.dtype, np.integer)):
        wrong.append(f"next_state: expected {len(p)} whole numbers, one for each probability")
    if wrong:
        raise ModelError(wrong)
