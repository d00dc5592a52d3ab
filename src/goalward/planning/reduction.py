"""From a model to a smaller one that is easy to solve and has the same values.

Five things happen, each of which leaves the best proper policy as it is:

1. States from which no policy reaches the goal surely are left out, and with them all pairs that may lead to one.
2. Each end component of free pairs becomes one state. There one can walk about as long as one likes for nothing; so all its states are worth the same, and only
   the pairs that leave it or cost something matter. In what remains a policy that never arrives pays for ever: dynamic programming is sound again.
3. States from which free pairs alone lead to the goal join the goal: their value is 0.
4. A pair that may stay where it is is repeated until it does not: p(t) / (1 - p(s)) and c / (1 - p(s)), where 1 - p(s) is the sum of the other probabilities.
5. States are put in the order in which they are best solved: strongly connected components one after the other, those near the goal first; inside, by a guess of
   their value (`approach`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled, component
from goalward.models.components import end_components, strong_components
from goalward.models.graph import Bools, Ints, Longs, almost_sure, predecessors
from goalward.models.rows import Rows
from goalward.planning.approach import approach

Floats = NDArray[np.float64]
OUTSIDE = -1  # the reduced state of a state with an infinite value


@component
class Reduced(NamedTuple):
    """A model without free end components, self-loops and states of value 0 or infinity, whose goal is state n; and what it takes to go back."""

    rows: Rows  # n states
    block_ptr: Longs  # (B + 1,) block b is the states block_ptr[b] ... block_ptr[b + 1] - 1; they lead to one another and to earlier blocks
    pair_x: Ints  # (X',) the model's pair
    guess: Floats  # (n + 1,) of the values
    first_choice: Ints  # (n,) a pair of the reduced model for each state, which together surely reach the goal
    index_s: Ints  # (S + 1,) state of the model -> reduced state; n for the goal and what is worth 0; OUTSIDE
    free_choice_s: Ints  # (S,) the pair by which to leave a state or component of value 0, or -1
    inside_x: Bools  # (X,) the pairs with which to walk about in free end components
    keep_x: Bools  # (X,) the pairs that a policy which surely arrives can use
    rank_s: Longs  # (S,) -1 in the states that reach the goal surely, elsewhere the proof that they do not
    ptr: Longs  # `predecessors`
    pair: Ints
    owner: Ints


def reduce_model(rows: Rows) -> Reduced:
    reduced_rows, *others = compiled(reduce_rows, rows)(rows)
    return Reduced(Rows(*reduced_rows), *others)


@component
def reduce_rows(rows: Rows):  # type: ignore[no-untyped-def]  # the fields of a `Reduced`
    ptr, pair, owner = predecessors(rows)
    rank_s = almost_sure(rows, ptr, pair, owner)
    keep_x, any_free = kept_pairs(rows, rank_s)
    class_s, count, inside_x = np.full(len(rank_s), -1, np.int32), 0, np.zeros(len(keep_x), np.bool_)
    free_choice_s, worth_s = np.full(len(rank_s), -1, np.int32), np.ones(len(rank_s) + 1, np.bool_)
    worth_s[len(rank_s)] = False
    if any_free:
        class_s, count = free_end_components(rows, keep_x, ptr, pair, owner, inside_x)
        find_worthless(rows, keep_x, inside_x, class_s, count, ptr, pair, owner, worth_s, free_choice_s)
    order, guess_s = approach(rows, keep_x, ptr, pair, owner, rank_s)
    number, blocks = strong_components(rows, keep_x)
    order = by_block(order, number, blocks)
    index_s, block_ptr, n = place(order, number, class_s, count, worth_s)
    reduced_rows, pair_x, guess, first_choice = fill(rows, keep_x, inside_x, order, index_s, n, guess_s)
    return reduced_rows, block_ptr, pair_x, guess, first_choice, index_s, free_choice_s, inside_x, keep_x, rank_s, ptr, pair, owner


@component
def kept_pairs(rows: Rows, rank_s: Longs) -> tuple[Bools, bool]:
    """The pairs all of whose successors reach the goal surely, and whether one of them is free."""
    states = len(rank_s)
    keep, any_free = np.zeros(len(rows.cost_x), np.bool_), False
    for s in range(states):
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            inside = rank_s[s] < 0
            for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                t = rows.next_state[i]
                if t < states and rank_s[t] >= 0:
                    inside = False
            keep[x] = inside
            any_free |= inside and rows.cost_x[x] == 0.0
    return keep, any_free


@component
def free_end_components(rows: Rows, keep_x: Bools, ptr: Longs, pair: Ints, owner: Ints, inside_x: Bools) -> tuple[Ints, int]:
    """The end components of the free kept pairs, (S,) their numbers or -1, and how many; their pairs are noted in `inside_x`."""
    free = np.zeros(len(keep_x), np.bool_)
    for x in range(len(keep_x)):
        free[x] = keep_x[x] and rows.cost_x[x] == 0.0
    class_s, count = end_components(rows, free, ptr, pair, owner)
    goal = len(class_s)
    for x in range(len(keep_x)):
        number = class_s[owner[x]]
        inside = free[x] and number >= 0
        for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
            t = rows.next_state[i]
            if t == goal or class_s[t] != number:
                inside = False
        inside_x[x] = inside
    return class_s, count


@component
def find_worthless(
    rows: Rows, keep_x: Bools, inside_x: Bools, class_s: Ints, count: int, ptr: Longs, pair: Ints, owner: Ints, worth_s: Bools, free_choice_s: Ints
) -> None:
    """Clear `worth_s` where the value is 0, and write the free pair to choose there (in a component: in one of its states) into `free_choice_s`.

    Without free end components, free pairs that lead nowhere but to states with such pairs, and to the goal, end at the goal. So these states are what is left
    when all states without such a pair have been crossed out.
    """
    states = len(class_s)
    alive, left, members = np.zeros(len(keep_x), np.bool_), np.zeros(states + count, np.int64), np.full(states + count, -1, np.int64)
    following = np.full(states, -1, np.int64)
    for s in range(states):
        group = states + class_s[s] if class_s[s] >= 0 else s
        following[s], members[group] = members[group], s
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            if keep_x[x] and rows.cost_x[x] == 0.0 and not inside_x[x]:
                alive[x] = True
                left[group] += 1
    crossed, tail, head = np.empty(states + count, np.int64), 0, 0
    for group in range(states + count):
        if members[group] >= 0 and left[group] == 0:
            crossed[tail] = group
            tail += 1
    while head < tail:
        s = members[crossed[head]]
        head += 1
        while s >= 0:
            for i in range(ptr[s], ptr[s + 1]):
                x = pair[i]
                if alive[x]:
                    alive[x] = False
                    group = states + class_s[owner[x]] if class_s[owner[x]] >= 0 else owner[x]
                    left[group] -= 1
                    if left[group] == 0:
                        crossed[tail] = group
                        tail += 1
            s = following[s]
    for s in range(states):
        worth_s[s] = left[states + class_s[s] if class_s[s] >= 0 else s] == 0
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            if alive[x] and not worth_s[s]:
                free_choice_s[s] = x


@component
def by_block(order: Ints, number: Ints, blocks: int) -> Ints:
    """`order` sorted by the number of the block, stably."""
    end = np.zeros(blocks + 2, np.int64)
    for s in order:
        end[number[s] + 1] += 1
    for b in range(blocks + 1):
        end[b + 1] += end[b]
    result = np.empty_like(order)
    for s in order:
        result[end[number[s]]] = s
        end[number[s]] += 1
    return result


@component
def place(order: Ints, number: Ints, class_s: Ints, count: int, worth_s: Bools) -> tuple[Ints, Longs, int]:
    """The reduced state of each state; where the blocks begin; how many reduced states there are. Unknown yet that the goal's is n: 0-valued states get it, too."""
    states = len(class_s)
    index_s, of_class = np.full(states + 1, -1, np.int32), np.full(count, -1, np.int32)
    block_ptr, blocks, n, last = np.zeros(len(order) + 1, np.int64), 0, 0, -1
    for s in order:
        if not worth_s[s]:
            continue
        if class_s[s] >= 0 and of_class[class_s[s]] >= 0:
            index_s[s] = of_class[class_s[s]]
            continue
        if number[s] != last:
            block_ptr[blocks], last = n, number[s]
            blocks += 1
        index_s[s] = n
        if class_s[s] >= 0:
            of_class[class_s[s]] = n
        n += 1
    block_ptr[blocks] = n
    for s in order:
        if not worth_s[s]:
            index_s[s] = n
    index_s[states] = n
    return index_s, block_ptr[: blocks + 1].copy(), n


@component
def fill(rows: Rows, keep_x: Bools, inside_x: Bools, order: Ints, index_s: Ints, n: int, guess_s: Floats):  # type: ignore[no-untyped-def]
    """The rows of the reduced model, the model's pair of each; the guess of each state's value, and its best pair if other than earlier states are not counted."""
    first_pair, first_choice, head, following = np.zeros(n + 1, np.int64), np.full(n, -1, np.int32), np.full(n, -1, np.int32), np.full(len(index_s), -1, np.int32)
    guess, pairs, entries = np.zeros(n + 1), 0, 0
    for k in range(len(order) - 1, -1, -1):
        s = order[k]
        if index_s[s] < n:
            following[s], head[index_s[s]] = head[index_s[s]], s
            guess[index_s[s]] = guess_s[s]
            for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
                if keep_x[x] and not inside_x[x]:
                    pairs += 1
                    entries += rows.row_ptr[x + 1] - rows.row_ptr[x]
    row_ptr, pair_x, cost_x = np.zeros(pairs + 1, np.int64), np.empty(pairs, np.int32), np.empty(pairs)
    next_state, probability = np.empty(entries, np.int32), np.empty(entries)
    y, j = 0, 0
    for u in range(n):
        first_pair[u] = y
        s, best = head[u], np.inf
        while s >= 0:
            for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
                if not keep_x[x] or inside_x[x]:
                    continue
                begin, leaving = j, 0.0
                for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                    t = index_s[rows.next_state[i]]
                    if t != u:
                        next_state[j], probability[j] = t, rows.probability[i]
                        leaving += rows.probability[i]
                        j += 1
                if j == begin:
                    continue
                nearer, total = 0.0, rows.cost_x[x]
                for i in range(begin, j):
                    t = next_state[i]
                    if t < u or t == n:
                        nearer += probability[i]
                        total += probability[i] * guess[t]
                    probability[i] /= leaving
                if nearer > 0.0 and (total < best * nearer or first_choice[u] < 0):
                    best, first_choice[u] = total / nearer, y
                pair_x[y], cost_x[y] = x, rows.cost_x[x] / leaving
                y += 1
                row_ptr[y] = j
            s = following[s]
    first_pair[n] = y
    return (first_pair, row_ptr[: y + 1], next_state[:j], probability[:j], cost_x[:y]), pair_x[:y], guess, first_choice
