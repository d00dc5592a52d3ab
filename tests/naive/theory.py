"""Pivot horizons and value iteration from their definitions; chains, in rational numbers, that take long."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from numpy.typing import NDArray

from goalward import SSP
from tests.naive.exact import exact_model, expected_total, states_that_reach

Chain = dict[int, dict[int, Fraction]]  # state -> its moves; -1 is the goal


def pivot_horizon(chain: Chain, k: int) -> int:
    """H = min{n > 1: |Q^(n - 1)| <= 1 / sqrt(k)}."""
    alive, n = _after_a_step(chain, dict.fromkeys(chain, Fraction(1))), 2
    while max(alive.values()) ** 2 * k > 1:
        alive, n = _after_a_step(chain, alive), n + 1
    return n


def _after_a_step(chain: Chain, alive: dict[int, Fraction]) -> dict[int, Fraction]:
    return {s: sum((p * alive[t] for t, p in row.items() if t != -1), start=Fraction(0)) for s, row in chain.items()}


def largest_mean(chain: Chain) -> Fraction:
    """E[tau] from the worst state."""
    return max(expected_total(dict.fromkeys(chain, Fraction(1)), chain).values())


def slowest_chain(mean: int, states: int) -> Chain:
    """From each of `mean` or more states E[tau] = mean: a corridor of that length, and before it states that leave with probability 1 / mean."""
    chain = {s: {s - 1: Fraction(1)} for s in range(min(mean, states))}
    return chain | {s: {-1: Fraction(1, mean), s - 1: 1 - Fraction(1, mean)} for s in range(mean, states)}


@st.composite
def chains(draw: st.DrawFn, longest: int = 60) -> Chain:
    """Of 1 to 5 states, none of which takes longer in the mean."""
    states = draw(st.integers(1, 5))
    chain: Chain = {}
    for s in range(states):
        weights = draw(st.lists(st.sampled_from([0, 0, 1, 2, 9]), min_size=states + 1, max_size=states + 1).filter(any))
        chain[s] = {t: Fraction(w, sum(weights)) for t, w in enumerate(weights, start=-1) if w}
    assume(states_that_reach([-1], {s: list(row) for s, row in chain.items()}) >= set(chain))
    assume(largest_mean(chain) <= longest)
    return chain


def stopped_plan(ssp: SSP, precision: float, offset: float = 0.0) -> tuple[NDArray[np.float64], list[int]]:
    """The paper's value iteration with the true model for a confidence set: v_m, where |v_(m + 1) - v_m| <= precision, and its greedy policy."""
    model = exact_model(ssp)
    pairs = [[(pair.action, float(pair.cost) + offset, {t: float(p) for t, p in pair.to.items()}) for pair in own] for own in model.pairs_s]
    value = np.zeros(len(pairs))
    while True:
        totals = [[(cost + sum(p * value[t] for t, p in row.items()), action) for action, cost, row in own] for own in pairs]
        after = np.array([min(own)[0] if own else 0.0 for own in totals])
        if abs(after - value).max() <= precision:
            return value, [min(own)[1] if own else -1 for own in totals]
        value = after


def sum_of_radii(attempts: list[list[int]]) -> float:
    """The sum of 1 / sqrt(N+) over all visits to pairs, where N counts what was visited before the attempt."""
    total, before = 0.0, dict[int, int]()
    for attempt in attempts:
        total += sum(max(1, before.get(pair, 0)) ** -0.5 for pair in attempt)
        for pair in attempt:
            before[pair] = before.get(pair, 0) + 1
    return total
