"""The distribution of the number of steps that a Markov chain takes to the goal: discrete phase-type [tarbouriech2020, Prop. 1].

P(tau > n) = Q^n 1, step by step: one sparse product each. Where so many steps are asked for that it is cheaper, the powers Q^1, Q^2, Q^4, ... are made
instead, as dense matrices. All numbers are sums of products of numbers >= 0, so nothing cancels.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled, component
from goalward.errors import BudgetError
from goalward.models.rows import Rows

Floats = NDArray[np.float64]

MOST_WORK = 3e10  # multiplications before giving up: about half a minute
LARGEST = 2000  # states of a dense power
MOST_DOUBLINGS = 62
TIE = 1e-12  # P(tau > n) that is above 1 - q by no more than this, relatively, is taken to be equal to it


def survival_after(rows: Rows, n: int) -> Floats:
    """(S + 1,) P(tau > n)."""
    states, entries = len(rows.cost_x), len(rows.next_state)
    alive = np.append(np.ones(states), 0.0)
    if states <= LARGEST and n > _dense_work(states, math.log2(max(n, 2))) / max(entries, 1):
        for bit, power in enumerate(_powers(rows, n.bit_length())):
            if n >> bit & 1:
                alive[:-1] = power @ alive[:-1]
        return alive
    _check_work(f"survival({n})", n * entries)
    _walk(rows, n, -1.0, alive)
    return alive


def arrival_quantiles(rows: Rows, q: float, arrival: Floats) -> Floats:
    """(S + 1,) the least n with P(tau <= n) >= q; inf where `arrival`, P(tau < inf), is below q."""
    states, entries = len(rows.cost_x), len(rows.next_state)
    doomed = (1.0 - q) * (1.0 + TIE)
    hopeless = 1.0 - arrival > doomed
    alive = np.append(np.ones(states), 0.0)
    dense = _dense_work(states, MOST_DOUBLINGS) if states <= LARGEST else MOST_WORK
    steps = int(min(dense, MOST_WORK) / max(entries, 1))
    quantile, resting = _walk(rows, steps, doomed, alive)
    missing = np.isinf(quantile) & ~hopeless & (alive > 0.0)
    if missing.any() and not resting:
        if states > LARGEST:
            raise BudgetError(f"quantile({q}): not reached within {steps:,} steps; the policy takes too long for this method")
        quantile[:-1] = np.where(missing[:-1], _by_bisection(rows, doomed), quantile[:-1])
    return quantile


def _walk(rows: Rows, steps: int, doomed: float, alive: Floats) -> tuple[Floats, bool]:
    """Make the steps; the first after which each state's `alive` is at most `doomed`, and whether `alive` has come to rest."""
    quantile = np.where(alive <= doomed, 0.0, np.inf)
    resting = compiled(walk, rows, steps, doomed, alive, quantile)(rows, steps, doomed, alive, quantile)
    return quantile, bool(resting)


@component
def walk(rows: Rows, steps: int, doomed: float, alive: Floats, quantile: Floats) -> bool:
    """alive := Q^steps alive; True if it no longer changes. Stops when all states are as good as dead, or nothing changes."""
    before, states = alive.copy(), len(rows.cost_x)
    for n in range(1, steps + 1):
        resting, waiting = True, doomed < 0.0
        for s in range(states):
            total = 0.0
            for i in range(rows.row_ptr[s], rows.row_ptr[s + 1]):
                total += rows.probability[i] * before[rows.next_state[i]]
            resting &= total == before[s]
            alive[s] = total
            if total > doomed:
                waiting = True
            elif quantile[s] == np.inf:
                quantile[s] = n
        if resting or not waiting:
            return True
        for s in range(states):
            before[s] = alive[s]
    return False


def _by_bisection(rows: Rows, doomed: float) -> Floats:
    """(S,) the same by powers: the largest n after which a state is still likelier than that to be alive, put together from powers of two, and one more."""
    powers = _powers(rows, MOST_DOUBLINGS)
    states = len(rows.cost_x)
    reached, steps = np.eye(states), np.zeros(states)
    for bit in reversed(range(len(powers))):
        further = reached @ powers[bit]
        alive = further.sum(axis=1) > doomed
        reached[alive] = further[alive]
        steps[alive] += 2.0**bit
    return np.where(steps >= 2.0**MOST_DOUBLINGS - 1.0, np.inf, steps + 1.0)


def _powers(rows: Rows, count: int) -> list[Floats]:
    """Q^1, Q^2, Q^4, ..., as many."""
    from scipy.sparse import csr_array

    states = len(rows.cost_x)
    powers = [csr_array((rows.probability, rows.next_state, rows.row_ptr), shape=(states, states + 1)).toarray()[:, :states]]
    while len(powers) < count:
        powers.append(powers[-1] @ powers[-1])
    return powers


def _dense_work(states: int, doublings: float) -> float:
    """In units of a step's work for each transition: dense products are some ten times faster."""
    return 0.2 * doublings * float(states) ** 3


def _check_work(what: str, work: float) -> None:
    if work > MOST_WORK:
        raise BudgetError(f"{what}: would take {work:.2g} multiplications, more than the {MOST_WORK:.2g} that are allowed")


def stirling_numbers(r: int) -> list[int]:
    """Stirling numbers of the second kind {r over j}, j = 0 ... r: ways to part r things into j groups."""
    numbers = [1]
    for _ in range(r):
        numbers = [0, *(j * numbers[j] + numbers[j - 1] for j in range(1, len(numbers))), 1]
    return numbers
