"""Optimistic planning: extended value iteration for SSP.

The operator is L v(s) = min{cap, min_a [c(s, a) + p(.|s, a) . v] + offset}, with p(.|s, a) the most hopeful member of a confidence set [tarbouriech2020,
Eq. 4]. With cap = inf and offset = 0 it is the plain one; cap = J truncates [tarbouriech2020, App. I.2]; an offset eta makes zero costs positive
[tarbouriech2020, App. I.3].
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np

from goalward._compile import component
from goalward.learning.counts import Counts
from goalward.learning.order import Order
from goalward.learning.records import new_record
from goalward.learning.starts import Start
from goalward.learning.ties import Ties
from goalward.models.rows import Floats, Longs

ROUNDING = 2.0**-53
MOST_SWEEPS = 100_000  # of one plan
PATIENCE = 16  # sweeps after which it is asked whether rounding is all that is left

Outcome = np.dtype([("offset", np.float64), ("floored", np.int64), ("cut_short", np.int64)])


class Model(Protocol):
    """What planning asks of a model. Every step from x that does not lead to a state in `expect` leads to the goal."""

    def learn(self, counts: Counts, order: Order) -> None:
        """Take in the visits since the last plan."""

    def rearrange(self, counts: Counts, order: Order) -> None:
        """Take in that the order of the states has changed."""

    def prepare(self, value_s: Floats, order: Order) -> None:
        """Get ready for `expect` with these values."""

    def expect(self, x: int, value_s: Floats, order: Order) -> float:
        """Expected value of the next state."""

    def stay(self, x: int) -> float:
        """The probability that the next state is not the goal."""


@component
class Plan(NamedTuple):
    """The optimum of one objective in a model, and the policy that attains it. The goal is the last state and has value 0."""

    first_pair: Longs  # (S + 1,)
    cost_x: Floats  # (X,)
    least_cost: float
    cap: float
    model: Any  # Model
    order: Order  # of value_s
    start: Start
    ties: Ties
    value_s: Floats  # (S + 1,) v_m, at most the optimum under the confidence event
    next_s: Floats  # (S + 1,) v_{m+1}
    total_x: Floats  # (X,) c + p . v_m
    best_s: Floats  # (S,) the least of these
    policy_s: Longs  # (S,)
    outcome: np.record  # of the last plan: offset, whether its tolerance was below rounding, whether it was cut short

    @classmethod
    def of(cls, first_pair: Longs, cost_x: Floats, least_cost: float, cap: float, model: Model, start: Start, ties: Ties) -> Plan:
        S = len(first_pair) - 1
        value_s, next_s = np.zeros((2, S + 1))
        policy_s, outcome = np.zeros(S, np.int64), new_record(Outcome)
        return cls(first_pair, cost_x, least_cost, cap, model, Order.of(S), start, ties, value_s, next_s, np.zeros(len(cost_x)), np.zeros(S), policy_s, outcome)


@component
def extended_value_iteration(plan: Plan, counts: Counts, tolerance: float) -> int:
    """Rise from below until ||v_{m+1} - v_m|| <= tolerance, then act greedily; returns the number of sweeps [tarbouriech2020, Alg. 2]."""
    plan.start.begin_from(plan.next_s)
    rise(plan, counts)
    plan.model.learn(counts, plan.order)
    change, sweeps = sweep(plan), 1
    if plan.start.lower(plan):
        change = math.inf
    while change > tolerance and sweeps < MOST_SWEEPS:
        if sweeps % PATIENCE == 0 and change <= rounding_floor(plan):
            break
        rise(plan, counts)
        change = sweep(plan)
        sweeps += 1
    plan.outcome.floored = change > tolerance and sweeps < MOST_SWEEPS
    plan.outcome.cut_short = change > tolerance and sweeps >= MOST_SWEEPS
    choose_actions(plan)
    return sweeps


@component
def rise(plan: Plan, counts: Counts) -> None:
    """v_m := v_{m+1}; the model stays unless the order of the states has changed."""
    copy(plan.next_s, plan.value_s)
    if plan.order.update(plan.value_s):
        plan.model.rearrange(counts, plan.order)


@component
def sweep(plan: Plan) -> float:
    """next := L value; returns ||next - value||."""
    plan.model.prepare(plan.value_s, plan.order)
    change, offset, x = 0.0, plan.outcome.offset, 0
    for s in range(plan.policy_s.size):
        best, end = math.inf, plan.first_pair[s + 1]
        while x < end:
            total = plan.cost_x[x] + plan.model.expect(x, plan.value_s, plan.order)
            plan.total_x[x] = total
            best = min(best, total)
            x += 1
        plan.best_s[s] = best
        plan.next_s[s] = min(best + offset, plan.cap)
        change = max(change, abs(plan.next_s[s] - plan.value_s[s]))
    return change


@component
def rounding_floor(plan: Plan) -> float:
    """Values may go on changing by this much for ever: the sum of as many terms as there are states is rounded as often."""
    largest = 0.0
    for value in plan.next_s:
        largest = max(largest, value)
    return (8.0 + plan.policy_s.size) * ROUNDING * largest


@component
def choose_actions(plan: Plan) -> None:
    """The greedy policy of the last sweep."""
    plan.ties.choose(plan.first_pair, plan.total_x, plan.best_s, plan.policy_s)


@component
def copy(source: Floats, target: Floats) -> None:
    """A loop, because slice assignment costs a second of compile time."""
    for i in range(source.size):
        target[i] = source[i]
