"""How an episode begins in both variants of UC-SSP, and what is told of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from goalward._compile import component
from goalward.learning.optimism import Plan, extended_value_iteration

Clock = np.dtype([(name, np.int64) for name in ("t", "k", "j", "G", "begin", "last")])
TOLD = ("phase1_steps", "pivot", "attempts", "plans", "sweeps", "floored", "cut_short")


def columns(*more: str) -> np.dtype[Any]:
    """The fields of `now`: those of both variants, and some more."""
    return np.dtype([("optimistic_value", np.float64), *((name, np.int32) for name in (*TOLD, *more))])


@component
def record(agent: Any, s: int, a: int, cost: float, s_next: int) -> None:
    """N(s, a) += 1, t += 1."""
    x = agent.counts.first_pair[s] + a
    agent.counts.record(x, s_next)
    agent.costs.pay(x, cost)
    agent.clock.t += 1


@component
def plan_cheaply(agent: Any, s: int) -> None:
    """An episode begins: EVI_SSP(k, 0) up to its policy."""
    clock, now, cheap = agent.clock, agent.now, agent.cheap
    clock.begin = clock.t
    agent.costs.revise(agent.counts)
    cheap.outcome.offset = agent.perturbation.eta(clock.k)
    now.sweeps = extended_value_iteration(cheap, agent.counts, agent.perturbation.accuracy(clock.k, clock.t))
    now.optimistic_value = cheap.value_s[s]
    now.phase1_steps, now.attempts, now.plans, now.floored, now.cut_short = 0, 0, 0, 0, 0


@component
def note_plan(now: Any, plan: Plan) -> None:
    now.attempts += 1
    now.plans += 1
    now.floored += plan.outcome.floored
    now.cut_short += plan.outcome.cut_short


def view(agent: Any) -> dict[str, Any]:
    """What an explorer shows besides policy and value: N(s, a), and how far the probabilities may stray."""
    model, visits_x = agent.cheap.model, agent.counts.visits_x
    return {"visits_x": visits_x, "radius_x": np.array([model.confidence.radius(int(n)) if n else math.inf for n in visits_x])}
