"""Does a bound hold? Decided row by row, in exact arithmetic (docs/certificates.md).

A row is decided on the model as it is, by differences: c + sum of p(t) (L(t) - L(s)) >= 0, with probabilities divided by their exact sum, is
sum of p(t) (c + L(t) - L(s)) >= 0, in which no division is left. Differences of nearby numbers are nearly exact, so the rounding error is bounded by a few
units in the last place of the sum of absolute values. A row too close for that is decided in rational numbers.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from goalward._compile import component, run
from goalward.models.rows import Floats, Ints, Rows
from goalward.planning.reduction import Reduced

UNIT = 2.0**-53
TINY = 1e-290  # more than any underflow in a row can amount to
FIRST_DOUBTS = 64  # rows that are looked at before all doubtful ones are listed
MOST_EXACT = 20_000  # rows decided in rational numbers before giving up


def holds(rows: Rows, reduced: Reduced, pair_s: Ints, bound: Floats, *, lower: bool) -> bool:
    """Whether a bound satisfies all its rows: a lower one those of all kept pairs, an upper one those of the policy."""
    if not np.isfinite(bound[reduced.index_s >= 0]).all():
        return False
    count = FIRST_DOUBTS
    while True:
        doubtful = np.empty(count, np.int32)
        count = run(count_doubts, rows, reduced, pair_s, bound, lower, doubtful)
        if count > MOST_EXACT or not all(holds_exactly(rows, bound, int(reduced.owner[x]), int(x), lower=lower) for x in doubtful[:count]):
            return False
        if count <= len(doubtful):
            return True


@component
def count_doubts(rows: Rows, reduced: Reduced, pair_s: Ints, bound: Floats, lower: bool, doubtful: Ints) -> int:
    """How many rows do not plainly hold; the first of them are written into `doubtful`."""
    count, sign = 0, 1.0 if lower else -1.0
    for s in range(len(pair_s)):
        first, end = pairs_in_question(rows, pair_s, s, lower)
        for x in range(first, end):
            if reduced.keep_x[x] and not plain(rows, bound, s, x, sign):
                if count < len(doubtful):
                    doubtful[count] = x
                count += 1
    return count


@component
def pairs_in_question(rows: Rows, pair_s: Ints, s: int, lower: bool) -> tuple[int, int]:
    """The first pair that a bound of state s is about, and the one after the last: all of its pairs, or the one that the policy plays, if any."""
    if lower:
        return rows.first_pair[s], rows.first_pair[s + 1]
    return max(0, pair_s[s]), pair_s[s] + 1


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


def holds_exactly(rows: Rows, bound: Floats, s: int, x: int, *, lower: bool) -> bool:
    """One row, in rational numbers."""
    entries, cost, here = range(rows.row_ptr[x], rows.row_ptr[x + 1]), Fraction(float(rows.cost_x[x])), Fraction(float(bound[s]))
    total = sum(Fraction(float(rows.probability[i])) * (cost + Fraction(float(bound[rows.next_state[i]])) - here) for i in entries)
    return total >= 0 if lower else total <= 0
