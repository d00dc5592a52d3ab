"""The environments whose optima are formulas."""

from __future__ import annotations

import math
from typing import Any

import pytest

import goalward as gw
from goalward import SSP, environments

TIGHT = 1e-12


def solved(name: str, **settings: Any) -> tuple[SSP, gw.Solution]:
    ssp = environments.make(name, **settings)
    return ssp, gw.solve(ssp, TIGHT)


def named(ssp: SSP, plan: gw.Solution, s: int) -> str:
    return ssp.action_name(int(plan.policy[s]))


def fall_a_step(n: int, p: float) -> float:
    steps = [1 / p]
    while len(steps) < n:
        steps.append((1 + (1 - p) * steps[-1]) / p)
    return math.fsum(steps)


def fall_to_start(n: int, p: float) -> float:
    return math.fsum(p**-i for i in range(1, n + 1))


def fall_and_stay(n: int, p: float) -> float:
    return n / p


CORRIDOR = {"step": fall_a_step, "start": fall_to_start, "stay": fall_and_stay}


@pytest.mark.parametrize("falls", CORRIDOR)
@pytest.mark.parametrize("success", [0.9, 0.5, 0.8, 1, 0.3])
@pytest.mark.parametrize("length", [1, 2, 10, 16])
def test_corridor(length: int, success: float, falls: str) -> None:
    ssp, plan = solved("corridor", length=length, success=success, falls=falls)
    assert plan.value[0] == pytest.approx(CORRIDOR[falls](length, success), rel=1e-9)
    assert {named(ssp, plan, s) for s in range(length)} == {"forward"}
    assert (ssp.num_states, ssp.start, ssp.goal, ssp.c_min, ssp.c_max) == (length + 1, 0, length, 1.0, 1.0)


@pytest.mark.parametrize("length", [1, 5, 12])
def test_corridor_at_one_half(length: int) -> None:
    """As the docstring has it."""
    assert solved("corridor", length=length, success=0.5)[1].value[0] == pytest.approx(length * (length + 1), rel=1e-9)
    assert solved("corridor", length=length, success=0.5, falls="start")[1].value[0] == pytest.approx(2 ** (length + 1) - 2, rel=1e-9)


def test_corridor_by_default() -> None:
    assert solved("corridor")[1].value[0] == pytest.approx(fall_a_step(10, 0.9), rel=1e-9)


def test_a_step_back_is_sure() -> None:
    ssp = environments.make("corridor", length=4)
    for s in range(4):
        x = ssp.pair(s, 1)
        assert ssp.next_state[ssp.row_ptr[x] : ssp.row_ptr[x + 1]].tolist() == [max(s - 1, 0)]


@pytest.mark.parametrize("length", [2, 3, 6, 20])
@pytest.mark.parametrize("drift_cost", [1.0, 0.01, 0.0])
def test_river_swim(length: int, drift_cost: float) -> None:
    steps = [1 / 0.6]
    while len(steps) < length - 1:
        steps.append((1 + 0.05 * steps[-1]) / 0.35)
    ssp, plan = solved("river-swim", length=length, drift_cost=drift_cost)
    assert plan.value[0] == pytest.approx(math.fsum(steps), rel=1e-9)
    assert {named(ssp, plan, s) for s in range(length - 1)} == {"swim"}
    assert (ssp.num_states, ssp.start, ssp.goal, ssp.c_min, ssp.c_max) == (length, 0, length - 1, drift_cost, 1.0)
    assert plan.improper_cheaper == (drift_cost == 0.0)


def test_river_swim_by_default() -> None:
    assert solved("river-swim")[1].value[0] == pytest.approx(14.7223379147577, rel=1e-12)


@pytest.mark.parametrize("slip", [0, 0.0, 0.1, 0.5, 0.99])
def test_weakly_communicating(slip: float) -> None:
    ssp, plan = solved("weakly-communicating", slip=slip)
    assert plan.value == pytest.approx([1 / (1 - slip), 2 / (1 - slip), 0.0], rel=1e-10)
    assert gw.analyze(ssp).diameter == pytest.approx(2 / (1 - slip), rel=1e-9)
    assert [named(ssp, plan, s) for s in (0, 1)] == ["a1", "a0"]


@pytest.mark.parametrize("eta", [1.0, 0.001, 30])
@pytest.mark.parametrize(("share", "value", "action"), [(0.0, 3.0, "detour"), (0.25, 3.75, "detour"), (0.75, 4.75, "direct"), (1.0, 5.0, "direct")])
def test_cost_offset(eta: float, share: float, value: float, action: str) -> None:
    """An offset of eta / 2 makes both ways equally dear; more of it turns the choice."""
    ssp = environments.make("cost-offset", eta=eta)
    plan = gw.solve(ssp.with_offset(share * eta), TIGHT)
    assert plan.value[0] == pytest.approx(value * eta, rel=1e-10)
    assert [named(ssp, plan, s) for s in (0, 1, 2)] == [action, "detour", "detour"]


@pytest.mark.parametrize(("c_min", "c_max"), [(0.1, 1.0), (0.0, 1.0), (0.0, 1e-3), (1, 2.5), (0.5, 100)])
def test_two_state(c_min: float, c_max: float) -> None:
    ssp, plan = solved("two-state", c_min=c_min, c_max=c_max)
    assert plan.value[0] == pytest.approx(c_max, rel=1e-10)
    assert named(ssp, plan, 0) == "a2"
    assert (plan.proper, plan.improper_cheaper) == (True, c_min == 0)
    assert (ssp.c_min, ssp.c_max) == (c_min, c_max)
