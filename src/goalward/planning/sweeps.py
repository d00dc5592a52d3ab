"""Gauss-Seidel sweeps over one block of states, and how to hurry them.

A sweep takes the states in order and puts each in balance with its successors as they are now: value += c + sum of p(t) (value(t) - value(s)). Differences of
values are small where values are large, so little is lost to rounding. How far a state is out of balance is measured in units of `slack_x`, the imbalance
that the certificate can bear in each pair.
"""

from __future__ import annotations

import math

import numpy as np

from goalward._compile import component
from goalward.models.rows import Floats, Ints, Rows

CYCLE = 6  # sweeps that an extrapolation looks at
TIE = 2.2e-16  # a pair has to be better by this, relatively to the value, to take the place of another


@component
def advantage(rows: Rows, value: Floats, here: float, x: int) -> float:
    """c + P value - value(s) of pair x, where value(s) is `here`."""
    total: float = rows.cost_x[x]
    for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
        total += rows.probability[i] * (value[rows.next_state[i]] - here)
    return total


@component
def largest_imbalance(rows: Rows, slack_x: Floats, choice: Ints, value: Floats) -> float:
    """How far the values are out of balance, in units of `slack_x`: above what some pair would make of a state, or below what the policy makes of it."""
    worst = 0.0
    for s in range(len(choice)):
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            gain = advantage(rows, value, value[s], x)
            worst = max(worst, -gain / slack_x[x], gain / slack_x[x] if x == choice[s] else 0.0)
    return worst


@component
def sweep_policy(rows: Rows, slack_x: Floats, choice: Ints, value: Floats, first: int, end: int) -> float:
    """One sweep under the policy; returns the largest imbalance met."""
    worst = 0.0
    for s in range(first, end):
        x = choice[s]
        change = advantage(rows, value, value[s], x)
        value[s] += change
        worst = max(worst, abs(change) / slack_x[x])
    return worst


@component
def sweep_all(rows: Rows, slack_x: Floats, choice: Ints, value: Floats, first: int, end: int) -> tuple[float, int]:
    """One sweep over all pairs, in which each state takes its best; returns the largest imbalance met, and how many states chose anew."""
    worst, switched = 0.0, 0
    for s in range(first, end):
        here, old = value[s], choice[s]
        best, choice_s = advantage(rows, value, here, old), old
        worst = max(worst, best / slack_x[old])
        margin = TIE * abs(here)
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            if x != old:
                gain = advantage(rows, value, here, x)
                if gain < best - margin:
                    best, choice_s = gain, x
                if gain < 0.0:
                    worst = max(worst, -gain / slack_x[x])
        if best < 0.0:
            worst = max(worst, -best / slack_x[choice_s])
        if choice_s != old:
            choice[s] = choice_s
            switched += 1
        value[s] = here + best
    return worst, switched


@component
def extrapolate(history: Floats, value: Floats, first: int, end: int) -> bool:
    """From the values before and after each of the last sweeps, guess where they lead: reduced rank extrapolation [sidi1986].

    Of all averages of the iterates, whose weights sum to 1, take the one that a sweep would change least (as far as a linear map can be known from them).
    """
    size, m = end - first, history.shape[0] - 1
    gram = np.zeros((m, m))
    difference = np.empty(m)
    for k in range(size):
        for j in range(m):
            difference[j] = history[j + 1, k] - history[j, k]
        for j in range(m):
            for i in range(j + 1):
                gram[j, i] += difference[j] * difference[i]
    weight = np.ones(m)
    if not solve_symmetric(gram, weight):
        return False
    total = 0.0
    for j in range(m):
        total += weight[j]
    if not abs(total) > 0.0:
        return False
    for k in range(size):
        guess = 0.0
        for j in range(m):
            guess += weight[j] / total * history[j + 1, k]
        value[first + k] = guess
    return True


@component
def solve_symmetric(gram: Floats, x: Floats) -> bool:
    """x := gram^-1 x for the lower half of a positive matrix, a little more of it on the diagonal; False if that is not enough."""
    m, trace = len(x), 0.0
    for j in range(m):
        trace += gram[j, j]
    for j in range(m):
        gram[j, j] += 1e-13 * trace
    for j in range(m):
        for k in range(j):
            gram[j, j] -= gram[j, k] * gram[j, k]
        if not gram[j, j] > 0.0:
            return False
        gram[j, j] = math.sqrt(gram[j, j])
        for i in range(j + 1, m):
            for k in range(j):
                gram[i, j] -= gram[i, k] * gram[j, k]
            gram[i, j] /= gram[j, j]
    for j in range(m):
        for k in range(j):
            x[j] -= gram[j, k] * x[k]
        x[j] /= gram[j, j]
    for j in range(m - 1, -1, -1):
        for k in range(j + 1, m):
            x[j] -= gram[k, j] * x[k]
        x[j] /= gram[j, j]
    return True
