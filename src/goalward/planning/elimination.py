"""The exact value of a policy on one block of states, by eliminating one state after the other.

Gauss's elimination without a single subtraction: what a state's diagonal is, 1 - p(s, s), is computed as the sum of the probabilities of leaving it. Then every
number in the course is a sum of products of numbers >= 0, and each value comes out with a small relative error, however slowly the policy arrives
[grassmann1985]. A block whose states lead only to states close by in its order is a band matrix, and stays one.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import component
from goalward.models.rows import Floats, Ints, Rows

LARGEST_BAND = 2e7  # numbers in a band matrix


@component
def band_of(rows: Rows, first: int, end: int) -> tuple[int, int]:
    """How far below and above itself a state of the block leads to states of the block, at most."""
    below, above = 0, 0
    for s in range(first, end):
        for i in range(rows.row_ptr[rows.first_pair[s]], rows.row_ptr[rows.first_pair[s + 1]]):
            t = rows.next_state[i]
            if first <= t < end:
                below, above = max(below, s - t), max(above, t - s)
    return below, above


@component
def band_work(size: int, below: int, above: int) -> float:
    """How many multiplications it takes to eliminate so many states."""
    return size * (below + 1.0) * (above + 1.0)


@component
def band_room(size: int, below: int, above: int) -> float:
    """How many numbers that has to keep."""
    return size * (below + 1.0 + above)


@component
def eliminate(rows: Rows, choice: Ints, value: Floats, first: int, end: int, below: int, above: int) -> bool:
    """Write the value of the policy `choice` in the block into `value`; False, and nothing written, if it is infinite or beyond the floating-point numbers."""
    size = end - first
    weight, total, leave = np.zeros((size, below + 1 + above)), np.empty(size), np.zeros(size)  # weight[k, below + j - k] is p(j | k)
    for k in range(size):
        x = choice[first + k]
        total[k] = rows.cost_x[x]
        for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
            t = rows.next_state[i]
            if first <= t < end:
                weight[k, below + t - first - k] += rows.probability[i]
            else:
                leave[k] += rows.probability[i]
                total[k] += rows.probability[i] * value[t]
    for k in range(size):
        if not take_out(weight, total, leave, k, below, above):
            return False
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, min(size, k + 1 + above)):
            total[k] += weight[k, below + j - k] * total[j]
        if not abs(total[k]) < np.inf:
            return False
    for k in range(size):
        value[first + k] = total[k]
    return True


@component
def take_out(weight: Floats, total: Floats, leave: Floats, k: int, below: int, above: int) -> bool:
    """Send the moves into state k on to where it leads; scale its row so that it need not be scaled again. False if it leads nowhere."""
    size = len(total)
    last = min(size, k + 1 + above)
    leaving = leave[k]
    for j in range(k + 1, last):
        leaving += weight[k, below + j - k]
    if not leaving > 0.0:
        return False
    for j in range(k + 1, last):
        weight[k, below + j - k] /= leaving
    leave[k] /= leaving
    total[k] /= leaving
    for i in range(k + 1, min(size, k + 1 + below)):
        factor = weight[i, below + k - i]
        if factor > 0.0:
            for j in range(k + 1, last):
                weight[i, below + j - i] += factor * weight[k, below + j - k]
            leave[i] += factor * leave[k]
            total[i] += factor * total[k]
    return True
