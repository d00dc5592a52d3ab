"""What a model has beside its rows: goals, a start, names, a shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward.errors import ModelError, shown
from goalward.models.checks import ROW_SUM_TOLERANCE, Problems, check_size, normalised


class Frame(NamedTuple):
    """As the caller gave it, brought to one form but not yet held against the rows."""

    start: NDArray[Any]  # () a state, or (S',) probabilities
    goal: NDArray[Any]  # states, or a mask over them
    state_names: tuple[str, ...] | None
    action_names: tuple[str, ...] | None
    grid: tuple[int, int] | None

    @classmethod
    def of(cls, start: Any, goal: Any, state_names: Any = None, action_names: Any = None, grid: Any = None) -> Frame:
        listed = list(goal) if isinstance(goal, Iterable) and not isinstance(goal, str) and not hasattr(goal, "__array__") else goal
        names = _names("state_names", state_names), _names("action_names", action_names)
        return cls(_array("start", start), np.atleast_1d(_array("goal", listed)), *names, _grid(grid))

    def problems(self) -> Problems:
        return Problems(_namer(self.state_names), _namer(self.action_names))

    def most_goal(self) -> int:
        """The largest state that the goal names; -1 if it names none."""
        if self.goal.dtype == bool:
            return len(self.goal) - 1
        return int(self.goal.max(initial=-1)) if np.issubdtype(self.goal.dtype, np.integer) else -1

    def goals(self, states: int, problems: Problems) -> NDArray[np.int64]:
        """The goal states, sorted."""
        given = self.goal
        if given.dtype == bool:
            if given.shape != (states,):
                problems.add(f"goal: a mask of shape {given.shape}, expected one entry for each of the {states} states")
                return np.zeros(0, np.int64)
            given = np.flatnonzero(given)
        if given.size and not np.issubdtype(given.dtype, np.integer):
            problems.add(f"goal = {shown(given.tolist())}: expected a state, several states, or a mask over the states")
            return np.zeros(0, np.int64)
        goals = np.unique(given.ravel())
        outside = (goals < 0) | (goals >= states)
        problems.add_each(goals[outside], lambda g: f"goal {g}: expected a state from 0 to {states - 1}")
        if not goals.size:
            problems.add("no goal: expected at least one goal state")
        return goals[~outside].astype(np.int64)

    def check(self, states: int, pairs: int, actions: int, goals: NDArray[np.int64], problems: Problems) -> NDArray[np.float64]:
        """The distribution of the first state; and whether names and grid fit."""
        check_size(states, pairs, problems)
        if self.state_names is not None and len(self.state_names) != states:
            problems.add(f"state_names: {len(self.state_names)} names, expected {states}, one a state")
        if self.action_names is not None and len(self.action_names) < actions:
            problems.add(f"action_names: {len(self.action_names)} names, expected {actions}, one an action")
        if self.grid is not None and (min(self.grid) < 1 or self.grid[0] * self.grid[1] != states):
            problems.add(f"grid = {self.grid}: expected rows and columns whose product is {states}, the number of states")
        distribution = self._distribution(states, problems)
        problems.add_each(goals[distribution[goals] > 0.0], lambda g: f"start: state {problems.state_name(g)} is a goal; an episode starts outside the goals")
        return distribution

    def _distribution(self, states: int, problems: Problems) -> NDArray[np.float64]:
        given, nowhere = self.start, np.zeros(states)
        if given.ndim == 0 and np.issubdtype(given.dtype, np.integer):
            if 0 <= given < states:
                nowhere[int(given)] = 1.0
            else:
                problems.add(f"start = {given}: expected a state from 0 to {states - 1}")
            return nowhere
        if given.shape != (states,) or given.dtype.kind not in "iuf":
            problems.add(f"start = {shown(given.tolist())}: expected a state from 0 to {states - 1}, or {states} probabilities")
            return nowhere
        return _distribution(given.astype(float), problems)


def _distribution(given: NDArray[np.float64], problems: Problems) -> NDArray[np.float64]:
    wrong = np.flatnonzero(~((given >= 0.0) & (given <= 1.0 + ROW_SUM_TOLERANCE)))
    problems.add_each(wrong, lambda s: f"start: probability {given[s]} of state {problems.state_name(s)}, expected one in [0, 1]")
    if wrong.size:
        return np.zeros_like(given)
    if abs(given.sum() - 1.0) > ROW_SUM_TOLERANCE:
        problems.add(f"start: the probabilities sum to {given.sum():.12g}, expected 1")
    return normalised(given + 0.0, np.array([0, len(given)])) if given.any() else given


def _namer(names: tuple[str, ...] | None) -> Callable[[int], str]:
    return lambda i: names[i] if names is not None and 0 <= i < len(names) else str(i)


def _array(name: str, given: Any) -> NDArray[Any]:
    try:
        return np.asarray(given)
    except ValueError as reason:
        raise ModelError([f"{name} = {shown(given)}: expected one state, or one list ({reason})"]) from reason


def _names(kind: str, names: Any) -> tuple[str, ...] | None:
    if isinstance(names, str) or not (names is None or isinstance(names, Iterable)):
        raise ModelError([f"{kind} = {shown(names)}: expected a list of names"])
    return None if names is None else tuple(map(str, names))


def _grid(grid: Any) -> tuple[int, int] | None:
    if grid is None:
        return None
    try:
        rows, columns = map(index, grid)
    except (TypeError, ValueError) as reason:
        raise ModelError([f"grid = {shown(grid)}: expected two whole numbers, rows and columns"]) from reason
    return rows, columns
