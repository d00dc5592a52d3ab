"""From a model to a smaller one that is easy to solve and has the same values.

Five things happen, each of which leaves the best proper policy as it is:

1. States from which no policy reaches the goal surely are left out, and with them all pairs that may lead to one.
2. Each end component of free pairs becomes one state. There one can walk about as long as one likes for nothing; so all its states are worth the same, and only
   the pairs that leave it or cost something matter. In what remains a policy that never arrives pays for ever: dynamic programming is sound again.
3. States from which free pairs alone lead to the goal join the goal: their value is 0.
4. A pair that may stay where it is is repeated until it does not: p(t) / (1 - p(s)) and c / (1 - p(s)), where 1 - p(s) is the sum of the other
   probabilities.
5. States are put in the order in which they are best solved: strongly connected components one after the other, those near the goal first; inside, by a guess
   of their value (`approach`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goalward._compile import component, run
from goalward.models.components import strong_components
from goalward.models.graph import almost_sure, predecessors
from goalward.models.rows import Bools, Floats, Ints, Longs, Rows
from goalward.planning.approach import approach
from goalward.planning.free_moves import free_end_components, free_ways, has_free_pair, sorted_by

OUTSIDE = -1  # the reduced state of a state with an infinite value


@component
class Blocks(NamedTuple):
    """A model in the order in which it is best solved, and where to begin. Its goal is state n; what never arrives pays for ever."""

    rows: Rows  # n states
    block_ptr: Longs  # (B + 1,) block b is the states block_ptr[b] ... block_ptr[b + 1] - 1; they lead to one another and to earlier blocks
    guess: Floats  # (n + 1,) of the values
    first_choice: Ints  # (n,) a pair of each state, which together surely reach the goal


@component
class Reduced(NamedTuple):
    """A model without free end components, self-loops and states of value 0 or infinity, and what it takes to go back."""

    blocks: Blocks
    pair_x: Ints  # (X',) the model's pair
    index_s: Ints  # (S + 1,) state of the model -> reduced state; n for the goal and what is worth 0; OUTSIDE
    free_choice_s: Ints  # (S,) in states of value 0 a free pair (of a component in at least one of its states), -1 elsewhere
    inside_x: Bools  # (X,) the pairs with which to walk about in free end components
    keep_x: Bools  # (X,) the pairs that a policy which surely arrives can use
    rank_s: Longs  # (S,) -1 in the states that reach the goal surely, elsewhere the proof that they do not
    ptr: Longs  # `predecessors`
    pair: Ints
    owner: Ints


def reduce_model(rows: Rows) -> Reduced:
    """The reduced model of an SSP's rows, or of a chain's."""
    (reduced_rows, *blocks), *others = run(reduce_rows, rows)
    return Reduced(Blocks(Rows(*reduced_rows), *blocks), *others)


@component
def reduce_rows(rows: Rows):  # type: ignore[no-untyped-def]
    """The fields of a `Reduced`, as tuples in tuples."""
    ptr, pair, owner = predecessors(rows)
    keep_x, rank_s = np.ones(len(rows.cost_x), np.bool_), np.full(len(rows.first_pair) - 1, -1, np.int64)
    order, guess_s, choice_s = approach(rows, keep_x, ptr, pair, owner)
    if len(order) < len(rank_s):  # there are dead ends
        rank_s = almost_sure(rows, ptr, pair, owner)
        keep_x = kept_pairs(rows, rank_s)
        order, guess_s, choice_s = approach(rows, keep_x, ptr, pair, owner)
    class_s, count, inside_x = np.full(len(rank_s), -1, np.int32), 0, np.zeros(len(keep_x), np.bool_)
    worthless_s, free_choice_s = np.zeros(len(rank_s), np.bool_), np.full(len(rank_s), -1, np.int32)
    if has_free_pair(rows, keep_x):
        class_s, count = free_end_components(rows, keep_x, ptr, pair, owner, inside_x)
        worthless_s, free_choice_s = free_ways(rows, keep_x, inside_x, class_s, count, ptr, pair, owner)
    number, blocks = strong_components(rows, keep_x)
    _, order = sorted_by(order, number, blocks)
    index_s, block_ptr, n = place(order, number, class_s, count, worthless_s)
    reduced_rows, pair_x, guess, first_choice = fill(rows, keep_x, inside_x, order, index_s, n, guess_s, choice_s)
    return (reduced_rows, block_ptr, guess, first_choice), pair_x, index_s, free_choice_s, inside_x, keep_x, rank_s, ptr, pair, owner


@component
def kept_pairs(rows: Rows, rank_s: Longs) -> Bools:
    """The pairs of states that reach the goal surely, all of whose successors do."""
    states = len(rank_s)
    keep = np.empty(len(rows.cost_x), np.bool_)
    for s in range(states):
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            inside = rank_s[s] < 0
            for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                t = rows.next_state[i]
                if t < states and rank_s[t] >= 0:
                    inside = False
            keep[x] = inside
    return keep


@component
def place(order: Ints, number: Ints, class_s: Ints, count: int, worthless_s: Bools) -> tuple[Ints, Longs, int]:
    """(S + 1,) the reduced state of each state, where the blocks begin, and how many reduced states there are: n, which is also the number of the goal."""
    index_s, of_class = np.full(len(class_s) + 1, OUTSIDE, np.int32), np.full(count, -1, np.int32)
    block_ptr, blocks, n, last = np.zeros(len(order) + 1, np.int64), 0, 0, -1
    for s in order:
        if worthless_s[s]:
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
        if worthless_s[s]:
            index_s[s] = n
    index_s[len(class_s)] = n
    return index_s, block_ptr[: blocks + 1].copy(), n


@component
def fill(  # type: ignore[no-untyped-def]
    rows: Rows, keep_x: Bools, inside_x: Bools, order: Ints, index_s: Ints, n: int, guess_s: Floats, choice_s: Ints
):
    """The rows of the reduced model, and the model's pair of each; the guess of each state's value, and the pair it comes from.

    Of the states that are one now, the guess of the first in the order counts: its pair may lead to a state before it, so to none of the others.
    """
    ptr, member = sorted_by(order, index_s, n + 1)
    first_pair, first_choice, guess = np.zeros(n + 1, np.int64), np.full(n, -1, np.int32), np.zeros(n + 1)
    pairs, entries = len(rows.cost_x), len(rows.next_state)  # at most; memory that is not touched costs nothing
    row_ptr, pair_x, cost_x = np.empty(pairs + 1, np.int64), np.empty(pairs, np.int32), np.empty(pairs)
    next_state, probability = np.empty(entries, np.int32), np.empty(entries)
    row_ptr[0] = 0
    y, j = 0, 0
    for u in range(n):
        first_pair[u], guess[u], best = y, guess_s[member[ptr[u]]], choice_s[member[ptr[u]]]
        for k in range(ptr[u], ptr[u + 1]):
            s = member[k]
            for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
                if not keep_x[x] or inside_x[x]:
                    continue
                end, leaving = copy_moves(rows, x, u, index_s, next_state, probability, j)
                if end == j:  # it stays where it is, at a cost
                    continue
                if x == best:
                    first_choice[u] = y
                pair_x[y], cost_x[y] = x, rows.cost_x[x] / leaving
                y, j = y + 1, end
                row_ptr[y] = j
    first_pair[n] = y
    return (first_pair, row_ptr[: y + 1], next_state[:j], probability[:j], cost_x[:y]), pair_x[:y], guess, first_choice


@component
def copy_moves(rows: Rows, x: int, u: int, index_s: Ints, next_state: Ints, probability: Floats, begin: int) -> tuple[int, float]:
    """Write where pair x leads, other than to u itself, from place `begin` on; the place behind, and the probability of leaving u, by which all is divided."""
    leaving, j = 0.0, begin
    for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
        t = index_s[rows.next_state[i]]
        if t != u:
            next_state[j], probability[j] = t, rows.probability[i]
            leaving += rows.probability[i]
            j += 1
    if j - begin == rows.row_ptr[x + 1] - rows.row_ptr[x]:
        return j, 1.0
    for i in range(begin, j):
        probability[i] /= leaving
    return j, leaving
