"""A first guess of all values, as Dijkstra would have it.

States are settled one after the other, the cheapest first, beginning with the goal. What a pair is worth is guessed from those of its successors that are
settled already, as if from the others one came back to where one was: (c + sum of p(t) v(t)) / (sum of p(t)), over the settled t. Where nothing is left to
chance that is Dijkstra's algorithm, and exact. Elsewhere it is a guess, but the order is a good one to sweep in, and the pairs it is made with surely reach
the goal: each of them may lead to a state settled before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goalward._compile import component
from goalward.models.graph import Bools, Ints, Longs
from goalward.models.rows import Rows

Floats = NDArray[np.float64]


@component
def approach(rows: Rows, keep_x: Bools, ptr: Longs, pair: Ints, owner: Ints, rank_s: Longs) -> tuple[Ints, Floats]:
    """The states that reach the goal surely, in the order in which they are settled, by kept pairs; and the guess of each state's value, (S + 1,)."""
    states, count = len(rank_s), 0
    for s in range(states):
        count += rank_s[s] < 0
    order, guess = np.empty(count, np.int32), np.full(states + 1, np.inf)
    nearer, total = np.zeros(len(keep_x)), rows.cost_x.copy()
    heap, place, size = np.empty(count, np.int32), np.full(states + 1, -1, np.int32), 0
    guess[states], t, done = 0.0, states, 0
    place[states] = -2  # settled
    while True:
        for i in range(ptr[t], ptr[t + 1]):
            x = pair[i]
            s = owner[x]
            if not keep_x[x] or place[s] == -2:
                continue
            p = probability_of(rows, x, t, states)
            nearer[x] += p
            total[x] += p * guess[t]
            if total[x] < guess[s] * nearer[x]:
                guess[s] = total[x] / nearer[x]
                if place[s] < 0:
                    place[s] = size
                    heap[size] = s
                    size += 1
                sift_up(heap, place, guess, place[s])
        if size == 0:
            return order, guess
        t = heap[0]
        size -= 1
        if size > 0:
            heap[0] = heap[size]
            place[heap[0]] = 0
            sift_down(heap, place, guess, size)
        place[t], order[done] = -2, t
        done += 1


@component
def probability_of(rows: Rows, x: int, t: int, goal: int) -> float:
    """p(t | x), by bisection: successors are in increasing order, but for the goal, whose place is anywhere."""
    low, high = rows.row_ptr[x], rows.row_ptr[x + 1]
    if t == goal or high - low < 16:
        while rows.next_state[low] != t:
            low += 1
        return float(rows.probability[low])
    while True:
        middle = (low + high) // 2
        if rows.next_state[middle] == goal:
            middle += 1 if middle + 1 < high else -1
        if rows.next_state[middle] == t:
            return float(rows.probability[middle])
        if rows.next_state[middle] < t:
            low = middle + 1
        else:
            high = middle


@component
def sift_up(heap: Ints, place: Ints, key: Floats, i: int) -> None:
    s = heap[i]
    while i > 0 and key[s] < key[heap[(i - 1) // 2]]:
        heap[i] = heap[(i - 1) // 2]
        place[heap[i]] = i
        i = (i - 1) // 2
    heap[i] = s
    place[s] = i


@component
def sift_down(heap: Ints, place: Ints, key: Floats, size: int) -> None:
    s, i = heap[0], 0
    while 2 * i + 1 < size:
        child = 2 * i + 1
        if child + 1 < size and key[heap[child + 1]] < key[heap[child]]:
            child += 1
        if not key[heap[child]] < key[s]:
            break
        heap[i] = heap[child]
        place[heap[i]] = i
        i = child
    heap[i] = s
    place[s] = i
