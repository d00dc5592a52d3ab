"""M_inf, the problem that goes on from the goal, and its kinds, by trying all policies; for models of a handful of states.

The goals are merged into the last state, number S, which has one action: to where episodes start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import product

from goalward import SSP
from tests.naive.exact import ExactModel, Pair, Policy, Value, exact_model, expected_total, normalised, optimal_by_enumeration, states_that_reach


def average_pairs(ssp: SSP) -> list[list[Pair]]:
    """The pairs of each state."""
    model = exact_model(ssp)
    inner = [s for s in model.states if s not in model.goals]
    number = {s: inner.index(s) if s in inner else len(inner) for s in model.states}
    start = normalised((number[s], float(p)) for s, p in enumerate(ssp.start_distribution))
    return [*([_renamed(pair, number) for pair in model.pairs_s[s]] for s in inner), [Pair(0, Fraction(0), start)]]


def _renamed(pair: Pair, number: Mapping[int, int]) -> Pair:
    row = dict[int, Fraction]()
    for t, p in pair.to.items():
        row[number[t]] = row.get(number[t], Fraction(0)) + p
    return pair._replace(to=row)


def policies(pairs_s: Sequence[Sequence[Pair]]) -> Iterator[Policy]:
    """All deterministic ones."""
    for pairs in product(*pairs_s):
        yield dict(enumerate(pairs))


def largest_gain(ssp: SSP) -> Fraction:
    """The largest share of its steps that a policy spends at the goal, starting there."""
    return max(_gain(policy) for policy in policies(average_pairs(ssp)))


def _gain(policy: Policy) -> Fraction:
    """The chance to end up in each class, times the share of its steps that the class spends at the goal."""
    goal, classes = len(policy) - 1, recurrent_classes(policy)
    transient = {s: pair.to for s, pair in policy.items() if not any(s in members for members in classes)}
    gain = Fraction(0)
    for members in classes:
        falls = {s: sum((p for t, p in row.items() if t in members), start=Fraction(0)) for s, row in transient.items()}
        ends_there = expected_total(falls, transient).get(goal, Fraction(goal in members))
        gain += ends_there * _stationary(policy, members, goal)
    return gain


def _stationary(policy: Policy, members: Set[int], s: int) -> Fraction:
    """The share of its time that a recurrent class spends in s: 1 / (the expected number of steps until it comes back)."""
    if s not in members:
        return Fraction(0)
    rest = {t: policy[t].to for t in members if t != s}
    steps = expected_total(dict.fromkeys(rest, Fraction(1)), rest)
    return 1 / (1 + sum((p * steps[t] for t, p in policy[s].to.items() if t != s), start=Fraction(0)))


def recurrent_classes(policy: Policy) -> list[frozenset[int]]:
    """The sets of states that all lead to one another and to no other."""
    reached = {s: _reached_from(s, {t: list(pair.to) for t, pair in policy.items()}) for s in policy}
    return list({reached[s] for s in policy if all(reached[t] == reached[s] for t in reached[s])})


def _reached_from(s: int, successors: Mapping[int, Sequence[int]]) -> frozenset[int]:
    """With s itself."""
    return frozenset(t for t in successors if s in states_that_reach([t], successors))


def diameter_infinity(ssp: SSP) -> Value:
    """To each state of M_inf as the goal, with every step costing 1, by trying all policies; the worst of all."""
    pairs_s = [[pair._replace(cost=Fraction(1)) for pair in pairs] for pairs in average_pairs(ssp)]
    towards = (ExactModel([pairs if s != t else [] for s, pairs in enumerate(pairs_s)], frozenset([t])) for t in range(len(pairs_s)))
    return max(max(optimal_by_enumeration(model)) for model in towards)


def communicating(ssp: SSP) -> bool:
    """From each state of M_inf every other can be reached."""
    successors = _all_successors(average_pairs(ssp))
    return all(len(_reached_from(s, successors)) == len(successors) for s in successors)


def weakly_communicating(ssp: SSP) -> bool:
    """Some states are recurrent under some policy. No action leads away from these states, and from each of them every other can be reached."""
    pairs_s = average_pairs(ssp)
    recurrent = frozenset().union(*(members for policy in policies(pairs_s) for members in recurrent_classes(policy)))
    return all(_reached_from(s, _all_successors(pairs_s)) == recurrent for s in recurrent)


def _all_successors(pairs_s: Sequence[Sequence[Pair]]) -> dict[int, list[int]]:
    return {s: [t for pair in pairs for t in pair.to] for s, pairs in enumerate(pairs_s)}
