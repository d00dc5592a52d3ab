"""The proof: bounds that anyone can check, made from values that need not be exact (docs/certificates.md).

From values J in balance up to a small residual, upper = (1 + share) J + delta Y and lower = max(0, (1 - share) J - delta Y), where Y bounds the number of
free steps before one that costs. The share of its cost is the slack of a pair that costs something, and delta that of a free one. Inside free end components
both bounds are constant: there a row holds with equality, and needs no slack.

Whether a row holds is decided on the model as it is, by differences: c + sum of p(t) (L(t) - L(s)) >= 0, with probabilities divided by their exact sum, is c
* sum of p(t) + sum of p(t) (L(t) - L(s)) >= 0, in which no division is left. Differences of nearby numbers are nearly exact, so the rounding error is bounded
by a few units in the last place of the sum of absolute values. A row too close for that is decided in whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled, component
from goalward.models.graph import Ints, Longs
from goalward.models.rows import Rows
from goalward.planning.reduction import Floats, Reduced

UNIT = 2.0**-53
TINY = 1e-290  # more than any underflow in a row can amount to
REPAIRS = 3
FIRST_DOUBTS = 64  # rows
MOST_EXACT = 20_000  # rows decided in whole numbers before giving up


class Witness(NamedTuple):
    """A policy of the model and the proof that it arrives; over the states of `Rows`."""

    pair_s: Ints  # (S,) -1 outside
    rank_s: Longs  # (S + 1,)
    proper: bool  # it surely arrives from every state that can


def witness(reduced: Reduced, choice: Ints) -> Witness:
    return Witness(*compiled(lift_policy, reduced, choice)(reduced, choice))


@component
def lift_policy(reduced: Reduced, choice: Ints) -> tuple[Ints, Longs, bool]:
    """The policy in the model that does what `choice` does in the reduced one, walking to the right exit in free end components; its ranking; if it arrives.

    The ranking: breadth first from the goal against the moves of the policy, each state has a successor of smaller rank.
    """
    ptr, pair, owner, states = reduced.ptr, reduced.pair, reduced.owner, len(reduced.rank_s)
    pair_s, queue, tail = reduced.free_choice_s.copy(), np.empty(states + 1, np.int32), 0
    for u in range(len(choice)):
        x = reduced.pair_x[choice[u]]
        pair_s[owner[x]] = x
    for s in range(states):
        if pair_s[s] >= 0:
            queue[tail] = s
            tail += 1
    head = 0
    while head < tail < states:
        t = queue[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            x = pair[i]
            if reduced.inside_x[x] and pair_s[owner[x]] < 0:
                pair_s[owner[x]], queue[tail] = x, owner[x]
                tail += 1
    rank_s, count = np.full(states + 1, -1, np.int64), tail
    rank_s[states], queue[0] = 0, states
    head, tail = 0, 1
    while head < tail:
        t = queue[head]
        head += 1
        for i in range(ptr[t], ptr[t + 1]):
            s = owner[pair[i]]
            if pair_s[s] == pair[i] and rank_s[s] < 0:
                rank_s[s], queue[tail] = rank_s[t] + 1, s
                tail += 1
    for s in range(states):
        if reduced.rank_s[s] >= 0:
            rank_s[s] = reduced.rank_s[s]
    return pair_s, rank_s, tail == count + 1


@component
def lower_bound(reduced: Reduced, value: Floats, free_steps: Floats, share: float, delta: float) -> Floats:
    """(S + 1,) max(0, (1 - share) J - delta Y); infinite outside."""
    bound = np.empty(len(reduced.index_s))
    for s in range(len(bound)):
        u = reduced.index_s[s]
        bound[s] = np.inf if u < 0 else max(0.0, (1.0 - share) * value[u] - delta * free_steps[u])
    return bound


@component
def upper_bound(reduced: Reduced, value: Floats, free_steps: Floats, share: float, delta: float) -> Floats:
    """(S + 1,) (1 + share) J + delta Y; infinite outside."""
    bound = np.empty(len(reduced.index_s))
    for s in range(len(bound)):
        u = reduced.index_s[s]
        bound[s] = np.inf if u < 0 else (1.0 + share) * value[u] + delta * free_steps[u]
    return bound


@component
def try_lower(rows: Rows, reduced: Reduced, pair_s: Ints, value: Floats, free_steps: Floats, share: float, delta: float, doubtful: Ints) -> tuple[Floats, int]:
    """The lower bound, and how many of its rows are in doubt."""
    bound = lower_bound(reduced, value, free_steps, share, delta)
    return bound, check_lower(rows, reduced, pair_s, bound, doubtful)


@component
def try_upper(rows: Rows, reduced: Reduced, pair_s: Ints, value: Floats, free_steps: Floats, share: float, delta: float, doubtful: Ints) -> tuple[Floats, int]:
    """The upper bound, and how many of its rows are in doubt."""
    bound = upper_bound(reduced, value, free_steps, share, delta)
    return bound, check_upper(rows, reduced, pair_s, bound, doubtful)


@component
def check_lower(rows: Rows, reduced: Reduced, pair_s: Ints, bound: Floats, doubtful: Ints) -> int:
    """How many kept pairs are not plainly c + P bound >= bound; the first of them are written into `doubtful`."""
    count = 0
    for s in range(len(rows.first_pair) - 1):
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            if reduced.keep_x[x] and not plain(rows, bound, s, x, 1.0):
                if count < len(doubtful):
                    doubtful[count] = x
                count += 1
    return count


@component
def check_upper(rows: Rows, reduced: Reduced, pair_s: Ints, bound: Floats, doubtful: Ints) -> int:
    """The same for c + P bound <= bound, over the pairs of the policy."""
    count = 0
    for s in range(len(pair_s)):
        if pair_s[s] >= 0 and not plain(rows, bound, s, pair_s[s], -1.0):
            if count < len(doubtful):
                doubtful[count] = pair_s[s]
            count += 1
    return count


@component
def plain(rows: Rows, bound: Floats, s: int, x: int, sign: float) -> bool:
    """Whether sign * (c + P bound - bound(s)) >= 0 for certain, the row's probabilities divided by their exact sum."""
    first, end, here, cost = rows.row_ptr[x], rows.row_ptr[x + 1], bound[s], rows.cost_x[x]
    total, size, level = 0.0, 0.0, bool(cost == 0.0)
    for i in range(first, end):
        p, there = rows.probability[i], bound[rows.next_state[i]]
        total += p * (cost + (there - here))
        size += p * (cost + abs(there - here))
        level = level and there == here
    return bool(level or (size < np.inf and sign * total >= 2.0 * (end - first + 4) * UNIT * size + TINY))


@component
def repair(rows: Rows, reduced: Reduced, pair_s: Ints, order: Ints, bound: Floats, lower: bool) -> None:
    """Move each bound that does not plainly hold to where it does, rounding outwards, one state after the other."""
    for s in order:
        first, end = (rows.first_pair[s], rows.first_pair[s + 1]) if lower else (pair_s[s], pair_s[s] + 1)
        for x in range(first, end):
            if reduced.keep_x[x] and not plain(rows, bound, s, x, 1.0 if lower else -1.0):
                total, mass = 0.0, 0.0
                for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                    if rows.next_state[i] != s:
                        total += rows.probability[i] * (rows.cost_x[x] + bound[rows.next_state[i]] - bound[s])
                        mass += rows.probability[i]
                    else:
                        total += rows.probability[i] * rows.cost_x[x]
                if mass > 0.0:
                    moved = bound[s] + total / mass
                    bound[s] = max(0.0, moved - 4.0 * UNIT * abs(moved)) if lower else moved + 4.0 * UNIT * abs(moved)


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


class Bounds(NamedTuple):
    lower: NDArray[np.float64]  # (S + 1,)
    upper: NDArray[np.float64]
    widened: bool


def bounds(rows: Rows, reduced: Reduced, policy: Witness, value: Floats, free_steps: Floats, share: float, delta: float) -> Bounds:
    """The tightest bounds of the form above that hold: `share` and `delta` are doubled until they do."""
    lower, lower_widened = _widen(rows, reduced, policy, value, free_steps, share, delta, lower=True)
    upper, upper_widened = _widen(rows, reduced, policy, value, free_steps, share, delta, lower=False)
    return Bounds(lower, upper, lower_widened or upper_widened)


def _widen(rows: Rows, reduced: Reduced, policy: Witness, value: Floats, free_steps: Floats, share: float, delta: float, *, lower: bool) -> tuple[Floats, bool]:
    wide = share
    while wide < (1.0 if lower else 1e6):
        for tried in (wide, 0.0) if wide == share else (wide,):  # where all numbers happen to be exact, no slack is needed
            bound, right = _attempt(rows, reduced, policy, value, free_steps, tried, delta * (tried / share), lower=lower)
            if right or (tried > 0.0 and _repaired(rows, reduced, policy, bound, lower=lower)):
                return bound, wide > share
        wide = max(2.0 * wide, UNIT)
    worthless = reduced.index_s == len(reduced.first_choice)
    return np.where(reduced.index_s < 0, np.inf, np.where(worthless | lower, 0.0, np.inf)), True


def _attempt(
    rows: Rows, reduced: Reduced, policy: Witness, value: Floats, free_steps: Floats, share: float, delta: float, *, lower: bool
) -> tuple[Floats, bool]:
    """A bound, and whether it holds."""
    kernel, doubtful = try_lower if lower else try_upper, np.empty(FIRST_DOUBTS, np.int32)
    arguments = rows, reduced, policy.pair_s, value, free_steps, share, delta, doubtful
    bound, count = compiled(kernel, *arguments)(*arguments)
    return bound, count == 0 or holds(rows, reduced, policy, bound, lower=lower)


def _repaired(rows: Rows, reduced: Reduced, policy: Witness, bound: Floats, *, lower: bool) -> bool:
    order = np.argsort(reduced.index_s[:-1], kind="stable").astype(np.int32)
    order = order[reduced.index_s[order] >= 0]
    fix = compiled(repair, rows, reduced, policy.pair_s, order, bound, lower)
    for _ in range(REPAIRS):
        fix(rows, reduced, policy.pair_s, order, bound, lower)
        if holds(rows, reduced, policy, bound, lower=lower):
            return True
    return False


def holds(rows: Rows, reduced: Reduced, policy: Witness, bound: Floats, *, lower: bool) -> bool:
    """Whether a bound satisfies all its rows in exact arithmetic. The first doubtful rows are looked at before all of them are listed."""
    if not np.isfinite(bound[reduced.index_s >= 0]).all():
        return False
    check = check_lower if lower else check_upper
    count = FIRST_DOUBTS
    while True:
        doubtful = np.empty(count, np.int32)
        arguments = rows, reduced, policy.pair_s, bound, doubtful
        count = compiled(check, *arguments)(*arguments)
        if count > MOST_EXACT or not all(holds_exactly(rows, bound, int(reduced.owner[x]), int(x), lower=lower) for x in doubtful[:count]):
            return False
        if count <= len(doubtful):
            return True


def holds_exactly(rows: Rows, bound: Floats, s: int, x: int, *, lower: bool) -> bool:
    """One row, in rational numbers."""
    entries, cost, here = range(rows.row_ptr[x], rows.row_ptr[x + 1]), Fraction(float(rows.cost_x[x])), Fraction(float(bound[s]))
    total = sum(Fraction(float(rows.probability[i])) * (cost + Fraction(float(bound[rows.next_state[i]])) - here) for i in entries)
    return total >= 0 if lower else total <= 0
