"""A first guess of all values, as Dijkstra would have it.

States are settled one after the other, the cheapest first, beginning with the goal. What a pair is worth is guessed from those of its successors that are
settled already, as if from the others one came back to where one was: (c + sum of p(t) v(t)) / (sum of p(t)), over the settled t. Where nothing is left to
chance that is Dijkstra's algorithm, and exact. Elsewhere it is a guess, but the order is a good one to sweep in, and the pairs it is made with surely reach
the goal: each of them may lead to a state settled before.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import component
from goalward.models.rows import Bools, Floats, Ints, Longs, Rows

NEW, SETTLED = -1, -2  # instead of a place in the heap
HIGHEST = 1e300  # a guess that can still be multiplied by a probability and added to a cost


@component
def approach(rows: Rows, keep_x: Bools, ptr: Longs, pair: Ints, owner: Ints) -> tuple[Ints, Floats, Ints]:
    """The states from which kept pairs may lead to the goal, in the order in which they are settled; the guess of each value, (S + 1,), and its pair."""
    states = len(rows.first_pair) - 1
    order, guess, sums = np.empty(states, np.int32), np.full(states + 1, np.inf), np.empty((len(keep_x), 2))
    for x in range(len(keep_x)):
        sums[x, 0], sums[x, 1] = (
            0.0 if keep_x[x] else -np.inf,
            rows.cost_x[x],
        )  # the sum of p(t), never positive if the pair is not kept; c + the sum of p(t) v(t)
    choice = np.full(states, -1, np.int32)
    heap, key, place, size = np.empty(states, np.int32), np.empty(states), np.full(states + 1, NEW, np.int32), 0
    guess[states], t, done = 0.0, states, 0
    place[states] = SETTLED
    while True:
        for i in range(ptr[t], ptr[t + 1]):
            x = pair[i]
            s = owner[x]
            if place[s] == SETTLED:
                continue
            p = probability_of(rows, x, t, states)
            sums[x, 0] += p
            sums[x, 1] += p * guess[t]
            if sums[x, 0] > 0.0 and (sums[x, 1] < guess[s] * sums[x, 0] or place[s] == NEW):
                guess[s], choice[s] = min(HIGHEST, sums[x, 1] / sums[x, 0]), x
                if place[s] == NEW:
                    place[s] = size
                    size += 1
                sift_up(heap, key, place, place[s], s, guess[s])
        if size == 0:
            return order[:done].copy(), guess, choice
        t = heap[0]
        place[t], order[done] = SETTLED, t
        done += 1
        size -= 1
        if size > 0:
            sift_down(heap, key, place, size)


@component
def probability_of(rows: Rows, x: int, t: int, goal: int) -> float:
    """p(t | x), by bisection if the row is long: successors are in increasing order, but for the goal, whose place is anywhere."""
    low, high = rows.row_ptr[x], rows.row_ptr[x + 1]
    while t != goal and high - low > 16:
        middle = (low + high) // 2
        if rows.next_state[middle] == goal:
            middle += 1
        if rows.next_state[middle] <= t:
            low = middle
        else:
            high = middle
    while rows.next_state[low] != t:
        low += 1
    return float(rows.probability[low])


@component
def sift_up(heap: Ints, key: Floats, place: Ints, i: int, s: int, new: float) -> None:
    """Put state s, at place i, to where it belongs now that its key is `new`, smaller than before."""
    while i > 0 and new < key[(i - 1) // 2]:
        above = (i - 1) // 2
        heap[i], key[i] = heap[above], key[above]
        place[heap[i]] = i
        i = above
    heap[i], key[i], place[s] = s, new, i


@component
def sift_down(heap: Ints, key: Floats, place: Ints, size: int) -> None:
    """Fill the first place, whose state has gone, with the state at place `size`."""
    s, last, i = heap[size], key[size], 0
    while 2 * i + 1 < size:
        child = 2 * i + 1
        if child + 1 < size and key[child + 1] < key[child]:
            child += 1
        if not key[child] < last:
            break
        heap[i], key[i] = heap[child], key[child]
        place[heap[i]] = i
        i = child
    heap[i], key[i], place[s] = s, last, i
