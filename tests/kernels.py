"""Models for the tests of single kernels, and a way to run each both ways."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled
from goalward.models.rows import Rows


def both_ways(function: Callable[..., Any], *arguments: Any) -> tuple[Any, tuple[Any, ...]]:
    """The result of a kernel and its arguments as it left them, after making sure that compiled and interpreted code agree in every bit."""
    plain, fast = deepcopy(arguments), deepcopy(arguments)
    with np.errstate(all="ignore"):
        expected = function(*plain)
    found = compiled(function, *fast)(*fast)
    assert same(expected, found), (expected, found)
    assert same(plain, fast)
    return found, fast


def result_of(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a kernel that leaves its arguments as they are."""
    found, after = both_ways(function, *arguments)
    assert same(arguments, after)
    return found


def same(a: Any, b: Any) -> bool:
    """Whether two results have the same bits."""
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, np.record):
        return bool(a.tobytes() == b.tobytes())
    return bool(a == b or (np.isnan(a) and np.isnan(b)))


def random_rows(rng: np.random.Generator, states: int, actions: int, branching: int, costs: NDArray[np.float64] | None = None) -> Rows:
    """A model in which each pair leads to some states and, mostly, the goal."""
    pairs = states * actions
    to = [np.unique(np.append(rng.integers(0, states + 1, branching), states if rng.random() < 0.7 else 0)) for _ in range(pairs)]
    row_ptr = np.cumsum([0, *map(len, to)])
    weight = rng.random(row_ptr[-1]) + 1e-3
    probability = weight / np.repeat(np.add.reduceat(weight, row_ptr[:-1]), np.diff(row_ptr))
    cost = rng.choice(np.array([0.1, 1.0, 3.0]) if costs is None else costs, pairs)
    return Rows(np.arange(states + 1) * actions, row_ptr, np.concatenate(to).astype(np.int32), probability, cost)


def dense(rows: Rows) -> NDArray[np.float64]:
    """(X, S + 1) all probabilities."""
    matrix = np.zeros((len(rows.cost_x), len(rows.first_pair)))
    pair = np.repeat(np.arange(len(rows.cost_x)), np.diff(rows.row_ptr))
    np.add.at(matrix, (pair, rows.next_state), rows.probability)
    return matrix


def owners(rows: Rows) -> NDArray[np.int64]:
    """(X,) the state of each pair."""
    return np.repeat(np.arange(len(rows.first_pair) - 1), np.diff(rows.first_pair))
