"""What the tests of parts learn with: counts and what is made of them. Nothing here acts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any, NamedTuple, TypeVar

import numpy as np

from goalward._compile import component
from goalward.learning.confidence import BernsteinBox, Confidence, L1Ball
from goalward.learning.counts import Counts
from goalward.learning.growth import growing_part, grown
from goalward.learning.model import OptimisticModel
from goalward.learning.optimism import Plan
from goalward.learning.order import Order
from goalward.learning.starts import Start
from goalward.learning.ties import FirstTies
from goalward.models.rows import Floats, Longs
from tests.naive.optimism import Problem

Agent = TypeVar("Agent", bound=tuple[Any, ...])
MakeSet = Callable[[int, float], Confidence]  # of a number of states and a scale
Draws = list[tuple[int, int]]  # visits (x, y)


def ball(states: int, scale: float) -> L1Ball:
    return L1Ball.paper(states + 1, states, 2, 0.1, scale)


def bernstein(states: int, scale: float) -> BernsteinBox:
    return BernsteinBox.paper(states + 1, states, 2, 0.1, scale)


SETS: list[MakeSet] = [ball, bernstein]


@component
class Learner(NamedTuple):
    """A model for whatever values one has."""

    counts: Counts
    model: OptimisticModel
    order: Order

    @classmethod
    def of(cls, confidence: Confidence, first_pair: Longs, pool: int) -> Learner:
        counts = Counts.empty(first_pair, pool)
        return cls(counts, OptimisticModel.of(confidence, counts), Order.of(len(first_pair) - 1))


@component
class Planner(NamedTuple):
    """A plan and what it is made of."""

    counts: Counts
    plan: Plan

    @classmethod
    def of(cls, task: Task, confidence: Confidence, start: Start, cap: float = math.inf) -> Planner:
        counts = Counts.empty(task.first_pair, 8)
        model = OptimisticModel.of(confidence, counts)
        return cls(counts, Plan.of(task.first_pair, task.cost_x.copy(), float(task.cost_x.min()), cap, model, start, FirstTies()))

    def problem(self) -> Problem:
        """The same for the naive twin."""
        plan = self.plan
        return Problem(plan.model.confidence, plan.first_pair, dense_visits(self.counts), plan.cost_x, float(plan.outcome.offset), plan.cap)


class Task(NamedTuple):
    """A model to draw visits from."""

    first_pair: Longs  # (S + 1,)
    probability_xy: Floats  # (X, S + 1)
    cost_x: Floats

    @classmethod
    def drawn(cls, rng: np.random.Generator, states: int, actions: int) -> Task:
        """States with one to `actions` actions, a pair with about three successors; only from some pairs does one ever come to the goal."""
        first_pair = np.cumsum([0, *rng.integers(1, actions + 1, states)])
        weight_xy = rng.exponential(size=(first_pair[-1], states + 1)) * (rng.random((first_pair[-1], states + 1)) < 3.0 / states)
        weight_xy[:, 0] += 1e-3
        return cls(first_pair, weight_xy / weight_xy.sum(axis=1, keepdims=True), rng.choice([0.1, 0.5, 1.0, 2.0], first_pair[-1]))

    def draws(self, rng: np.random.Generator, size: int) -> Draws:
        pairs = rng.integers(0, len(self.cost_x), size)
        return [(int(x), int(rng.choice(len(self.first_pair), p=self.probability_xy[x]))) for x in pairs]


def visited(agent: Agent, draws: Iterable[tuple[int, int]]) -> Agent:
    """After these visits, with room made between them, as whoever drives an algorithm does it."""
    for x, y in draws:
        growing = growing_part(agent)
        if growing is not None and growing.is_full():
            agent = grown(agent)
        counts: Any = getattr(agent, "counts", agent)  # it may be the counts themselves
        counts.record(x, y)
    return agent


def listed(counts: Counts, x: int) -> list[tuple[int, int]]:
    """The successors of a pair, in the order in which they were seen first, and their visits."""
    own = slice(counts.first_x[x], counts.end_x[x])
    return list(zip(counts.state_i[own].tolist(), counts.visits_i[own].tolist(), strict=True))


def dense_visits(counts: Counts) -> Longs:
    """(X, S + 1)"""
    visits_xy = np.zeros((len(counts.visits_x), len(counts.first_pair)), np.int64)
    visits_xy[:, -1] = counts.arrivals_x
    for x in range(len(counts.visits_x)):
        for y, times in listed(counts, x):
            visits_xy[x, y] = times
    return visits_xy


def dense_row(model: OptimisticModel, x: int, order: Order) -> Floats:
    """(S + 1,) the row of a pair, with what it leaves to the goal: what it expects of a value that is 1 in one state and 0 elsewhere."""
    order, row = deepcopy(order), []
    for unit in np.eye(len(order.rank), len(order.rank) + 1):
        model.prepare(unit, order)
        row.append(model.expect(x, unit, order))
    return np.array([*row, 1.0 - math.fsum(row)])
