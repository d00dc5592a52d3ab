"""Wrong models: each mistake, and the sentence that says it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from goalward import SSP, ModelError, SettingError
from goalward.models import checks

MOVES = np.zeros((4, 2, 4))
MOVES[0, 0, [1, 2]] = 0.5
MOVES[0, 1, 3] = 1.0
MOVES[1, 0, 2] = 1.0
MOVES[2, 1, [0, 3]] = [0.25, 0.75]
ROWS = [(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (0, 1, 3, 1.0, 2.0), (1, 0, 2, 1.0, 1.0), (2, 1, 3, 1.0, 1.0)]
CSR: dict[str, Any] = {"first_pair": [0, 2, 3, 3], "row_ptr": [0, 1, 2, 3], "next_state": [1, 2, 2], "probability": [1.0] * 3, "cost": [1.0] * 3}


def dense(*changes: tuple[tuple[int, ...], float], costs: Any = 1.0, **options: Any) -> Callable[[], SSP]:
    """MOVES with some entries changed."""
    moves = MOVES.copy()
    for place, probability in changes:
        moves[place] = probability
    return lambda: SSP.from_arrays(moves, costs, **{"start": 0, "goal": 3} | options)


def rows(*changes: tuple[int, tuple[float, ...]], **options: Any) -> Callable[[], SSP]:
    """ROWS with some replaced, or one more."""
    table: list[tuple[float, ...]] = list(ROWS)
    for i, row in changes:
        table[i : i + 1] = [row]
    return lambda: SSP.from_rows(table, **{"start": 0, "goal": 3} | options)


def csr(**changes: Any) -> Callable[[], SSP]:
    return lambda: SSP.from_csr(**CSR | {"start": 0, "goal": 2} | changes)


def cost(s: int, a: int, c: float) -> np.ndarray[Any, Any]:
    costs = np.ones((4, 2))
    costs[s, a] = c
    return costs


NAMES = {"state_names": ["hall", "stairs", "roof", "home"], "action_names": ["walk", "run"]}
EYE = sparse.eye_array(4).tocsr()

WRONG: dict[str, tuple[Callable[[], SSP], str]] = {
    # probabilities
    "above 1": (dense(((0, 1, 3), 1.5)), "state 0, action 1: probability 1.5 of state 3, expected one in [0, 1]"),
    "a little above 1": (dense(((0, 1, 3), 1.0000001)), "state 0, action 1: probability 1.0000001 of state 3"),
    "negative": (dense(((0, 0, 3), -0.25)), "state 0, action 0: probability -0.25 of state 3, expected one in [0, 1]"),
    "not a number": (dense(((2, 1, 0), np.nan)), "state 2, action 1: probability nan of state 0, expected one in [0, 1]"),
    "infinite": (dense(((2, 1, 0), np.inf), ((2, 1, 1), -np.inf)), "probability inf of state 0, expected one in [0, 1]; state 2, action 1: probability -inf"),
    "sum below 1": (dense(((2, 1, 0), 0.2)), "state 2, action 1: the probabilities sum to 0.95, expected 1"),
    "sum above 1": (dense(((1, 0, 3), 1e-8)), "state 1, action 0: the probabilities sum to 1.00000001, expected 1"),
    "sum over repeats": (rows((3, (0, 1, 3, 0.5, 2.0))), "state 0, action 1: the probabilities sum to 1.5, expected 1"),
    "in a row of a table": (rows((3, (1, 0, 2, 2.0, 1.0))), "row 3 (state 1, action 0): probability 2.0 of state 2, expected one in [0, 1]"),
    "of sparse matrices": (lambda: SSP.from_arrays([EYE * 0.5], 1.0, start=0, goal=3), "state 0, action 0: the probabilities sum to 0.5, expected 1"),
    "all zero": (rows((3, (1, 0, 2, 0.0, 1.0))), "state 1, action 0: the probabilities sum to 0, expected 1"),
    "empty row": (
        csr(row_ptr=[0, 1, 1, 3]),
        "state 0, action 1: the probabilities sum to 0, expected 1; state 1, action 0: the probabilities sum to 2, expected 1",
    ),
    # costs
    "negative cost": (dense(costs=cost(0, 1, -0.5)), "state 0, action 1: cost -0.5, expected a finite number that is not negative"),
    "cost not a number": (dense(costs=cost(1, 0, np.nan)), "state 1, action 0: cost nan, expected a finite number"),
    "infinite cost": (dense(costs=cost(2, 1, np.inf)), "state 2, action 1: cost inf, expected a finite number"),
    "negative cost for all": (dense(costs=-1), "state 0, action 0: cost -1.0, expected a finite number"),
    "cost of a table": (rows((4, (2, 1, 3, 1.0, -1.0))), "state 2, action 1: cost -1.0"),
    "two costs for one pair": (rows((1, (0, 0, 2, 0.5, 3.0))), "state 0, action 0: costs 1.0 and 3.0, expected the same in all its rows"),
    "shape of costs": (dense(costs=np.ones((4, 3))), "costs: shape (4, 3), expected (4, 2), (4,), or one number"),
    "costs that are words": (dense(costs="cheap"), "costs: expected numbers, not <U5"),
    "ragged costs": (dense(costs=[[1.0], [1.0, 2.0]]), "costs: expected numbers, all rows of one length"),
    "costs of two dimensions": (csr(cost=np.ones((3, 1))), "cost: shape (3, 1), expected one dimension"),
    # indices
    "next state out of range": (csr(next_state=[1, 2, 7]), "state 1, action 0: leads to state 7, expected one from 0 to 2"),
    "negative next state": (csr(next_state=[1, -1, 2]), "state 0, action 1: leads to state -1, expected one from 0 to 2"),
    "next state beyond 32 bits": (csr(next_state=[1, 2**32 + 2, 2]), "state 0, action 1: leads to state 4294967298, expected one from 0 to 2"),
    "fractional next state": (csr(next_state=[1.0, 0.5, 2.0]), "next_state: expected whole numbers in one dimension, not float64 of shape (3,)"),
    "row with a negative state": (rows((3, (-1, 0, 2, 1.0, 1.0))), "row 3: state -1, expected a whole number from 0 to"),
    "row with a fractional action": (rows((3, (1, 0.5, 2, 1.0, 1.0))), "row 3: action 0.5, expected a whole number from 0 to"),
    "row with an infinite state": (rows((3, (1, 0, np.inf, 1.0, 1.0))), "row 3: next state inf, expected a whole number from 0 to"),
    "row beyond `states`": (rows((3, (1, 0, 4, 1.0, 1.0)), states=4), "row 3: next state 4, expected a whole number from 0 to 3"),
    "huge state": (rows((3, (1, 0, 10_000_001, 1.0, 1.0))), "state 4 has no action"),
    "state beyond 32 bits": (rows((3, (1, 0, 2**31, 1.0, 1.0))), "row 3: next state 2147483648, expected a whole number from 0 to 2147483645"),
    "actions out of order": (csr(action=[1, 0, 0]), "state 0, action 1: the next pair has action 0, expected a larger number"),
    "repeated action": (csr(action=[1, 1, 0]), "state 0, action 1: the next pair has action 1, expected a larger number"),
    "negative action": (csr(action=[-1, 0, 0]), "state 0: action -1, expected one from 0 to"),
    "fractional action": (csr(action=[0.0, 1.5, 0.0]), "action: expected whole numbers in one dimension, not float64"),
    # goals and start
    "no goal": (dense(goal=[]), "no goal: expected at least one goal state"),
    "empty set of goals": (dense(goal=set()), "no goal: expected at least one goal state"),
    "mask without a goal": (dense(goal=np.zeros(4, bool)), "no goal: expected at least one goal state"),
    "goal out of range": (dense(goal={3, 9}), "goal 9: expected a state from 0 to 3"),
    "negative goal": (rows(goal=-1), "goal -1: expected a state from 0 to 3"),
    "goal that is no state": (rows(goal="roof"), "goal = ['roof']: expected a state, several states, or a mask over the states"),
    "goals that are fractions": (dense(goal=[2.5]), "goal = [2.5]: expected a state, several states, or a mask over the states"),
    "mask too short": (dense(goal=[False, True]), "goal: a mask of shape (2,), expected one entry for each of the 4 states"),
    "start is a goal": (dense(start=3), "start: state 3 is a goal; an episode starts outside the goals"),
    "start out of range": (dense(start=4), "start = 4: expected a state from 0 to 3"),
    "negative start": (dense(start=-1), "start = -1: expected a state from 0 to 3"),
    "start at a goal, perhaps": (dense(start=[0.5, 0, 0, 0.5]), "start: state 3 is a goal"),
    "start of sum 0.9": (dense(start=[0.5, 0.4, 0, 0]), "start: the probabilities sum to 0.9, expected 1"),
    "start of sum 0": (dense(start=[0.0] * 4), "start: the probabilities sum to 0, expected 1"),
    "negative start probability": (
        dense(start=[1.5, -0.5, 0, 0]),
        "start: probability 1.5 of state 0, expected one in [0, 1]; start: probability -0.5 of state 1, expected one in [0, 1]",
    ),
    "start too short": (dense(start=[0.5, 0.5]), "start = [0.5, 0.5]: expected a state from 0 to 3, or 4 probabilities"),
    "no start": (dense(start=None), "start = None: expected a state from 0 to 3"),
    "state without actions": (dense(((1, 0, 2), 0.0)), "state 1 has no action; expected at least one, or that it is a goal"),
    "state of a table without actions": (rows(states=6), "state 4 has no action; expected at least one, or that it is a goal; state 5 has no action"),
    # names and shapes
    "names instead of numbers": (dense(((1, 0, 2), 0.5), **NAMES), "state stairs, action walk: the probabilities sum to 0.5"),
    "named successor": (dense(((1, 0, 2), 2.0), **NAMES), "state stairs, action walk: probability 2.0 of state roof"),
    "named start": (dense(start=3, **NAMES), "start: state home is a goal"),
    "too few state names": (dense(state_names=["a", "b"]), "state_names: 2 names, expected 4, one a state"),
    "too few action names": (dense(action_names=["a"]), "action_names: 1 names, expected 2, one an action"),
    "one string of names": (dense(state_names="abcd"), "state_names = 'abcd': expected a list of names"),
    "wrong grid": (dense(grid=(2, 3)), "grid = (2, 3): expected rows and columns whose product is 4"),
    "negative grid": (dense(grid=(-2, -2)), "grid = (-2, -2): expected rows and columns whose product is 4"),
    "grid of one number": (dense(grid=4), "grid = 4: expected two whole numbers, rows and columns"),
    "transitions without an axis": (lambda: SSP.from_arrays(np.eye(4), 1.0, start=0, goal=3), "transitions: shape (4, 4), expected (S', A, S')"),
    "transitions that are words": (lambda: SSP.from_arrays([["a"]], 1.0, start=0, goal=3), "transitions: expected numbers, not <U1"),
    "sparse matrices of two sizes": (
        lambda: SSP.from_arrays([EYE, EYE[:3]], 1.0, start=0, goal=3),
        "transitions[1]: (3, 4), expected a sparse matrix (4, 4)",
    ),
    "sparse beside dense": (lambda: SSP.from_arrays([EYE, np.eye(4)], 1.0, start=0, goal=3), "transitions[1]: ndarray, expected a sparse matrix (4, 4)"),
    "one sparse matrix alone": (lambda: SSP.from_arrays(EYE, 1.0, start=0, goal=3), "transitions: expected numbers"),
    "row of four": (rows((3, (1, 0, 2, 1.0))), "row 3: 4 values, expected 5 (s, a, s', p, c)"),
    "four columns": (lambda: SSP.from_rows([0], [0], [1], [1.0], start=0, goal=1), "rows: 4 columns, expected 5"),
    "columns of two lengths": (
        lambda: SSP.from_rows([0, 0], [0], [1], [1.0], [1.0], start=0, goal=1),
        "rows: columns of shapes [(2,), (1,), (1,), (1,), (1,)]",
    ),
    "rows that are none": (lambda: SSP.from_rows(5, start=0, goal=1), "rows: expected a sequence of (s, a, s', p, c)"),
    "no rows": (lambda: SSP.from_rows([], start=0, goal=1), "state 0 has no action"),
    "first_pair falls": (csr(first_pair=[0, 3, 2, 3]), "first_pair: expected S' + 1 numbers that rise from 0 to the number of pairs, 3"),
    "row_ptr too short": (csr(row_ptr=[0, 1, 3]), "row_ptr: expected 4 numbers that rise from 0 to the number of transitions, 3"),
    "next_state too short": (csr(next_state=[1, 2]), "next_state: shape (2,), expected (3,), one for each probability"),
    "action too short": (csr(action=[0, 1]), "action: shape (2,), expected (3,), one number a pair"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_mistake_is_named(name: str) -> None:
    make, sentence = WRONG[name]
    with pytest.raises(ModelError, match=re.escape(sentence)):
        make()


@pytest.mark.parametrize("states", [0, -1, 2.5, "four", True, 2**31])
def test_number_of_states_is_named(states: Any) -> None:
    with pytest.raises(SettingError, match=r"^states = .*: expected a whole number from 1 to 2147483646, or None$"):
        rows(states=states)()


def test_mistakes_of_many_kinds_are_found_at_once() -> None:
    moves = MOVES.copy()
    moves[0, 0, 1], moves[0, 1, 3], moves[1] = 0.25, 3.0, 0.0
    with pytest.raises(ModelError) as caught:
        SSP.from_arrays(moves, cost(2, 1, -1.0), start=3, goal=[3, 5], grid=(3, 3), state_names=["a"])
    assert caught.value.problems == (
        "goal 5: expected a state from 0 to 3",
        "state_names: 1 names, expected 4, one a state",
        "grid = (3, 3): expected rows and columns whose product is 4, the number of states",
        "start: state 3 is a goal; an episode starts outside the goals",
        "state 2, action 1: cost -1.0, expected a finite number that is not negative",
        "state a, action 1: probability 3.0 of state 3, expected one in [0, 1]",
        "state a, action 0: the probabilities sum to 0.75, expected 1",
        "state 1 has no action; expected at least one, or that it is a goal",
    )
    assert str(caught.value) == "; ".join(caught.value.problems)


def test_all_mistakes_of_a_table_are_found_though_some_rows_are_nowhere() -> None:
    with pytest.raises(ModelError) as caught:
        SSP.from_rows([(-1, 0, 1, 1.0, 1.0), (0, 0, 1, 1.5, 1.0), (0, 1, 1, 1.0, -2.0)], start=0, goal=1)
    assert [problem.partition(",")[0] for problem in caught.value.problems] == ["row 0: state -1", "row 2: cost -2.0", "row 1: probability 1.5 of state 1"]


def test_ten_are_told_the_first_of_each_kind_among_them() -> None:
    moves = np.zeros((30, 1, 30))
    moves[:, 0, 29] = 0.5
    with pytest.raises(ModelError, match=r"\(and 49 more\)$") as caught:
        SSP.from_arrays(moves, -1.0, start=29, goal=29)
    assert caught.value.count == 59
    assert len(caught.value.problems) == 10
    kinds = ["start", "cost", "sum to"]
    assert [sum(kind in problem for problem in caught.value.problems) for kind in kinds] == [1, 5, 4]


@pytest.mark.parametrize("make", [dense(), rows(), lambda: SSP.from_csr(**CSR, start=0, goal=2)])
def test_more_than_32_bits_can_number_are_refused(make: Callable[[], SSP], monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    monkeypatch.setattr(checks, "MOST", 2)
    with pytest.raises(ModelError, match=r"(3|4) states: expected at most 2, .*; (3|4) state-action pairs: expected at most 2"):
        make()


def test_a_table_of_more_states_than_memory_is_refused_at_once() -> None:
    with pytest.raises(ModelError, match=r"^state 4 has no action.*\(and 2000000000 more\)$"):
        rows((4, (2, 1, 2_000_000_013, 1.0, 1.0)))()
