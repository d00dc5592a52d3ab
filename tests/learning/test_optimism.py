"""Extended value iteration against its naive twin: dense arrays, and an optimum found by policy iteration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from goalward._compile import compiled
from goalward.learning.optimism import MOST_SWEEPS, PATIENCE, extended_value_iteration
from goalward.learning.starts import ColdStart, Start, WarmStart
from tests.kernels import both_ways
from tests.learning.learners import SETS, MakeSet, Planner, Task, ball, visited

STATES, ACTIONS = 6, 3
SCALES = [0.5, 0.05, 0.005]
ROUNDING = 1e-12
STARTS = [ColdStart(), WarmStart()]


def planned(planner: Planner, tolerance: float) -> tuple[int, Planner]:
    """The sweeps it took, and the planner with its new plan."""
    sweeps, (plan, counts, _) = both_ways(extended_value_iteration, planner.plan, planner.counts, tolerance)
    return sweeps, Planner(counts, plan)


def drawn_planner(rng: np.random.Generator, make_set: MakeSet, start: Start, scale: float = 0.05, cap: float = math.inf) -> tuple[Task, Planner]:
    """One that has learnt something."""
    task = Task.drawn(rng, STATES, ACTIONS)
    planner = Planner.of(task, make_set(STATES, scale), start, cap)
    return task, visited(planner, task.draws(rng, 400))


def check_plan(planner: Planner, tolerance: float) -> None:
    """L v <= v + eps and 0 <= v <= V. From L v <= v + eps it follows that V <= v f / (f - eps), f the least cost; and the policy is greedy."""
    problem, value_y, next_y = planner.problem(), planner.plan.value_s, planner.plan.next_s
    optimum, least = problem.optimum(), min(planner.plan.least_cost + problem.offset, problem.cap)
    backup = problem.backup(value_y)
    assert next_y == pytest.approx(backup, rel=ROUNDING, abs=1e-15)
    assert (next_y - value_y).max() <= tolerance
    assert value_y.min() >= 0.0
    assert (value_y <= optimum * (1.0 + ROUNDING)).all()
    if tolerance < least:
        assert (optimum <= value_y * (1.0 + ROUNDING) * least / (least - tolerance) + 1e-15).all()
    total_x = problem.totals(value_y)
    for s, a in enumerate(planner.plan.policy_s):
        own = total_x[planner.plan.first_pair[s] : planner.plan.first_pair[s + 1]]
        assert own[a] <= own.min() * (1.0 + 2.0 * ROUNDING)


@pytest.mark.parametrize("make_set", SETS)
@pytest.mark.parametrize("seed", range(12))
def test_cold_plans_make_the_sweeps_of_the_naive_twin(make_set: MakeSet, seed: int) -> None:
    """After m sweeps from 0, with an offset and a cap or without: v_m, and v_{m+1} beside it."""
    rng = np.random.default_rng(seed)
    _, planner = drawn_planner(rng, make_set, ColdStart(), SCALES[seed // 4], [math.inf, 2.5][seed % 2])
    planner.plan.outcome.offset = [0.0, 0.0, 0.7][seed % 3]
    for tolerance in (1e300, 0.3, 1e-3, 1e-9):
        sweeps, planner = planned(planner, tolerance)
        assert planner.plan.value_s == pytest.approx(planner.problem().after(sweeps - 1), rel=1e-10)
        assert planner.plan.next_s == pytest.approx(planner.problem().after(sweeps), rel=1e-10)
        check_plan(planner, tolerance)
        assert not planner.plan.outcome.floored
        assert not planner.plan.outcome.cut_short


@pytest.mark.parametrize("make_set", SETS)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(8))
def test_plan_after_plan(make_set: MakeSet, start: Start, seed: int) -> None:
    """Counts grow, and offset, cap and costs change up and down: cold or warm, it is the optimum of the new problem to the tolerance."""
    rng = np.random.default_rng(100 + seed)
    task, planner = drawn_planner(rng, make_set, start, SCALES[seed % 3])
    for k in range(1, 9):
        planner = visited(planner, task.draws(rng, int(rng.integers(0, 50))))
        change_problem(rng, planner, k)
        planner = planner._replace(plan=planner.plan._replace(cap=float(rng.choice([math.inf, 1.0, 4.0]))))
        tolerance = float(rng.choice([0.04, 1e-6, 1e-11]))
        _, planner = planned(planner, tolerance)
        check_plan(planner, tolerance)


def change_problem(rng: np.random.Generator, planner: Planner, k: int) -> None:
    """In place, as algorithms do; no cost ever falls below the least."""
    planner.plan.outcome.offset = rng.choice([0.0, k ** (-1 / 3), 2.0])
    if rng.random() < 0.5:
        planner.plan.cost_x[:] = rng.choice([0.1, 0.5, 1.0, 2.0], len(planner.plan.cost_x))
        planner.plan.cost_x[0] = planner.plan.least_cost


@pytest.mark.parametrize("make_set", SETS)
def test_before_the_first_visit_a_step_leads_to_the_goal(make_set: MakeSet) -> None:
    task = Task.drawn(np.random.default_rng(5), STATES, ACTIONS)
    _, planner = planned(Planner.of(task, make_set(STATES, 1.0), WarmStart()), 1e-9)
    cheapest_s = [task.cost_x[first:end].min() for first, end in zip(task.first_pair, task.first_pair[1:], strict=False)]
    assert planner.plan.value_s.tolist() == [*cheapest_s, 0.0]


def test_a_cap_below_what_any_action_costs_is_the_value_everywhere() -> None:
    _, planner = drawn_planner(np.random.default_rng(6), ball, WarmStart(), cap=0.1)
    planner.plan.cost_x[:] = 0.5
    _, planner = planned(planner, 1e-9)
    assert planner.plan.value_s.tolist() == [0.1] * STATES + [0.0]
    assert planner.plan.total_x.min() >= 0.5


@pytest.mark.parametrize("make_set", SETS)
def test_a_cap_is_the_cost_of_giving_up_anywhere(make_set: MakeSet) -> None:
    """0 goes to the goal or to a dead end, each with probability 1/2, for 1: with J = 3 that is 1 + 3/2 where all is known, not min{J, infinity}."""
    task = Task(np.array([0, 1, 2]), np.array([[0.0, 0.5, 0.5], [0.0, 1.0, 0.0]]), np.array([1.0, 1.0]))
    planner = visited(Planner.of(task, make_set(2, 1e-6), WarmStart(), 3.0), [(0, 1), (0, 2), (1, 1)] * 500)
    _, planner = planned(planner, 1e-9)
    assert planner.plan.value_s == pytest.approx([2.5, 3.0, 0.0], rel=1e-5)


def slow_planner(scale: float, visits: int) -> Planner:
    """Two states that lead to each other, and were never seen to lead to the goal."""
    task = Task(np.array([0, 1, 2]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]), np.array([1.0, 1.0]))
    return visited(Planner.of(task, ball(2, scale), ColdStart()), [(0, 1), (1, 0)] * visits)


def test_what_rounding_does_not_allow_is_not_waited_for() -> None:
    """c_min / (2 t) with c_min tiny and t huge: the plan stops as `floored`, as near to the optimum as the values' own rounding."""
    tolerance = 1e-12 / (2.0 * 10**9)
    sweeps, planner = planned(slow_planner(0.3, 500), tolerance)
    assert planner.plan.outcome.floored
    assert not planner.plan.outcome.cut_short
    assert sweeps % PATIENCE == 0
    assert planner.plan.value_s == pytest.approx(planner.problem().optimum(), rel=1e-11)
    _, planner = planned(planner, 1e-6)
    assert not planner.plan.outcome.floored


def test_a_plan_that_never_settles_is_cut_short() -> None:
    """The way to the goal that cannot be ruled out yet is a millionth: the budget of sweeps ends it, and the values are still optimistic."""
    planner = slow_planner(1e-5, 500)
    plan, counts = planner.plan, planner.counts
    sweeps = compiled(extended_value_iteration, plan, counts, 1e-9)(plan, counts, 1e-9)
    assert sweeps == MOST_SWEEPS
    assert plan.outcome.cut_short
    assert not plan.outcome.floored
    assert (plan.value_s <= planner.problem().optimum()).all()
    assert plan.value_s[0] > 0.5 * MOST_SWEEPS


def test_the_budget_is_that_of_the_interpreted_code_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goalward.learning.optimism.MOST_SWEEPS", 40)
    planner = slow_planner(1e-5, 500)
    assert extended_value_iteration(planner.plan, planner.counts, 1e-9) == 40
    assert planner.plan.outcome.cut_short
    assert planner.plan.next_s == pytest.approx(planner.problem().after(40), rel=1e-10)
