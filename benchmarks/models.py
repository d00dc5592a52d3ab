"""Test models for the planning benchmark: seeded, vectorised, as raw arrays that every tool is fed from.

A `Model` is a sparse list of state-action pairs in compressed rows, the layout of `goalward.SSP.from_csr`:
pairs `first_pair[s] <= x < first_pair[s + 1]` belong to state s (the goal has none), entries
`row_ptr[x] <= i < row_ptr[x + 1]` to pair x. Successors of a pair are sorted and distinct.

| name | what it is | what it is hard on |
|---|---|---|
| grid-30, -100, -300, -1000 | N x N cells, four moves with slip, a quarter of the cells sand | long distances, one large component |
| zero-patch-100 | the same with square patches that cost nothing | zero-cost end components |
| random | every pair leads to 5 of 10^5 states | fast mixing, a goal that is hard to hit |
| random-near | the same, successors within 100 states, goal at the end | many routes, long distances |
| random-exit | the same as random, and every pair ends with probability 0.01 | nothing; sweeps converge quickly |
| chain | 10^4 states in a row, 0.5 forward 0.5 back, or a lazy variant | mixes in 10^8 steps |
| chain-trap | the same, with a first action that drifts back | a first policy with values beyond the doubles |
| clusters | 10^3 strongly connected clusters of 50 states in a line | the order in which components are solved |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Model:
    """A stochastic shortest path problem as arrays; S' states, X pairs, Z entries."""

    name: str
    first_pair: Ints  # (S' + 1,)
    row_ptr: Ints  # (X + 1,)
    next_state: NDArray[np.int32]  # (Z,)
    probability: Floats  # (Z,)
    cost: Floats  # (X,)
    start: int
    goal: int
    exact: Floats | None = None  # (S',) the values, where a formula gives them

    @property
    def n_states(self) -> int:
        return len(self.first_pair) - 1

    @property
    def n_pairs(self) -> int:
        return len(self.cost)

    def pair_state(self) -> Ints:
        """The state each pair belongs to, (X,)."""
        return np.repeat(np.arange(self.n_states), np.diff(self.first_pair))

    def entry_pair(self) -> Ints:
        """The pair each entry belongs to, (Z,)."""
        return np.repeat(np.arange(self.n_pairs), np.diff(self.row_ptr))


def compress(name: str, state: Ints, successor: Ints, probability: Floats, cost: Floats, n_states: int, start: int, goal: int) -> Model:
    """A model from equally long rows: `state` (X,) ascending, `successor` and `probability` (X, n). Duplicates are merged, zeros dropped."""
    n_pairs = len(successor)
    keys = (np.arange(n_pairs, dtype=np.int64)[:, None] * n_states + successor).ravel()
    order = np.argsort(keys, kind="stable")
    keys, weights = keys[order], probability.ravel()[order]
    firsts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    keys, weights = keys[firsts], np.add.reduceat(weights, firsts)
    keys, weights = keys[weights > 0], weights[weights > 0]
    row_ptr = np.searchsorted(keys, np.arange(n_pairs + 1, dtype=np.int64) * n_states)
    first_pair = np.searchsorted(state, np.arange(n_states + 1))
    return Model(name, first_pair.astype(np.int64), row_ptr.astype(np.int64), (keys % n_states).astype(np.int32), weights, cost, start, goal)


def grid_moves(n: int) -> Ints:
    """Where up, right, down and left lead from every cell, (n * n, 4); a wall keeps you in place."""
    row, column = np.divmod(np.arange(n * n, dtype=np.int64), n)
    up, down = np.maximum(row - 1, 0), np.minimum(row + 1, n - 1)
    left, right = np.maximum(column - 1, 0), np.minimum(column + 1, n - 1)
    return np.stack([up * n + column, row * n + right, down * n + column, row * n + left], axis=1)


def grid(name: str, n: int, cell_cost: Floats, slip: float = 0.2) -> Model:
    """Four moves; with probability `slip` one of the other three happens. Start in the first cell, goal in the last."""
    moves = grid_moves(n)[:-1]
    turn = np.full((4, 4), slip / 3) + np.eye(4) * (1 - slip - slip / 3)
    state = np.repeat(np.arange(n * n - 1), 4)
    return compress(name, state, np.repeat(moves, 4, axis=0), np.tile(turn, (n * n - 1, 1)), np.repeat(cell_cost[:-1], 4), n * n, 0, n * n - 1)


def sandy_grid(n: int, seed: int = 1) -> Model:
    """A step costs 1, on a quarter of the cells (sand, drawn) 5."""
    sand = np.random.default_rng([seed, n]).random(n * n) < 0.25
    return grid(f"grid-{n}", n, np.where(sand, 5.0, 1.0))


def zero_patch_grid(n: int, seed: int = 1, patch: int = 5) -> Model:
    """The sandy grid, and one block in ten of `patch` x `patch` cells is free of charge."""
    rng = np.random.default_rng([seed, n])
    sand = rng.random((n, n)) < 0.25
    free = np.kron(rng.random((n // patch, n // patch)) < 0.1, np.ones((patch, patch), dtype=bool))
    return grid(f"zero-patch-{n}", n, np.where(free, 0.0, np.where(sand, 5.0, 1.0)).ravel())


def random_rows(rng: np.random.Generator, n_pairs: int, branches: int) -> tuple[Floats, Floats]:
    """Probabilities uniform on the simplex, (n_pairs, branches), and costs uniform in [0.1, 1], (n_pairs,)."""
    weights = rng.standard_exponential((n_pairs, branches))
    return weights / weights.sum(axis=1, keepdims=True), rng.uniform(0.1, 1.0, n_pairs)


def random_sparse(n: int = 100_000, actions: int = 3, branches: int = 5, exit_probability: float = 0.0, seed: int = 2) -> Model:
    """Successors uniform over all states; `exit_probability` of every row goes to the goal besides."""
    rng = np.random.default_rng([seed, n])
    state = np.repeat(np.arange(n - 1), actions)
    probability, cost = random_rows(rng, len(state), branches)
    successor = rng.integers(0, n, probability.shape)
    if exit_probability > 0:
        successor = np.hstack([successor, np.full((len(state), 1), n - 1)])
        probability = np.hstack([probability * (1 - exit_probability), np.full((len(state), 1), exit_probability)])
    return compress("random-exit" if exit_probability else "random", state, successor, probability, cost, n, 0, n - 1)


def random_near(n: int = 100_000, actions: int = 3, branches: int = 5, reach: int = 100, seed: int = 3) -> Model:
    """Successors uniform within `reach` states before and behind; the goal is the last state."""
    rng = np.random.default_rng([seed, n])
    state = np.repeat(np.arange(n - 1), actions)
    probability, cost = random_rows(rng, len(state), branches)
    successor = np.clip(state[:, None] + rng.integers(-reach, reach + 1, probability.shape), 0, n - 1)
    return compress("random-near", state, successor, probability, cost, n, 0, n - 1)


def chain(n: int = 10_000, trap: bool = False) -> Model:
    """n states in a row and the goal behind them; a step costs 1. Action "walk": 0.5 forward, 0.5 back.

    The other action is lazy (0.25 forward, 0.25 back, else stay: twice the value), or, as a trap, comes first and
    drifts back (0.25 forward, 0.75 back: its value grows like 3^n).
    """
    here = np.arange(n)
    targets = np.stack([here + 1, np.maximum(here - 1, 0), here], axis=1)
    rows = np.array([[0.25, 0.75, 0.0], [0.5, 0.5, 0.0]] if trap else [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]])
    state = np.repeat(here, 2)
    model = compress("chain-trap" if trap else "chain", state, np.repeat(targets, 2, axis=0), np.tile(rows, (n, 1)), np.ones(2 * n), n + 1, 0, n)
    place = np.arange(n + 1.0)
    return replace(model, exact=n * (n + 1.0) - place * (place + 1.0))


def clusters(count: int = 1000, size: int = 50, actions: int = 3, branches: int = 4, seed: int = 4) -> Model:
    """`count` clusters in a line; inside, successors are random (a ring under action 0 makes them strongly connected).

    Action 0 of a cluster's last state leads to the first state of the next one with probability 0.5 instead of its ring
    successor and half of the others; behind the last cluster is the goal.
    """
    rng = np.random.default_rng([seed, count, size])
    n = count * size
    state = np.repeat(np.arange(n), actions)
    probability, cost = random_rows(rng, len(state), branches)
    base = state // size * size
    successor = base[:, None] + rng.integers(0, size, probability.shape)
    first_action = np.arange(n) * actions
    successor[first_action, 0] = base[first_action] + (state[first_action] + 1 - base[first_action]) % size
    exits = first_action[size - 1 :: size]
    probability[exits] = 0.5 / (branches - 1)
    probability[exits, 0] = 0.5
    successor[exits, 0] = state[exits] + 1
    successor[exits, 1] = base[exits]
    return compress("clusters", state, successor, probability, cost, n + 1, 0, n)


MODELS: dict[str, Callable[[], Model]] = {
    "grid-30": lambda: sandy_grid(30),
    "grid-100": lambda: sandy_grid(100),
    "grid-300": lambda: sandy_grid(300),
    "grid-1000": lambda: sandy_grid(1000),
    "zero-patch-100": lambda: zero_patch_grid(100),
    "random": random_sparse,
    "random-near": random_near,
    "random-exit": lambda: random_sparse(exit_probability=0.01),
    "chain": chain,
    "chain-trap": lambda: chain(trap=True),
    "clusters": clusters,
}
