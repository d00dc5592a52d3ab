"""Which states reach the goal: with some luck, and with probability 1.

A state reaches the goal *at all* if some path of pairs leads there; it reaches it *surely* if some policy arrives with probability 1. What lies between is the
stochastic trap: wherever the policy goes, there is a chance that it falls where there is no way out.

Outside the states that reach the goal surely, a ranking proves that none of them does. Rank 0 are the states without a path. A state whose every action may
lead to a smaller rank gets a rank of its own. When there are none of these left, the states that would have to pass a smaller rank to get to the goal get one
rank in common: whatever they do, they may fall to a smaller rank, or they stay among themselves, where the goal is not.

Everything works on the backward graph, on arrays, without recursion. States are those of `Rows`: 0 ... S - 1, and the goal S.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import component
from goalward.models.rows import Bools, Ints, Longs, Rows

FAR = 2**31 - 1  # further than any level: they may come to be larger than there are states
Backward = tuple[Longs, Ints, Ints]  # what `predecessors` returns
Paths = tuple[Ints, Ints, Bools]  # level, witness, cut: a state not cut has a path to the goal through its witness, a pair to a state of smaller level not cut


@component
def predecessors(rows: Rows) -> tuple[Longs, Ints, Ints]:
    """The pairs pair[ptr[t]:ptr[t + 1]] that may lead to state t, the goal included, in increasing order; and the owner of each pair, its state.

    A counting sort from the back, so that `ptr`, which begins as the ends, finishes as the beginnings.
    """
    states = len(rows.first_pair) - 1
    ptr = np.zeros(states + 2, np.int64)
    for i in range(len(rows.next_state)):
        ptr[rows.next_state[i]] += 1
    for t in range(states + 1):
        ptr[t + 1] += ptr[t]
    pair = np.empty(len(rows.next_state), np.int32)
    owner = np.empty(len(rows.cost_x), np.int32)
    for s in range(states - 1, -1, -1):
        for x in range(rows.first_pair[s + 1] - 1, rows.first_pair[s] - 1, -1):
            owner[x] = s
            for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                t = rows.next_state[i]
                ptr[t] -= 1
                pair[ptr[t]] = x
    return ptr, pair, owner


@component
def distances(ptr: Longs, pair: Ints, owner: Ints) -> tuple[Ints, Ints]:
    """Breadth-first search from the goal: the fewest steps to it, (S + 1,), -1 where there is no path; and the first pair on such a path, (S,)."""
    states = len(ptr) - 2
    level, witness, queue = np.full(states + 1, -1, np.int32), np.full(states, -1, np.int32), np.empty(states + 1, np.int32)
    level[states], queue[0] = 0, states
    head, tail = 0, 1
    while head < tail:
        t = queue[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            s = owner[pair[i]]
            if level[s] < 0:
                level[s], witness[s], queue[tail] = level[t] + 1, pair[i], s
                tail += 1
    return level, witness


@component
def reaches_goal(rows: Rows, ptr: Longs, pair: Ints, owner: Ints) -> Bools:
    """The states with a path to the goal, (S,)."""
    level, _ = distances(ptr, pair, owner)
    reaches = np.empty(len(rows.first_pair) - 1, np.bool_)
    for s in range(len(reaches)):
        reaches[s] = level[s] >= 0
    return reaches


@component
def almost_sure(rows: Rows, ptr: Longs, pair: Ints, owner: Ints) -> Longs:
    """-1 for the states from which some policy reaches the goal with probability 1; for all others the rank that proves there is none, (S,).

    That is r >= 0 such that for every action of s some successor has a smaller rank than r, itself >= 0, or all successors have rank r.

    Without dead ends this is one breadth-first search. With them, states are removed in rounds. In all rounds together the pairs that touch a removed state are
    looked at once. Besides, a round looks only at states that lost the path they relied on and have no other step down a level. Where a long part of the model
    hangs on one state after another, each further from the goal and removed in its turn, every round moves that part: then the time is quadratic.
    """
    states = len(rows.first_pair) - 1
    level, witness = distances(ptr, pair, owner)
    rank, removed, count = np.full(states, -1, np.int64), np.empty(states, np.int32), 0
    for s in range(states):
        if level[s] < 0:
            rank[s], removed[count] = 0, s
            count += 1
    if count == 0:
        return rank
    safe_pairs, unsafe = np.empty(states, np.int32), np.zeros(len(owner), np.bool_)
    for s in range(states):
        safe_pairs[s] = rows.first_pair[s + 1] - rows.first_pair[s]
    into, paths = (ptr, pair, owner), (level, witness, np.zeros(states + 1, np.bool_))
    orphans, adrift = np.empty(states, np.int32), np.empty(states, np.int32)
    done, last = 0, 0
    while done < count:
        done, last, number = attract(into, witness, rank, last, safe_pairs, unsafe, removed, done, count, orphans)
        number = cut_off(rows, into, unsafe, rank, paths, orphans, number, adrift)
        reattach(rows, into, unsafe, paths, adrift, number, orphans)
        count, last = give_up(rank, last, paths, adrift, number, removed, done)
    return rank


@component
def attract(
    into: Backward, witness: Ints, rank: Longs, last: int, safe_pairs: Ints, unsafe: Bools, removed: Ints, done: int, count: int, orphans: Ints
) -> tuple[int, int, int]:
    """Note as unsafe the pairs that touch removed[done:count], and remove the states left without a safe pair, each under a rank of its own; and so on.

    Written into `orphans`: the states whose witness is unsafe. Returned: how many are removed, the last rank given, the number of orphans.
    """
    ptr, pair, owner = into
    number = 0
    while done < count:
        t = removed[done]
        done += 1
        for i in range(ptr[t], ptr[t + 1]):
            x = pair[i]
            s = owner[x]
            if unsafe[x] or rank[s] >= 0:
                continue
            unsafe[x] = True
            safe_pairs[s] -= 1
            if safe_pairs[s] == 0:
                last += 1
                rank[s], removed[count] = last, s
                count += 1
            elif witness[s] == x:
                orphans[number] = s
                number += 1
    return done, last, number


@component
def cut_off(rows: Rows, into: Backward, unsafe: Bools, rank: Longs, paths: Paths, orphans: Ints, number: int, adrift: Ints) -> int:
    """Write into `adrift` the states that lost their path, and return how many: the orphans, and those who relied on them, unless another step leads down.

    A state that steps down a level needs no look at the states that rely on it: levels fall along every path, so it cannot have stepped on one of them.
    """
    ptr, pair, owner = into
    level, witness, cut = paths
    size, head = 0, 0
    for k in range(number):
        s = orphans[k]
        if rank[s] < 0 and not step_down(rows, s, level[s], unsafe, paths):
            cut[s], adrift[size] = True, s
            size += 1
    while head < size:
        t = adrift[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            s = owner[pair[i]]
            if witness[s] == pair[i] and rank[s] < 0 and not cut[s] and not step_down(rows, s, level[s], unsafe, paths):
                cut[s], adrift[size] = True, s
                size += 1
    return size


@component
def reattach(rows: Rows, into: Backward, unsafe: Bools, paths: Paths, adrift: Ints, number: int, queue: Ints) -> None:
    """Give the states adrift another safe path where there is one, breadth first from those that touch a state with a path."""
    ptr, pair, owner = into
    level, witness, cut = paths
    head, tail = 0, 0
    for k in range(number):
        if step_down(rows, adrift[k], FAR, unsafe, paths):
            queue[tail] = adrift[k]
            tail += 1
    for k in range(tail):
        cut[queue[k]] = False
    while head < tail:
        t = queue[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            s = owner[pair[i]]
            if cut[s] and not unsafe[pair[i]]:
                cut[s], level[s], witness[s], queue[tail] = False, level[t] + 1, pair[i], s
                tail += 1


@component
def step_down(rows: Rows, s: int, below: int, unsafe: Bools, paths: Paths) -> bool:
    """Let s rely on a safe pair to a state with a path, of the smallest level, if that is less than `below`; its own level is then one more."""
    level, witness, cut = paths
    lowest = below
    for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
        if not unsafe[x]:
            for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                t = rows.next_state[i]
                if not cut[t] and level[t] < lowest:
                    lowest, witness[s] = level[t], x
    if lowest == below:
        return False
    level[s] = lowest + 1
    return True


@component
def give_up(rank: Longs, last: int, paths: Paths, adrift: Ints, number: int, removed: Ints, count: int) -> tuple[int, int]:
    """Remove the states that are still adrift under one rank; return how many are removed now, and the last rank given."""
    cut = paths[2]
    for k in range(number):
        s = adrift[k]
        if cut[s]:
            cut[s], rank[s], removed[count] = False, last + 1, s
            count += 1
    return count, last + 1


@component
def layers(rows: Rows) -> int:
    """The largest number of steps to the goal, over all policies and starts; -1 if some state can come back to itself.

    States are numbered off when all that lead to them have been, each with the longest way so far.
    """
    states = len(rows.first_pair) - 1
    waiting, longest, queue = np.zeros(states + 1, np.int32), np.zeros(states + 1, np.int32), np.empty(states + 1, np.int32)
    for i in range(len(rows.next_state)):
        waiting[rows.next_state[i]] += 1
    tail = 0
    for s in range(states):
        if waiting[s] == 0:
            queue[tail] = s
            tail += 1
    head = 0
    while head < tail:
        s = queue[head]
        head += 1
        for i in range(rows.row_ptr[rows.first_pair[s]], rows.row_ptr[rows.first_pair[s + 1]] if s < states else 0):
            t = rows.next_state[i]
            longest[t] = max(longest[t], longest[s] + 1)
            waiting[t] -= 1
            if waiting[t] == 0:
                queue[tail] = t
                tail += 1
    return longest[states] if head == states + 1 else -1
