"""Warm starts: whatever has changed since the last plan, 0 <= v0 <= L v0, and v0 is no lower than it has to be."""

from __future__ import annotations

import math

import numpy as np
import pytest

from goalward.learning.starts import ColdStart, WarmStart
from goalward.models.rows import Floats
from tests.learning.learners import SETS, MakeSet, Planner, Task, visited
from tests.learning.test_optimism import ROUNDING, SCALES, STATES, change_problem, drawn_planner, planned


def begun(planner: Planner) -> tuple[int, Planner]:
    """With a tolerance that every start meets, a plan is v0 and one sweep: `value_s` is v0, `next_s` is L v0."""
    return planned(planner, 1e300)


@pytest.mark.parametrize("make_set", SETS)
@pytest.mark.parametrize("seed", range(10))
def test_a_warm_start_rises(make_set: MakeSet, seed: int) -> None:
    rng = np.random.default_rng(seed)
    task, planner = drawn_planner(rng, make_set, WarmStart(), SCALES[seed % 3])
    lowered = 0
    for k in range(1, 9):
        _, planner = planned(planner, 1e-3)
        change_problem(rng, planner, k)
        planner = visited(planner, task.draws(rng, int(rng.integers(0, 50))))
        planner = planner._replace(plan=planner.plan._replace(cap=float(rng.choice([math.inf, 0.5, 4.0]))))
        last, problem = planner.plan.next_s.copy(), planner.problem()
        sweeps, planner = begun(planner)
        first = planner.plan.value_s
        backup, slack = problem.backup(first), ROUNDING * first.max()
        assert first.min() >= 0.0
        assert (first <= backup + slack).all()
        assert (first <= problem.optimum() + slack).all()
        assert planner.plan.next_s == pytest.approx(backup, rel=ROUNDING, abs=slack)
        assert (first >= last * alpha_of(planner, last) - slack).all()
        lowered += sweeps == 2
    assert lowered > 0


def alpha_of(planner: Planner, last: Floats) -> float:
    """f / (f + max (v - L v)+)"""
    excess = max(0.0, float((last - planner.problem().backup(last)).max()))
    least = min(planner.plan.least_cost + float(planner.plan.outcome.offset), planner.plan.cap)
    return least / (least + excess)


@pytest.mark.parametrize("make_set", SETS)
def test_where_nothing_has_changed_nothing_is_lowered(make_set: MakeSet) -> None:
    _, planner = drawn_planner(np.random.default_rng(3), make_set, WarmStart())
    _, planner = planned(planner, 1e-4)
    last = planner.plan.next_s.copy()
    sweeps, planner = begun(planner)
    assert sweeps == 1
    assert planner.plan.value_s.tolist() == last.tolist()


@pytest.mark.parametrize("make_set", SETS)
@pytest.mark.parametrize(("tolerance", "saved"), [(1e-3, 0.5), (1e-10, 0.1)])
def test_a_warm_start_saves_sweeps_and_changes_no_limit(make_set: MakeSet, tolerance: float, saved: float) -> None:
    rng, sweeps = np.random.default_rng(4), np.zeros(2)
    task = Task.drawn(rng, STATES, 3)
    draws = task.draws(rng, 1000)
    planners = [visited(Planner.of(task, make_set(STATES, 0.02), start), draws) for start in (WarmStart(), ColdStart())]
    for _ in range(10):
        draws = task.draws(rng, 5)
        made, planners = zip(*[planned(visited(planner, draws), tolerance) for planner in planners], strict=True)
        sweeps += made
        warm, cold = (planner.plan.value_s for planner in planners)
        assert warm == pytest.approx(cold, rel=10 * tolerance)
    assert sweeps[0] < (1.0 - saved) * sweeps[1]


@pytest.mark.parametrize("make_set", SETS)
def test_where_steps_may_be_free_only_0_is_safe(make_set: MakeSet) -> None:
    """f = 0: if the old value is too high anywhere, the start is cold."""
    _, planner = drawn_planner(np.random.default_rng(5), make_set, WarmStart())
    _, planner = planned(planner, 1e-3)
    planner.plan.cost_x[:] *= 0.5
    planner = planner._replace(plan=planner.plan._replace(least_cost=0.0))
    sweeps, planner = begun(planner)
    assert sweeps == 2
    assert planner.plan.value_s.tolist() == [0.0] * len(planner.plan.value_s)
    assert planner.plan.next_s == pytest.approx(planner.problem().after(1), rel=ROUNDING)
