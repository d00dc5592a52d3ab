"""The recipe: solve a reduced model block by block, each by whichever of two ways is cheaper.

Policy iteration in every block, from a policy that surely arrives. The value of a policy is either computed exactly, by elimination, or approached in sweeps.
Elimination costs size * below * above for a band matrix; how many sweeps it takes is known to nobody beforehand. So a block is swept until it has cost as much as
elimination would have, and then eliminated: at most twice the price of the better way, without having to know which one it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goalward._compile import component
from goalward.models.graph import Ints
from goalward.models.rows import Rows
from goalward.planning.elimination import band_of, eliminate
from goalward.planning.reduction import Floats, Reduced
from goalward.planning.sweeps import CYCLE, extrapolate, sweep_all, sweep_policy

SETTLED = 0.25  # the imbalance at which a block is left, in units of what the certificate can bear
CHEAP = 20  # elimination that costs no more than so many sweeps over all pairs is done at once
FEW = 4096  # ... or no more than so many operations
LARGEST = 2e7  # numbers in a band matrix
GAIN = 0.05  # a policy is followed until its imbalance is so much smaller than at first
SWEEPS = 8  # under one policy, before they are hurried
CYCLES = 5  # of extrapolation under one policy
FEW_SWITCH = 0.02
PATIENCE = 40  # rounds without progress
ROUNDS = 400  # of policy iteration by elimination

Place = np.dtype(
    [(name, np.int64) for name in ("block", "begun", "exact", "stuck", "below", "above", "careful", "rounds", "switched", "stale", "sweeps")]
    + [(name, np.float64) for name in ("spent", "entries", "worst", "best")]
)


@component
class Work(NamedTuple):
    """Where the solver stands. It can stop between any two rounds, and be taken up again."""

    value: Floats  # (n + 1,) 0 at the goal
    choice: Ints  # (n,) pairs of the reduced model
    slack_x: Floats  # (X',) the imbalance that the certificate can bear
    history: Floats  # (CYCLE + 1, size of the largest block) the last values
    place: np.record  # Place


@component
def settle(reduced: Reduced, work: Work, budget: float) -> bool:
    """Go on with the blocks until all are settled (True); or about `budget` transitions have been looked at, or sweeps no longer help in a block (`stuck`)."""
    rows, place = reduced.rows, work.place
    limit = place.entries + budget
    while place.block < len(reduced.block_ptr) - 1:
        first, end = reduced.block_ptr[place.block], reduced.block_ptr[place.block + 1]
        settled = end - first == 1
        if settled:
            sweep_all(rows, work.slack_x, work.choice, work.value, first, end)
            place.entries += rows.row_ptr[rows.first_pair[end]] - rows.row_ptr[rows.first_pair[first]]
        elif place.begun == 0:
            begin(rows, place, first, end)
        while not settled:
            settled = improve(reduced, work, first, end)
            if place.stuck == 1 or (not settled and place.entries > limit):
                return False
        place.block += 1
        place.begun = 0
        if place.entries > limit:
            break
    return place.block == len(reduced.block_ptr) - 1


@component
def begin(rows: Rows, place: np.record, first: int, end: int) -> None:
    below, above = band_of(rows, first, end)
    place.begun, place.exact, place.careful, place.stuck, place.rounds, place.stale = 1, 0, 0, 0, 0, 0
    place.switched = 0
    place.below, place.above, place.spent, place.best = below, above, 0.0, np.inf


@component
def improve(reduced: Reduced, work: Work, first: int, end: int) -> bool:
    """One round of policy iteration in a block: the value of the policy, more or less; then a better policy. True if the block is settled."""
    rows, place = reduced.rows, work.place
    place.rounds += 1
    if place.exact == 0 and worth_eliminating(rows, place, first, end):
        place.exact = 1
        if not eliminate(rows, work.choice, work.value, first, end, place.below, place.above):  # sweeps may have led to a policy that circles
            start_again(reduced, work, first, end)
    if place.exact == 1:
        place.stuck = not eliminate(rows, work.choice, work.value, first, end, place.below, place.above) or place.rounds > ROUNDS
        return look_around(rows, work, first, end) == 0 or place.stuck == 1
    follow(rows, work, first, end)
    look_around(rows, work, first, end)
    if place.worst < 0.5 * place.best:
        place.best, place.stale = place.worst, 0
    else:
        place.stale += 1
    if place.stale > PATIENCE and place.careful == 0:
        start_again(reduced, work, first, end)
        place.careful, place.stale, place.best = 1, 0, np.inf
    place.stuck = place.worst > SETTLED and place.stale > PATIENCE
    return place.worst <= SETTLED


@component
def start_again(reduced: Reduced, work: Work, first: int, end: int) -> None:
    for s in range(first, end):
        work.value[s], work.choice[s] = reduced.guess[s], reduced.first_choice[s]


@component
def worth_eliminating(rows: Rows, place: np.record, first: int, end: int) -> bool:
    entries, width = rows.row_ptr[rows.first_pair[end]] - rows.row_ptr[rows.first_pair[first]], place.below + 1.0 + place.above
    price = (end - first) * (place.below + 1.0) * (place.above + 1.0)
    return price <= max(FEW, CHEAP * entries, place.spent) and (end - first) * width <= LARGEST


@component
def look_around(rows: Rows, work: Work, first: int, end: int) -> int:
    """A sweep over all pairs; returns how many states chose anew."""
    work.place.worst, work.place.switched = sweep_all(rows, work.slack_x, work.choice, work.value, first, end)
    count(work.place, rows.row_ptr[rows.first_pair[end]] - rows.row_ptr[rows.first_pair[first]])
    return work.place.switched


@component
def count(place: np.record, entries: float) -> None:
    place.sweeps += 1
    place.entries += entries
    place.spent += entries


@component
def follow(rows: Rows, work: Work, first: int, end: int) -> None:
    """Sweeps under the policy until its imbalance is GAIN times what it was; where they are slow, with extrapolation."""
    worst = follow_once(rows, work, first, end)
    target = max(SETTLED / 4.0, GAIN * worst)
    sweeps = 1
    while worst > target and sweeps < SWEEPS:
        worst = follow_once(rows, work, first, end)
        sweeps += 1
    cycle = 0 if work.place.careful == 0 and work.place.switched <= FEW_SWITCH * (end - first) else CYCLES
    while worst > target and cycle < CYCLES:
        before, worst = worst, hurry(rows, work, first, end, target)
        cycle = cycle + 1 if worst < before else CYCLES


@component
def follow_once(rows: Rows, work: Work, first: int, end: int) -> float:
    pairs = rows.first_pair[end] - rows.first_pair[first]
    count(work.place, (rows.row_ptr[rows.first_pair[end]] - rows.row_ptr[rows.first_pair[first]]) * (end - first) / pairs)
    return sweep_policy(rows, work.slack_x, work.choice, work.value, first, end)


@component
def hurry(rows: Rows, work: Work, first: int, end: int, target: float) -> float:
    """A cycle of sweeps and an extrapolation, which is taken back if it does not help. Returns the imbalance."""
    remember(work, 0, first, end)
    worst = np.inf
    for j in range(1, CYCLE + 1):
        worst = follow_once(rows, work, first, end)
        remember(work, j, first, end)
    if worst <= target or not extrapolate(work.history, work.value, first, end):
        return worst
    better = follow_once(rows, work, first, end)
    if better < worst:
        return better
    for k in range(end - first):
        work.value[first + k] = work.history[CYCLE, k]
    return worst


@component
def remember(work: Work, j: int, first: int, end: int) -> None:
    for k in range(end - first):
        work.history[j, k] = work.value[first + k]
