"""Strongly connected components and end components.

An end component is a set of states and pairs in which a policy can stay for ever: its pairs lead nowhere else, and from each of its states it can come to
each other one. Where all its pairs are free, staying is free too, which is what makes zero costs hard: there the least cost may belong to a policy that never
arrives.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import component
from goalward.models.rows import Bools, Ints, Longs, Rows


@component
def strong_components(rows: Rows, keep: Bools) -> tuple[Ints, int]:
    """The components of the graph of the kept pairs, (S,), and how many there are; the goal is in none.

    A kept pair leads to no component of a larger number.
    """
    states = len(rows.first_pair) - 1
    among, index = np.empty(states, np.int32), np.zeros(states + 1, np.int32)
    for s in range(states):
        among[s] = s
    count = number_components(rows, keep, among, index)
    for s in range(states):
        index[s] = states - index[s]
    return index[:states], count


@component
def number_components(rows: Rows, keep: Bools, among: Ints, index: Ints) -> int:
    """Give each state of `among` in `index` the number of its component, from len(among) downwards; the components that it leads to have larger ones.

    Kept pairs lead from these states to one another and to the goal only, and their index is 0. One depth-first search [pearce2016]: an open state has the
    smallest number known among those it leads to, counted from 1 in the order of the search and always below the numbers of the components that are closed, so
    that one comparison tells all. `path` holds the way to the present state from the left, and the states done but not closed from the right.
    """
    size = len(among)
    path, pair_at, place_at, number_at = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int64), np.empty(size, np.int32)
    index[len(index) - 1] = size + 1
    closed, number, top = size, 0, size
    for root in among:
        if index[root] != 0:
            continue
        depth, child = 0, root
        while depth > 0 or child >= 0:
            if child >= 0:  # go down
                v, number = child, number + 1
                low, x = number, rows.first_pair[v]
                index[v], path[depth], number_at[depth] = number, v, number
                i = rows.row_ptr[x]
                depth += 1
            else:  # take up again where a step down was made: its state is now numbered like any other
                v, x, i = path[depth - 1], pair_at[depth - 1], place_at[depth - 1]
                low = index[v]
            child = -1
            while x < rows.first_pair[v + 1] and child < 0:
                end = rows.row_ptr[x + 1]
                while keep[x] and i < end:
                    t = rows.next_state[i]
                    if index[t] == 0:
                        child = t
                        break
                    low = min(low, index[t])
                    i += 1
                if child < 0:
                    x += 1
                    i = end
            index[v] = low
            if child >= 0:
                pair_at[depth - 1], place_at[depth - 1] = x, i
                continue
            depth -= 1
            if low < number_at[depth]:
                top -= 1
                path[top] = v
                continue
            index[v], number = closed, number - 1
            while top < size and index[path[top]] >= low:
                index[path[top]], number = closed, number - 1
                top += 1
            closed -= 1
    return size - closed


@component
def end_components(rows: Rows, keep: Bools, ptr: Longs, pair: Ints, owner: Ints) -> tuple[Ints, int]:
    """The maximal end components of the kept pairs: the number of the one that each state is in, -1 where it is in none, (S,); and how many there are.

    Pairs that lead out of their strongly connected component are dropped, with them states that have no pair left, until nothing changes. Only components that
    lost a pair are looked at again. Where each round takes one state off a large component, that is quadratic.
    """
    states = len(rows.first_pair) - 1
    component_s, count = np.full(states, -1, np.int32), 0
    kept, left, index = keep.copy(), np.zeros(states + 1, np.int32), np.zeros(states + 1, np.int32)
    for x in range(len(keep)):
        if keep[x]:
            left[owner[x]] += 1
            index[owner[x]] = 1
    among, emptied, changed = having_pairs(np.arange(states).astype(np.int32), left), np.empty(states, np.int32), np.zeros(2, np.bool_)
    tail = drop_leaving(rows, among, kept, left, owner, index, changed, emptied)  # to a state without a pair
    drop_leads(ptr, pair, owner, kept, left, emptied, tail)
    among = having_pairs(among, left)
    while len(among) > 0:
        for s in among:
            index[s] = 0
        number_components(rows, kept, among, index)
        changed, number = np.zeros(len(among) + 1, np.bool_), np.full(len(among) + 1, -1, np.int32)
        tail = drop_leaving(rows, among, kept, left, owner, index, changed, emptied)
        drop_leads(ptr, pair, owner, kept, left, emptied, tail)
        size, remaining = 0, having_pairs(among, left)
        for s in remaining:
            if changed[index[s]]:
                remaining[size] = s
                size += 1
                continue
            if number[index[s]] < 0:
                number[index[s]] = count
                count += 1
            component_s[s] = number[index[s]]
        among = remaining[:size]
    return component_s, count


@component
def having_pairs(among: Ints, left: Ints) -> Ints:
    """Those that have a pair left."""
    having, size = np.empty(len(among), np.int32), 0
    for s in among:
        if left[s] > 0:
            having[size] = s
            size += 1
    return having[:size]


@component
def drop_leaving(rows: Rows, among: Ints, kept: Bools, left: Ints, owner: Ints, index: Ints, changed: Bools, emptied: Ints) -> int:
    """Drop the pairs that may lead to a state of another index than their own; return the number of states, now in `emptied`, that have no pair left."""
    tail = 0
    for s in among:
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            if kept[x]:
                for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                    if index[rows.next_state[i]] != index[s]:
                        changed[index[s]] = True
                        tail = drop(x, kept, left, owner, emptied, tail)
                        break
    return tail


@component
def drop(x: int, kept: Bools, left: Ints, owner: Ints, emptied: Ints, tail: int) -> int:
    """Drop pair x; a state that then has no pair left joins the queue `emptied`, whose new end is returned."""
    kept[x] = False
    s = owner[x]
    left[s] -= 1
    if left[s] > 0:
        return tail
    emptied[tail] = s
    return tail + 1


@component
def drop_leads(ptr: Longs, pair: Ints, owner: Ints, kept: Bools, left: Ints, emptied: Ints, tail: int) -> None:
    """Drop the pairs that may lead to a state that has no pair left, and so on.

    Pairs that leave their component are dropped already, so these are of components that are known to have changed.
    """
    head = 0
    while head < tail:
        t = emptied[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            x = pair[i]
            if kept[x]:
                tail = drop(x, kept, left, owner, emptied, tail)
