"""Every way to write the same model gives the same model, bit for bit, and leaves what it was given as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse

from goalward import SSP
from goalward.models.transforms import PARTS
from tests.naive.exact import exact_from_arrays, exact_model
from tests.strategies import FEATURES, Recipe, falling_chain, many_models, recipes

SMALL_FEATURES = [feature for feature in FEATURES if feature is not falling_chain]
ARRAYS = [name for name in PARTS if name not in ("state_names", "action_names", "grid", "random_costs")]


def differing_parts(first: SSP, second: SSP) -> list[str]:
    """The names of the arrays in which two models differ, in a bit or in type."""
    pairs = [(name, getattr(first, name), getattr(second, name)) for name in ARRAYS]
    return [name for name, a, b in pairs if a.dtype != b.dtype or a.shape != b.shape or a.tobytes() != b.tobytes()]


def dense_arrays(recipe: Recipe) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    actions = 1 + max(a for _, a, _, _, _ in recipe.rows)
    transitions, costs = np.zeros((recipe.states, actions, recipe.states)), np.zeros((recipe.states, actions))
    for s, a, t, p, c in recipe.rows:
        transitions[s, a, t] += p
        costs[s, a] = c
    return transitions, costs


@st.composite
def small_recipes(draw: st.DrawFn) -> Recipe:
    return draw(recipes(draw(st.sampled_from(SMALL_FEATURES))))


@many_models
@given(small_recipes(), st.randoms(use_true_random=False))
def test_dense_sparse_rows_and_csr_agree(recipe: Recipe, shuffled: Any) -> None:
    ssp = recipe.ssp()
    at: dict[str, Any] = {"start": recipe.start, "goal": recipe.goal}
    transitions, costs = dense_arrays(recipe)
    matrices = [sparse.csr_array(transitions[:, a]) for a in range(transitions.shape[1])]
    mixed = shuffled.sample(recipe.rows, len(recipe.rows))
    columns = [np.array(column) for column in zip(*mixed, strict=True)]
    raw = [getattr(ssp, name) for name in ("first_pair", "row_ptr", "next_state", "probability", "cost")]
    others = {
        "dense": SSP.from_arrays(transitions, costs, **at),
        "sparse": SSP.from_arrays(matrices, costs, **at),
        "coo matrices": SSP.from_arrays([sparse.coo_matrix(matrix) for matrix in matrices], costs, **at),
        "rows in another order": SSP.from_rows(mixed, states=recipe.states, **at),
        "columns": SSP.from_rows(*columns, states=recipe.states, **at),
        "a table as an array": SSP.from_rows(np.array(mixed), states=recipe.states, **at),
        "its own arrays": SSP.from_csr(*raw, action=ssp.action, **at),
    }
    assert {how: differing for how, other in others.items() if (differing := differing_parts(ssp, other))} == {}
    assert exact_model(ssp) == exact_from_arrays(transitions, costs, recipe.goal)


@many_models
@given(small_recipes(), st.randoms(use_true_random=False))
def test_order_and_repeats_of_successors_do_not_matter(recipe: Recipe, shuffled: Any) -> None:
    """Each entry is split into two halves, which is exact, and a zero is put in; then each pair's entries are shuffled."""
    ssp = recipe.ssp()
    row_ptr, next_state, probability = [0], list[int](), list[float]()
    for x in range(ssp.num_pairs):
        entries = [(int(ssp.next_state[i]), float(ssp.probability[i]) / 2) for i in range(ssp.row_ptr[x], ssp.row_ptr[x + 1])] * 2
        entries += [(shuffled.randrange(ssp.num_states), 0.0)]
        for t, p in shuffled.sample(entries, len(entries)):
            next_state.append(t)
            probability.append(p)
        row_ptr.append(len(next_state))
    again = SSP.from_csr(ssp.first_pair, row_ptr, next_state, probability, ssp.cost, action=ssp.action, start=recipe.start, goal=recipe.goal)
    assert differing_parts(ssp, again) == []


SUM_PARTS = st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=30)


@many_models
@given(SUM_PARTS, st.floats(-9e-10, 9e-10))
def test_rows_are_normalised_once_and_only_if_off_by_more_than_rounding(weights: list[float], off: float) -> None:
    weight = np.array(weights)
    row = weight / weight.sum() * (1.0 + off)
    states = len(row) + 1
    at: dict[str, Any] = {"start": len(row), "goal": list(range(len(row)))}
    transitions = np.zeros((states, 1, states))
    transitions[-1, 0, :-1] = row
    once = SSP.from_arrays(transitions, 1.0, **at)
    rounding = len(row) * np.finfo(float).eps
    assert abs(once.probability.sum() - 1.0) <= rounding
    if abs(row.sum() - 1.0) <= rounding / 2:
        assert once.probability.tolist() == row.tolist()
    transitions[-1, 0, :-1] = once.probability
    assert differing_parts(once, SSP.from_arrays(transitions, 1.0, **at)) == []


def test_a_probability_above_one_by_rounding_is_one() -> None:
    assert SSP.from_rows([(0, 0, 1, 1.0000000000000002, 1.0)], start=0, goal=1).probability.tolist() == [1.0]


@pytest.mark.parametrize(
    "goal",
    [{1, 3}, [3, 1], (1, 3, 1), np.array([1, 3]), np.array([3, 1], np.uint8), range(1, 4, 2), iter([3, 1]), {1: "", 3: ""}.keys(), frozenset({np.int32(1), 3}),
     [False, True, False, True], np.array([False, True, False, True])],
    ids=lambda goal: f"{type(goal).__name__}",
)  # fmt: skip
def test_goals_in_any_form(goal: Any) -> None:
    transitions = np.full((4, 1, 4), 0.25)
    made = [
        SSP.from_arrays(transitions, 1.0, start=0, goal=list(goal)),
        SSP.from_rows([(s, 0, t, 0.25, 1.0) for s in range(4) for t in range(4)], start=0, goal=[1, 3]),
    ]
    assert made[0].goals.tolist() == [1, 3]
    assert differing_parts(*made) == []


def test_goals_from_an_iterator_and_one_number() -> None:
    rows = [(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0)]
    assert SSP.from_rows(rows, start=0, goal=iter([2, 1])).goals.tolist() == [1, 2]
    assert SSP.from_rows([*rows, (2, 0, 1, 1.0, 1.0)], start=0, goal=np.int16(1)).goal == 1


@pytest.mark.parametrize(
    ("start", "expected"),
    [(2, 2), (np.int64(2), 2), (np.array(2), 2), ([0, 0, 1, 0], 2), ([0.5, 0, 0.5, 0], [0.5, 0, 0.5, 0]), ([1 / 3, 0, 2 / 3 + 3e-10, 0], None)],
)
def test_start_in_any_form(start: Any, expected: Any) -> None:
    ssp = SSP.from_arrays(np.full((4, 1, 4), 0.25), 1.0, start=start, goal=[1, 3])
    assert abs(ssp.start_distribution.sum() - 1.0) < 1e-15
    if expected is not None:
        assert np.array_equal(ssp.start, expected)
        assert isinstance(ssp.start, int) == isinstance(expected, int)


def test_rows_of_goals_are_ignored_whatever_they_say() -> None:
    transitions = np.full((2, 1, 2), np.nan)
    transitions[0, 0] = [0.5, 0.5]
    dense = SSP.from_arrays(transitions, [[1.0], [np.nan]], start=0, goal=1)
    rows = SSP.from_rows([(0, 0, 0, 0.5, 1.0), (0, 0, 1, 0.5, 1.0), (1, 7, 0, 3.0, -1.0)], start=0, goal=1)
    csr = SSP.from_csr([0, 1, 3], [0, 2, 3, 3], [0, 1, 0], [0.5, 0.5, 9.0], [1.0, -1.0, np.nan], action=[0, 5, 5], start=0, goal=1)
    for other in (rows, csr):
        assert differing_parts(dense, other) == []


def test_ragged_action_numbers_are_kept() -> None:
    ssp = SSP.from_rows([(0, 4, 1, 1.0, 1.0), (0, 9, 1, 1.0, 2.0), (1, 2, 2, 1.0, 3.0)], start=0, goal=2)
    assert (ssp.action.tolist(), ssp.num_actions) == ([4, 9, 2], 10)
    assert [ssp.pair(0, 4), ssp.pair(0, 9), ssp.pair(1, 2)] == [0, 1, 2]


@pytest.mark.parametrize("costs", [2.0, 2, np.float32(2), [2.0, 2.0, np.nan], [[2, 9], [2, 9], [9, 9]], np.full((3, 2), 2, int)], ids=str)
def test_costs_of_any_shape(costs: Any) -> None:
    transitions = np.zeros((3, 2, 3))
    transitions[0, 0, 1] = transitions[1, 0, 2] = 1.0
    ssp = SSP.from_arrays(transitions, costs, start=0, goal=2)
    assert ssp.cost.tolist() == [2.0, 2.0]


def test_minus_zero_becomes_zero() -> None:
    ssp = SSP.from_rows([(0, 0, 1, 1.0, -0.0), (0, 0, 0, -0.0, -0.0)], start=[1.0, -0.0], goal=1)
    for array in (ssp.cost, ssp.start_distribution, ssp.with_costs(-0.0).cost):
        assert not np.signbit(array).any()
    assert (ssp.next_state.tolist(), repr(ssp)) == ([1], "SSP(2 states, goal 1, start 0; 1 state-action pairs, 1 transitions; cost 0)")


def test_callers_arrays_are_neither_kept_nor_frozen() -> None:
    given: dict[str, Any] = {
        "first_pair": np.array([0, 1, 2, 2]), "row_ptr": np.array([0, 1, 2]), "next_state": np.array([1, 2], np.int32),
        "probability": np.ones(2), "cost": np.ones(2), "action": np.array([0, 0], np.int32), "start": np.array([0.5, 0.5, 0.0]), "goal": np.array([2]),
    }  # fmt: skip
    transitions, costs, mask = np.zeros((3, 1, 3)), np.ones((3, 1)), np.array([False, False, True])
    transitions[[0, 1, 2], 0, [1, 2, 2]] = 1.0
    made = [SSP.from_csr(**given), SSP.from_arrays(transitions, costs, start=given["start"], goal=mask)]
    made.append(SSP.from_rows(*(np.array(column) for column in ([0, 1], [0, 0], [1, 2], [1.0, 1.0], [1.0, 1.0])), start=given["start"], goal=given["goal"]))
    made.append(made[0].with_costs(given["cost"]))
    for array in (*given.values(), transitions, costs, mask):
        array[...] = 7
    for ssp in made:
        assert differing_parts(ssp, made[0]) == []
        for name in ARRAYS:
            assert not getattr(ssp, name).flags.writeable
