"""Ties between actions, in plans of which every step leads to the goal: what an action costs is all that counts."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from goalward._compile import compiled
from goalward.learning.counts import Counts
from goalward.learning.model import OptimisticModel
from goalward.learning.optimism import Plan, extended_value_iteration
from goalward.learning.starts import ColdStart
from goalward.learning.ties import TIES
from goalward.models.rows import Longs
from tests.learning.learners import ball

FIRST_PAIR = np.array([0, 4, 5, 8, 12, 16])
NEARLY = 1.0 + 5e-13  # still a tie
COST_X = np.array([2.0, 1.0, 1.0, 1.0, 7.0, 3.0, 3.0, 4.0, 5.0, 5.0 * NEARLY, 5.0 * (1.0 + 1e-11), 5.0, 1.0, 1.0, 1.0, 1.0])
TIED = [{1, 2, 3}, {0}, {0, 1}, {0, 1, 3}, {0, 1, 2, 3}]  # the best actions of each state
PLANS = 3000


def planner(name: str, seed: int = 0) -> tuple[Plan, Counts]:
    counts = Counts.empty(FIRST_PAIR)
    ties = TIES[name].of(4, np.random.default_rng(seed))
    return Plan.of(FIRST_PAIR, COST_X, 1.0, np.inf, OptimisticModel.of(ball(5, 1.0), counts), ColdStart(), ties), counts


def plan_again_and_again(plan: Plan, counts: Counts, policy_ns: Longs) -> None:
    for n in range(policy_ns.shape[0]):
        extended_value_iteration(plan, counts, 1e-3)
        for s in range(plan.policy_s.size):
            policy_ns[n, s] = plan.policy_s[s]


@cache
def policies(name: str, plans: int = PLANS) -> Longs:
    """(N, S) of as many plans, compiled."""
    plan, counts = planner(name)
    policy_ns = np.zeros((plans, 5), np.int64)
    compiled(plan_again_and_again, plan, counts, policy_ns)(plan, counts, policy_ns)
    return policy_ns


def chi_square(observed: Any, expected: float) -> float:
    observed = np.array(observed)
    return float(((observed - expected) ** 2 / expected).sum())


@pytest.mark.parametrize("name", TIES)
def test_only_the_best_are_played(name: str) -> None:
    """A tie is told from a difference of 1e-11, relatively."""
    for s, tied in enumerate(TIED):
        assert set(policies(name)[:, s].tolist()) <= tied


@pytest.mark.parametrize("name", TIES)
def test_compiled_ties_are_broken_the_same(name: str) -> None:
    """And draw the same numbers."""
    plain, fast = planner(name), deepcopy(planner(name))
    plain_ns, fast_ns = np.zeros((2, 20, 5), np.int64)
    plan_again_and_again(*plain, plain_ns)
    compiled(plan_again_and_again, *fast, fast_ns)(*fast, fast_ns)
    assert plain_ns.tolist() == fast_ns.tolist()
    if name != "first":
        assert state_of(plain[0].ties) == state_of(fast[0].ties) != state_of(planner(name)[0].ties)


def state_of(ties: Any) -> Any:
    return ties.rng.bit_generator.state


def test_first_is_the_first() -> None:
    assert np.unique(policies("first", 10), axis=0).tolist() == [[min(tied) for tied in TIED]]


def test_one_order_is_drawn_a_plan_for_all_states() -> None:
    """What is played in the state where all four tie comes first of the order, and so is played wherever it may be; all of it agrees with some order."""
    orders = {tuple(next(a for a in order if a in tied) for tied in TIED) for order in permutations(range(4))}
    assert {tuple(policy) for policy in policies("order").tolist()} == orders


def test_orders_are_uniform() -> None:
    """A chi-square of 3 degrees of freedom is above 30 once in a million times; one of 2, above 27."""
    policy_ns = policies("order")
    assert chi_square(np.bincount(policy_ns[:, 4], minlength=4), PLANS / 4) < 30.0
    assert chi_square(np.bincount(policy_ns[:, 0], minlength=4)[1:], PLANS / 3) < 27.0
    pairs = np.bincount(4 * policy_ns[1:, 4] + policy_ns[:-1, 4], minlength=16)  # of a plan and the next: 15 degrees of freedom
    assert chi_square(pairs, (PLANS - 1) / 16) < 58.0


def test_random_ties_are_uniform_in_each_state_and_independent() -> None:
    policy_ns = policies("random")
    assert chi_square(np.bincount(policy_ns[:, 4], minlength=4), PLANS / 4) < 30.0
    assert chi_square(np.bincount(policy_ns[:, 0], minlength=4)[1:], PLANS / 3) < 27.0
    assert chi_square(np.bincount(policy_ns[:, 2], minlength=2), PLANS / 2) < 24.0
    together = np.bincount(4 * policy_ns[:, 4] + policy_ns[:, 0], minlength=16).reshape(4, 4)[:, 1:]  # 11 degrees of freedom
    assert chi_square(together, PLANS / 12) < 50.0
