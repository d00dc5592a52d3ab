"""Stochastic shortest path problems in rational numbers: slow, obvious, and right to the last digit.

The exact model is the stored numbers with each row divided by its exact sum. Two solvers that share only the evaluation of a policy answer for it:
`optimal_by_enumeration` tries every deterministic policy, `optimal_by_iteration` improves one. States keep the caller's numbers. Values are fractions, or
`INFINITE` where the goal cannot be reached surely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward import SSP

INFINITE = math.inf
Value = Fraction | float  # a fraction, or INFINITE


class Pair(NamedTuple):
    """One action of one state."""

    action: int
    cost: Fraction
    to: dict[int, Fraction]  # successor -> probability, which sum to 1


class ExactModel(NamedTuple):
    pairs_s: list[list[Pair]]  # none in a goal
    goals: frozenset[int]

    @property
    def states(self) -> range:
        return range(len(self.pairs_s))

    def smallest_positive_cost(self) -> Fraction:
        """0 if nothing costs."""
        return min((pair.cost for pairs in self.pairs_s for pair in pairs if pair.cost > 0), default=Fraction(0))


class SureStates(NamedTuple):
    """Where the goal can be reached with probability 1."""

    policy: dict[int, Pair]  # one that does it, from each of these states but the goals
    rank: dict[int, int]  # (these states and the goals) under `policy` some successor has a smaller one
    stage: dict[int, int]  # (all other states) the second ranking: every action has a successor of a smaller one, or stays where it is the same


Policy = Mapping[int, Pair]  # states without an entry have no action


def exact_model(ssp: SSP) -> ExactModel:
    """What the numbers of a model mean."""
    pairs_s: list[list[Pair]] = [[] for _ in range(ssp.num_states)]
    for s in range(ssp.num_states):
        for x in range(ssp.first_pair[s], ssp.first_pair[s + 1]):
            entries = range(ssp.row_ptr[x], ssp.row_ptr[x + 1])
            row = normalised((int(ssp.next_state[i]), float(ssp.probability[i])) for i in entries)
            pairs_s[s].append(Pair(int(ssp.action[x]), Fraction(float(ssp.cost[x])), row))
    return ExactModel(pairs_s, frozenset(map(int, ssp.goals)))


def exact_from_arrays(transitions: NDArray[np.float64], costs: NDArray[np.float64], goals: Iterable[int]) -> ExactModel:
    """The same from dense arrays (S', A, S') and (S', A), without going through an SSP. An all-zero row is an absent action."""
    ends = frozenset(goals)
    pairs_s: list[list[Pair]] = [[] for _ in transitions]
    for s, a in product(range(len(transitions)), range(transitions.shape[1])):
        if s not in ends and transitions[s, a].any():
            pairs_s[s].append(Pair(a, Fraction(float(costs[s, a])), normalised(enumerate(transitions[s, a].tolist()))))
    return ExactModel(pairs_s, ends)


def normalised(row: Iterable[tuple[int, float]]) -> dict[int, Fraction]:
    """Probabilities divided by their exact sum; those of 0 are left out."""
    exact: dict[int, Fraction] = {}
    for successor, p in row:
        if p > 0.0:
            exact[successor] = exact.get(successor, Fraction(0)) + Fraction(p)
    total = sum(exact.values(), start=Fraction(0))
    return {successor: p / total for successor, p in exact.items()}


def expected_total(cost: Mapping[int, Fraction], moves: Mapping[int, Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """x with x(s) = cost(s) + sum of moves(s)(t) x(t) over its own states, and 0 in all others: Gauss's elimination, one state after the other.

    Every state must be able to leave these states for good; then no pivot is 0.
    """
    constant = dict(cost)
    row = {s: {t: p for t, p in moves[s].items() if t in moves} for s in moves}
    for s, own in row.items():
        stays = 1 - own.pop(s, Fraction(0))
        constant[s] /= stays
        for t in own:
            own[t] /= stays
        for u, other in row.items():
            if u != s and (weight := other.pop(s, Fraction(0))):
                constant[u] += weight * constant[s]
                for t, p in own.items():
                    other[t] = other.get(t, Fraction(0)) + weight * p
    return constant


def states_that_reach(targets: Iterable[int], successors: Mapping[int, Iterable[int]]) -> set[int]:
    """The states from which one of the targets can be reached at all, the targets included."""
    found = set(targets)
    while more := {s for s, nexts in successors.items() if s not in found and any(t in found for t in nexts)}:
        found |= more
    return found


def proper_from(model: ExactModel, policy: Policy) -> set[int]:
    """The states, goals among them, from which the policy reaches the goal with probability 1: those that cannot come to one with no way to the goal."""
    successors = {s: pair.to.keys() for s, pair in policy.items()}
    lost = set(model.states) - states_that_reach(model.goals, successors)
    return set(model.states) - states_that_reach(lost, successors)


def policy_total(model: ExactModel, policy: Policy, *, unit_costs: bool = False) -> list[Value]:
    """The expected cost of a policy to the goal from each state, or its expected number of steps. INFINITE where it does not surely arrive."""
    inside = sorted(proper_from(model, policy) - model.goals)
    total = expected_total({s: Fraction(1) if unit_costs else policy[s].cost for s in inside}, {s: policy[s].to for s in inside})
    return [Fraction(0) if s in model.goals else total.get(s, INFINITE) for s in model.states]


def optimal_by_enumeration(model: ExactModel) -> list[Value]:
    """In each state the least cost among all deterministic policies that are proper from there.

    No other policy does better: add d > 0 to every cost, and one deterministic policy is optimal in all states where the goal can be reached surely, and proper
    there, since all others cost infinitely much. There are finitely many, so one of them is optimal for a sequence of d that goes to 0, hence for d = 0.
    """
    best: list[Value] = [INFINITE for _ in model.states]
    inner = [s for s in model.states if s not in model.goals]
    for choice in product(*(model.pairs_s[s] for s in inner)):
        best = list(map(min, best, policy_total(model, dict(zip(inner, choice, strict=True)))))
    return best


def sure_states(model: ExactModel) -> SureStates:
    """The largest set of states that can reach the goal while staying inside it, found by throwing out, stage by stage, the states that cannot.

    A state thrown out at some stage has, for every action, a successor thrown out before, or only successors thrown out at this very stage: with none thrown
    out before, and one that stays in, the state would have stayed in too.
    """
    inside, stage = set(model.states), dict[int, int]()
    for number in range(len(model.states) + 1):
        policy, rank = _attracted(model, inside)
        if inside == rank.keys():
            return SureStates(policy, rank, stage)
        stage |= dict.fromkeys(inside - rank.keys(), number)
        inside = set(rank)
    raise AssertionError("each stage but the last removes a state")


def _attracted(model: ExactModel, inside: set[int]) -> tuple[dict[int, Pair], dict[int, int]]:
    """The states of `inside` that can reach the goal without ever risking to leave it, layer by layer."""
    policy, rank = dict[int, Pair](), dict.fromkeys(model.goals, 0)
    for layer in range(1, len(model.states) + 1):
        for s in inside - rank.keys():
            for pair in model.pairs_s[s]:
                if pair.to.keys() <= inside and any(rank.get(t, layer) < layer for t in pair.to):
                    policy[s], rank[s] = pair, layer
    return policy, rank


def optimal_by_iteration(model: ExactModel) -> tuple[list[Value], dict[int, Pair]]:
    """Policy iteration from a proper policy, in which an action gives way only to one that is strictly better. Also right where costs are 0.

    Every policy on the way is proper. Let V be the value of the policy p, proper, and q the next one, so that c_q + P_q V <= V, with < wherever q differs
    from p. Were q not proper, the goal would miss some recurrent class of it, with a stationary distribution m > 0 on the class: m V >= m c_q + m P_q V
    = m c_q + m V >= m V, so equality holds all over the class, q is p there, and p never leaves it: a contradiction.

    The last policy is the best proper one. It satisfies V <= c + P V for all actions; so V <= T_q V <= T_q T_q V <= ... for any proper q, whose limit is the
    value of q. (That alone would hold for too small a V, such as 0 on a free cycle. But V is the value of a proper policy.)

    Only actions all of whose successors can reach the goal surely may be used by a policy that surely arrives.
    """
    sure = sure_states(model)
    policy = dict(sure.policy)
    while True:
        value = policy_total(model, policy)
        better = {s: pair for s in policy if action_value(pair := _best_pair(model, s, value, sure), value) < value[s]}
        if not better:
            return value, policy
        policy |= better


def action_value(pair: Pair, value: Sequence[Value]) -> Value:
    """c + P V. Infinite if any successor's value is, for a successor has a positive probability."""
    return sum((p * value[t] for t, p in pair.to.items()), start=pair.cost)


def _best_pair(model: ExactModel, s: int, value: Sequence[Value], sure: SureStates) -> Pair:
    kept = [pair for pair in model.pairs_s[s] if pair.to.keys() <= sure.rank.keys()]
    return min(kept, key=lambda pair: action_value(pair, value))
