"""The policy of a plan and the proof that it arrives; and the proof that from some states none does (docs/certificates.md)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goalward._compile import component, run
from goalward.models.rows import Ints, Longs, Rows
from goalward.planning.reduction import Reduced


class Witness(NamedTuple):
    """A policy of the model and its ranking, over the states of `Rows`."""

    pair_s: Ints  # (S,) -1 outside
    rank_s: Longs  # (S + 1,) where the policy arrives, some successor has a smaller rank; elsewhere the proof that no policy surely does
    proper: bool  # it surely arrives from every state that can


def witness(reduced: Reduced, choice: Ints) -> Witness:
    """What `choice` does in the reduced model, done in the model."""
    return Witness(*run(lift_policy, reduced, choice))


@component
def lift_policy(reduced: Reduced, choice: Ints) -> tuple[Ints, Longs, bool]:
    """The fields of a `Witness`."""
    pair_s, rank_s = walk_to_exits(reduced, choice), np.full(len(reduced.rank_s) + 1, -1, np.int64)
    ranked = rank_backwards(reduced, pair_s, rank_s)
    for s in range(len(pair_s)):
        if reduced.rank_s[s] >= 0:
            rank_s[s] = reduced.rank_s[s]
        else:
            ranked -= 1
    return pair_s, rank_s, ranked == 0


@component
def walk_to_exits(reduced: Reduced, choice: Ints) -> Ints:
    """(S,) the pair of each state: the chosen one; and in free end components, breadth first from the state that has it, a step towards it."""
    ptr, pair, owner, states = reduced.ptr, reduced.pair, reduced.owner, len(reduced.rank_s)
    pair_s, queue, head, tail = reduced.free_choice_s.copy(), np.empty(states, np.int32), 0, 0
    for u in range(len(choice)):
        x = reduced.pair_x[choice[u]]
        pair_s[owner[x]] = x
    for s in range(states):
        if pair_s[s] >= 0:
            queue[tail] = s
            tail += 1
    while head < tail < states:
        t = queue[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            x = pair[i]
            if reduced.inside_x[x] and pair_s[owner[x]] < 0:
                pair_s[owner[x]], queue[tail] = x, owner[x]
                tail += 1
    return pair_s


@component
def rank_backwards(reduced: Reduced, pair_s: Ints, rank_s: Longs) -> int:
    """Rank the goal and the states from which the policy may reach it, breadth first against its moves; how many states that are."""
    ptr, pair, owner, states = reduced.ptr, reduced.pair, reduced.owner, len(pair_s)
    queue, head, tail = np.empty(states + 1, np.int32), 0, 1
    rank_s[states], queue[0] = 0, states
    while head < tail:
        t = queue[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            s = owner[pair[i]]
            if pair_s[s] == pair[i] and rank_s[s] < 0:
                rank_s[s], queue[tail] = rank_s[t] + 1, s
                tail += 1
    return tail - 1


@component
def never_surely(rows: Rows, rank_s: Longs) -> bool:
    """Whether the second ranking (S,) proves that no policy surely reaches the goal from the states that have a rank >= 0 (docs/certificates.md)."""
    proven = True
    for s in range(len(rank_s)):
        for x in range(rows.first_pair[s], rows.first_pair[s + 1] if rank_s[s] >= 0 else 0):
            falls, stays = False, True
            for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                t = rows.next_state[i]
                rank = rank_s[t] if t < len(rank_s) else -1
                falls |= 0 <= rank < rank_s[s]
                stays &= rank == rank_s[s]
            proven &= falls or stays
    return proven
