"""Bounds made from values that need not be exact (docs/certificates.md).

From values J in balance up to a small residual, upper = (1 + share) J + delta Y and lower = max(0, (1 - share) J - delta Y), where Y bounds the number of
free steps before one that costs. The share of its cost is the slack of a pair that costs something, and delta that of a free one. Inside free end components
both bounds are constant: there a row holds with equality, and needs no slack.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from goalward._compile import component, run
from goalward.models.rows import Floats, Ints, Rows
from goalward.planning.certificate import FIRST_DOUBTS, UNIT, count_doubts, holds, pairs_in_question, plain
from goalward.planning.reduction import Reduced
from goalward.planning.witness import Witness

REPAIRS = 3
HIGHEST_SHARE = 1e6  # an upper bound is so many times the value at most; then it is infinite


class Bounds(NamedTuple):
    """Bounds that hold, and whether they are further apart than was asked for."""

    lower: Floats  # (S + 1,)
    upper: Floats
    widened: bool


def bounds(rows: Rows, reduced: Reduced, policy: Witness, value: Floats, free_steps: Floats, share: float, delta: float, excess: float) -> Bounds:
    """The first that are found to hold: as close as was asked for or closer, then with `share` and `delta` doubled, and so on.

    `excess` is how far the values are out of balance in units of what such bounds can bear: if it is more than 1, close ones need not be tried.
    """
    closest = share * min(max(1.0, 2.0 * excess), HIGHEST_SHARE / share)
    lower, lower_share = _bound(rows, reduced, policy, value, free_steps, share, delta, closest, lower=True)
    upper, upper_share = _bound(rows, reduced, policy, value, free_steps, share, delta, closest, lower=False)
    return Bounds(lower, upper, max(lower_share, upper_share) > share)


def _bound(
    rows: Rows, reduced: Reduced, policy: Witness, value: Floats, free_steps: Floats, share: float, delta: float, closest: float, *, lower: bool
) -> tuple[Floats, float]:
    """A bound, and the share that it took."""
    for tried in _shares(share, closest, 1.0 if lower else HIGHEST_SHARE):
        doubtful = np.empty(FIRST_DOUBTS, np.int32)
        bound, doubts = run(try_bound, rows, reduced, policy.pair_s, value, free_steps, tried, delta * (tried / share), lower, doubtful)
        right = doubts == 0 or holds(rows, reduced, policy.pair_s, bound, lower=lower)
        if right or (tried == share and _repaired(rows, reduced, policy, bound, lower=lower)):
            return bound, tried
    worthless = reduced.index_s == len(reduced.blocks.first_choice)
    return np.where(reduced.index_s < 0, np.inf, np.where(worthless | lower, 0.0, np.inf)), np.inf


def _shares(share: float, closest: float, most: float) -> Iterator[float]:
    """What is asked for; none, which is right where all numbers happen to be exact; less, for luck with rounding; then more and more."""
    if closest == share:
        yield from (share, 0.0, share / 4.0, share / 16.0)
        closest *= 2.0
    while closest < most:
        yield closest
        closest = max(2.0 * closest, UNIT)


def _repaired(rows: Rows, reduced: Reduced, policy: Witness, bound: Floats, *, lower: bool) -> bool:
    order = np.argsort(reduced.index_s[:-1], kind="stable").astype(np.int32)
    order = order[reduced.index_s[order] >= 0]
    for _ in range(REPAIRS):
        run(repair, rows, reduced, policy.pair_s, order, bound, lower)
        if holds(rows, reduced, policy.pair_s, bound, lower=lower):
            return True
    return False


@component
def try_bound(
    rows: Rows, reduced: Reduced, pair_s: Ints, value: Floats, free_steps: Floats, share: float, delta: float, lower: bool, doubtful: Ints
) -> tuple[Floats, int]:
    """A bound, (S + 1,), infinite outside; and how many of its rows are in doubt."""
    bound, sign = np.empty(len(reduced.index_s)), -1.0 if lower else 1.0
    for s in range(len(bound)):
        u = reduced.index_s[s]
        bound[s] = np.inf if u < 0 else max(0.0, (1.0 + sign * share) * value[u] + sign * delta * free_steps[u])
    return bound, count_doubts(rows, reduced, pair_s, bound, lower, doubtful)


@component
def repair(rows: Rows, reduced: Reduced, pair_s: Ints, order: Ints, bound: Floats, lower: bool) -> None:
    """Move each bound that does not plainly hold to where it does, rounding outwards, one state after the other."""
    for s in order:
        first, end = pairs_in_question(rows, pair_s, s, lower)
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
