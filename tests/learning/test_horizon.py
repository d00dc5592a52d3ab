"""The pivot horizon against powers of the matrix."""

from __future__ import annotations

import math

import numpy as np
import pytest

from goalward._compile import compiled
from goalward.learning.horizon import MOST_STEPS, Survival, pivot_horizon
from goalward.learning.starts import WarmStart
from goalward.models.rows import Floats
from tests.kernels import both_ways
from tests.learning.learners import SETS, MakeSet, Planner, Task, ball, dense_row, visited
from tests.learning.test_optimism import SCALES, STATES, drawn_planner, planned
from tests.naive.optimism import horizon_by_powers


def horizon(planner: Planner, threshold: float) -> tuple[int, Planner]:
    found, (plan, _, _) = both_ways(pivot_horizon, planner.plan, Survival.of(len(planner.plan.policy_s)), threshold)
    return found, planner._replace(plan=plan)


def moves(planner: Planner) -> Floats:
    """(S, S) Q~, of the policy in its optimistic model."""
    plan = planner.plan
    return np.array([dense_row(plan.model, x, plan.order)[:-1] for x in plan.first_pair[:-1] + plan.policy_s])


@pytest.mark.parametrize("make_set", SETS)
@pytest.mark.parametrize("seed", range(10))
def test_horizons_are_those_of_matrix_powers(make_set: MakeSet, seed: int) -> None:
    rng = np.random.default_rng(seed)
    task, planner = drawn_planner(rng, make_set, WarmStart(), SCALES[seed % 3])
    for _ in range(4):
        _, planner = planned(visited(planner, task.draws(rng, 40)), 1e-3)
        for k in (1, 2, 3, 10, 1000):
            threshold = 1.0 / math.sqrt(k)
            assert horizon(planner, threshold)[0] == horizon_by_powers(moves(planner), threshold)


@pytest.mark.parametrize("make_set", SETS)
def test_a_threshold_of_1_needs_no_look(make_set: MakeSet) -> None:
    """n > 1, and no more than that; with nothing tried, any threshold will do."""
    _, planner = planned(drawn_planner(np.random.default_rng(1), make_set, WarmStart())[1], 1e-3)
    assert horizon(planner, 1.0)[0] == 2
    task = Task.drawn(np.random.default_rng(1), STATES, 3)
    _, planner = planned(Planner.of(task, make_set(STATES, 1.0), WarmStart()), 1e-3)
    assert horizon(planner, 1e-9)[0] == 2


def test_a_threshold_that_is_met_exactly_is_met() -> None:
    """Of one state that stays where it is with probability p, p after a step and p p after two."""
    task = Task(np.array([0, 1]), np.array([[1.0, 0.0]]), np.array([1.0]))
    _, planner = planned(visited(Planner.of(task, ball(1, 0.1), WarmStart()), [(0, 0)] * 500), 1.0)
    stays = float(moves(planner)[0, 0])
    assert 0.9 < stays < 1.0
    assert [horizon(planner, threshold)[0] for threshold in (stays, stays * stays, np.nextafter(stays, 0.0))] == [2, 3, 3]


def hopeless() -> Planner:
    """A state that stays where it is but for a millionth of a millionth."""
    task = Task(np.array([0, 1]), np.array([[1.0, 0.0]]), np.array([1.0]))
    return planned(visited(Planner.of(task, ball(1, 1e-11), WarmStart()), [(0, 0)] * 500), 1.0)[1]


def test_a_horizon_beyond_the_budget_is_told() -> None:
    planner, survival = hopeless(), Survival.of(1)
    assert not planner.plan.outcome.cut_short
    assert compiled(pivot_horizon, planner.plan, survival, 0.5)(planner.plan, survival, 0.5) == MOST_STEPS
    assert planner.plan.outcome.cut_short


def test_the_budget_is_that_of_the_interpreted_code_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goalward.learning.horizon.MOST_STEPS", 30)
    planner = hopeless()
    assert pivot_horizon(planner.plan, Survival.of(1), 0.5) == 30
    assert planner.plan.outcome.cut_short


def test_a_horizon_within_the_budget_says_nothing() -> None:
    _, planner = planned(drawn_planner(np.random.default_rng(2), ball, WarmStart())[1], 1e-3)
    found, planner = horizon(planner, 0.01)
    assert found > 2
    assert not planner.plan.outcome.cut_short
