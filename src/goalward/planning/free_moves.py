"""What can be done for nothing: the free end components of a model, and the states from which free pairs lead to the goal.

All of this is about pairs that cost nothing, among those that a policy which surely arrives may use.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import component
from goalward.models.components import end_components
from goalward.models.rows import Bools, Ints, Longs, Rows


@component
def has_free_pair(rows: Rows, keep_x: Bools) -> bool:
    """Whether a kept pair costs nothing."""
    found = False
    for x in range(len(keep_x)):
        found |= keep_x[x] and rows.cost_x[x] == 0.0
    return found


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
def free_ways(rows: Rows, keep_x: Bools, inside_x: Bools, class_s: Ints, count: int, ptr: Longs, pair: Ints, owner: Ints) -> tuple[Bools, Ints]:
    """Which states are worth 0, (S,); and the free pair to choose there, in a component in at least one of its states; -1 elsewhere.

    Without free end components, free pairs that lead nowhere but to states with such pairs, and to the goal, end at the goal. So these states are what is left
    when all states without such a pair have been crossed out. A component counts as one state.
    """
    states = len(class_s)
    group_s = np.empty(states, np.int32)
    for s in range(states):
        group_s[s] = states + class_s[s] if class_s[s] >= 0 else s
    alive, left = free_exits(rows, keep_x, inside_x, owner, group_s, states + count)
    cross_out(ptr, pair, owner, group_s, alive, left)
    worthless_s, free_choice_s = np.empty(states, np.bool_), np.full(states, -1, np.int32)
    for s in range(states):
        worthless_s[s] = left[group_s[s]] > 0
    for x in range(len(keep_x)):
        if alive[x]:
            free_choice_s[owner[x]] = x
    return worthless_s, free_choice_s


@component
def free_exits(rows: Rows, keep_x: Bools, inside_x: Bools, owner: Ints, group_s: Ints, groups: int) -> tuple[Bools, Longs]:
    """The free kept pairs that are not inside a component, and how many of them each group has."""
    alive, left = np.zeros(len(keep_x), np.bool_), np.zeros(groups, np.int64)
    for x in range(len(keep_x)):
        if keep_x[x] and rows.cost_x[x] == 0.0 and not inside_x[x]:
            alive[x] = True
            left[group_s[owner[x]]] += 1
    return alive, left


@component
def cross_out(ptr: Longs, pair: Ints, owner: Ints, group_s: Ints, alive: Bools, left: Longs) -> None:
    """Take away the pairs that may lead to a group without any, until there are no more of these."""
    states, groups = len(group_s), len(left)
    everyone, queue, tail, head = np.arange(states).astype(np.int32), np.empty(groups, np.int32), 0, 0
    member_ptr, member = sorted_by(everyone, group_s, groups)
    for group in range(groups):
        if left[group] == 0:
            queue[tail] = group
            tail += 1
    while head < tail:
        group = queue[head]
        head += 1
        for s in member[member_ptr[group] : member_ptr[group + 1]]:
            for x in pair[ptr[s] : ptr[s + 1]]:
                if alive[x]:
                    alive[x] = False
                    other = group_s[owner[x]]
                    left[other] -= 1
                    if left[other] == 0:
                        queue[tail] = other
                        tail += 1


@component
def sorted_by(states: Ints, key: Ints, count: int) -> tuple[Longs, Ints]:
    """Where each key begins, (count + 1,); and the states in the order of key[s], which is below `count`, stably."""
    ptr = np.zeros(count + 2, np.int64)
    for s in states:
        ptr[key[s] + 2] += 1
    for k in range(count + 1):
        ptr[k + 1] += ptr[k]
    result = np.empty_like(states)
    for s in states:
        result[ptr[key[s] + 1]] = s
        ptr[key[s] + 1] += 1
    return ptr[: count + 1], result
