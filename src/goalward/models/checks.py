"""Is this a model? Every question that can be asked of the arrays, asked of all of them at once.

Each function adds to `problems` a sentence for whatever it finds: the row, the value, and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward.errors import SHOWN, ModelError

ROW_SUM_TOLERANCE = 1e-9


class Problems:
    """Sentences on what is wrong. Of each kind the first few are written out, and how many more there are."""

    def __init__(self, state_name: Callable[[int], str], action_name: Callable[[int], str]) -> None:
        self.state_name, self.action_name = state_name, action_name
        self.sentences: list[str] = []

    def add(self, sentence: str) -> None:
        self.sentences.append(sentence)

    def add_each(self, where: NDArray[np.integer], sentence: Callable[[int], str]) -> None:
        self.sentences += [sentence(int(i)) for i in where[:SHOWN]] + [sentence_of_rest() for sentence_of_rest in _rest(where)]

    def pair(self, s: int, a: int) -> str:
        return f"state {self.state_name(s)}, action {self.action_name(a)}"

    def raise_if_any(self) -> None:
        if self.sentences:
            raise ModelError(self.sentences)


def _rest(where: Sequence[Any] | NDArray[Any]) -> Iterator[Callable[[], str]]:
    if len(where) > SHOWN:
        yield lambda: f"{len(where) - SHOWN} more of the same kind"


def check_goals(goal: Any, states: int, problems: Problems) -> NDArray[np.int64]:
    """The goal states, sorted; `goal` is a state, several, or a mask over all."""
    given = np.atleast_1d(np.asarray(sorted(goal) if isinstance(goal, set | frozenset) else goal))
    if given.dtype == bool:
        if given.shape != (states,):
            problems.add(f"goal: a mask of shape {given.shape}, expected one entry for each of the {states} states")
            return np.zeros(0, np.int64)
        given = np.flatnonzero(given)
    if given.size and not np.issubdtype(given.dtype, np.integer):
        problems.add(f"goal = {goal!r}: expected a state, several states, or a mask over the states")
        return np.zeros(0, np.int64)
    goals = np.unique(given.astype(np.int64).ravel())
    outside = goals[(goals < 0) | (goals >= states)]
    problems.add_each(np.arange(len(outside)), lambda i: f"goal {outside[i]}: expected a state from 0 to {states - 1}")
    if not goals.size:
        problems.add("no goal: expected at least one goal state")
    return goals[(goals >= 0) & (goals < states)]


def check_start(start: Any, states: int, goals: NDArray[np.int64], problems: Problems) -> NDArray[np.float64]:
    """The distribution of the first state; `start` is a state or a distribution over all states."""
    distribution = np.zeros(states)
    given = np.asarray(start)
    if given.ndim == 0 and np.issubdtype(given.dtype, np.integer):
        if not 0 <= given < states:
            problems.add(f"start = {start}: expected a state from 0 to {states - 1}")
        else:
            distribution[int(given)] = 1.0
    elif given.shape == (states,) and np.issubdtype(given.dtype, np.number):
        distribution = _check_distribution(given.astype(float), problems)
    else:
        problems.add(f"start = {start!r}: expected a state from 0 to {states - 1}, or {states} probabilities")
    in_goal = goals[distribution[goals] > 0]
    problems.add_each(in_goal, lambda g: f"start: state {problems.state_name(g)} is a goal; an episode starts outside the goals")
    return distribution


def _check_distribution(distribution: NDArray[np.float64], problems: Problems) -> NDArray[np.float64]:
    wrong = np.flatnonzero(~((distribution >= 0) & (distribution <= 1)))
    problems.add_each(wrong, lambda s: f"start: probability {distribution[s]:g} of state {problems.state_name(s)}, expected one in [0, 1]")
    total = distribution.sum()
    if not wrong.size and abs(total - 1.0) > ROW_SUM_TOLERANCE:
        problems.add(f"start: the probabilities sum to {total:.12g}, expected 1")
    return distribution / total if total > 0 and not wrong.size else np.zeros_like(distribution)


def check_costs(cost: NDArray[np.float64], state: NDArray[np.int64], action: NDArray[np.int32], problems: Problems) -> None:
    wrong = np.flatnonzero(~(np.isfinite(cost) & (cost >= 0)))
    problems.add_each(wrong, lambda x: f"{problems.pair(state[x], action[x])}: cost {cost[x]:g}, expected a finite number that is not negative")


def check_probabilities(
    row_ptr: NDArray[np.int64], next_state: NDArray[np.integer], probability: NDArray[np.float64],
    states: int, name: Callable[[int], str], problems: Problems,
) -> None:  # fmt: skip
    """`name(x)` says which pair x is."""

    def row(i: int) -> str:
        return name(int(np.searchsorted(row_ptr, i, side="right")) - 1)

    outside = np.flatnonzero((next_state < 0) | (next_state >= states))
    problems.add_each(outside, lambda i: f"{row(i)}: leads to state {next_state[i]}, expected one from 0 to {states - 1}")
    wrong = np.flatnonzero(~((probability >= 0) & (probability <= 1)))
    problems.add_each(wrong, lambda i: f"{row(i)}: probability {probability[i]:g} of state {next_state[i]}, expected one in [0, 1]")
    if not wrong.size:
        total = row_sums(row_ptr, probability)
        off = np.flatnonzero(abs(total - 1.0) > ROW_SUM_TOLERANCE)
        problems.add_each(off, lambda x: f"{name(x)}: the probabilities sum to {total[x]:.12g}, expected 1")


def row_sums(row_ptr: NDArray[np.int64], probability: NDArray[np.float64]) -> NDArray[np.float64]:
    totals = np.zeros(len(row_ptr) - 1)
    filled = np.diff(row_ptr) > 0
    if filled.any():
        totals[filled] = np.add.reduceat(probability, row_ptr[:-1][filled])
    return totals
