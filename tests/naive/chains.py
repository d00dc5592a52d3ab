"""What a policy does, in rational numbers, from the definitions: what it pays, whether it arrives, and how many steps it takes.

A policy makes a chain of a model: in each state its actions mixed into one. A state without an entry is one where the policy is undefined: it never arrives.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction

from tests.naive.exact import INFINITE, ExactModel, Pair, Policy, Value, expected_total, policy_total, proper_from, states_that_reach

DIGITS = 60  # of the numbers in which many steps are made


def mixed(model: ExactModel, weights: Mapping[int, Mapping[int, Fraction]]) -> dict[int, Pair]:
    """The chain of a policy that plays action a in state s with probability weights[s][a]."""
    return {s: _mixture([(pair, own[pair.action]) for pair in model.pairs_s[s] if pair.action in own]) for s, own in weights.items()}


def _mixture(parts: Sequence[tuple[Pair, Fraction]]) -> Pair:
    total = sum(weight for _, weight in parts)
    row = dict[int, Fraction]()
    for pair, weight in parts:
        for t, p in pair.to.items():
            row[t] = row.get(t, Fraction(0)) + weight / total * p
    return Pair(-1, sum((weight / total * pair.cost for pair, weight in parts), start=Fraction(0)), row)


def total_paid(model: ExactModel, chain: Policy) -> list[Value]:
    """The expected cost of all steps there ever are. Infinite if with some probability they go on for ever, and do not all end up free.

    A state is at rest if whatever it leads to, itself included, is no goal and costs nothing. The total is finite where one comes to the goal or to rest.
    """
    busy = {s for s in model.states if s in model.goals or s not in chain or chain[s].cost > 0}
    at_rest = frozenset(set(model.states) - states_that_reach(busy, _successors(chain)))
    return policy_total(model._replace(goals=model.goals | at_rest), {s: pair for s, pair in chain.items() if s not in at_rest})


def arrival(model: ExactModel, chain: Policy) -> list[Fraction]:
    """The probability of ever coming to the goal: what is expected of a reward of 1 for the step that does, paid until there is no way left."""
    hopeful = states_that_reach(model.goals, _successors(chain)) - model.goals
    at_once = {s: sum((p for t, p in chain[s].to.items() if t in model.goals), start=Fraction(0)) for s in hopeful}
    found = expected_total(at_once, {s: chain[s].to for s in hopeful})
    return [Fraction(1) if s in model.goals else found.get(s, Fraction(0)) for s in model.states]


def survival(model: ExactModel, chain: Policy, n: int) -> list[Fraction]:
    """P(tau > n), step by step."""
    alive = [Fraction(s not in model.goals) for s in model.states]
    for _ in range(n):
        alive = [_mean(chain, s, alive) if s not in model.goals else Fraction(0) for s in model.states]
    return alive


def _mean(chain: Policy, s: int, value: Sequence[Fraction]) -> Fraction:
    """Where the policy is undefined nothing changes any more."""
    return sum((p * value[t] for t, p in chain[s].to.items()), start=Fraction(0)) if s in chain else value[s]


def distribution_far(model: ExactModel, chain: Policy, n: int) -> tuple[list[Decimal], list[Decimal]]:
    """P(tau > n) and P(tau <= n) by repeated squaring, for so large an n that fractions would get out of hand: in numbers of 60 digits."""
    with localcontext(Context(prec=DIGITS, Emin=-(10**9), Emax=10**9)):
        power = {s: {t: Decimal(p.numerator) / Decimal(p.denominator) for t, p in _row(model, chain, s).items()} for s in model.states}
        result = {s: {s: Decimal(1)} for s in model.states}
        while n:
            result = _product(result, power) if n & 1 else result
            power, n = _product(power, power), n // 2
        arrived = [sum((p for t, p in result[s].items() if t in model.goals), start=Decimal(0)) for s in model.states]
        return [sum((p for t, p in result[s].items() if t not in model.goals), start=Decimal(0)) for s in model.states], arrived


def _row(model: ExactModel, chain: Policy, s: int) -> Mapping[int, Fraction]:
    return chain[s].to if s in chain and s not in model.goals else {s: Fraction(1)}


def _product(first: Mapping[int, Mapping[int, Decimal]], second: Mapping[int, Mapping[int, Decimal]]) -> dict[int, dict[int, Decimal]]:
    product: dict[int, dict[int, Decimal]] = {s: {} for s in first}
    for s, row in first.items():
        for t, p in row.items():
            for u, q in second[t].items():
                product[s][u] = product[s].get(u, Decimal(0)) + p * q
    return product


def moments(model: ExactModel, chain: Policy, most: int) -> list[list[Value]]:
    """E[tau^r] for r = 0 ... most, infinite where the goal may be missed.

    tau is 1 and what is left then, so tau^r is the sum of (r over k) (what is left)^k: of these, all but the one with k = r are known already.
    """
    inside = sorted(proper_from(model, chain) - model.goals)
    found: list[list[Value]] = [[Fraction(1) for _ in model.states]]
    for r in range(1, most + 1):
        known = {s: sum((p * math.comb(r, k) * found[k][t] for k in range(r) for t, p in chain[s].to.items()), start=Fraction(0)) for s in inside}
        total = expected_total({s: Fraction(constant) for s, constant in known.items()}, {s: chain[s].to for s in inside})
        found.append([Fraction(0) if s in model.goals else total.get(s, INFINITE) for s in model.states])
    return found


def _successors(chain: Policy) -> dict[int, list[int]]:
    return {s: list(pair.to) for s, pair in chain.items()}
