"""The pivot horizon: how long to trust a plan."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from goalward._compile import component
from goalward.learning.optimism import Plan, copy
from goalward.models.rows import Floats

MOST_STEPS = 1_000_000  # of a horizon
NO_TAIL = 1e-14  # a chance that is left out


@component
class Survival(NamedTuple):
    """The chance of not being at the goal yet, from each state. Scratch, which plans of one problem can share."""

    alive_s: Floats  # (S + 1,)
    later_s: Floats  # (S + 1,) a step later

    @classmethod
    def of(cls, states: int) -> Survival:
        return cls(*np.zeros((2, states + 1)))


@component
def pivot_horizon(plan: Plan, survival: Survival, threshold: float) -> int:
    """H = min{n > 1 : ||Q^{n-1}||_inf <= threshold} [tarbouriech2020, Eq. 5]: Q^n 1 is the chance of not being at the goal after n steps."""
    horizon, worst = 2, 0.0
    for s in range(plan.policy_s.size):
        survival.alive_s[s] = plan.model.stay(plan.first_pair[s] + plan.policy_s[s])
        worst = max(worst, survival.alive_s[s])
    while worst > threshold and horizon < MOST_STEPS:
        horizon, worst = horizon + 1, survive(plan, survival.alive_s, survival.later_s)
        if worst > threshold:
            horizon, worst = horizon + 1, survive(plan, survival.later_s, survival.alive_s)
    if worst > threshold:
        plan.outcome.cut_short = 1
    return horizon


@component
def expected_steps(plan: Plan, survival: Survival, s: int) -> float:
    """E[tau(s)] in the optimistic model, the sum of P(tau > n) [tarbouriech2020, Prop. 1]; inf if the tail is still there after very many steps."""
    for y in range(plan.policy_s.size):
        survival.alive_s[y] = 1.0
    total, worst, steps = 0.0, 1.0, 0
    while worst > NO_TAIL and steps < MOST_STEPS:
        total += survival.alive_s[s]
        worst = survive(plan, survival.alive_s, survival.later_s)
        copy(survival.later_s, survival.alive_s)
        steps += 1
    return total if worst <= NO_TAIL else math.inf


@component
def survive(plan: Plan, alive_s: Floats, later_s: Floats) -> float:
    """later := Q alive; returns its largest entry."""
    plan.model.prepare(alive_s, plan.order)
    worst = 0.0
    for s in range(plan.policy_s.size):
        later = plan.model.expect(plan.first_pair[s] + plan.policy_s[s], alive_s, plan.order)
        later_s[s] = later
        worst = max(worst, later)
    return worst
