"""The most hopeful model, sparse and frozen row by row, against its dense twin and against linear programs."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goalward.learning.confidence import Confidence
from goalward.models.rows import Floats, Longs
from tests.kernels import both_ways
from tests.learning.learners import SETS, Draws, Learner, MakeSet, ball, dense_row, dense_visits, visited
from tests.naive.optimism import box, least_by_linear_program, most_hopeful
from tests.strategies import many_models

PAIRS = 3
SCALES = [1e-3, 1e-2, 0.1, 0.5, 1.0, 10.0, 100.0]
TIED = st.sampled_from([0.0, 0.5, 1.0, 2.0])
APART = st.sampled_from([1e-6, 0.1, 1.0 / 3.0, 7.0, 1e4])


class Stage(NamedTuple):
    """Some visits, and then other values."""

    draws: Draws
    value: list[float]


@st.composite
def stages(draw: st.DrawFn, states: int) -> list[Stage]:
    """Values that tie, are apart, or come back to what they were in another order."""
    found: list[Stage] = []
    for _ in range(draw(st.integers(1, 5))):
        visits = draw(st.lists(st.tuples(st.integers(0, PAIRS - 1), st.integers(0, states), st.sampled_from([1, 1, 2, 7, 60])), max_size=6))
        value = draw(st.one_of([st.lists(values, min_size=states, max_size=states) for values in (TIED, APART)]))
        if draw(st.booleans()) and found:
            value = draw(st.permutations(found[-1].value))
        found.append(Stage([(x, y) for x, y, times in visits for _ in range(times)], value))
    return found


def revise(learner: Learner, value_s: Floats, expected_x: Floats) -> None:
    """As extended value iteration does before a sweep."""
    if learner.order.update(value_s):
        learner.model.rearrange(learner.counts, learner.order)
    learner.model.learn(learner.counts, learner.order)
    learner.model.prepare(value_s, learner.order)
    for x in range(expected_x.size):
        expected_x[x] = learner.model.expect(x, value_s, learner.order)


def revised(learner: Learner, value_s: Floats) -> tuple[Learner, Floats]:
    _, (after, _, expected_x) = both_ways(revise, learner, value_s, np.zeros(len(learner.counts.visits_x)))
    return after, expected_x


def new_learner(confidence: Confidence, states: int, pairs: int = PAIRS) -> Learner:
    """How pairs belong to states does not matter to a model."""
    return Learner.of(confidence, np.append(np.zeros(states, np.int64), pairs), 4)


def check_rows(learner: Learner, value_s: Floats, expected_x: Floats) -> None:
    """Each is a distribution, is plausible, and has the least expected value."""
    for x, visits_y in enumerate(dense_visits(learner.counts)):
        row = dense_row(learner.model, x, learner.order)
        assert row.min() >= -1e-13
        assert row.max() <= 1.0 + 1e-13
        check_plausible(learner.model.confidence, visits_y, row)
        slack = 1e-12 * value_s.max()  # of the weights, which are at most 1
        least = most_hopeful(learner.model.confidence, visits_y, value_s) @ value_s
        assert expected_x[x] == pytest.approx(least, rel=1e-12, abs=slack)
        assert row @ value_s == pytest.approx(expected_x[x], rel=1e-12, abs=slack)


def check_plausible(confidence: Confidence, visits_y: Longs, row: Floats) -> None:
    n = visits_y.sum()
    if n == 0:
        assert row.tolist() == np.eye(len(row))[-1].tolist()
    elif confidence.admits_unseen():
        least_y, most_y = box(confidence, visits_y)
        assert ((least_y - 1e-13 <= row) & (row <= most_y + 1e-13)).all()
    else:
        assert np.abs(row - visits_y / n).sum() <= confidence.radius(n) + 1e-13


@pytest.mark.parametrize("confidence_set", SETS)
@given(data=st.data(), states=st.integers(1, 7), scale=st.sampled_from(SCALES))
@settings(many_models, max_examples=3 * many_models.max_examples)
def test_rows_are_those_of_the_dense_twin(confidence_set: MakeSet, data: st.DataObject, states: int, scale: float) -> None:
    """Whatever came before: visits and values change in turns, and rows for which that does not matter stand."""
    learner = new_learner(confidence_set(states, scale), states)
    for stage in data.draw(stages(states)):
        learner = visited(learner, stage.draws)
        value_s = np.array([*stage.value, 0.0])
        learner, expected_x = revised(learner, value_s)
        check_rows(learner, value_s, expected_x)


@pytest.mark.parametrize("confidence_set", SETS)
@pytest.mark.parametrize("seed", range(24))
def test_rows_are_those_of_a_linear_program(confidence_set: MakeSet, seed: int) -> None:
    rng = np.random.default_rng(seed)
    states = int(rng.integers(1, 12))
    draws = [(x, int(y)) for x in range(PAIRS) for y in rng.integers(0, states + 1, rng.integers(0, 60))]
    learner = visited(new_learner(confidence_set(states, SCALES[seed % len(SCALES)]), states), draws)
    value_s = np.append(rng.choice([0.0, 0.5, 1.0, 2.0, 30.0], states), 0.0)
    learner, expected_x = revised(learner, value_s)
    for x, visits_y in enumerate(dense_visits(learner.counts)):
        least = least_by_linear_program(learner.model.confidence, visits_y, value_s)
        assert expected_x[x] == pytest.approx(least, rel=1e-7, abs=1e-8)  # the solver's tolerance


@pytest.mark.parametrize("confidence_set", SETS)
def test_a_pair_that_was_never_tried_leads_to_the_goal(confidence_set: MakeSet) -> None:
    learner = visited(new_learner(confidence_set(4, 1e-3), 4), [(0, 1), (2, 3)])
    learner, expected_x = revised(learner, np.array([3.0, 1.0, 2.0, 5.0, 0.0]))
    assert expected_x[1] == 0.0
    assert (expected_x[[0, 2]] > 0.9).all()


@pytest.mark.parametrize("confidence_set", SETS)
def test_one_that_always_arrived_goes_on_arriving(confidence_set: MakeSet) -> None:
    """The goal has the most it may have, 1: nothing is left for successors never seen."""
    learner = visited(new_learner(confidence_set(4, 1.0), 4), [(0, 4)] * 50)
    learner, expected_x = revised(learner, np.array([3.0, 1.0, 2.0, 5.0, 0.0]))
    assert expected_x[0] == 0.0


@pytest.mark.parametrize("confidence_set", SETS)
def test_many_successors_in_any_order(confidence_set: MakeSet) -> None:
    """A list that moves within the pool again and again, and values that turn round."""
    rng, states = np.random.default_rng(0), 60
    learner = new_learner(confidence_set(states, 0.05), states)
    for stage in range(12):
        learner = visited(learner, [(int(x), int(y)) for x, y in zip(rng.integers(0, PAIRS, 90), rng.integers(0, states + 1, 90), strict=True)])
        value_s = np.append(rng.permutation(states) if stage % 3 else np.arange(states)[::-1], 0.0) * 0.37
        learner, expected_x = revised(learner, value_s)
        check_rows(learner, value_s, expected_x)


@pytest.mark.parametrize("confidence_set", SETS)
@pytest.mark.parametrize("scale", [0.03, 0.3, 0.6, 1.0])
def test_orders_alone_go_round(confidence_set: MakeSet, scale: float) -> None:
    """No new visits: what stands, and what is written again, is right for every order. Of the five states, pairs have seen four, three or two."""
    learner = visited(new_learner(confidence_set(5, scale), 5), [(x, y) for x in range(PAIRS) for y in range(4 - x) for _ in range(9 * y + x + 1)])
    for value in permutations((0.2, 0.4, 0.8, 1.6, 3.2)):
        value_s = np.array([*value, 0.0])
        learner, expected_x = revised(learner, value_s)
        check_rows(learner, value_s, expected_x)


def test_rows_stand_until_a_successor_comes_to_the_other_side() -> None:
    """Of successors 0, 1, 2, most of the mass is at 0. What is moved to the goal is taken from the worst; which of the others that is matters, no more."""
    learner = visited(new_learner(ball(4, 0.1), 4, 1), [(0, 0)] * 80 + [(0, 1)] * 10 + [(0, 2)] * 10)
    kept = {}
    for value in ([1.0, 2.0, 3.0, 9.0], [2.0, 1.0, 3.0, 9.0], [2.0, 1.0, 3.0, 0.5], [2.0, 3.0, 1.0, 9.0]):
        learner, _ = revised(learner, np.array([*value, 0.0]))
        kept[tuple(value)] = dense_row(learner.model, 0, learner.order)
    first, second, third, fourth = kept.values()
    assert first.tobytes() == second.tobytes() == third.tobytes()
    assert fourth[1] < first[1]
