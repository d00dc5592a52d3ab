"""The model as compiled code sees it: goals made one, and entries brought into order."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goalward.models.rows import Rows, frozen, merge_goals, renumber, sum_repeats
from tests.strategies import many_models

STATES, PAIRS = 5, 4


def rows_of(first_pair: list[int], *to_x: dict[int, float]) -> Rows:
    row_ptr = np.cumsum([0, *map(len, to_x)])
    entries = [entry for to in to_x for entry in to.items()]
    next_state, probability = zip(*entries, strict=True)
    arrays = np.array(first_pair), row_ptr, np.array(next_state, np.int32), np.array(probability), np.arange(1.0, 1.0 + len(to_x))
    return Rows(*map(frozen, arrays))


def merged(rows: Rows, *goals: int) -> tuple[Rows, list[int]]:
    """Merged, everything read-only and of the right type."""
    found, index = renumber(rows, np.array(goals))
    found = merge_goals(found) if len(goals) > 1 else found
    assert not any(array.flags.writeable for array in (*found, index))
    assert [array.dtype for array in (*found, index)] == [np.int64, np.int64, np.int32, np.float64, np.float64, np.int32]
    assert found.cost_x is rows.cost_x
    return found, index.tolist()


def test_a_last_goal_leaves_all_arrays_as_they_are() -> None:
    rows = rows_of([0, 1, 2, 2], {1: 1.0}, {0: 0.25, 2: 0.75})
    found, index = merged(rows, 2)
    assert [a is b for a, b in zip(found[1:], rows[1:], strict=True)] == [True] * 4
    assert found.first_pair.tolist() == [0, 1, 2]
    assert index == [0, 1, 2]


def test_a_goal_among_the_others_changes_numbers_only() -> None:
    rows = rows_of([0, 1, 1, 3], {1: 0.5, 2: 0.5}, {0: 1.0}, {0: 0.5, 1: 0.5})
    found, index = merged(rows, 1)
    assert found.first_pair.tolist() == [0, 1, 3]
    assert found.next_state.tolist() == [2, 1, 0, 0, 2]  # in no particular order
    assert (found.row_ptr is rows.row_ptr, found.probability is rows.probability) == (True, True)
    assert index == [0, 2, 1]


def test_several_goals_become_one() -> None:
    rows = rows_of([0, 0, 2, 2, 3], {0: 0.25, 1: 0.25, 2: 0.5}, {3: 1.0}, {0: 0.5, 1: 0.125, 2: 0.375})
    found, index = merged(rows, 0, 2)
    assert index == [2, 0, 2, 1]
    assert found.first_pair.tolist() == [0, 2, 3]
    assert found.row_ptr.tolist() == [0, 2, 3, 5]
    assert found.next_state.tolist() == [0, 2, 1, 0, 2]
    assert found.probability.tolist() == [0.25, 0.75, 1.0, 0.125, 0.875]


def test_a_sum_that_rounding_makes_more_than_1_is_1() -> None:
    shares = {0: 0.5, 1: 0.5, 2: 2.0**-52}
    assert sum(shares.values()) > 1.0
    found, _ = merged(rows_of([0, 0, 0, 0, 1], shares), 0, 1, 2)
    assert found.probability.tolist() == [1.0]


@pytest.mark.parametrize("inner", [0, 3])
def test_all_states_but_one_are_goals(inner: int) -> None:
    first = np.searchsorted([inner], np.arange(5)).tolist()
    found, index = merged(rows_of(first, dict.fromkeys(range(4), 0.25)), *(s for s in range(4) if s != inner))
    assert index == [int(s != inner) for s in range(4)]
    assert found.first_pair.tolist() == [0, 1]
    assert dict(zip(found.next_state.tolist(), found.probability.tolist(), strict=True)) == {0: 0.25, 1: 0.75}


ENTRIES = st.lists(st.tuples(st.integers(0, PAIRS - 1), st.integers(0, STATES - 1), st.sampled_from([0.0, 0.125, 0.25, 0.1, 1 / 3])), max_size=20)


@many_models
@given(ENTRIES)
def test_entries_in_any_order_become_rows(entries: list[tuple[int, int, float]]) -> None:
    """Against a dictionary. Repeats are added in the order in which they come."""
    pair, next_state, probability = (np.array([entry[k] for entry in entries], dtype) for k, dtype in enumerate((np.int64, np.int32, float)))
    row_ptr, successors, chance = sum_repeats(pair, next_state, probability, PAIRS, STATES)
    expected: dict[tuple[int, int], float] = {}
    for x, t, p in entries:
        if p > 0.0:
            expected[x, t] = expected.get((x, t), 0.0) + p
    found = [(x, int(successors[i])) for x in range(PAIRS) for i in range(row_ptr[x], row_ptr[x + 1])]
    assert found == sorted(expected)
    assert all(math.isclose(p, expected[key], rel_tol=1e-15) for key, p in zip(found, chance.tolist(), strict=True))
    assert [array.dtype for array in (row_ptr, successors, chance)] == [np.int64, np.int32, np.float64]
    assert chance.flags.c_contiguous


def test_entries_in_order_are_not_copied() -> None:
    probability = np.array([0.5, 0.5, 1.0])
    *_, chance = sum_repeats(np.array([0, 0, 1]), np.array([0, 2, 1]), probability, 2, 3)
    assert chance is probability
