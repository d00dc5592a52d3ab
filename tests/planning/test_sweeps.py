"""Sweeps, extrapolation and elimination against NumPy and fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from goalward.models.rows import Rows
from goalward.planning.elimination import band_of, eliminate
from goalward.planning.sweeps import advantage, extrapolate, solve_symmetric, sweep_all, sweep_policy
from tests.kernels import both_ways, dense, owners, random_rows
from tests.naive.exact import expected_total, normalised

SEEDS = range(30)


def advantages(rows: Rows, value: NDArray[np.float64], s: int) -> NDArray[np.float64]:
    """c + P v - v(s) of each pair of s."""
    pairs = slice(rows.first_pair[s], rows.first_pair[s + 1])
    gain: NDArray[np.float64] = rows.cost_x[pairs] + (dense(rows)[pairs] * (value - value[s])).sum(axis=1)
    return gain


@pytest.mark.parametrize("seed", SEEDS)
def test_sweeps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, 9, 3, 3)
    value, slack = np.append(rng.random(9) * 10, 0.0), rng.random(27) + 0.1
    choice = (np.arange(9) * 3 + rng.integers(0, 3, 9)).astype(np.int32)
    assert both_ways(advantage, rows, value, value[4], 13)[0] == pytest.approx(advantages(rows, value, 4)[1])
    worst, after = both_ways(sweep_policy, rows, slack, choice, value, 2, 7)
    expected, largest = value.copy(), 0.0
    for s in range(2, 7):
        change = advantages(rows, expected, s)[choice[s] - 3 * s]
        expected[s] += change
        largest = max(largest, abs(change) / slack[choice[s]])
    assert after[3] == pytest.approx(expected, rel=1e-12)
    assert worst == pytest.approx(largest, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_sweeps_over_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, 9, 3, 3)
    value, slack, choice = np.append(rng.random(9) * 10, 0.0), np.ones(27), np.arange(0, 27, 3, dtype=np.int32)
    (worst, switched), after = both_ways(sweep_all, rows, slack, choice, value, 0, 9)
    expected, best_pair, largest = value.copy(), choice.copy(), 0.0
    for s in range(9):
        gain = advantages(rows, expected, s)
        largest = max(largest, gain[0], -gain.min())
        best_pair[s] = 3 * s + int(gain.argmin())
        expected[s] += gain.min()
    assert after[3] == pytest.approx(expected, rel=1e-12)
    assert after[2].tolist() == best_pair.tolist()
    assert (worst, switched) == (pytest.approx(largest), int((best_pair != choice).sum()))


def test_a_tie_changes_nothing() -> None:
    """Or else policies could take turns for ever."""
    rows = Rows(np.array([0, 2]), np.array([0, 1, 2]), np.array([1, 1], np.int32), np.ones(2), np.array([1.0, 1.0]))
    for chosen in (0, 1):
        (_, switched), after = both_ways(sweep_all, rows, np.ones(2), np.array([chosen], np.int32), np.zeros(2), 0, 1)
        assert (switched, after[2].tolist()) == (0, [chosen])


@pytest.mark.parametrize("seed", SEEDS)
def test_extrapolation_finds_the_limit_where_few_directions_matter(seed: int) -> None:
    """Of a linear iteration of rank 2, from 6 differences; and it is the average whose difference is least, up to what is added to the diagonal."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.normal(size=(30, 2)))[0]
    matrix, limit = basis @ np.diag([0.95, -0.6]) @ basis.T, rng.normal(size=30)
    history = [limit + basis @ rng.uniform(0.5, 1.0, 2)]
    for _ in range(6):
        history.append(limit + matrix @ (history[-1] - limit))
    array, value = np.array(history), np.zeros(31)
    found, after = both_ways(extrapolate, array, value, 0, 30)
    assert found
    assert np.abs(after[1][:30] - limit).max() < 1e-3 * np.abs(history[-1] - limit).max()
    difference = np.diff(array, axis=0)
    gram = difference @ difference.T
    weight = np.linalg.solve(gram + 1e-13 * np.trace(gram) * np.eye(6), np.ones(6))
    assert after[1][:30] == pytest.approx(weight / weight.sum() @ array[1:], rel=1e-2, abs=1e-3)


@pytest.mark.parametrize("size", [1, 2, 6])
def test_symmetric_systems(size: int) -> None:
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size + 3, size))
    gram, right = root.T @ root, rng.normal(size=size)
    solved, after = both_ways(solve_symmetric, np.tril(gram), right)
    assert solved
    assert after[1] == pytest.approx(np.linalg.solve(gram, right), rel=1e-6)


def test_a_system_without_solution_is_told() -> None:
    assert not both_ways(solve_symmetric, np.zeros((3, 3)), np.ones(3))[0]


def exact_values(rows: Rows, choice: NDArray[np.int32]) -> list[float]:
    """What a policy costs, its rows divided by their exact sums."""
    goal = len(choice)
    cost, moves = {}, {}
    for s, x in enumerate(choice):
        entries = range(rows.row_ptr[x], rows.row_ptr[x + 1])
        row = normalised((int(rows.next_state[i]), float(rows.probability[i])) for i in entries)
        cost[s], moves[s] = Fraction(float(rows.cost_x[x])), {t: p for t, p in row.items() if t != goal}
    total = expected_total(cost, moves)
    return [float(total[s]) for s in range(goal)]


@pytest.mark.parametrize("seed", SEEDS)
def test_elimination(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = random_rows(rng, 12, 2, 3)
    choice, value = np.arange(0, 24, 2, dtype=np.int32), np.zeros(13)
    below, above = both_ways(band_of, rows, 0, 12)[0]
    distance = (owners(rows).repeat(np.diff(rows.row_ptr)) - rows.next_state)[rows.next_state < 12]
    assert (below, above) == (max(0, distance.max()), max(0, -distance.min()))
    reaches = np.linalg.matrix_power(np.eye(12) + dense(rows)[choice][:, :12], 12) @ dense(rows)[choice][:, 12] > 0.0
    found, after = both_ways(eliminate, rows, choice, value, 0, 12, below, above)
    assert found == bool(reaches.all())
    if found:
        assert after[2][:12].tolist() == pytest.approx(exact_values(rows, choice), rel=1e-13)


def test_elimination_is_accurate_however_slow_the_chain_is() -> None:
    """2^50 steps from the start, to the last digits: nothing is subtracted."""
    n = 49
    state = np.arange(n)
    next_state = np.stack([np.zeros(n, np.int64), state + 1], axis=1)
    rows = Rows(np.arange(n + 1), np.arange(n + 1) * 2, next_state.ravel().astype(np.int32), np.full(2 * n, 0.5), np.ones(n))
    found, after = both_ways(eliminate, rows, state.astype(np.int32), np.zeros(n + 1), 0, n, n - 1, 1)
    assert found
    assert after[2][0] == pytest.approx(2.0 ** (n + 1) - 2.0, rel=1e-14)


def test_elimination_of_one_block_takes_the_others_as_they_are() -> None:
    rows = Rows(np.array([0, 1, 2]), np.array([0, 1, 3]), np.array([2, 0, 2], np.int32), np.array([1.0, 0.5, 0.5]), np.array([4.0, 1.0]))
    found, after = both_ways(eliminate, rows, np.array([0, 1], np.int32), np.array([4.0, 0.0, 0.0]), 1, 2, 0, 0)
    assert found
    assert after[2].tolist() == [4.0, 3.0, 0.0]
